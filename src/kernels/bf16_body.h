/* Products of BF16 matrices by pairs of columns: included after a simd_*.h with load_pairs,
 * and after
 *
 *   vf dot_bf16(vf sums, vi w, vi a)
 *
 * the one instruction all this is about. The tests' twins (tests/support/isa_bf16_*.c)
 * spell it out.
 *
 * A lane holds the bf16 of column k in its high half and of column k + 1 in the
 * low one, since the instruction adds the high product first: sums have rising
 * columns. Behind an odd number of columns there is a zero. */
#ifndef SOTTO_KERNELS_BF16_BODY_H
#define SOTTO_KERNELS_BF16_BODY_H

#include <stdbool.h>

#include "kernels/bf16.h"
#include "kernels/float16.h"
#include "kernels/matmul_pair.h"
#include "kernels/peak_loop.h"

typedef uint64_t vu64 __attribute__((vector_size(4 * SIMD_LANES)));
typedef uint32_t some_pairs __attribute__((vector_size(2 * SIMD_LANES)));

/* As bf16_from_f32 does it, in the high half of each lane; the low one is zero. */
INLINE vu32 round_to_bf16(vf v)
{
	vu32 bits = (vu32)v, nan = (vu32)(v != v);
	vu32 rounded = bits + 0x7fff + (bits >> 16 & 1);

	return ((rounded & ~nan) | ((bits | 0x400000) & nan)) & 0xffff0000u;
}

/* SIMD_LANES activations: the first of two in the high half. */
INLINE some_pairs pair_activations(const float *x)
{
	vu64 two = (vu64)round_to_bf16(load_f32(x)); /* the first is the low one: little-endian */

	return __builtin_convertvector((two & 0xffffffffu) | two >> 48, some_pairs);
}

static void arrange_pairs(struct activations *a, size_t begin, size_t end)
{
	size_t n_pairs = (a->cols + 1) / 2;

	for (size_t col = begin; col < end; col++) {
		size_t first = col / SIMD_ROWS * SIMD_ROWS, k = 0;
		size_t width = a->n - first < SIMD_ROWS ? a->n - first : SIMD_ROWS;
		const float *x = a->x + col * a->cols;
		uint32_t *to = a->pairs + first * n_pairs + col - first;

		for (; k + SIMD_LANES <= a->cols; k += SIMD_LANES) {
			some_pairs pairs = pair_activations(x + k);

			for (size_t i = 0; i < SIMD_LANES / 2; i++, to += width)
				*to = pairs[i];
		}
		for (; k < a->cols; k += 2, to += width)
			*to = (uint32_t)bf16_from_f32(x[k]) << 16 |
			      (k + 1 < a->cols ? bf16_from_f32(x[k + 1]) : 0);
	}
}

enum { STEP_COLUMNS = 2 };

INLINE vf step_weights(enum block_type type, struct strip s, bool is_lone)
{
	const uint16_t *column = (const uint16_t *)(const void *)s.block + s.row;

	(void)type;
	return is_lone ? load_bf16(column) : (vf)load_pairs(column);
}

INLINE vf add_step(vf sums, vf w, const float *a)
{
	return dot_bf16(sums, (vi)w, splat((int32_t)f32_to_bits(*a)));
}

#include "kernels/matmul_floats.h"

/* Fewer columns than a tile may have are one tile. */
static void multiply_pairs(const struct matmul *job, size_t begin, size_t end)
{
	multiply_steps(BLOCK_BF16, job, begin, end, SIMD_ROWS, job->a->tiles, 1, job->a->n);
}

INLINE vi multiply_add_pairs(vi sums, vi w, vi a)
{
	return (vi)dot_bf16((vf)sums, w, a);
}

static uint32_t peak_bf16(size_t rounds)
{
	return peak_loop(rounds, multiply_add_pairs, splat(0x3f003f00), (vi)splat_f32((float)rounds));
}

const struct bf16_kernels ISA(bf16) = {.multiply = multiply_pairs,
                                       .arrange = arrange_pairs,
                                       .peak = peak_bf16,
                                       .peak_macs = (size_t)PEAK_CHAINS * 2 * SIMD_LANES};

#endif
