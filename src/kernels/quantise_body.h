/* Quantising activations, once for all instruction sets (kernels/matmul.h):
 * included by matmul_body.h. All give the same bytes and scales. */
#ifndef SOTTO_KERNELS_QUANTISE_BODY_H
#define SOTTO_KERNELS_QUANTISE_BODY_H

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/float16.h"
#include "kernels/matmul.h"

/* The largest magnitude; NaN if there is one, which then reaches the result.
 * Magnitudes compare as integers, NaN above all. */
INLINE float largest_magnitude(const float x[BLOCK_32])
{
	vi most = {0};

#pragma GCC unroll 8
	for (size_t i = 0; i < BLOCK_32; i += SIMD_LANES)
		most = larger(most, load(x + i) & splat(0x7fffffff));
	return f32_from_bits((uint32_t)max_lanes_i32(most));
}

/* Sixteen quants; returns their sum. The float adder rounds, to nearest, ties to even, for
 * magnitudes below 2^22: then the low bits of the sum are the integer. NaN gives some byte. */
INLINE int32_t quantise_16(const float *x, float inverse, int8_t *quants)
{
	vi sum = {0};

#pragma GCC unroll 4
	for (size_t i = 0; i < 16; i += SIMD_LANES) {
		vi q = (vi)(load_f32(x + i) * inverse + 0x1.8p23f);

		store_low_bytes(quants + i, q);
		sum += q << 24 >> 24;
	}
	return sum_lanes_i32(sum);
}

/* Columns of the tile that column `col` is in, and the index of its block 0. */
INLINE size_t tile_width(const struct activations *a, size_t col)
{
	size_t left = a->n - col / SIMD_COLS * SIMD_COLS;

	return left < SIMD_COLS ? left : SIMD_COLS;
}

INLINE size_t first_of_tile(const struct activations *a, size_t col)
{
	return col / SIMD_COLS * SIMD_COLS * (a->cols / BLOCK_32);
}

static void quantise(struct activations *a, size_t col, size_t block)
{
	const float *x = a->x + col * a->cols + block * BLOCK_32;
	size_t width = tile_width(a, col), start = first_of_tile(a, col) + block * width;
	size_t at = start + col % SIMD_COLS, at16 = start + at;
	int8_t *quants = a->quants + BLOCK_32 * at;
	float most = largest_magnitude(x), scale = most / 127;
	/* smaller ones would overflow the quotient; they are lost in any sum */
	float inverse = most > 1e-30f && most <= 0x1.fffffep127f ? 127 / most : 0;
	int32_t first = quantise_16(x, inverse, quants);
	int32_t second = quantise_16(x + 16, inverse, quants + 16), excess[3];

	a->scale[at] = scale;
	a->sum[at] = scale * (float)(first + second);
	a->sum16[at16] = scale * (float)first;
	a->sum16[at16 + width] = scale * (float)second;
	take_back(quants, first, second, excess);
	a->excess[at] = excess[0];
	a->excess16[at16] = excess[1];
	a->excess16[at16 + width] = excess[2];
}

/* Blocks begin .. end - 1 of the n * (cols / 32), column after column. */
static void quantise_blocks(struct activations *a, size_t begin, size_t end)
{
	size_t n_blocks = a->cols / BLOCK_32, col = begin / n_blocks, block = begin % n_blocks;

	for (size_t i = begin; i < end; i++) {
		quantise(a, col, block);
		if (++block == n_blocks) {
			block = 0;
			col++;
		}
	}
}

static void widen_blocks(struct activations *a, size_t begin, size_t end)
{
	for (size_t i = begin * BLOCK_32; i < end * BLOCK_32; i += BLOCK_32)
		for (size_t j = 0; j < BLOCK_32; j += 4 * SIMD_LANES) {
			vi quants = load(a->quants + i + j);

			store(a->words + 2 * i + j, even_words(quants));
			store(a->words + 2 * i + BLOCK_32 + j, odd_words(quants));
		}
}

/* Column `col` of a becomes column `from_col` of another's. */
static void gather(struct activations *a, size_t col, const struct activations *from, size_t from_col)
{
	size_t width = tile_width(a, col), from_width = tile_width(from, from_col);
	size_t at = first_of_tile(a, col), at16 = 2 * at + col % SIMD_COLS;
	size_t in = first_of_tile(from, from_col), in16 = 2 * in + from_col % SIMD_COLS;

	at += col % SIMD_COLS;
	in += from_col % SIMD_COLS;
	for (size_t b = 0; b < a->cols / BLOCK_32; b++) {
		memcpy(a->quants + BLOCK_32 * at, from->quants + BLOCK_32 * in, BLOCK_32);
		a->scale[at] = from->scale[in];
		a->sum[at] = from->sum[in];
		a->sum16[at16] = from->sum16[in16];
		a->sum16[at16 + width] = from->sum16[in16 + from_width];
		a->excess[at] = from->excess[in];
		a->excess16[at16] = from->excess16[in16];
		a->excess16[at16 + width] = from->excess16[in16 + from_width];
		at += width;
		at16 += 2 * width;
		in += from_width;
		in16 += 2 * from_width;
	}
}

static void gather_columns(struct activations *a, const struct activations *from,
                           const uint32_t *columns)
{
	for (size_t i = 0; i < a->n; i++)
		gather(a, i, from, columns[i]);
}

#endif
