/* The kernels of attention_kernels.h on the names of simd.h, compiled once for
 * each instruction set (isa_*.c).
 *
 * Every sum has one fixed order, whichever rows are computed together: scores add up a head's
 * elements in rising order, outputs the positions; weights of a tile are summed lane by lane,
 * then the lanes as a tree. */
#ifndef SOTTO_KERNELS_ATTENTION_BODY_H
#define SOTTO_KERNELS_ATTENTION_BODY_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/attention_kernels.h"
#include "kernels/float16.h"
#include "kernels/simd_exp.h"

enum {
	STRIP = 48, /* rows whose scores stay in the first-level cache with a tile */
};

/* ---- loading ---- */

/* `n` floats from half precision. */
static void load_halves(const uint16_t *from, size_t n, float *out)
{
	size_t whole = n - n % SIMD_LANES;

	for (size_t i = 0; i < whole; i += SIMD_LANES)
		store_f32(out + i, load_f16(from + i));
	for (size_t i = whole; i < n; i++)
		out[i] = f32_from_f16(from[i]);
}

/* `n` floats, at most KV_BLOCK, from one block. */
static void load_block(const int8_t *from, float scale, size_t n, float *out)
{
	size_t whole = n - n % SIMD_LANES;

	for (size_t i = 0; i < whole; i += SIMD_LANES)
		store_f32(out + i, to_f32(load_i8(from + i)) * splat_f32(scale));
	for (size_t i = whole; i < n; i++)
		out[i] = (float)from[i] * scale;
}

static const float *load_keys(enum block_type type, const void *tile, size_t dim, float *buffer)
{
	const int8_t *quants = tile;
	const uint16_t *scales = (const void *)(quants + dim * KV_TILE);
	float scale[KV_TILE];

	if (type == BLOCK_F32)
		return tile;
	if (type == BLOCK_F16) {
		load_halves(tile, dim * KV_TILE, buffer);
		return buffer;
	}
	for (size_t d = 0; d < dim; d++) {
		if (d % KV_BLOCK == 0)
			load_halves(scales + d / KV_BLOCK * KV_TILE, KV_TILE, scale);
		for (size_t i = 0; i < KV_TILE; i += SIMD_LANES)
			store_f32(buffer + d * KV_TILE + i,
			         to_f32(load_i8(quants + d * KV_TILE + i)) * load_f32(scale + i));
	}
	return buffer;
}

static void load_value(enum block_type type, const void *tile, size_t dim, size_t at, float *out)
{
	const int8_t *quants = tile;
	const uint16_t *scales = (const void *)(quants + KV_TILE * dim);

	if (type == BLOCK_F32)
		memcpy(out, (const float *)tile + at * dim, dim * sizeof *out);
	else if (type == BLOCK_F16)
		load_halves((const uint16_t *)tile + at * dim, dim, out);
	else
		for (size_t d = 0; d < dim; d += KV_BLOCK)
			load_block(quants + at * dim + d,
			           f32_from_f16(scales[at * kv_blocks(dim) + d / KV_BLOCK]),
			           dim - d < KV_BLOCK ? dim - d : KV_BLOCK, out + d);
}

static const float *load_values(enum block_type type, const void *tile, size_t dim, size_t begin,
                                size_t end, float *buffer)
{
	size_t padded = attention_padded(dim);

	if (type == BLOCK_F32 && dim == padded)
		return tile;
	for (size_t at = begin; at < end; at++) {
		float *out = buffer + at * padded;

		load_value(type, tile, dim, at, out);
		memset(out + dim, 0, (padded - dim) * sizeof *out);
	}
	return buffer;
}

/* ---- products ---- */

/* c[n_rows][n_vectors] = c * scale + a[n_rows][n] b[n][n_vectors]; a NULL scale stands for
 * zeros. The counts of rows and vectors are constants. The vectors of a row of b are separate
 * variables, since compilers keep arrays in memory. */
INLINE void multiply_block(size_t n_rows, size_t n_vectors, const float *a, size_t a_stride,
                                  const float *b, size_t b_stride, size_t n, float *c,
                                  size_t c_stride, const float *scale)
{
	vf sums[SIMD_ROWS][4];

#pragma GCC unroll 8
	for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 4
		for (size_t v = 0; v < n_vectors; v++)
			sums[r][v] = scale ? load_f32(c + r * c_stride + v * SIMD_LANES) * splat_f32(scale[r])
			                   : splat_f32(0);
	for (size_t i = 0; i < n; i++, b += b_stride) {
		vf b0 = load_f32(b), b1, b2, b3;

		if (n_vectors > 1)
			b1 = load_f32(b + SIMD_LANES);
		if (n_vectors > 2) {
			b2 = load_f32(b + 2 * SIMD_LANES);
			b3 = load_f32(b + 3 * SIMD_LANES);
		}
#pragma GCC unroll 8
		for (size_t r = 0; r < n_rows; r++) {
			vf factor = splat_f32(a[r * a_stride + i]);

			sums[r][0] = fma_f32(factor, b0, sums[r][0]);
			if (n_vectors > 1)
				sums[r][1] = fma_f32(factor, b1, sums[r][1]);
			if (n_vectors > 2) {
				sums[r][2] = fma_f32(factor, b2, sums[r][2]);
				sums[r][3] = fma_f32(factor, b3, sums[r][3]);
			}
		}
	}
#pragma GCC unroll 8
	for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 4
		for (size_t v = 0; v < n_vectors; v++)
			store_f32(c + r * c_stride + v * SIMD_LANES, sums[r][v]);
}

/* n_rows, a constant, of all n_cols columns, a multiple of SIMD_LANES. */
INLINE void multiply_rows(size_t n_rows, const float *a, size_t a_stride, const float *b,
                                 size_t b_stride, size_t n, float *c, size_t c_stride,
                                 const float *scale, size_t n_cols)
{
	const size_t n_vectors = n_rows > SIMD_ROWS / 2 ? 2 : 4;
	size_t col = 0;

	for (; col + n_vectors * SIMD_LANES <= n_cols; col += n_vectors * SIMD_LANES)
		multiply_block(n_rows, n_vectors, a, a_stride, b + col, b_stride, n, c + col,
		               c_stride, scale);
	for (; col < n_cols; col += SIMD_LANES)
		multiply_block(n_rows, 1, a, a_stride, b + col, b_stride, n, c + col, c_stride,
		               scale);
}

/* The same for any number of rows. */
static void multiply_any(size_t n_rows, const float *a, size_t a_stride, const float *b,
                     size_t b_stride, size_t n, float *c, size_t c_stride, const float *scale,
                     size_t n_cols)
{
	size_t r = 0;

#define ROWS(count) \
	for (; r + (count) <= n_rows; r += (count)) \
		multiply_rows(count, a + r * a_stride, a_stride, b, b_stride, n, \
		              c + r * c_stride, c_stride, scale ? scale + r : NULL, n_cols)
	ROWS(SIMD_ROWS);
	ROWS(4);
	ROWS(2);
	ROWS(1);
#undef ROWS
}

/* ---- softmax ---- */

/* Turns a row's scores of a tile into weights; returns the factor for its earlier sums. */
static float weigh(float *scores, size_t begin, size_t end, float *row_max, float *row_sum)
{
	size_t first = begin / SIMD_LANES * SIMD_LANES;
	vf highest = splat_f32(*row_max), sum = splat_f32(0), base;
	float max, factor;

	for (size_t i = first; i < begin; i++)
		scores[i] = -INFINITY;
	for (size_t i = end; i % SIMD_LANES; i++)
		scores[i] = -INFINITY;
	for (size_t i = first; i < end; i += SIMD_LANES)
		highest = max_f32(load_f32(scores + i), highest);
	max = max_lanes(highest);
	base = splat_f32(max == -INFINITY ? 0 : max);
	for (size_t i = first; i < end; i += SIMD_LANES) {
		vf weight = exp_f32(load_f32(scores + i) - base, EXP_SMALL);

		store_f32(scores + i, weight);
		sum += weight;
	}
	factor = 1;
	if (max != *row_max) {
		float factors[SIMD_LANES];

		store_f32(factors, exp_f32(splat_f32(*row_max) - base, EXP_SMALL));
		factor = factors[0];
	}
	*row_max = max;
	*row_sum = *row_sum * factor + sum_lanes(sum);
	return factor;
}

static void cap_scores(size_t n, float *scores, size_t n_cols, float cap)
{
	vf high = splat_f32(cap), inverse = splat_f32(1 / cap);

	for (size_t r = 0; r < n; r++, scores += KV_TILE)
		for (size_t i = 0; i < n_cols; i += SIMD_LANES)
			store_f32(scores + i, high * tanh_f32(load_f32(scores + i) * inverse));
}

static void add_rows(const struct attention_rows *rows, size_t row, size_t n, const float *keys,
                     const float *values, size_t begin, size_t end)
{
	size_t first = begin / SIMD_LANES * SIMD_LANES;
	size_t n_cols = (end - first + SIMD_LANES - 1) / SIMD_LANES * SIMD_LANES;
	float scores[STRIP][KV_TILE], factor[STRIP];

	multiply_any(n, rows->q + row * rows->k_dim, rows->k_dim, keys + first, KV_TILE, rows->k_dim,
	         scores[0] + first, KV_TILE, NULL, n_cols);
	if (rows->softcap != 0)
		cap_scores(n, scores[0] + first, n_cols, rows->softcap);
	for (size_t r = 0; r < n; r++)
		factor[r] = weigh(scores[r], begin, end, rows->max + row + r, rows->sum + row + r);
	multiply_any(n, scores[0] + begin, KV_TILE, values + begin * rows->v_dim, rows->v_dim,
	         end - begin, rows->out + row * rows->v_dim, rows->v_dim, factor, rows->v_dim);
}

static void add_tile(const struct attention_rows *rows, const float *keys, const float *values,
                     size_t begin, size_t end)
{
	for (size_t row = 0; row < rows->n; row += STRIP)
		add_rows(rows, row, rows->n - row < STRIP ? rows->n - row : STRIP, keys, values,
		         begin, end);
}

static bool is_empty(const struct attention_rows *rows, size_t row)
{
	return rows->max[row] == -INFINITY && rows->sum[row] == 0;
}

static void merge_row(const struct attention_rows *a, const struct attention_rows *b, size_t row)
{
	float *to = a->out + row * a->v_dim, max = fmaxf(a->max[row], b->max[row]);
	const float *from = b->out + row * a->v_dim;
	vf base = splat_f32(max == -INFINITY ? 0 : max);
	vf of_a = exp_f32(splat_f32(a->max[row]) - base, EXP_SMALL);
	vf of_b = exp_f32(splat_f32(b->max[row]) - base, EXP_SMALL);
	float sums[SIMD_LANES];

	for (size_t i = 0; i < a->v_dim; i += SIMD_LANES)
		store_f32(to + i, fma_f32(of_b, load_f32(from + i), of_a * load_f32(to + i)));
	store_f32(sums, fma_f32(of_b, splat_f32(b->sum[row]), of_a * splat_f32(a->sum[row])));
	a->sum[row] = sums[0];
	a->max[row] = max;
}

static void merge(const struct attention_rows *a, const struct attention_rows *b)
{
	for (size_t row = 0; row < a->n; row++)
		if (is_empty(a, row)) {
			a->max[row] = b->max[row];
			a->sum[row] = b->sum[row];
			memcpy(a->out + row * a->v_dim, b->out + row * a->v_dim,
			       a->v_dim * sizeof *a->out);
		} else if (!is_empty(b, row)) {
			merge_row(a, b, row);
		}
}

static void finish(const struct attention_rows *rows, size_t row, size_t v_dim, const float *sink,
                   float *out)
{
	const float *from = rows->out + row * rows->v_dim;
	float sum = rows->sum[row], factor = 1;

	if (sink && *sink > rows->max[row]) {
		factor = expf(rows->max[row] - *sink);
		sum = sum * factor + 1;
	} else if (sink) {
		sum += expf(*sink - rows->max[row]);
	}
	for (size_t i = 0; i < v_dim; i++)
		out[i] = sum == 0 ? 0 : from[i] * factor / sum;
}

const struct attention_kernels ISA(attention) = {load_keys, load_values, add_tile, merge, finish};

#endif
