/* The product, once for all instruction sets: included by matmul_*.c after a
 * simd_*.h, with MATMUL_KERNELS the name of the table to define.
 *
 * Rows are taken in pairs of vectors (32 rows with AVX-512, 16 with AVX2, 8
 * with 16-byte vectors). Few columns: each goes over the panels as they lie
 * (gemv). More: a stretch of the pair is unpacked to bytes and float scales in
 * first-level cache, and tiles of SIMD_COLS columns go over that, all
 * accumulators in registers (gemm). Both add the same numbers in the same
 * order: the exact integer sum of a group of 16 or 32 columns, as a float,
 * times the product of both scales. */
#ifndef SOTTO_KERNELS_MATMUL_BODY_H
#define SOTTO_KERNELS_MATMUL_BODY_H

#include <stdbool.h>

#include "kernels/matmul.h"
#include "kernels/panels_simd.h"
#include "kernels/quantise_body.h"

enum {
	PAIR_ROWS = 2 * SIMD_LANES,
	GEMM_MIN = 4,      /* columns from which unpacking pays */
	GEMM_COLS = 264,   /* at a time, in whole tiles: their accumulators lie on the stack */
	STRETCH = 512,     /* columns of weights unpacked at a time */
	AHEAD_TILES = 8,   /* tiles from which it pays to fetch the next stretch meanwhile */
	FLOAT_STRETCH = 128
};

/* Where a vector of rows begins in the panels. */
struct strip {
	const unsigned char *block; /* of column 0 */
	size_t row;                 /* in its panel */
};

INLINE struct strip strip_at(const struct matrix *m, size_t row)
{
	size_t panel_bytes = m->cols / m->quant->n_elements * m->quant->panel_bytes;

	return (struct strip){(const unsigned char *)m->panels + row / PANEL_ROWS * panel_bytes,
	                      row % PANEL_ROWS};
}

/* Results of rows row .. row + PAIR_ROWS - 1 that the matrix has. */
INLINE void store_pair(const struct matmul *job, size_t row, size_t col, vf x, vf y)
{
	float *out = job->y + col * job->m->rows + row;
	float all[PAIR_ROWS];

	if (row + PAIR_ROWS <= job->m->rows) {
		store_f32(out, x);
		store_f32(out + SIMD_LANES, y);
	} else if (row < job->m->rows) {
		store_f32(all, x);
		store_f32(all + SIMD_LANES, y);
		memcpy(out, all, (job->m->rows - row) * sizeof *out);
	}
}

/* log2 of how often `zero` goes into ACTIVATION_BIAS: 4 -> 5 ... 128 -> 0. */
INLINE int zero_shift(int zero)
{
	return zero == 128 ? 0 : zero == 32 ? 2 : zero == 16 ? 3 : zero == 8 ? 4 : 5;
}

/* One group of columns of two vectors of rows against one column. */
INLINE void add_group(enum block_type type, struct strip sx, struct strip sy, int g,
                      const int8_t *a, int32_t excess, float scale, float sum, vf *x, vf *y)
{
	int zero = quant_zero(type), first = g * (int)group_length(type) / 4;
	vi ix = zero ? splat(excess >> zero_shift(zero)) : (vi){0}, iy = ix;

#pragma GCC unroll 8
	for (int j = 0; j < (int)group_length(type) / 4; j++) {
		vi aj = splat_quad(a + 4 * j);
		vi wx = quad(type, sx.block, sx.row, first + j);
		vi wy = quad(type, sy.block, sy.row, first + j);

		ix = is_biased(type) ? dot4_biased(ix, wx, aj) : dot4(ix, wx, aj);
		iy = is_biased(type) ? dot4_biased(iy, wy, aj) : dot4(iy, wy, aj);
	}
	*x = fma_f32(to_f32(ix), group_scale(type, sx.block, sx.row, g) * scale, *x);
	*y = fma_f32(to_f32(iy), group_scale(type, sy.block, sy.row, g) * scale, *y);
	if (has_offset(type)) {
		*x = fma_f32(group_offset(type, sx.block, sx.row, g), splat_f32(sum), *x);
		*y = fma_f32(group_offset(type, sy.block, sy.row, g), splat_f32(sum), *y);
	}
}

INLINE void gemv(enum block_type type, const struct matmul *job, size_t row, size_t col)
{
	const struct activations *a = job->a;
	struct strip sx = strip_at(job->m, row), sy = strip_at(job->m, row + SIMD_LANES);
	size_t n_blocks = job->m->cols / block_length(type), panel_bytes = job->m->quant->panel_bytes;
	bool halves = group_length(type) == 16;
	size_t width = tile_width(a, col), at = first_of_tile(a, col), c = col % SIMD_COLS;
	const int8_t *quants = a->quants + BLOCK_32 * (at + c);
	const float *scale = a->scale + at + c;
	const float *sum = halves ? a->sum16 + 2 * at + c : a->sum + at + c;
	const int32_t *excess = halves ? a->excess16 + 2 * at + c : a->excess + at + c;
	vf x = {0}, y = {0};

	for (size_t b = 0; b < n_blocks; b++) {
		UNROLL_GROUPS
		for (int g = 0; g < (int)(block_length(type) / group_length(type)); g++) {
			add_group(type, sx, sy, g, quants, *excess, *scale, *sum, &x, &y);
			excess += width;
			sum += width;
			if (halves && g % 2 == 0) {
				quants += 16;
				continue;
			}
			quants += BLOCK_32 * width - (halves ? 16 : 0);
			scale += width;
		}
		sx.block += panel_bytes;
		sy.block += panel_bytes;
	}
	store_pair(job, row, col, x, y);
}

/* A stretch of a pair of vectors, unpacked. */
struct unpacked {
	uint8_t quads[STRETCH / 4][2][4 * SIMD_LANES]; /* + bias, if there is no offset */
	float scales[STRETCH / 16][2][SIMD_LANES];     /* [group] */
	float offsets[STRETCH / 16][2][SIMD_LANES];
};

INLINE void unpack_block(enum block_type type, const void *block, size_t row, size_t half,
                         struct unpacked *u, size_t first)
{
	int bias = has_offset(type) || is_biased(type) ? 0 : SIMD_BIAS - quant_zero(type);
	size_t first_group = first / group_length(type);

	UNROLL_GROUPS
	for (int g = 0; g < (int)(block_length(type) / group_length(type)); g++) {
#pragma GCC unroll 8
		for (int j = 0; j < (int)group_length(type) / 4; j++) {
			int at = g * (int)group_length(type) / 4 + j;

			store(u->quads[first / 4 + (size_t)at][half],
			      add_bytes(quad(type, block, row, at), (uint8_t)bias));
		}
		store_f32(u->scales[first_group + (size_t)g][half], group_scale(type, block, row, g));
		if (has_offset(type))
			store_f32(u->offsets[first_group + (size_t)g][half],
			          group_offset(type, block, row, g));
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
	for (size_t half = 0; half < 2; half++) {
		struct strip s = strip_from(type, job->m, row + half * SIMD_LANES, k);

		for (size_t first = 0; first < n; first += block_length(type)) {
			unpack_block(type, s.block, s.row, half, u, first);
			s.block += job->m->quant->panel_bytes;
		}
	}
}

/* The accumulators of a tile are variables x0, y0 ... of their own: compilers
 * keep arrays in memory. M(c) is expanded for each column that a tile may have;
 * `if (c < cols)`, a constant, leaves those that it has. */
#define FOR_TILE(M) M(0) M(1) M(2) M(3) M(4) M(5)

#define DECLARE(c) vf x##c = {0}, y##c = {0}; vi ix##c, iy##c; ix##c = iy##c = (vi){0};
#define LOAD(c) \
	if (c < cols) { \
		x##c = load_f32(acc + c * PAIR_ROWS); \
		y##c = load_f32(acc + c * PAIR_ROWS + SIMD_LANES); \
	}
#define STORE(c) \
	if (c < cols) { \
		store_f32(acc + c * PAIR_ROWS, x##c); \
		store_f32(acc + c * PAIR_ROWS + SIMD_LANES, y##c); \
	}
#define BEGIN(c) \
	if (c < cols) \
		ix##c = iy##c = SIMD_BIAS > 0 && !offsets ? splat(excess[c]) : (vi){0};
#define DOT(c) \
	if (c < cols) { \
		vi a##c = splat_quad(quants + c * BLOCK_32 + 4 * j); \
		ix##c = offsets ? dot4(ix##c, wx, a##c) : dot4_biased(ix##c, wx, a##c); \
		iy##c = offsets ? dot4(iy##c, wy, a##c) : dot4_biased(iy##c, wy, a##c); \
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
INLINE void tile(size_t cols, size_t group, bool offsets, const struct unpacked *u,
                 const struct activations *a, size_t col, size_t block, size_t n_blocks, float *acc)
{
	size_t at = first_of_tile(a, col) + block * cols;
	const int8_t *quants = a->quants + BLOCK_32 * at;
	const float *scale = a->scale + at;
	const float *sum = group == 16 ? a->sum16 + 2 * at : a->sum + at;
	const int32_t *excess = group == 16 ? a->excess16 + 2 * at : a->excess + at;
	const uint8_t (*quads)[2][4 * SIMD_LANES] = u->quads;
	size_t g = 0;

	FOR_TILE(DECLARE)
	FOR_TILE(LOAD)
#pragma GCC unroll 1
	for (size_t b = 0; b < n_blocks; b++) {
#pragma GCC unroll 2
		for (size_t half = 0; half < BLOCK_32 / group; half++) {
			vf sx = load_f32(u->scales[g][0]), sy = load_f32(u->scales[g][1]);

			FOR_TILE(BEGIN)
#pragma GCC unroll 8
			for (size_t j = 0; j < group / 4; j++) {
				vi wx = load(quads[j][0]), wy = load(quads[j][1]);

				FOR_TILE(DOT)
			}
			FOR_TILE(ADD)
			if (offsets) {
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
	FOR_TILE(STORE)
}

#undef DECLARE
#undef LOAD
#undef STORE
#undef BEGIN
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
		prefetch(ahead->from[0] + 64 * line);
		prefetch(ahead->from[1] + 64 * line);
	}
}

/* Tiles over all columns col .. col + cols - 1; one function for each pair of
 * group length and offsets, whatever the type. */
INLINE void tiles(size_t group, bool offsets, const struct unpacked *u,
                  const struct activations *a, size_t col, size_t cols, size_t block, size_t n,
                  const struct ahead *ahead, float *acc)
{
	size_t n_tiles = (cols + SIMD_COLS - 1) / SIMD_COLS;

	for (size_t i = 0; i < n_tiles; i++, acc += SIMD_COLS * PAIR_ROWS) {
		size_t c = i * SIMD_COLS;

		if (n_tiles >= AHEAD_TILES)
			fetch_ahead(ahead, i, n_tiles);
		switch (cols - c < SIMD_COLS ? cols - c : SIMD_COLS) {
		case 1: tile(1, group, offsets, u, a, col + c, block, n, acc); break;
		case 2: tile(2, group, offsets, u, a, col + c, block, n, acc); break;
		case 3: tile(3, group, offsets, u, a, col + c, block, n, acc); break;
		case 4: tile(4, group, offsets, u, a, col + c, block, n, acc); break;
		case 5: tile(5, group, offsets, u, a, col + c, block, n, acc); break;
		default: tile(SIMD_COLS, group, offsets, u, a, col + c, block, n, acc); break;
		}
	}
}

typedef void (*tiles_of)(const struct unpacked *u, const struct activations *a, size_t col,
                         size_t cols, size_t block, size_t n, const struct ahead *ahead,
                         float *acc);

#define TILES(name, group, offsets) \
	static void name(const struct unpacked *u, const struct activations *a, size_t col, \
	                 size_t cols, size_t block, size_t n, const struct ahead *ahead, \
	                 float *acc) \
	{ \
		tiles(group, offsets, u, a, col, cols, block, n, ahead, acc); \
	}
TILES(tiles_16, 16, false)
TILES(tiles_16_offset, 16, true)
TILES(tiles_32, 32, false)
TILES(tiles_32_offset, 32, true)
#undef TILES

INLINE tiles_of find_tiles(enum block_type type)
{
	if (group_length(type) == 16)
		return has_offset(type) ? tiles_16_offset : tiles_16;
	return has_offset(type) ? tiles_32_offset : tiles_32;
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
	_Alignas(64) float acc[GEMM_COLS * PAIR_ROWS];
	size_t k_total = job->m->cols;

	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (size_t k = 0; k < k_total; k += STRETCH) {
		size_t n_k = k_total - k < STRETCH ? k_total - k : STRETCH;
		struct ahead ahead = next_stretch(type, job, row, k + n_k);

		unpack(type, job, row, k, n_k, &u);
		find_tiles(type)(&u, job->a, col, cols, k / BLOCK_32, n_k / BLOCK_32, &ahead, acc);
	}
	for (size_t c = 0; c < cols; c++)
		store_pair(job, row, col + c, load_f32(acc + c * PAIR_ROWS),
		           load_f32(acc + c * PAIR_ROWS + SIMD_LANES));
}

INLINE void multiply_quants(enum block_type type, const struct matmul *job, size_t begin,
                            size_t end)
{
	size_t n = job->a->n;

	for (size_t row = begin * UNIT_ROWS; row < end * UNIT_ROWS; row += PAIR_ROWS) {
		if (n < GEMM_MIN) {
			for (size_t c = 0; c < n; c++)
				gemv(type, job, row, c);
			continue;
		}
		for (size_t c = 0; c < n; c += GEMM_COLS)
			gemm(type, job, row, c, n - c < GEMM_COLS ? n - c : GEMM_COLS);
	}
}

/* Weights of floats: activations as they are, columns added one by one. */
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

#define MULTIPLY(id, how) \
	static void multiply_##id(const struct matmul *job, size_t begin, size_t end) \
	{ \
		multiply_##how(BLOCK_##id, job, begin, end); \
	}
#define FOR_TYPES(M) \
	M(F32, floats) M(F16, floats) M(BF16, floats) M(Q4_0, quants) M(Q4_1, quants) \
	M(Q5_0, quants) M(Q5_1, quants) M(Q8_0, quants) M(Q2_K, quants) M(Q3_K, quants) \
	M(Q4_K, quants) M(Q5_K, quants) M(Q6_K, quants) M(IQ4_NL, quants) M(IQ4_XS, quants)
FOR_TYPES(MULTIPLY)

#define ROW(id, how) [BLOCK_##id] = multiply_##id,
const struct matmul_kernels MATMUL_KERNELS = {.multiply = {FOR_TYPES(ROW)},
                                              .quantise = quantise_blocks};

#endif
