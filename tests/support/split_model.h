/* Tiny models in several files, as llama.cpp's gguf-split makes them, whole or
 * damaged on purpose. */
#ifndef SOTTO_TESTS_SPLIT_MODEL_H
#define SOTTO_TESTS_SPLIT_MODEL_H

#include <stdint.h>

#include "base/error.h"
#include "gguf/writer.h"
#include "support/tiny_model.h"

/* Called for each part, from 0, before it is written. */
typedef void (*split_change)(void *ctx, uint32_t part, struct gguf_writer *w);

/* PREFIX-00001-of-0000N.gguf and so on: the metadata in the first, the tensors
 * in all of them, in order. `change` may be NULL. */
enum status split_model_save(const struct tiny_model *tiny, const char *prefix, uint32_t n_parts,
                             split_change change, void *ctx, struct error *err);

/* As gguf-split writes them. */
void split_model_set_u16(struct gguf_writer *w, const char *key, uint16_t value);

/* The path of a part, from 0; the text lasts for four calls. */
const char *split_model_path(const char *prefix, uint32_t part, uint32_t n_parts);

#endif
