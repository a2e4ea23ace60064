/* The types of 32 weights with one scale (_0) or a scale and an offset (_1).
 * Levels are found for the scale as it is stored, in half precision. */
#include <math.h>

#include "kernels/blocks.h"
#include "kernels/float16.h"
#include "quantize/encode.h"
#include "quantize/fit.h"

static float inverse_of(float d)
{
	return d != 0 ? 1 / d : 0;
}

/* Returns the scale as stored. */
static uint16_t fit_block(const struct levels *levels, const float *x, float *q)
{
	float w[BLOCK_32];
	uint16_t d;

	fit_importance(x, BLOCK_32, w);
	d = fit_half(fit_scale(levels, x, w, BLOCK_32, q), 1);
	levels_nearest(levels, x, inverse_of(f32_from_f16(d)), BLOCK_32, q);
	return d;
}

static void fit_offset_block(float q_max, const float *x, uint16_t *d, uint16_t *m, float *q)
{
	struct affine fit;
	float w[BLOCK_32];

	fit_importance(x, BLOCK_32, w);
	fit = fit_affine(q_max, false, x, w, BLOCK_32, q);
	*d = fit_half(fit.d, 1);
	*m = fit_half(-fit.m, 1); /* stored to be added */
	affine_nearest(q_max, x, inverse_of(f32_from_f16(*d)), -f32_from_f16(*m), BLOCK_32, q);
}

/* Levels 0..15: low nibbles are elements 0..15, high ones 16..31. */
static void pack_nibbles(const float *q, float from, uint8_t qs[16])
{
	for (size_t j = 0; j < 16; j++)
		qs[j] = (uint8_t)((unsigned)(q[j] - from) | (unsigned)(q[j + 16] - from) << 4);
}

/* Levels 0..31: the fifth bits stand apart. */
static void pack_fives(const float *q, float from, uint8_t qh[4], uint8_t qs[16])
{
	for (size_t j = 0; j < 4; j++)
		qh[j] = 0;
	for (size_t j = 0; j < BLOCK_32; j++)
		qh[j / 8] |= (uint8_t)((unsigned)(q[j] - from) >> 4 << j % 8);
	for (size_t j = 0; j < 16; j++)
		qs[j] = (uint8_t)(((unsigned)(q[j] - from) & 15) |
		                  ((unsigned)(q[j + 16] - from) & 15) << 4);
}

void encode_q4_0(const float *x, void *blocks, size_t n)
{
	static const struct levels levels = {.low = -8, .high = 7};
	struct block_q4_0 *b = blocks;
	float q[BLOCK_32];

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		b->d = fit_block(&levels, x, q);
		pack_nibbles(q, levels.low, b->qs);
	}
}

void encode_q4_1(const float *x, void *blocks, size_t n)
{
	struct block_q4_1 *b = blocks;
	float q[BLOCK_32];

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		fit_offset_block(15, x, &b->d, &b->m, q);
		pack_nibbles(q, 0, b->qs);
	}
}

void encode_q5_0(const float *x, void *blocks, size_t n)
{
	static const struct levels levels = {.low = -16, .high = 15};
	struct block_q5_0 *b = blocks;
	float q[BLOCK_32];

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		b->d = fit_block(&levels, x, q);
		pack_fives(q, levels.low, b->qh, b->qs);
	}
}

void encode_q5_1(const float *x, void *blocks, size_t n)
{
	struct block_q5_1 *b = blocks;
	float q[BLOCK_32];

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		fit_offset_block(31, x, &b->d, &b->m, q);
		pack_fives(q, 0, b->qh, b->qs);
	}
}

/* -128 is left out: not every kernel that reads these can multiply with it. */
void encode_q8_0(const float *x, void *blocks, size_t n)
{
	static const struct levels levels = {.low = -127, .high = 127};
	struct block_q8_0 *b = blocks;
	float q[BLOCK_32];

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		b->d = fit_block(&levels, x, q);
		for (size_t j = 0; j < BLOCK_32; j++)
			b->qs[j] = (int8_t)q[j];
	}
}

/* The largest weight becomes the last level, and levels are of the scale before it
 * is rounded. */
void encode_q8_0_plain(const float *x, void *blocks, size_t n)
{
	struct block_q8_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		float d = fabsf(fit_extreme(x, BLOCK_32)) / 127, inverse = inverse_of(d);

		b->d = fit_half(d, 1);
		for (size_t j = 0; j < BLOCK_32; j++)
			b->qs[j] = (int8_t)roundf(x[j] * inverse);
	}
}
