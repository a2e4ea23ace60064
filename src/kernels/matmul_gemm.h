/* Products of matrices of quants with many columns. Included by matmul_body.h. */
#ifndef SOTTO_KERNELS_MATMUL_GEMM_H
#define SOTTO_KERNELS_MATMUL_GEMM_H

#include <stdbool.h>

#include "kernels/matmul_pair.h"
#include "kernels/panels_simd.h"
#include "kernels/quantise_body.h"

enum {
	STRETCH = 512,   /* columns of weights unpacked at a time */
	AHEAD_TILES = 8  /* fewest tiles for which prefetching the next stretch pays */
};

/* How products of quants are summed: a set of bits.
 *
 * SUMS_ZERO: quants are unsigned and are unpacked with the zero point of all types
 * (unpacked_zero), which the sum of the activations takes back. SUMS_OFFSET: the
 * activations' sum times an offset is added, as floats. Both: the zero point is put
 * back before (is_centred). SUMS_SIGNED: types of signed bytes, where SIMD_BIAS is 0;
 * activations and weights are of SIMD_SIGNED bytes each. SUMS_WHOLE: both groups of a
 * block of 32 have whole scales (has_whole_scales). */
enum sums { SUMS_ZERO = 1, SUMS_OFFSET = 2, SUMS_SIGNED = 4, SUMS_WHOLE = 8 };

INLINE unsigned sums_of(enum block_type type)
{
	return (quant_zero(type) ? SUMS_ZERO : 0) | (shapes[type].has_offset ? SUMS_OFFSET : 0) |
	       (shapes[type].is_biased && SIMD_BIAS == 0 ? SUMS_SIGNED : 0) |
	       (has_whole_scales(type) ? SUMS_WHOLE : 0);
}

/* Bytes that an element takes. */
INLINE size_t width_of(unsigned sums)
{
	return sums & SUMS_SIGNED ? SIMD_SIGNED : 1;
}

/* What tiles are multiplied with: a stretch of columns of the pair of vectors at `row`, times
 * columns col .. col + cols - 1 of the activations. */
struct stretch {
	const struct matmul *job;
	size_t row, col, cols;
	size_t k, n_k; /* columns of the matrix */
};

/* A stretch of a pair of vectors, unpacked. Words: of each quad the even columns,
 * then the odd ones. */
struct unpacked {
	uint8_t quads[STRETCH * SIMD_SIGNED / 4][2][4 * SIMD_LANES]; /* see enum sums */
	float scales[STRETCH / 16][2][SIMD_LANES];     /* [group] */
	float offsets[STRETCH / 16][2][SIMD_LANES];    /* or whole scales */
};

INLINE void unpack_block(enum block_type type, const void *block, size_t row, size_t half,
                         struct unpacked *u, size_t first)
{
	size_t length = shapes[type].group_length, first_group = first / length, n_quads = length / 4;
	int bias = quant_zero(type) ? unpacked_zero(length) - quant_zero(type) : 0;

#pragma GCC unroll 1
	for (int part = 0; part < groups_of_block(type) / shapes[type].groups_of_part; part++) {
		UNROLL_GROUPS
		for (int i = 0; i < shapes[type].groups_of_part; i++) {
			int g = part * shapes[type].groups_of_part + i;
			size_t at = first_group + (size_t)g;

#pragma GCC unroll 8
			for (size_t j = 0; j < n_quads; j++) {
				vi w = quad(type, block, row, part, i * (int)n_quads + (int)j);
				size_t to = at * n_quads + j;

				if (width_of(sums_of(type)) == 1) {
					store(u->quads[to][half], add_bytes(w, (uint8_t)bias));
				} else {
					store(u->quads[2 * to][half], even_words(w));
					store(u->quads[2 * to + 1][half], odd_words(w));
				}
			}
			store_f32(u->scales[at][half], group_scale(type, block, row, g));
			if (shapes[type].has_offset)
				store_f32(u->offsets[at][half], group_offset(type, block, row, g));
			if (has_whole_scales(type))
				store(u->offsets[at][half], whole_scale(type, block, row, g));
		}
	}
}

/* Where column k is in the panels, for rows row .. row + SIMD_LANES - 1. */
INLINE struct strip strip_from(enum block_type type, const struct matrix *m, size_t row, size_t k)
{
	struct strip s = strip_at(m, row);

	s.block += k / shapes[type].block_length * m->quant->panel_bytes;
	return s;
}

/* Weights of a stretch. */
INLINE void unpack(enum block_type type, const struct stretch *s, struct unpacked *u)
{
	for (size_t half = 0; half < 2; half++) {
		struct strip strip = strip_from(type, s->job->m, s->row + half * SIMD_LANES, s->k);

		for (size_t first = 0; first < s->n_k; first += shapes[type].block_length) {
			unpack_block(type, strip.block, strip.row, half, u, first);
			strip.block += s->job->m->quant->panel_bytes;
		}
	}
}

/* Offset in a block of activations of those that are multiplied with quads[i] of its first
 * group. */
INLINE size_t activation_offset(size_t i, size_t width)
{
	return width == 1 ? 4 * i : i % 2 * BLOCK_32 + i / 2 * 4;
}

#define DECLARE(c) \
	vf x##c = {0}, y##c = {0}; \
	vi ix##c, iy##c, tx##c, ty##c; \
	tx##c = ty##c = (vi){0};
#define BEGIN(c) \
	ix##c = iy##c = sums & SUMS_ZERO && c < cols ? splat_excess(excess[c], 0) : (vi){0};
#define DOT(c) \
	if (c < cols) { \
		vi a##c = splat_quad(quants + c * width * BLOCK_32 + activation_offset(i, width)); \
		ix##c = sums & SUMS_SIGNED ? dot_signed(ix##c, wx, a##c) : dot4(ix##c, wx, a##c); \
		iy##c = sums & SUMS_SIGNED ? dot_signed(iy##c, wy, a##c) : dot4(iy##c, wy, a##c); \
	}
/* Sums of groups with whole scales; the last one holds the total. */
#define ADD_WHOLE(c) \
	if (c < cols) { \
		ix##c = widen_by(ix##c, load(u->offsets[g][0])); \
		iy##c = widen_by(iy##c, load(u->offsets[g][1])); \
		if (half > 0) { \
			ix##c += tx##c; \
			iy##c += ty##c; \
		} \
		tx##c = ix##c; \
		ty##c = iy##c; \
	}
#define ADD(c) \
	if (c < cols) { \
		if (!(sums & (SUMS_SIGNED | SUMS_WHOLE))) { \
			vi back##c = is_centred ? widen(splat_excess(excess[c], 0)) : (vi){0}; \
\
			ix##c = widen(ix##c) - back##c; \
			iy##c = widen(iy##c) - back##c; \
		} \
		x##c = fma_f32(to_f32(ix##c), sx * scale[c], x##c); \
		y##c = fma_f32(to_f32(iy##c), sy * scale[c], y##c); \
	}
#define ADD_OFFSET(c) \
	if (c < cols) { \
		x##c = fma_f32(ox, splat_f32(sum[c]), x##c); \
		y##c = fma_f32(oy, splat_f32(sum[c]), y##c); \
	}

/* acc[cols][PAIR_ROWS] += unpacked weights times activations of the tile that
 * begins with column col. */
INLINE void tile(size_t cols, size_t group, unsigned sums, const struct stretch *s,
                 const struct unpacked *u, size_t col, float *acc)
{
	const struct activations *a = s->job->a;
	size_t at = first_of_tile(a, col) + s->k / BLOCK_32 * cols, width = width_of(sums);
	size_t n_blocks = s->n_k / BLOCK_32;
	bool is_centred = sums & SUMS_ZERO && sums & SUMS_OFFSET;
	const int8_t *quants = width == 2 ? a->words + 2 * BLOCK_32 * at : a->quants + BLOCK_32 * at;
	const float *scale = a->scale + at;
	const float *sum = group == 16 ? a->sum16 + 2 * at : a->sum + at;
	const int32_t *excess = group == 16 ? a->excess16 + 2 * at : a->excess + at;
	const uint8_t (*quads)[2][4 * SIMD_LANES] = u->quads;
	size_t g = 0;

	FOR_TILE(DECLARE)
	FOR_TILE(LOAD_SUMS)
#pragma GCC unroll 1
	for (size_t b = 0; b < n_blocks; b++) {
#pragma GCC unroll 2
		for (size_t half = 0; half < BLOCK_32 / group; half++) {
			vf sx = load_f32(u->scales[g][0]), sy = load_f32(u->scales[g][1]);

			FOR_TILE(BEGIN)
#pragma GCC unroll 16
			for (size_t i = 0; i < width * group / 4; i++) {
				vi wx = load(quads[i][0]), wy = load(quads[i][1]);

				FOR_TILE(DOT)
			}
			if (sums & SUMS_WHOLE) {
				FOR_TILE(ADD_WHOLE)
			}
			if (!(sums & SUMS_WHOLE) || half > 0) {
				FOR_TILE(ADD)
			}
			if (sums & SUMS_OFFSET) {
				vf ox = load_f32(u->offsets[g][0]), oy = load_f32(u->offsets[g][1]);

				FOR_TILE(ADD_OFFSET)
			}
			quads += width * group / 4;
			quants += group;
			sum += cols;
			excess += cols;
			g++;
		}
		quants += BLOCK_32 * (width * cols - 1);
		scale += cols;
	}
	FOR_TILE(STORE_SUMS)
}

#undef DECLARE
#undef BEGIN
#undef DOT
#undef ADD_WHOLE
#undef ADD
#undef ADD_OFFSET

/* The panels of the next stretch, which are prefetched to the second-level cache while this
 * one is multiplied. */
struct ahead {
	const char *from[2]; /* one for each vector of the pair */
	size_t n_bytes;      /* of each */
};

/* The part of it that tile i of n fetches. */
INLINE void fetch_ahead(const struct ahead *ahead, size_t i, size_t n)
{
	size_t n_lines = (ahead->n_bytes + 63) / 64, end = n_lines * (i + 1) / n;

	for (size_t line = n_lines * i / n; line < end; line++) {
		prefetch(ahead->from[0], 64 * line);
		if ((int)SIMD_LANES == (int)PANEL_ROWS) /* else both are in the same panel */
			prefetch(ahead->from[1], 64 * line);
	}
}

/* Prefetches where results of `cols` columns will be stored: a store that waits for memory
 * delays those after it. */
INLINE void fetch_results(const struct matmul *job, size_t row, size_t col, size_t cols)
{
	for (size_t c = col; c < col + cols; c++)
		for (size_t r = 0; r < PAIR_ROWS; r += 16)
			prefetch_near(job->y + c * job->m->rows + row + r);
}

/* Tiles over all columns. */
INLINE void tiles(size_t group, unsigned sums, const struct stretch *s, const struct unpacked *u,
                  const struct ahead *ahead, float *acc)
{
	size_t n_tiles = (s->cols + SIMD_COLS - 1) / SIMD_COLS;
	bool is_last = s->k + s->n_k == s->job->m->cols;

	for (size_t i = 0; i < n_tiles; i++, acc += SIMD_COLS * PAIR_ROWS) {
		size_t col = s->col + i * SIMD_COLS, left = s->cols - i * SIMD_COLS;
		size_t cols = left < SIMD_COLS ? left : SIMD_COLS;

		if (n_tiles >= AHEAD_TILES)
			fetch_ahead(ahead, i, n_tiles);
		if (is_last)
			fetch_results(s->job, s->row, col, cols);
		switch (cols) {
		case 1: tile(1, group, sums, s, u, col, acc); break;
		case 2: tile(2, group, sums, s, u, col, acc); break;
		case 3: tile(3, group, sums, s, u, col, acc); break;
		case 4: tile(4, group, sums, s, u, col, acc); break;
		case 5: tile(5, group, sums, s, u, col, acc); break;
		default: tile(SIMD_COLS, group, sums, s, u, col, acc); break;
		}
		if (is_last)
			store_columns(s->job, s->row, col, cols, acc);
	}
}

typedef void (*tiles_of)(const struct stretch *s, const struct unpacked *u,
                         const struct ahead *ahead, float *acc);

/* One function for each way of summing, for all types. */
#define TILES(name, group, sums) \
	static NOINLINE void name(const struct stretch *s, const struct unpacked *u, \
	                          const struct ahead *ahead, float *acc) \
	{ \
		tiles(group, sums, s, u, ahead, acc); \
	}
TILES(tiles_signed, 32, SUMS_SIGNED)
TILES(tiles_signed_16, 16, SUMS_SIGNED)
TILES(tiles_zero, 32, SUMS_ZERO)
TILES(tiles_zero_16, 16, SUMS_ZERO)
TILES(tiles_whole, 16, SUMS_ZERO | SUMS_WHOLE)
TILES(tiles_offset, 32, SUMS_OFFSET)
TILES(tiles_offset_16, 16, SUMS_OFFSET)
TILES(tiles_centred, 32, SUMS_ZERO | SUMS_OFFSET)
#undef TILES

INLINE tiles_of find_tiles(enum block_type type)
{
	switch (sums_of(type)) {
	case SUMS_SIGNED:
		return shapes[type].group_length == 16 ? tiles_signed_16 : tiles_signed;
	case SUMS_ZERO:
		return shapes[type].group_length == 16 ? tiles_zero_16 : tiles_zero;
	case SUMS_ZERO | SUMS_WHOLE:
		return tiles_whole;
	case SUMS_OFFSET:
		return shapes[type].group_length == 16 ? tiles_offset_16 : tiles_offset;
	default:
		return tiles_centred;
	}
}

INLINE size_t stretch_from(const struct matmul *job, size_t k)
{
	return job->m->cols - k < STRETCH ? job->m->cols - k : STRETCH;
}

/* What comes after a stretch: the next columns, or the first of the next pair. */
INLINE struct ahead next_stretch(enum block_type type, const struct stretch *s)
{
	const struct matmul *job = s->job;
	size_t k = s->k + s->n_k, row = s->row;

	if (k == job->m->cols) {
		k = 0;
		row += PAIR_ROWS;
	}
	if (row >= job->m->rows)
		return (struct ahead){{NULL, NULL}, 0};
	return (struct ahead){{(const char *)strip_from(type, job->m, row, k).block,
	                       (const char *)strip_from(type, job->m, row + SIMD_LANES, k).block},
	                      stretch_from(job, k) / shapes[type].block_length * job->m->quant->panel_bytes};
}

INLINE void gemm(enum block_type type, const struct matmul *job, size_t row, size_t col,
                 size_t cols)
{
	_Alignas(64) struct unpacked u;
	_Alignas(64) float acc[SUM_COLS * PAIR_ROWS];
	struct stretch s = {.job = job, .row = row, .col = col, .cols = cols};

	memset(acc, 0, cols * PAIR_ROWS * sizeof *acc);
	for (; s.k < job->m->cols; s.k += s.n_k) {
		struct ahead ahead;

		s.n_k = stretch_from(job, s.k);
		ahead = next_stretch(type, &s);
		unpack(type, &s, &u);
		find_tiles(type)(&s, &u, &ahead, acc);
	}
}

#endif
