/* Products of BF16 matrices by pairs: included after a simd_*.h with load_pairs,
 * and after
 *
 *   vf dot_bf16(vf sums, vi w, vi a)
 *
 * the one instruction all this is about. The tests' twins (tests/support/isa_bf16_*.c)
 * spell it out.
 *
 * A lane holds the bf16 of column k in its high half and of column k + 1 in the
 * low one, since the instruction adds the high product first: sums have rising
 * columns. Behind an odd number of columns there is a zero.
 *
 * As with floats (matmul_floats.h): few columns are multiplied with the panels directly; for
 * many, a stretch of weights is paired in the first-level cache. */
#ifndef SOTTO_KERNELS_BF16_BODY_H
#define SOTTO_KERNELS_BF16_BODY_H

#include <stdbool.h>

#include "kernels/bf16.h"
#include "kernels/float16.h"
#include "kernels/matmul_pair.h"
#include "kernels/peak_loop.h"

enum {
	BF16_COLS = SIMD_ROWS, /* of a tile */
	BF16_STRETCH = 128     /* pairs of columns of weights at a time */
};

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
		size_t first = col / BF16_COLS * BF16_COLS, k = 0;
		size_t width = a->n - first < BF16_COLS ? a->n - first : BF16_COLS;
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

INLINE const uint16_t *bf16_column(struct strip s)
{
	return (const uint16_t *)(const void *)s.block + s.row;
}

/* The last column, if it has no other beside it. */
INLINE vi load_lone(const uint16_t *column)
{
	return (vi)load_bf16(column);
}

#define DECLARE(c) vf x##c = {0}, y##c = {0};
#define ADD(c) \
	if (c < cols) { \
		vi a##c = splat((int32_t)in[c]); \
		x##c = dot_bf16(x##c, wx, a##c); \
		y##c = dot_bf16(y##c, wy, a##c); \
	}
#define STORE_RESULT(c) \
	if (c < cols) \
		store_pair(job, row, c, x##c, y##c);

enum { BF16_COLUMN_BYTES = PANEL_ROWS * sizeof(uint16_t) };

/* All columns, a constant, over the panels. */
INLINE void bf16_gemv(size_t cols, const struct matmul *job, size_t row)
{
	struct strip s = strip_at(job->m, row), t = strip_at(job->m, row + SIMD_LANES);
	const uint32_t *in = job->a->pairs;

	FOR_TILE(DECLARE)
	for (size_t k = 0; k + 1 < job->m->cols; k += 2, in += cols) {
		vi wx = load_pairs(bf16_column(s)), wy = load_pairs(bf16_column(t));

		fetch_strips(s, t, 0, 2 * BF16_COLUMN_BYTES);
		FOR_TILE(ADD)
		s.block += 2 * BF16_COLUMN_BYTES;
		t.block += 2 * BF16_COLUMN_BYTES;
	}
	if (job->m->cols % 2) {
		vi wx = load_lone(bf16_column(s)), wy = load_lone(bf16_column(t));

		FOR_TILE(ADD)
	}
	FOR_TILE(STORE_RESULT)
}

/* Weights of a stretch of a pair of vectors. */
typedef int32_t stretch_of_pairs[BF16_STRETCH][2][SIMD_LANES];

/* acc[cols][PAIR_ROWS] += n pairs of weights times the tile's in[n][cols]. */
INLINE void bf16_tile(size_t cols, stretch_of_pairs w, const uint32_t *in, size_t n, float *acc)
{
	FOR_TILE(DECLARE)
	FOR_TILE(LOAD_SUMS)
	for (size_t i = 0; i < n; i++, in += cols) {
		vi wx = load(w[i][0]), wy = load(w[i][1]);

		FOR_TILE(ADD)
	}
	FOR_TILE(STORE_SUMS)
}

#undef DECLARE
#undef ADD
#undef STORE_RESULT

/* Columns col .. col + cols - 1 (col a multiple of BF16_COLS), pairs at .. at + n - 1. */
static NOINLINE void bf16_tiles(stretch_of_pairs w, const struct activations *a, size_t col,
                                size_t cols, size_t at, size_t n, float *acc)
{
	size_t n_pairs = (a->cols + 1) / 2;

	for (size_t c = 0; c < cols; c += BF16_COLS, acc += BF16_COLS * PAIR_ROWS) {
		const uint32_t *in = a->pairs + (col + c) * n_pairs;

		switch (cols - c < BF16_COLS ? cols - c : BF16_COLS) {
		case 1: bf16_tile(1, w, in + at, n, acc); break;
		case 2: bf16_tile(2, w, in + 2 * at, n, acc); break;
		case 3: bf16_tile(3, w, in + 3 * at, n, acc); break;
		case 4: bf16_tile(4, w, in + 4 * at, n, acc); break;
		case 5: bf16_tile(5, w, in + 5 * at, n, acc); break;
		case 6: bf16_tile(6, w, in + 6 * at, n, acc); break;
		case 7: bf16_tile(7, w, in + 7 * at, n, acc); break;
		default: bf16_tile(BF16_COLS, w, in + BF16_COLS * at, n, acc); break;
		}
	}
}

/* Pairs at .. at + n - 1 of one vector of rows. */
INLINE void pair_weights(struct strip s, size_t cols, size_t at, size_t n, size_t half,
                         stretch_of_pairs w)
{
	s.block += 2 * at * BF16_COLUMN_BYTES;
	for (size_t i = 0; i < n; i++, s.block += 2 * BF16_COLUMN_BYTES) {
		bool lone = 2 * (at + i) + 1 == cols;

		store(w[i][half], lone ? load_lone(bf16_column(s)) : load_pairs(bf16_column(s)));
	}
}

static void bf16_gemm(const struct matmul *job, size_t row, size_t col, size_t cols)
{
	_Alignas(64) stretch_of_pairs w;
	_Alignas(64) float acc[SUM_COLS * PAIR_ROWS];
	size_t k_total = job->m->cols, n_pairs = (k_total + 1) / 2;

	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (size_t at = 0; at < n_pairs; at += BF16_STRETCH) {
		size_t n = n_pairs - at < BF16_STRETCH ? n_pairs - at : BF16_STRETCH;

		pair_weights(strip_at(job->m, row), k_total, at, n, 0, w);
		pair_weights(strip_at(job->m, row + SIMD_LANES), k_total, at, n, 1, w);
		bf16_tiles(w, job->a, col, cols, at, n, acc);
	}
	store_columns(job, row, col, cols, acc);
}

static void multiply_pairs(const struct matmul *job, size_t begin, size_t end)
{
	size_t n = job->a->n;

	_Static_assert(SUM_COLS % BF16_COLS == 0, "whole tiles");
	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS) {
		switch (n < BF16_COLS ? n : 0) { /* these are one tile */
		case 1: bf16_gemv(1, job, row); continue;
		case 2: bf16_gemv(2, job, row); continue;
		case 3: bf16_gemv(3, job, row); continue;
		case 4: bf16_gemv(4, job, row); continue;
		case 5: bf16_gemv(5, job, row); continue;
		case 6: bf16_gemv(6, job, row); continue;
		case 7: bf16_gemv(7, job, row); continue;
		default: break;
		}
		for (size_t c = 0; c < n; c += SUM_COLS)
			bf16_gemm(job, row, c, n - c < SUM_COLS ? n - c : SUM_COLS);
	}
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
