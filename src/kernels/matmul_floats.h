/* Products of matrices of floats: included by matmul_body.h, for any float type, and by
 * bf16_body.h.
 *
 * As with quants: few columns are multiplied with the panels directly; for many, a stretch of
 * weights is converted in the first-level cache and multiplied with tiles of columns, whose
 * activations were arranged so that a tile reads them in order. Columns of weights are taken in
 * steps of one or two. The file that includes this one defines before it:
 *
 *   STEP_COLUMNS                      1 or 2
 *   vf step_weights(enum block_type type, struct strip s, bool is_lone)
 *                                     weights of the step at s; is_lone: of its first column alone
 *   vf add_step(vf sums, vf w, const float *a)
 *                                     sums + weights of a step times its activations
 */
#ifndef SOTTO_KERNELS_MATMUL_FLOATS_H
#define SOTTO_KERNELS_MATMUL_FLOATS_H

#include <stdbool.h>

#include "kernels/matmul_pair.h"
#include "kernels/panels_simd.h"

enum {
	FLOAT_COLS = SIMD_ROWS, /* of a tile: twice as many sums fit the registers */
	FLOAT_STRETCH = 128     /* steps whose weights are converted at a time */
};

/* Steps of a row: the last one may have a column less. */
INLINE size_t steps_of(size_t cols)
{
	return (cols + STEP_COLUMNS - 1) / STEP_COLUMNS;
}

#define DECLARE(c) vf x##c = {0}, y##c = {0};
#define ADD(c) \
	if (c < cols) { \
		x##c = add_step(x##c, wx, in + c * stride); \
		y##c = add_step(y##c, wy, in + c * stride); \
	}
#define STORE_RESULT(c) \
	if (c < cols) \
		store_pair(job, row, c, x##c, y##c);

/* All columns, a constant, over the panels; activations of column c at step k are in[c * stride +
 * k * next]. */
INLINE void float_gemv(enum block_type type, size_t cols, const struct matmul *job, size_t row,
                       const float *in, size_t stride, size_t next)
{
	struct strip s = strip_at(job->m, row), t = strip_at(job->m, row + SIMD_LANES);
	size_t n = job->m->cols / STEP_COLUMNS, step_bytes = STEP_COLUMNS * shapes[type].panel_bytes;

	FOR_TILE(DECLARE)
	for (size_t k = 0; k < n; k++, in += next) {
		vf wx = step_weights(type, s, false), wy = step_weights(type, t, false);

		fetch_strips(s, t, 0, 64);
		FOR_TILE(ADD)
		s.block += step_bytes;
		t.block += step_bytes;
	}
	if (n < steps_of(job->m->cols)) {
		vf wx = step_weights(type, s, true), wy = step_weights(type, t, true);

		FOR_TILE(ADD)
	}
	FOR_TILE(STORE_RESULT)
}

/* Weights of a stretch of a pair of vectors. */
typedef float stretch_of_floats[FLOAT_STRETCH][2][SIMD_LANES];

/* acc[cols][PAIR_ROWS] += n steps of weights times the tile's activations in[n][cols]. */
INLINE void float_tile(size_t cols, stretch_of_floats w, const float *in, size_t n, float *acc)
{
	const size_t stride = 1;

	FOR_TILE(DECLARE)
	FOR_TILE(LOAD_SUMS)
	for (size_t k = 0; k < n; k++, in += cols) {
		vf wx = load_f32(w[k][0]), wy = load_f32(w[k][1]);

		FOR_TILE(ADD)
	}
	FOR_TILE(STORE_SUMS)
}

#undef DECLARE
#undef ADD
#undef STORE_RESULT

/* Columns col .. col + cols - 1 (col a multiple of FLOAT_COLS), steps k .. k + n - 1. */
static NOINLINE void float_tiles(stretch_of_floats w, const struct activations *a, size_t col,
                                 size_t cols, size_t k, size_t n, float *acc)
{
	for (size_t c = 0; c < cols; c += FLOAT_COLS, acc += FLOAT_COLS * PAIR_ROWS) {
		const float *in = a->tiles + (col + c) * steps_of(a->cols);

		switch (cols - c < FLOAT_COLS ? cols - c : FLOAT_COLS) {
		case 1: float_tile(1, w, in + k, n, acc); break;
		case 2: float_tile(2, w, in + 2 * k, n, acc); break;
		case 3: float_tile(3, w, in + 3 * k, n, acc); break;
		case 4: float_tile(4, w, in + 4 * k, n, acc); break;
		case 5: float_tile(5, w, in + 5 * k, n, acc); break;
		case 6: float_tile(6, w, in + 6 * k, n, acc); break;
		case 7: float_tile(7, w, in + 7 * k, n, acc); break;
		default: float_tile(FLOAT_COLS, w, in + FLOAT_COLS * k, n, acc); break;
		}
	}
}

INLINE void float_gemm(enum block_type type, const struct matmul *job, size_t row, size_t col,
                       size_t cols)
{
	_Alignas(64) stretch_of_floats w;
	_Alignas(64) float acc[SUM_COLS * PAIR_ROWS];
	struct strip s = strip_at(job->m, row), t = strip_at(job->m, row + SIMD_LANES);
	size_t all = steps_of(job->m->cols), step_bytes = STEP_COLUMNS * job->m->quant->panel_bytes;

	_Static_assert(SUM_COLS % FLOAT_COLS == 0, "whole tiles");
	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (size_t k = 0; k < all; k += FLOAT_STRETCH) {
		size_t n = all - k < FLOAT_STRETCH ? all - k : FLOAT_STRETCH;

		for (size_t i = 0; i < n; i++) {
			bool is_lone = (k + i + 1) * STEP_COLUMNS > job->m->cols;

			store_f32(w[i][0], step_weights(type, s, is_lone));
			store_f32(w[i][1], step_weights(type, t, is_lone));
			s.block += step_bytes;
			t.block += step_bytes;
		}
		float_tiles(w, job->a, col, cols, k, n, acc);
	}
	store_columns(job, row, col, cols, acc);
}

/* Fewer than `few` columns, a constant, over the panels, whose activations are where float_gemv has
 * them. */
INLINE void multiply_steps(enum block_type type, const struct matmul *job, size_t begin, size_t end,
                           size_t few, const float *in, size_t stride, size_t next)
{
	size_t n = job->a->n;

	_Static_assert(SIMD_ROWS <= 8 && MATMUL_MANY_FLOATS == 8, "fewer columns each have a case here");
	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS) {
		switch (n < few ? n : 0) {
		case 1: float_gemv(type, 1, job, row, in, stride, next); continue;
		case 2: float_gemv(type, 2, job, row, in, stride, next); continue;
		case 3: float_gemv(type, 3, job, row, in, stride, next); continue;
		case 4: float_gemv(type, 4, job, row, in, stride, next); continue;
		case 5: float_gemv(type, 5, job, row, in, stride, next); continue;
		case 6: float_gemv(type, 6, job, row, in, stride, next); continue;
		case 7: float_gemv(type, 7, job, row, in, stride, next); continue;
		default: break;
		}
		for (size_t c = 0; c < n; c += SUM_COLS)
			float_gemm(type, job, row, c, n - c < SUM_COLS ? n - c : SUM_COLS);
	}
}

#endif
