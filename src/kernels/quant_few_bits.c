/* Dequantisation of the types of one to two bits without a codebook, and of those
 * whose elements are floats of four bits. */
#include "kernels/blocks.h"
#include "kernels/float16.h"
#include "kernels/quant_generic.h"

const int8_t fp4_levels[16] = {16, 17, 18, 19, 20, 22, 24, 28, 16, 15, 14, 13, 12, 10, 8, 4};

static float fp4_value(int nibble)
{
	return (float)(fp4_levels[nibble] - FP4_ZERO);
}

void dequantize_mxfp4(const void *blocks, float *out, size_t n)
{
	const struct block_mxfp4 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, out += BLOCK_32) {
		float d = f32_from_e8m0_half(b->e);

		for (size_t j = 0; j < 16; j++) {
			out[j] = fp4_value(b->qs[j] & 15) * d;
			out[j + 16] = fp4_value(b->qs[j] >> 4) * d;
		}
	}
}

void dequantize_nvfp4(const void *blocks, float *out, size_t n)
{
	const struct block_nvfp4 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_64; i++, b++) {
		for (size_t group = 0; group < 4; group++, out += 16) {
			float d = f32_from_e4m3_half(nvfp4_scale(b->d[group]));
			const uint8_t *q = b->qs + 8 * group;

			for (size_t j = 0; j < 8; j++) {
				out[j] = fp4_value(q[j] & 15) * d;
				out[j + 8] = fp4_value(q[j] >> 4) * d;
			}
		}
	}
}

void dequantize_q1_0(const void *blocks, float *out, size_t n)
{
	const struct block_q1_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_128; i++, b++, out += BLOCK_128) {
		float d = f32_from_f16(b->d);

		for (size_t j = 0; j < BLOCK_128; j++)
			out[j] = b->qs[j / 8] >> j % 8 & 1 ? d : -d;
	}
}

void dequantize_q2_0(const void *blocks, float *out, size_t n)
{
	const struct block_q2_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_64; i++, b++, out += BLOCK_64) {
		float d = f32_from_f16(b->d);

		for (size_t j = 0; j < BLOCK_64; j++)
			out[j] = (float)((b->qs[j / 4] >> j % 4 * 2 & 3) - 1) * d;
	}
}

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

void dequantize_tq1_0(const void *blocks, float *out, size_t n)
{
	const struct block_tq1_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, out += BLOCK_256) {
		float d = f32_from_f16(b->d);

		for (size_t j = 0; j < BLOCK_256; j++)
			out[j] = (float)(tq1_0_quant(b, j) - 1) * d;
	}
}

void dequantize_tq2_0(const void *blocks, float *out, size_t n)
{
	const struct block_tq2_0 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, out += BLOCK_256) {
		float d = f32_from_f16(b->d);

		for (size_t j = 0; j < BLOCK_256; j++)
			out[j] = (float)((b->qs[j / 128 * 32 + j % 32] >> j % 128 / 32 * 2 & 3) - 1) * d;
	}
}
