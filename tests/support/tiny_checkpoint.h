/* Tiny checkpoints by rule: a family's tensors (tiny_families.h) with numbers that are hashes of name and index, so the
 * same bytes for ever: vectors in tests/vectors/convert were made from them. */
#ifndef SOTTO_TESTS_TINY_CHECKPOINT_H
#define SOTTO_TESTS_TINY_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/tiny_families.h"

struct tiny_checkpoint {
	const struct tiny_family *family;
	/* "F32", "F16", "BF16", "F64"; FP8 of matrices in layers, all else BF16: "F8_BLOCK" (E4M3, scales of 32 x 32),
	 * "F8_E5M2" (the same of E5M2), "F8_ROW", "F8_TENSOR". */
	const char *dtype;
	unsigned n_shards;       /* 0, 1: one file, model.safetensors */
	bool without_tokenizer;
	const char *config;      /* NULL: the family's */
};

/* Makes the folder and its files. What the system refuses ends the program. */
void tiny_checkpoint_write(const struct tiny_checkpoint *tiny, const char *folder);

/* The rule: element `index` of a tensor, in -0.05..0.05. */
float tiny_value(const char *name, uint64_t index);

#endif
