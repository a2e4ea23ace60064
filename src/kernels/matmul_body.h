/* The product on the names of simd.h, once for all instruction sets (isa_*.c).
 *
 * Rows are taken in pairs of vectors (32 rows with AVX-512, 16 with AVX2, 8 with 16-byte
 * vectors). Few columns: each is multiplied with the panels directly (gemv). More: a stretch
 * of the pair is unpacked to bytes and float scales in first-level cache, and tiles of
 * SIMD_COLS columns go over that (matmul_gemm.h). Both add the same numbers in the same
 * order: the exact integer sum of a group of 16 or 32 columns, as a float, times the product
 * of both scales. Matrices of floats: matmul_floats.h. */
#ifndef SOTTO_KERNELS_MATMUL_BODY_H
#define SOTTO_KERNELS_MATMUL_BODY_H

#include <stdbool.h>

#include "kernels/matmul.h"
#include "kernels/matmul_gemm.h"
#include "kernels/panels_simd.h"
#include "kernels/quantise_body.h"

/* Group i of a part of the block: two vectors of rows against one column. Of whole
 * scales `first` has the sums of the first of two groups. */
INLINE void add_group(enum block_type type, struct strip sx, struct strip sy, int part, int i,
                      const int8_t *a, int32_t excess, float scale, float sum, vi first[2], vf *x,
                      vf *y)
{
	int n_quads = (int)shapes[type].group_length / 4, from = i * n_quads;
	int g = part * shapes[type].groups_of_part + i;
	vi zero = quant_zero(type) ? splat_excess(excess, zero_shift(type)) : (vi){0};
	vi back = is_centred(type) ? widen(zero) : (vi){0}, ix = zero, iy = zero;

#pragma GCC unroll 8
	for (int j = 0; j < n_quads; j++) {
		vi aj = splat_quad(a + 4 * j);
		vi wx = quad(type, sx.block, sx.row, part, from + j);
		vi wy = quad(type, sy.block, sy.row, part, from + j);

		ix = shapes[type].is_biased ? dot4_biased(ix, wx, aj) : dot4(ix, wx, aj);
		iy = shapes[type].is_biased ? dot4_biased(iy, wy, aj) : dot4(iy, wy, aj);
	}
	if (has_whole_scales(type)) {
		ix = widen_by(ix, whole_scale(type, sx.block, sx.row, g));
		iy = widen_by(iy, whole_scale(type, sy.block, sy.row, g));
		if (i % 2 == 0) {
			first[0] = ix;
			first[1] = iy;
			return;
		}
		ix += first[0];
		iy += first[1];
	} else if (!shapes[type].is_biased) {
		ix = widen(ix) - back;
		iy = widen(iy) - back;
	}
	*x = fma_f32(to_f32(ix), group_scale(type, sx.block, sx.row, g) * scale, *x);
	*y = fma_f32(to_f32(iy), group_scale(type, sy.block, sy.row, g) * scale, *y);
	if (shapes[type].has_offset) {
		*x = fma_f32(group_offset(type, sx.block, sx.row, g), splat_f32(sum), *x);
		*y = fma_f32(group_offset(type, sy.block, sy.row, g), splat_f32(sum), *y);
	}
}

INLINE void gemv(enum block_type type, const struct matmul *job, size_t row, size_t col)
{
	const struct activations *a = job->a;
	struct strip sx = strip_at(job->m, row), sy = strip_at(job->m, row + SIMD_LANES);
	size_t n_blocks = job->m->cols / shapes[type].block_length;
	size_t panel_bytes = shapes[type].panel_bytes;
	size_t group_bytes = panel_bytes / (size_t)groups_of_block(type);
	size_t part_bytes = group_bytes * (size_t)shapes[type].groups_of_part;
	bool halves = shapes[type].group_length == 16;
	size_t width = tile_width(a, col), at = first_of_tile(a, col), c = col % SIMD_COLS;
	const int8_t *quants = a->quants + BLOCK_32 * (at + c);
	const float *scale = a->scale + at + c;
	const float *sum = halves ? a->sum16 + 2 * at + c : a->sum + at + c;
	const int32_t *excess = halves ? a->excess16 + 2 * at + c : a->excess + at + c;
	vi first[2] = {{0}};
	vf x = {0}, y = {0};

	for (size_t b = 0; b < n_blocks; b++) {
#pragma GCC unroll 1
		for (int part = 0; part < groups_of_block(type) / shapes[type].groups_of_part; part++) {
			size_t ahead = part_bytes * (size_t)part;

			UNROLL_GROUPS
			for (int i = 0; i < shapes[type].groups_of_part; i++, ahead += group_bytes) {
				if (i % 2 == 0)
					forget_memory();
				fetch_strips(sx, sy, ahead, ahead + group_bytes);
				add_group(type, sx, sy, part, i, quants, *excess, *scale, *sum, first, &x,
				          &y);
				excess += width;
				sum += width;
				if (halves && i % 2 == 0) {
					quants += 16;
					continue;
				}
				quants += BLOCK_32 * width - (halves ? 16 : 0);
				scale += width;
			}
		}
		sx.block += panel_bytes;
		sy.block += panel_bytes;
	}
	store_pair(job, row, col, x, y);
}

INLINE void multiply_quants(enum block_type type, const struct matmul *job, size_t begin,
                            size_t end)
{
	size_t n = job->a->n;

	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS) {
		if (n < MATMUL_MANY) {
			for (size_t c = 0; c < n; c++)
				gemv(type, job, row, c);
			continue;
		}
		for (size_t c = 0; c < n; c += SUM_COLS)
			gemm(type, job, row, c, n - c < SUM_COLS ? n - c : SUM_COLS);
	}
}

/* Activations begin .. end - 1 of the n into the tiles: [tile][k][column]. */
static void arrange_floats(struct activations *a, size_t begin, size_t end)
{
	for (size_t col = begin; col < end; col++) {
		size_t first = col / SIMD_ROWS * SIMD_ROWS;
		size_t width = a->n - first < SIMD_ROWS ? a->n - first : SIMD_ROWS;
		const float *x = a->x + col * a->cols;
		float *to = a->tiles + first * a->cols + col - first;

		for (size_t k = 0; k < a->cols; k++)
			to[k * width] = x[k];
	}
}

enum { STEP_COLUMNS = 1 };

INLINE vf step_weights(enum block_type type, struct strip s, bool is_lone)
{
	(void)is_lone;
	return float_weights(type, s.block, s.row);
}

INLINE vf add_step(vf sums, vf w, const float *a)
{
	return fma_f32(w, splat_f32(*a), sums);
}

#include "kernels/matmul_floats.h"

INLINE void multiply_floats(enum block_type type, const struct matmul *job, size_t begin,
                            size_t end)
{
	multiply_steps(type, job, begin, end, MATMUL_MANY_FLOATS, job->a->x, job->m->cols, 1);
}

static bool wants_words(enum block_type type)
{
	return width_of(sums_of(type)) == 2;
}

#define MULTIPLY(id, how) \
	static void multiply_##id(const struct matmul *job, size_t begin, size_t end) \
	{ \
		multiply_##how(BLOCK_##id, job, begin, end); \
	}
#define FOR_TYPES(M) \
	M(F32, floats) M(F16, floats) M(BF16, floats) M(Q4_0, quants) M(Q4_1, quants) \
	M(Q5_0, quants) M(Q5_1, quants) M(Q8_0, quants) M(Q2_K, quants) M(Q3_K, quants) \
	M(Q4_K, quants) M(Q5_K, quants) M(Q6_K, quants) M(IQ4_NL, quants) M(IQ4_XS, quants) \
	M(TQ1_0, quants) M(TQ2_0, quants) M(MXFP4, quants) M(NVFP4, quants) M(Q1_0, quants) \
	M(Q2_0, quants) M(IQ2_XXS, quants) M(IQ2_XS, quants) M(IQ2_S, quants) M(IQ3_XXS, quants) \
	M(IQ3_S, quants) M(IQ1_S, quants) M(IQ1_M, quants)
FOR_TYPES(MULTIPLY)

#define ROW(id, how) [BLOCK_##id] = multiply_##id,
const struct matmul_kernels ISA(matmul) = {.multiply = {FOR_TYPES(ROW)},
                                           .quantise = quantise_blocks,
                                           .widen = widen_blocks,
                                           .wants_words = wants_words,
                                           .gather = gather_columns,
                                           .arrange = arrange_floats};
#undef MULTIPLY
#undef FOR_TYPES
#undef ROW

#endif
