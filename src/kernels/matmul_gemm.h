/* Products of matrices of quants with many columns. Included by matmul_body.h. */
#ifndef SOTTO_KERNELS_MATMUL_GEMM_H
#define SOTTO_KERNELS_MATMUL_GEMM_H

#include <stdbool.h>

#include "kernels/matmul_pair.h"
#include "kernels/panels_simd.h"
#include "kernels/quantise_body.h"

enum {
	STRETCH = 512,   /* columns of weights unpacked at a time */
	AHEAD_TILES = 8  /* tiles from which it pays to fetch the next stretch meanwhile */
};

/* How products of quants are summed.
 *
 * SUMS_ZERO: quants are unsigned and have a zero point, which the sum of the
 * activations takes back. Where SIMD_BIAS is not 0 they are unpacked with it as
 * the zero point of all types. SUMS_OFFSET: unsigned, without one. SUMS_SIGNED:
 * types of signed bytes where SIMD_BIAS is 0.
 * Unsigned quants of few bits are summed in short integers first where an
 * instruction set is fast at that (SIMD_RUN): as many quads as surely fit. */
enum sums { SUMS_ZERO, SUMS_OFFSET, SUMS_SIGNED };

/* A stretch of a pair of vectors, unpacked. */
struct unpacked {
	uint8_t quads[STRETCH / 4][2][4 * SIMD_LANES]; /* see enum sums */
	float scales[STRETCH / 16][2][SIMD_LANES];     /* [group] */
	float offsets[STRETCH / 16][2][SIMD_LANES];
	int shift; /* of the excess, to the type's zero point: where SIMD_BIAS is 0 */
};

INLINE void unpack_block(enum block_type type, const void *block, size_t row, size_t half,
                         struct unpacked *u, size_t first)
{
	int bias = SIMD_BIAS > 0 && quant_zero(type) ? SIMD_BIAS - quant_zero(type) : 0;
	size_t first_group = first / group_length(type);

#pragma GCC unroll 1
	for (int part = 0; part < groups_of_block(type) / groups_of_part(type); part++) {
		UNROLL_GROUPS
		for (int i = 0; i < groups_of_part(type); i++) {
			int g = part * groups_of_part(type) + i;
			size_t at = first_group + (size_t)g, n_quads = group_length(type) / 4;

#pragma GCC unroll 8
			for (size_t j = 0; j < n_quads; j++)
				store(u->quads[at * n_quads + j][half],
				      add_bytes(quad(type, block, row, part, i * (int)n_quads + (int)j),
				                (uint8_t)bias));
			store_f32(u->scales[at][half], group_scale(type, block, row, g));
			if (has_offset(type))
				store_f32(u->offsets[at][half], group_offset(type, block, row, g));
		}
	}
}

/* Where column k is in the panels, for rows row .. row + SIMD_LANES - 1. */
INLINE struct strip strip_from(enum block_type type, const struct matrix *m, size_t row, size_t k)
{
	struct strip s = strip_at(m, row);

	s.block += k / block_length(type) * m->quant->panel_bytes;
	return s;
}

/* Weights of columns k .. k + n - 1 of the pair that begins with row `row`. */
INLINE void unpack(enum block_type type, const struct matmul *job, size_t row, size_t k, size_t n,
                   struct unpacked *u)
{
	u->shift = zero_shift(quant_zero(type));
	for (size_t half = 0; half < 2; half++) {
		struct strip s = strip_from(type, job->m, row + half * SIMD_LANES, k);

		for (size_t first = 0; first < n; first += block_length(type)) {
			unpack_block(type, s.block, s.row, half, u, first);
			s.block += job->m->quant->panel_bytes;
		}
	}
}

/* What a group's integer sum for column c begins with. */
INLINE vi begin_sum(enum sums sums, const int32_t *excess, size_t c, size_t cols, int shift)
{
	if (sums != SUMS_ZERO || c >= cols)
		return (vi){0};
	return SIMD_BIAS > 0 ? splat(excess[c]) : splat(excess[c]) >> shift;
}

#define DECLARE(c) \
	vf x##c = {0}, y##c = {0}; \
	vi ix##c, iy##c, px##c, py##c; \
	ix##c = iy##c = px##c = py##c = (vi){0};
#define BEGIN(c) \
	if (SIMD_RUN == 0 || sums == SUMS_SIGNED) \
		ix##c = iy##c = begin_sum(sums, excess, c, cols, shift);
#define BEGIN_RUN(c) px##c = py##c = (vi){0};
#define DOT(c) \
	if (c < cols) { \
		vi a##c = splat_quad(quants + c * BLOCK_32 + 4 * j); \
		if (sums == SUMS_SIGNED) { \
			ix##c = dot4_biased(ix##c, wx, a##c); \
			iy##c = dot4_biased(iy##c, wy, a##c); \
		} else if (SIMD_RUN > 0) { \
			px##c = dot4_short(px##c, wx, a##c); \
			py##c = dot4_short(py##c, wy, a##c); \
		} else { \
			ix##c = dot4(ix##c, wx, a##c); \
			iy##c = dot4(iy##c, wy, a##c); \
		} \
	}
#define END_RUN(c) \
	if (SIMD_RUN > 0 && sums != SUMS_SIGNED) { \
		if (first == 0) \
			ix##c = iy##c = begin_sum(sums, excess, c, cols, shift); \
		ix##c += widen(px##c); \
		iy##c += widen(py##c); \
	}
#define ADD(c) \
	if (c < cols) { \
		x##c = fma_f32(to_f32(ix##c), sx * scale[c], x##c); \
		y##c = fma_f32(to_f32(iy##c), sy * scale[c], y##c); \
	}
#define ADD_OFFSET(c) \
	if (c < cols) { \
		x##c = fma_f32(ox, splat_f32(sum[c]), x##c); \
		y##c = fma_f32(oy, splat_f32(sum[c]), y##c); \
	}

/* acc[cols][PAIR_ROWS] += unpacked weights times activations of the tile that
 * begins with column col, k-blocks block .. block + n_blocks - 1. */
INLINE void tile(size_t cols, size_t group, enum sums sums, size_t run, const struct unpacked *u,
                 const struct activations *a, size_t col, size_t block, size_t n_blocks, float *acc)
{
	size_t at = first_of_tile(a, col) + block * cols;
	const int8_t *quants = a->quants + BLOCK_32 * at;
	const float *scale = a->scale + at;
	const float *sum = group == 16 ? a->sum16 + 2 * at : a->sum + at;
	const int32_t *excess = group == 16 ? a->excess16 + 2 * at : a->excess + at;
	const uint8_t (*quads)[2][4 * SIMD_LANES] = u->quads;
	int shift = u->shift;
	size_t g = 0;

	FOR_TILE(DECLARE)
	FOR_TILE(LOAD_SUMS)
#pragma GCC unroll 1
	for (size_t b = 0; b < n_blocks; b++) {
#pragma GCC unroll 2
		for (size_t half = 0; half < BLOCK_32 / group; half++) {
			vf sx = load_f32(u->scales[g][0]), sy = load_f32(u->scales[g][1]);

			FOR_TILE(BEGIN)
#pragma GCC unroll 8
			for (size_t first = 0; first < group / 4; first += run) {
				FOR_TILE(BEGIN_RUN)
#pragma GCC unroll 8
				for (size_t j = first; j < first + run; j++) {
					vi wx = load(quads[j][0]), wy = load(quads[j][1]);

					FOR_TILE(DOT)
				}
				FOR_TILE(END_RUN)
			}
			FOR_TILE(ADD)
			if (sums == SUMS_OFFSET) {
				vf ox = load_f32(u->offsets[g][0]), oy = load_f32(u->offsets[g][1]);

				FOR_TILE(ADD_OFFSET)
			}
			quads += group / 4;
			quants += group;
			sum += cols;
			excess += cols;
			g++;
		}
		quants += BLOCK_32 * (cols - 1);
		scale += cols;
	}
	FOR_TILE(STORE_SUMS)
}

#undef DECLARE
#undef BEGIN
#undef BEGIN_RUN
#undef END_RUN
#undef DOT
#undef ADD
#undef ADD_OFFSET

/* What the next stretch will be unpacked from: brought to the second-level cache
 * while this one is multiplied. */
struct ahead {
	const char *from[2]; /* one for each vector of the pair */
	size_t n_bytes;      /* of each */
};

/* The share of tile i of n. */
INLINE void fetch_ahead(const struct ahead *ahead, size_t i, size_t n)
{
	size_t n_lines = (ahead->n_bytes + 63) / 64, end = n_lines * (i + 1) / n;

	for (size_t line = n_lines * i / n; line < end; line++) {
		prefetch(ahead->from[0], 64 * line);
		prefetch(ahead->from[1], 64 * line);
	}
}

/* Tiles over all columns col .. col + cols - 1. */
INLINE void tiles(size_t group, enum sums sums, size_t run, const struct unpacked *u,
                  const struct activations *a, size_t col, size_t cols, size_t block, size_t n,
                  const struct ahead *ahead, float *acc)
{
	size_t n_tiles = (cols + SIMD_COLS - 1) / SIMD_COLS;

	for (size_t i = 0; i < n_tiles; i++, acc += SIMD_COLS * PAIR_ROWS) {
		size_t c = i * SIMD_COLS;

		if (n_tiles >= AHEAD_TILES)
			fetch_ahead(ahead, i, n_tiles);
		switch (cols - c < SIMD_COLS ? cols - c : SIMD_COLS) {
		case 1: tile(1, group, sums, run, u, a, col + c, block, n, acc); break;
		case 2: tile(2, group, sums, run, u, a, col + c, block, n, acc); break;
		case 3: tile(3, group, sums, run, u, a, col + c, block, n, acc); break;
		case 4: tile(4, group, sums, run, u, a, col + c, block, n, acc); break;
		case 5: tile(5, group, sums, run, u, a, col + c, block, n, acc); break;
		default: tile(SIMD_COLS, group, sums, run, u, a, col + c, block, n, acc); break;
		}
	}
}

typedef void (*tiles_of)(const struct unpacked *u, const struct activations *a, size_t col,
                         size_t cols, size_t block, size_t n, const struct ahead *ahead,
                         float *acc);

/* One function for each way of adding up, whatever the type. */
#define TILES(name, group, sums, run) \
	static NOINLINE void name(const struct unpacked *u, const struct activations *a, \
	                          size_t col, size_t cols, size_t block, size_t n, \
	                          const struct ahead *ahead, float *acc) \
	{ \
		tiles(group, sums, run, u, a, col, cols, block, n, ahead, acc); \
	}
TILES(tiles_signed, 32, SUMS_SIGNED, 8)
TILES(tiles_signed_16, 16, SUMS_SIGNED, 4)
TILES(tiles_32, 32, SUMS_ZERO, 8)
TILES(tiles_32_by_4, 32, SUMS_ZERO, 4)
TILES(tiles_32_offset, 32, SUMS_OFFSET, 8)
TILES(tiles_32_offset_by_4, 32, SUMS_OFFSET, 4)
TILES(tiles_16, 16, SUMS_ZERO, 4)
TILES(tiles_16_by_2, 16, SUMS_ZERO, 2)
TILES(tiles_16_offset, 16, SUMS_OFFSET, 4)
#undef TILES

INLINE tiles_of find_tiles(enum block_type type)
{
	int run = quads_of_run(type);

	if (SIMD_BIAS == 0 && is_biased(type))
		return group_length(type) == 16 ? tiles_signed_16 : tiles_signed;
	if (group_length(type) == 16 && has_offset(type))
		return tiles_16_offset;
	if (group_length(type) == 16)
		return run < 4 ? tiles_16_by_2 : tiles_16;
	if (has_offset(type))
		return run < 8 ? tiles_32_offset_by_4 : tiles_32_offset;
	return run < 8 ? tiles_32_by_4 : tiles_32;
}

/* The stretch at column k of the pair at `row`, or the first of the next pair. */
INLINE struct ahead next_stretch(enum block_type type, const struct matmul *job, size_t row, size_t k)
{
	size_t k_total = job->m->cols, left;

	if (k == k_total) {
		k = 0;
		row += PAIR_ROWS;
	}
	if (row >= job->m->rows)
		return (struct ahead){{NULL, NULL}, 0};
	left = k_total - k < STRETCH ? k_total - k : STRETCH;
	return (struct ahead){{(const char *)strip_from(type, job->m, row, k).block,
	                       (const char *)strip_from(type, job->m, row + SIMD_LANES, k).block},
	                      left / block_length(type) * job->m->quant->panel_bytes};
}

INLINE void gemm(enum block_type type, const struct matmul *job, size_t row, size_t col,
                 size_t cols)
{
	_Alignas(64) struct unpacked u;
	_Alignas(64) float acc[SUM_COLS * PAIR_ROWS];
	size_t k_total = job->m->cols;

	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (size_t k = 0; k < k_total; k += STRETCH) {
		size_t n_k = k_total - k < STRETCH ? k_total - k : STRETCH;
		struct ahead ahead = next_stretch(type, job, row, k + n_k);

		unpack(type, job, row, k, n_k, &u);
		find_tiles(type)(&u, job->a, col, cols, k / BLOCK_32, n_k / BLOCK_32, &ahead, acc);
	}
	store_columns(job, row, col, cols, acc);
}

#endif
