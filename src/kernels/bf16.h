/* Products of BF16 matrices where an instruction multiplies pairs of bf16.
 *
 * Instruction sets without one take BF16 matrices like other floats (matmul_floats.h). Here
 * activations are rounded to bf16, as llama.cpp does wherever it meets a BF16 matrix, and two
 * products are added to a lane at a time. This holds for any number of columns, so that a
 * batch has the same bits as its tokens one by one. */
#ifndef SOTTO_KERNELS_BF16_H
#define SOTTO_KERNELS_BF16_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/matmul.h"

/* A set's kernels; see struct matmul_kernels and struct peak_kernels. */
struct bf16_kernels {
	void (*multiply)(const struct matmul *job, size_t begin, size_t end);
	/* Columns begin .. end - 1 into a->pairs. */
	void (*arrange)(struct activations *a, size_t begin, size_t end);
	uint32_t (*peak)(size_t rounds); /* products of bf16, nothing else */
	size_t peak_macs;                /* multiply-adds of a round */
};

extern const struct bf16_kernels bf16_avx512bf16; /* AVX512_BF16's vdpbf16ps */

#endif
