/* Products of matrices of floats, F32, F16 and BF16: activations as they are,
 * columns added one by one. Included by matmul_body.h.
 *
 * As with quants: few columns are multiplied with the panels directly; for many, a stretch of
 * weights is converted to floats in the first-level cache and multiplied with tiles of
 * columns, whose activations were arranged so that a tile reads them in order. */
#ifndef SOTTO_KERNELS_MATMUL_FLOATS_H
#define SOTTO_KERNELS_MATMUL_FLOATS_H

#include "kernels/matmul_pair.h"
#include "kernels/panels_simd.h"

enum {
	FLOAT_COLS = SIMD_ROWS, /* of a tile: twice as many sums fit the registers */
	FLOAT_STRETCH = 128     /* columns of weights converted at a time */
};

/* Activations begin .. end - 1 of the n into the tiles: [tile][k][column]. */
static void arrange_floats(struct activations *a, size_t begin, size_t end)
{
	for (size_t col = begin; col < end; col++) {
		size_t first = col / FLOAT_COLS * FLOAT_COLS;
		size_t width = a->n - first < FLOAT_COLS ? a->n - first : FLOAT_COLS;
		const float *x = a->x + col * a->cols;
		float *to = a->tiles + first * a->cols + col - first;

		for (size_t k = 0; k < a->cols; k++)
			to[k * width] = x[k];
	}
}

#define DECLARE(c) vf x##c = {0}, y##c = {0};
#define ADD(c) \
	if (c < cols) { \
		x##c = fma_f32(wx, splat_f32(in[c * step]), x##c); \
		y##c = fma_f32(wy, splat_f32(in[c * step]), y##c); \
	}
#define STORE_RESULT(c) \
	if (c < cols) \
		store_pair(job, row, c, x##c, y##c);

/* All columns, a constant, over the panels. */
INLINE void float_gemv(enum block_type type, size_t cols, const struct matmul *job, size_t row)
{
	struct strip s = strip_at(job->m, row), t = strip_at(job->m, row + SIMD_LANES);
	size_t step = job->m->cols, panel_bytes = panel_bytes_of(type);
	const float *in = job->a->x;

	FOR_TILE(DECLARE)
	for (size_t k = 0; k < job->m->cols; k++, in++) {
		vf wx = float_weights(type, s.block, s.row), wy = float_weights(type, t.block, t.row);

		fetch_strips(s, t, 0, 64);
		FOR_TILE(ADD)
		s.block += panel_bytes;
		t.block += panel_bytes;
	}
	FOR_TILE(STORE_RESULT)
}

/* Weights of a stretch of a pair of vectors. */
typedef float stretch_of_floats[FLOAT_STRETCH][2][SIMD_LANES];

/* acc[cols][PAIR_ROWS] += n weights times the tile's activations in[n][cols]. */
INLINE void float_tile(size_t cols, stretch_of_floats w, const float *in, size_t n, float *acc)
{
	const size_t step = 1;

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

/* Columns col .. col + cols - 1 (col a multiple of FLOAT_COLS) at k .. k + n - 1. */
static NOINLINE void float_tiles(stretch_of_floats w, const struct activations *a, size_t col,
                                 size_t cols, size_t k, size_t n, float *acc)
{
	for (size_t c = 0; c < cols; c += FLOAT_COLS, acc += FLOAT_COLS * PAIR_ROWS) {
		const float *in = a->tiles + (col + c) * a->cols;

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
	size_t k_total = job->m->cols, panel_bytes = job->m->quant->panel_bytes;

	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (size_t k = 0; k < k_total; k += FLOAT_STRETCH) {
		size_t n = k_total - k < FLOAT_STRETCH ? k_total - k : FLOAT_STRETCH;

		for (size_t i = 0; i < n; i++) {
			store_f32(w[i][0], float_weights(type, s.block, s.row));
			store_f32(w[i][1], float_weights(type, t.block, t.row));
			s.block += panel_bytes;
			t.block += panel_bytes;
		}
		float_tiles(w, job->a, col, cols, k, n, acc);
	}
	store_columns(job, row, col, cols, acc);
}

INLINE void multiply_floats(enum block_type type, const struct matmul *job, size_t begin,
                            size_t end)
{
	size_t n = job->a->n;

	_Static_assert(MATMUL_MANY_FLOATS == 8, "fewer columns each have a case here");
	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS) {
		switch (n) {
		case 1: float_gemv(type, 1, job, row); continue;
		case 2: float_gemv(type, 2, job, row); continue;
		case 3: float_gemv(type, 3, job, row); continue;
		case 4: float_gemv(type, 4, job, row); continue;
		case 5: float_gemv(type, 5, job, row); continue;
		case 6: float_gemv(type, 6, job, row); continue;
		case 7: float_gemv(type, 7, job, row); continue;
		default: break;
		}
		for (size_t c = 0; c < n; c += SUM_COLS)
			float_gemm(type, job, row, c, n - c < SUM_COLS ? n - c : SUM_COLS);
	}
}

#endif
