/* Random weights of any block type, for models and matrices of tests. */
#ifndef SOTTO_TESTS_RANDOM_BLOCKS_H
#define SOTTO_TESTS_RANDOM_BLOCKS_H

#include <stddef.h>

#include "gguf/types.h"
#include "support/random.h"

/* Every type that the kernels compute with. */
extern const enum block_type random_block_types[];
extern const size_t random_n_block_types;

/* Bytes of n elements (a multiple of the type's block length). */
size_t random_blocks_bytes(enum block_type type, size_t n);

/* Writes n elements: quants of all bits at random, scales such that no weight
 * is larger than `amplitude` by more than the rounding of a scale. */
void random_blocks(struct test_random *random, enum block_type type, size_t n, float amplitude,
                   void *out);

#endif
