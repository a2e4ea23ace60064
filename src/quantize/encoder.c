#include "quantize/encoder.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/blocks.h"
#include "kernels/float16.h"
#include "kernels/quant_generic.h"
#include "quantize/fit.h"
#include "quantize/superblock.h"

static void encode_f32(const float *x, void *blocks, size_t n)
{
	memcpy(blocks, x, n * sizeof *x);
}

static void encode_f16(const float *x, void *blocks, size_t n)
{
	uint16_t *out = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = f16_from_f32(x[i]);
}

static void encode_bf16(const float *x, void *blocks, size_t n)
{
	uint16_t *out = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = bf16_from_f32(x[i]);
}

/* An encoder by a function for each block of `length` weights, which starts as zeros. */
#define ENCODE(fn, length) \
	static void encode_##fn(const float *x, void *blocks, size_t n) \
	{ \
		struct block_##fn *b = blocks; \
\
		memset(blocks, 0, n / (length) * sizeof *b); \
		for (size_t i = 0; i < n / (length); i++) \
			fn##_block(x + i * (length), &b[i]); \
	}

/* ---- 32 weights with one scale (_0) or a scale and an offset (_1) ----
 *
 * Levels are found for the scale as it is stored, in half precision. */

/* Returns the scale as stored. */
static uint16_t fit_block(const struct levels *levels, const float *x, float *q)
{
	float w[BLOCK_32];
	uint16_t d;

	fit_importance(x, BLOCK_32, w);
	d = fit_half(fit_scale(levels, x, w, BLOCK_32, q), 1);
	levels_nearest(levels, x, fit_inverse(f32_from_f16(d)), BLOCK_32, q);
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
	affine_nearest(q_max, x, fit_inverse(f32_from_f16(*d)), -f32_from_f16(*m), BLOCK_32, q);
}

/* The low four bits of levels from `from` on: low nibbles are elements 0..15, high ones 16..31. */
static void pack_nibbles(const float *q, float from, uint8_t qs[16])
{
	for (size_t j = 0; j < 16; j++)
		qs[j] = (uint8_t)(((unsigned)(q[j] - from) & 15) |
		                  ((unsigned)(q[j + 16] - from) & 15) << 4);
}

/* Levels of five bits: the fifth ones stand apart. */
static void pack_fives(const float *q, float from, uint8_t qh[4], uint8_t qs[16])
{
	for (size_t j = 0; j < BLOCK_32; j++)
		qh[j / 8] |= (uint8_t)((unsigned)(q[j] - from) >> 4 << j % 8);
	pack_nibbles(q, from, qs);
}

static void q4_0_block(const float *x, struct block_q4_0 *b)
{
	static const struct levels levels = {.low = -8, .high = 7};
	float q[BLOCK_32];

	b->d = fit_block(&levels, x, q);
	pack_nibbles(q, levels.low, b->qs);
}
ENCODE(q4_0, BLOCK_32)

static void q4_1_block(const float *x, struct block_q4_1 *b)
{
	float q[BLOCK_32];

	fit_offset_block(15, x, &b->d, &b->m, q);
	pack_nibbles(q, 0, b->qs);
}
ENCODE(q4_1, BLOCK_32)

static void q5_0_block(const float *x, struct block_q5_0 *b)
{
	static const struct levels levels = {.low = -16, .high = 15};
	float q[BLOCK_32];

	b->d = fit_block(&levels, x, q);
	pack_fives(q, levels.low, b->qh, b->qs);
}
ENCODE(q5_0, BLOCK_32)

static void q5_1_block(const float *x, struct block_q5_1 *b)
{
	float q[BLOCK_32];

	fit_offset_block(31, x, &b->d, &b->m, q);
	pack_fives(q, 0, b->qh, b->qs);
}
ENCODE(q5_1, BLOCK_32)

/* -128 is left out: not every kernel that reads these can multiply with it. */
static void q8_0_block(const float *x, struct block_q8_0 *b)
{
	static const struct levels levels = {.low = -127, .high = 127};
	float q[BLOCK_32];

	b->d = fit_block(&levels, x, q);
	for (size_t j = 0; j < BLOCK_32; j++)
		b->qs[j] = (int8_t)q[j];
}
ENCODE(q8_0, BLOCK_32)

/* The largest weight becomes the last level, and levels are of the scale before it
 * is rounded. */
static void encode_q8_0_plain(const float *x, void *blocks, size_t n)
{
	struct block_q8_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		float d = fabsf(fit_extreme(x, BLOCK_32)) / 127, inverse = d != 0 ? 1 / d : 0;

		b->d = fit_half(d, 1);
		for (size_t j = 0; j < BLOCK_32; j++)
			b->qs[j] = (int8_t)roundf(x[j] * inverse);
	}
}

/* ---- K types: 256 weights in groups of 16 or 32 with quantised scales ----
 *
 * The layouts are those of kernels/blocks.h and kernels/quant_generic.c. */

/* Two halves of 128; in each the pairs of bits of its 32 bytes are elements
 * 0..31, 32..63 and so on. Levels 0..3. */
static void pack_pairs(const unsigned q[BLOCK_256], uint8_t qs[64])
{
	for (size_t i = 0; i < BLOCK_256; i++)
		qs[i / 128 * 32 + i % 32] |= (uint8_t)(q[i] << i % 128 / 32 * 2);
}

static void q2_k_block(const float *x, struct block_q2_k *b)
{
	static const struct affine_format format = {.group = 16, .q_max = 3, .scale_max = 15};
	struct affine_block found;
	unsigned q[BLOCK_256];

	fit_affine_block(&format, x, &found);
	b->d = found.d;
	b->dmin = found.dmin;
	for (size_t g = 0; g < 16; g++)
		b->scales[g] = (uint8_t)((unsigned)found.scales[g] |
		                         (unsigned)found.offsets[g] << 4);
	for (size_t j = 0; j < BLOCK_256; j++)
		q[j] = (unsigned)found.q[j];
	pack_pairs(q, b->qs);
}
ENCODE(q2_k, BLOCK_256)

/* A third bit in hmask: set where 4 is not subtracted. The low four bits of the 16 scales are the
 * nibbles of bytes 0..7, their high two bits stand in bytes 8..11. */
static void q3_k_block(const float *x, struct block_q3_k *b)
{
	static const struct scaled_format format = {
		.group = 16, .levels = {.low = -4, .high = 3}, .scales = {.low = -32, .high = 31}};
	struct scaled_block found;
	unsigned q[BLOCK_256];

	fit_scaled_block(&format, x, &found);
	b->d = found.d;
	for (size_t g = 0; g < 16; g++) {
		unsigned scale = (unsigned)(found.scales[g] + 32);

		b->scales[g % 8] |= (uint8_t)((scale & 15) << g / 8 * 4);
		b->scales[8 + g % 4] |= (uint8_t)(scale >> 4 << g / 4 * 2);
	}
	for (size_t j = 0; j < BLOCK_256; j++) {
		unsigned level = (unsigned)(found.q[j] + 4);

		q[j] = level & 3;
		b->hmask[j % 32] |= (uint8_t)(level >> 2 << j / 32);
	}
	pack_pairs(q, b->qs);
}
ENCODE(q3_k, BLOCK_256)

/* Scales and offsets of six bits: see k4_scale in kernels/quant_generic.c. */
static void pack_k4_scales(const struct affine_block *found, uint8_t packed[12])
{
	for (size_t s = 0; s < 8; s++) {
		unsigned scale = (unsigned)found->scales[s], offset = (unsigned)found->offsets[s];

		if (s < 4) {
			packed[s] |= (uint8_t)scale;
			packed[s + 4] |= (uint8_t)offset;
		} else {
			packed[s + 4] = (uint8_t)((scale & 15) | (offset & 15) << 4);
			packed[s - 4] |= (uint8_t)(scale >> 4 << 6);
			packed[s] |= (uint8_t)(offset >> 4 << 6);
		}
	}
}

/* Q4_K, and Q5_K with its fifth bits in qh. */
static void k4_block(float q_max, const float *x, uint16_t *d, uint16_t *dmin, uint8_t scales[12],
                     uint8_t qs[128], uint8_t *qh)
{
	const struct affine_format format = {.group = 32, .q_max = q_max, .scale_max = 63};
	struct affine_block found;

	fit_affine_block(&format, x, &found);
	*d = found.d;
	*dmin = found.dmin;
	pack_k4_scales(&found, scales);
	for (size_t j = 0; j < BLOCK_256; j++) {
		unsigned level = (unsigned)found.q[j];

		qs[j / 64 * 32 + j % 32] |= (uint8_t)((level & 15) << j % 64 / 32 * 4);
		if (qh)
			qh[j % 32] |= (uint8_t)(level >> 4 << j / 32);
	}
}

static void q4_k_block(const float *x, struct block_q4_k *b)
{
	k4_block(15, x, &b->d, &b->dmin, b->scales, b->qs, NULL);
}
ENCODE(q4_k, BLOCK_256)

static void q5_k_block(const float *x, struct block_q5_k *b)
{
	k4_block(31, x, &b->d, &b->dmin, b->scales, b->qs, b->qh);
}
ENCODE(q5_k, BLOCK_256)

/* Halves of 128: the low nibbles of 64 bytes are its elements 0..63, the high
 * ones 64..127; pairs of high bits lie in qh as those of pack_pairs. */
static void q6_k_block(const float *x, struct block_q6_k *b)
{
	static const struct scaled_format format = {
		.group = 16, .levels = {.low = -32, .high = 31}, .scales = {.low = -128, .high = 127}};
	struct scaled_block found;
	unsigned high[BLOCK_256];

	fit_scaled_block(&format, x, &found);
	b->d = found.d;
	for (size_t g = 0; g < 16; g++)
		b->scales[g] = (int8_t)found.scales[g];
	for (size_t j = 0; j < BLOCK_256; j++) {
		unsigned level = (unsigned)(found.q[j] + 32);

		b->ql[j / 128 * 64 + j % 64] |= (uint8_t)((level & 15) << j % 128 / 64 * 4);
		high[j] = level >> 4;
	}
	pack_pairs(high, b->qh);
}
ENCODE(q6_k, BLOCK_256)

/* IQ4_NL and IQ4_XS: 16 levels that lie closer about 0. */
#define IQ4_LEVELS {.low = -127, .high = 113, .values = iq4_levels}

/* The levels become their indices. */
static void pack_iq4(float q[BLOCK_32], uint8_t qs[16])
{
	for (size_t j = 0; j < BLOCK_32; j++) {
		unsigned i = 0;

		while (i < 15 && (float)iq4_levels[i] < q[j])
			i++;
		q[j] = (float)i;
	}
	pack_nibbles(q, 0, qs);
}

static void iq4_nl_block(const float *x, struct block_iq4_nl *b)
{
	static const struct levels levels = IQ4_LEVELS;
	float q[BLOCK_32];

	b->d = fit_block(&levels, x, q);
	pack_iq4(q, b->qs);
}
ENCODE(iq4_nl, BLOCK_32)

static void iq4_xs_block(const float *x, struct block_iq4_xs *b)
{
	static const struct scaled_format format = {
		.group = 32, .levels = IQ4_LEVELS, .scales = {.low = -32, .high = 31}};
	struct scaled_block found;

	fit_scaled_block(&format, x, &found);
	b->d = found.d;
	for (size_t g = 0; g < 8; g++) {
		unsigned scale = (unsigned)(found.scales[g] + 32);

		b->scales_l[g / 2] |= (uint8_t)((scale & 15) << g % 2 * 4);
		b->scales_h |= (uint16_t)(scale >> 4 << 2 * g);
		pack_iq4(found.q + 32 * g, b->qs + 16 * g);
	}
}
ENCODE(iq4_xs, BLOCK_256)

/* ---- MXFP4: 32 floats of four bits and a power of two ----
 *
 * There is no search: files get the bytes that llama.cpp writes, so that a block's scale depends on
 * its largest weight alone, after the OCP Microscaling specification: 2^(floor(log2(largest)) - 2).
 * Weights beyond 6 times that become 6 times it. */

enum { EXPONENT_BIAS = 127, LARGEST_EXPONENT = 2 /* of the levels: 4 and 6 */ };

/* The logarithm is rounded to float before its floor is taken: a weight just below a power of
 * two counts as that power. */
static uint8_t exponent_of(float largest)
{
	int e;

	if (largest == 0)
		return 0;
	e = (int)floorf((float)log2((double)largest)) - LARGEST_EXPONENT + EXPONENT_BIAS;
	return e < 0 ? 0 : (uint8_t)e;
}

/* The nearest level; of two that are equally near the smaller one. `step` is a
 * half of the scale, the smallest level above zero. */
static unsigned nibble_of(float x, float step)
{
	static const float levels[8] = {0, 1, 2, 3, 4, 6, 8, 12};
	float size = fabsf(x);
	unsigned best = 0;

	for (unsigned i = 1; i < 8; i++)
		if (fabsf(levels[i] * step - size) < fabsf(levels[best] * step - size))
			best = i;
	return best && x < 0 ? best + 8 : best; /* no negative zero is needed */
}

static void mxfp4_block(const float *x, struct block_mxfp4 *b)
{
	float step;

	b->e = exponent_of(fabsf(fit_extreme(x, BLOCK_32)));
	step = ldexpf(1, b->e - EXPONENT_BIAS - 1);
	/* Low nibbles are elements 0..15, high ones 16..31. */
	for (size_t j = 0; j < 16; j++)
		b->qs[j] = (uint8_t)(nibble_of(x[j], step) | nibble_of(x[j + 16], step) << 4);
}
ENCODE(mxfp4, BLOCK_32)

static encoder *const encoders[BLOCK_TYPE_MAX] = {
	[BLOCK_F32] = encode_f32,       [BLOCK_F16] = encode_f16,   [BLOCK_BF16] = encode_bf16,
	[BLOCK_Q4_0] = encode_q4_0,     [BLOCK_Q4_1] = encode_q4_1, [BLOCK_Q5_0] = encode_q5_0,
	[BLOCK_Q5_1] = encode_q5_1,     [BLOCK_Q8_0] = encode_q8_0, [BLOCK_Q2_K] = encode_q2_k,
	[BLOCK_Q3_K] = encode_q3_k,     [BLOCK_Q4_K] = encode_q4_k, [BLOCK_Q5_K] = encode_q5_k,
	[BLOCK_Q6_K] = encode_q6_k,     [BLOCK_IQ4_NL] = encode_iq4_nl,
	[BLOCK_IQ4_XS] = encode_iq4_xs, [BLOCK_MXFP4] = encode_mxfp4,
};

encoder *encoder_find(uint32_t type)
{
	return type < BLOCK_TYPE_MAX ? encoders[type] : NULL;
}

encoder *encoder_find_plain(uint32_t type)
{
	return type == BLOCK_Q8_0 ? encode_q8_0_plain : encoder_find(type);
}

/* The largest scale or offset times the scale's own levels and the weight's that lie farthest on
 * both sides of 0. */
float encoder_largest(uint32_t type)
{
	const float half = FIT_HALF_MAX;

	switch (type) {
	case BLOCK_BF16: return 0x1.fep127f;
	case BLOCK_F16: case BLOCK_Q4_1: case BLOCK_Q5_1: return half;
	case BLOCK_Q4_0: return 8 * half;
	case BLOCK_Q5_0: return 16 * half;
	case BLOCK_Q8_0: case BLOCK_IQ4_NL: return 127 * half;
	case BLOCK_Q2_K: return 15 * half;
	case BLOCK_Q4_K: case BLOCK_Q5_K: return 63 * half;
	case BLOCK_Q3_K: return 32 * 4 * half;
	case BLOCK_Q6_K: return 128 * 32 * half;
	case BLOCK_IQ4_XS: return 32 * 127 * half;
	default: return FLT_MAX; /* F32; MXFP4, whose scale is a power of two of eight bits */
	}
}
