/* The order of the float operations is part of each format (the scales are
 * multiplied first), so that every implementation gives the same weights. */
#include "kernels/quant_generic.h"

#include <string.h>

#include "kernels/blocks.h"
#include "kernels/float16.h"

const int8_t iq4_levels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};

void dequantize_f32(const void *blocks, float *out, size_t n)
{
	memcpy(out, blocks, n * sizeof *out);
}

void dequantize_f16(const void *blocks, float *out, size_t n)
{
	const uint16_t *in = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = f32_from_f16(in[i]);
}

void dequantize_bf16(const void *blocks, float *out, size_t n)
{
	const uint16_t *in = blocks;

	for (size_t i = 0; i < n; i++)
		out[i] = f32_from_bf16(in[i]);
}

static void q4_0_block(const struct block_q4_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < 16; j++) {
		out[j] = (float)((b->qs[j] & 15) - 8) * d;
		out[j + 16] = (float)((b->qs[j] >> 4) - 8) * d;
	}
}
DEQUANTIZE(q4_0, BLOCK_32)

static void q4_1_block(const struct block_q4_1 *b, float *out)
{
	float d = f32_from_f16(b->d), m = f32_from_f16(b->m);

	for (size_t j = 0; j < 16; j++) {
		out[j] = (float)(b->qs[j] & 15) * d + m;
		out[j + 16] = (float)(b->qs[j] >> 4) * d + m;
	}
}
DEQUANTIZE(q4_1, BLOCK_32)

static uint32_t load_u32(const uint8_t bytes[4])
{
	uint32_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

/* The fifth bit of element j, in its place. */
static int high_bit(uint32_t qh, size_t j)
{
	return (int)(qh >> j & 1u) << 4;
}

static void q5_0_block(const struct block_q5_0 *b, float *out)
{
	float d = f32_from_f16(b->d);
	uint32_t qh = load_u32(b->qh);

	for (size_t j = 0; j < 16; j++) {
		out[j] = (float)(((b->qs[j] & 15) | high_bit(qh, j)) - 16) * d;
		out[j + 16] = (float)((b->qs[j] >> 4 | high_bit(qh, j + 16)) - 16) * d;
	}
}
DEQUANTIZE(q5_0, BLOCK_32)

static void q5_1_block(const struct block_q5_1 *b, float *out)
{
	float d = f32_from_f16(b->d), m = f32_from_f16(b->m);
	uint32_t qh = load_u32(b->qh);

	for (size_t j = 0; j < 16; j++) {
		out[j] = (float)((b->qs[j] & 15) | high_bit(qh, j)) * d + m;
		out[j + 16] = (float)(b->qs[j] >> 4 | high_bit(qh, j + 16)) * d + m;
	}
}
DEQUANTIZE(q5_1, BLOCK_32)

static void q8_0_block(const struct block_q8_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < BLOCK_32; j++)
		out[j] = (float)b->qs[j] * d;
}
DEQUANTIZE(q8_0, BLOCK_32)

static void iq4_nl_block(const struct block_iq4_nl *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < 16; j++) {
		out[j] = d * (float)iq4_levels[b->qs[j] & 15];
		out[j + 16] = d * (float)iq4_levels[b->qs[j] >> 4];
	}
}
DEQUANTIZE(iq4_nl, BLOCK_32)

/* Two halves of 128; in each, bits 0-1 of its 32 bytes are the first 32
 * elements, bits 2-3 the next, and so on; 16 elements share a scale. */
static void q2_k_block(const struct block_q2_k *b, float *out)
{
	float d = f32_from_f16(b->d), dmin = f32_from_f16(b->dmin);

	for (size_t group = 0; group < 16; group++) {
		const uint8_t *q = b->qs + group / 8 * 32 + group % 2 * 16;
		unsigned shift = (unsigned)(group % 8 / 2) * 2;
		float scale = d * (float)(b->scales[group] & 15);
		float offset = dmin * (float)(b->scales[group] >> 4);

		for (size_t j = 0; j < 16; j++)
			out[16 * group + j] = scale * (float)(q[j] >> shift & 3) - offset;
	}
}
DEQUANTIZE(q2_k, BLOCK_256)

int q3_k_scale(const uint8_t packed[12], size_t group)
{
	int low = group < 8 ? packed[group] & 15 : packed[group - 8] >> 4;
	int high = packed[8 + group % 4] >> (group / 4 * 2) & 3;

	return (low | high << 4) - 32;
}

/* As Q2_K, with a third bit in hmask: bit g of its 32 bytes belongs to the
 * g-th 32 elements of the block, and a clear bit means minus 4. */
static void q3_k_block(const struct block_q3_k *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t group = 0; group < 16; group++) {
		const uint8_t *q = b->qs + group / 8 * 32 + group % 2 * 16;
		const uint8_t *h = b->hmask + group % 2 * 16;
		unsigned shift = (unsigned)(group % 8 / 2) * 2;
		unsigned bit = (unsigned)(group / 2);
		float scale = d * (float)q3_k_scale(b->scales, group);

		for (size_t j = 0; j < 16; j++) {
			int value = (q[j] >> shift & 3) - ((h[j] >> bit & 1) ? 0 : 4);

			out[16 * group + j] = scale * (float)value;
		}
	}
}
DEQUANTIZE(q3_k, BLOCK_256)

void k4_scale(const uint8_t packed[12], size_t s, int *scale, int *offset)
{
	if (s < 4) {
		*scale = packed[s] & 63;
		*offset = packed[s + 4] & 63;
	} else {
		*scale = (packed[s + 4] & 15) | packed[s - 4] >> 6 << 4;
		*offset = packed[s + 4] >> 4 | packed[s] >> 6 << 4;
	}
}

/* Sub-blocks 2g and 2g + 1 are the low and high nibbles of 32 bytes; bit s of the 32 bytes of qh
 * (NULL: there is none) is the fifth bit of sub-block s. */
static inline void dequantize_k4(float d, float dmin, const uint8_t scales[12], const uint8_t *qs,
                                 const uint8_t *qh, float *out)
{
	for (size_t s = 0; s < 8; s++) {
		const uint8_t *q = qs + s / 2 * 32;
		unsigned shift = (unsigned)(s % 2) * 4;
		int sc, m;

		k4_scale(scales, s, &sc, &m);
		float scale = d * (float)sc, offset = dmin * (float)m;

		for (size_t j = 0; j < 32; j++) {
			int value = (q[j] >> shift & 15) | (qh ? (qh[j] >> s & 1) << 4 : 0);

			out[32 * s + j] = scale * (float)value - offset;
		}
	}
}

static void q4_k_block(const struct block_q4_k *b, float *out)
{
	dequantize_k4(f32_from_f16(b->d), f32_from_f16(b->dmin), b->scales, b->qs, NULL, out);
}
DEQUANTIZE(q4_k, BLOCK_256)

static void q5_k_block(const struct block_q5_k *b, float *out)
{
	dequantize_k4(f32_from_f16(b->d), f32_from_f16(b->dmin), b->scales, b->qs, b->qh, out);
}
DEQUANTIZE(q5_k, BLOCK_256)

/* Two halves of 128 = four runs of 32: runs 0 and 1 are the low nibbles of
 * ql's first and second 32 bytes, runs 2 and 3 their high nibbles; bits 2r and
 * 2r + 1 of qh complete run r. */
static void q6_k_block(const struct block_q6_k *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t group = 0; group < 16; group++) {
		size_t half = group / 8, run = group % 8 / 2, first = group % 2 * 16;
		const uint8_t *ql = b->ql + 64 * half + 32 * (run % 2) + first;
		const uint8_t *qh = b->qh + 32 * half + first;
		unsigned shift = (unsigned)(run / 2) * 4, high = (unsigned)run * 2;
		float scale = d * (float)b->scales[group];

		for (size_t j = 0; j < 16; j++) {
			int value = (ql[j] >> shift & 15) | (qh[j] >> high & 3) << 4;

			out[16 * group + j] = scale * (float)(value - 32);
		}
	}
}
DEQUANTIZE(q6_k, BLOCK_256)

int iq4_xs_scale(const struct block_iq4_xs *block, size_t s)
{
	int low = block->scales_l[s / 2] >> (s % 2 * 4) & 15;
	int high = block->scales_h >> (2 * s) & 3;

	return (low | high << 4) - 32;
}

static void iq4_xs_block(const struct block_iq4_xs *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t s = 0; s < 8; s++) {
		const uint8_t *q = b->qs + 16 * s;
		float scale = d * (float)iq4_xs_scale(b, s);

		for (size_t j = 0; j < 16; j++) {
			out[32 * s + j] = scale * (float)iq4_levels[q[j] & 15];
			out[32 * s + 16 + j] = scale * (float)iq4_levels[q[j] >> 4];
		}
	}
}
DEQUANTIZE(iq4_xs, BLOCK_256)

/* ---- one to two bits without a codebook, and floats of four bits ---- */

const int8_t fp4_levels[16] = {16, 17, 18, 19, 20, 22, 24, 28, 16, 15, 14, 13, 12, 10, 8, 4};

static float fp4_value(int nibble)
{
	return (float)(fp4_levels[nibble] - FP4_ZERO);
}

static void mxfp4_block(const struct block_mxfp4 *b, float *out)
{
	float d = f32_from_e8m0_half(b->e);

	for (size_t j = 0; j < 16; j++) {
		out[j] = fp4_value(b->qs[j] & 15) * d;
		out[j + 16] = fp4_value(b->qs[j] >> 4) * d;
	}
}
DEQUANTIZE(mxfp4, BLOCK_32)

static void nvfp4_block(const struct block_nvfp4 *b, float *out)
{
	for (size_t group = 0; group < 4; group++, out += 16) {
		float d = f32_from_e4m3_half(nvfp4_scale(b->d[group]));
		const uint8_t *q = b->qs + 8 * group;

		for (size_t j = 0; j < 8; j++) {
			out[j] = fp4_value(q[j] & 15) * d;
			out[j + 8] = fp4_value(q[j] >> 4) * d;
		}
	}
}
DEQUANTIZE(nvfp4, BLOCK_64)

static void q1_0_block(const struct block_q1_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < BLOCK_128; j++)
		out[j] = b->qs[j / 8] >> j % 8 & 1 ? d : -d;
}
DEQUANTIZE(q1_0, BLOCK_128)

static void q2_0_block(const struct block_q2_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < BLOCK_64; j++)
		out[j] = (float)((b->qs[j / 4] >> j % 4 * 2 & 3) - 1) * d;
}
DEQUANTIZE(q2_0, BLOCK_64)

/* A byte is a fraction of 256: times 3, what passes the point is the first digit
 * (base 3), and what is left holds the next ones. The digits of a byte lie apart
 * by the bytes of their run: 32 and 16 of qs with 5 digits each, the 4 of qh with 4. */
int tq1_0_quant(const struct block_tq1_0 *block, size_t i)
{
	static const uint8_t power[5] = {1, 3, 9, 27, 81};
	const uint8_t *run = block->qs;
	size_t n = 32;

	if (i >= 240) {
		i -= 240;
		run = block->qh;
		n = 4;
	} else if (i >= 160) {
		i -= 160;
		run += 32;
		n = 16;
	}
	return (uint8_t)(run[i % n] * power[i / n]) * 3 >> 8;
}

static void tq1_0_block(const struct block_tq1_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < BLOCK_256; j++)
		out[j] = (float)(tq1_0_quant(b, j) - 1) * d;
}
DEQUANTIZE(tq1_0, BLOCK_256)

static void tq2_0_block(const struct block_tq2_0 *b, float *out)
{
	float d = f32_from_f16(b->d);

	for (size_t j = 0; j < BLOCK_256; j++)
		out[j] = (float)((b->qs[j / 128 * 32 + j % 32] >> j % 128 / 32 * 2 & 3) - 1) * d;
}
DEQUANTIZE(tq2_0, BLOCK_256)
