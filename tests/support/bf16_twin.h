/* BF16's kernels for pairs (kernels/bf16_body.h) where the instruction is spelled
 * out, so that all around it is tested on any machine: with vectors of 16 bytes,
 * and with those of AVX-512. */
#ifndef SOTTO_TESTS_BF16_TWIN_H
#define SOTTO_TESTS_BF16_TWIN_H

#include "kernels/bf16.h"

extern const struct bf16_kernels bf16_twin_generic, bf16_twin_avx512;

#endif
