/* What a model file says about itself. */
#ifndef SOTTO_CATALOG_DESCRIBE_H
#define SOTTO_CATALOG_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include "gguf/reader.h"
#include "turn/turn.h"

/* general.name, or the last part of the path. Not NUL-terminated, not sanitised;
 * borrowed from the gguf. */
struct gguf_string describe_name(const struct gguf *gguf);

/* general.architecture, or "". Like the name not NUL-terminated, not sanitised, and borrowed. */
struct gguf_string describe_architecture(const struct gguf *gguf);

/* The context that the model was trained with, in tokens; 0 if the file does not say. */
uint32_t describe_context(const struct gguf *gguf);

/* "Q4_K_M" if general.file_type says so and the tensors agree; otherwise the type that
 * most of their bytes have: "Q4_K". */
const char *describe_type(const struct gguf *gguf);

/* Whether it is the guide (tools/guide), of whatever type: sotto.guide is true. */
bool describe_is_guide(const struct gguf *gguf);

enum { MODALITIES_NOTE_MAX = 128 };
/* Writes a sentence saying that sotto ignores the file's tensors for images or sound. False if there
 * are none; *out is then empty. */
bool describe_modalities(const struct gguf *gguf, char out[MODALITIES_NOTE_MAX]);

/* The sampling that the file recommends: general.sampling.*, which llama.cpp's converter takes from
 * the model's generation_config.json (gguf-py's constants.py, Keys.General); the order of the
 * samplers (general.sampling.sequence) is skipped. Reads values for some of sampler_options;
 * returns how many. A value beyond the option's range becomes the nearest in it: top_k -1 is off,
 * as in llama.cpp. Values that are not numbers are skipped. */
size_t describe_sampling(const struct gguf *gguf, struct option_text out[RECOMMENDED_MAX]);

/* Puts a value among n of them, in the place of one for the same option, and in the option's range. Does nothing if there
 * is no such option, or no room. */
void describe_recommend(struct option_text values[RECOMMENDED_MAX], size_t *n, const char *option, double value);

#endif
