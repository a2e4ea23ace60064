/* The llama architecture once more: straight from the formulas, in double,
 * one token at a time, nothing shared with the engine but the reading of
 * tensors. For models of support/tiny_model.h. */
#ifndef SOTTO_TESTS_REFERENCE_H
#define SOTTO_TESTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "gguf/reader.h"
#include "support/tiny_model.h"

/* logits[n][n_vocab] of ids at positions 0 .. n - 1. Aborts without memory. */
void reference_logits(const struct tiny_model *tiny, const struct gguf *gguf, const int32_t *ids,
                      size_t n, double *logits);

#endif
