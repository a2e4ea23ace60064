/* Products of matrices of floats, F32, F16 and BF16: activations as they are,
 * columns added one by one. Included by matmul_body.h. */
#ifndef SOTTO_KERNELS_MATMUL_FLOATS_H
#define SOTTO_KERNELS_MATMUL_FLOATS_H

#include "kernels/matmul_pair.h"
#include "kernels/panels_simd.h"

#define DECLARE(c) vf x##c = {0}, y##c = {0};
#define ADD(c) \
	if (c < cols) { \
		x##c = fma_f32(wx, splat_f32(in[c * k_total + k]), x##c); \
		y##c = fma_f32(wy, splat_f32(in[c * k_total + k]), y##c); \
	}
#define STORE(c) \
	if (c < cols) \
		store_pair(job, row, col + c, x##c, y##c);

INLINE void float_tile(enum block_type type, size_t cols, const struct matmul *job, size_t row,
                       size_t col)
{
	struct strip s = strip_at(job->m, row), t = strip_at(job->m, row + SIMD_LANES);
	size_t k_total = job->m->cols, panel_bytes = job->m->quant->panel_bytes;
	const float *in = job->a->x + col * k_total;

	FOR_TILE(DECLARE)
	for (size_t k = 0; k < k_total; k++) {
		vf wx = float_weights(type, s.block, s.row), wy = float_weights(type, t.block, t.row);

		FOR_TILE(ADD)
		s.block += panel_bytes;
		t.block += panel_bytes;
	}
	FOR_TILE(STORE)
}

#undef DECLARE
#undef ADD
#undef STORE

INLINE void multiply_floats(enum block_type type, const struct matmul *job, size_t begin,
                            size_t end)
{
	size_t n = job->a->n;

	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS)
		for (size_t c = 0; c < n; c += SIMD_COLS)
			switch (n - c < SIMD_COLS ? n - c : SIMD_COLS) {
			case 1: float_tile(type, 1, job, row, c); break;
			case 2: float_tile(type, 2, job, row, c); break;
			case 3: float_tile(type, 3, job, row, c); break;
			case 4: float_tile(type, 4, job, row, c); break;
			case 5: float_tile(type, 5, job, row, c); break;
			default: float_tile(type, SIMD_COLS, job, row, c); break;
			}
}

#endif
