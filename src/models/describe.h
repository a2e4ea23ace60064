/* What a model file calls itself. */
#ifndef SOTTO_MODELS_DESCRIBE_H
#define SOTTO_MODELS_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include "gguf/reader.h"

/* general.name, else the last part of the path. Not NUL-terminated, not
 * sanitised; borrowed from the gguf. */
struct gguf_string describe_name(const struct gguf *gguf);

/* general.architecture, "" if the file does not say; the same holds for it. */
struct gguf_string describe_architecture(const struct gguf *gguf);

/* The context that the model was trained with, in tokens; 0 if the file does not say. */
uint32_t describe_context(const struct gguf *gguf);

/* "Q4_K_M", where general.file_type says so and the tensors agree, else the
 * type that most of their bytes are in: "Q4_K". */
const char *describe_type(const struct gguf *gguf);

/* Whether it is the guide (tools/guide), in whatever type: sotto.guide says so. */
bool describe_is_guide(const struct gguf *gguf);

enum { SENSES_NOTE_MAX = 128 };
/* A sentence about images and sound that the file has tensors for, which sotto does not look at;
 * false without any: *out is empty then. */
bool describe_senses(const struct gguf *gguf, char out[SENSES_NOTE_MAX]);

#endif
