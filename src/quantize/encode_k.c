/* The K types: 256 weights in groups of 16 or 32 with quantised scales. The
 * layouts are those of kernels/blocks.h and kernels/quant_generic.c. */
#include <string.h>

#include "kernels/blocks.h"
#include "quantize/encode.h"
#include "quantize/superblock.h"

/* Two halves of 128; in each the pairs of bits of its 32 bytes are elements
 * 0..31, 32..63 and so on. Levels 0..3. */
static void pack_pairs(const unsigned q[BLOCK_256], uint8_t qs[64])
{
	for (size_t i = 0; i < BLOCK_256; i++)
		qs[i / 128 * 32 + i % 32] |= (uint8_t)(q[i] << i % 128 / 32 * 2);
}

void encode_q2_k(const float *x, void *blocks, size_t n)
{
	static const struct affine_format format = {.group = 16, .q_max = 3, .scale_max = 15};
	struct block_q2_k *b = blocks;
	struct affine_block found;
	unsigned q[BLOCK_256];

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_affine_block(&format, x, &found);
		memset(b, 0, sizeof *b);
		b->d = found.d;
		b->dmin = found.dmin;
		for (size_t g = 0; g < 16; g++)
			b->scales[g] = (uint8_t)((unsigned)found.scales[g] |
			                         (unsigned)found.offsets[g] << 4);
		for (size_t j = 0; j < BLOCK_256; j++)
			q[j] = (unsigned)found.q[j];
		pack_pairs(q, b->qs);
	}
}

/* The low four bits of the 16 scales are the nibbles of bytes 0..7, their high
 * two bits stand in bytes 8..11. */
static void pack_q3_scales(const float *scales, uint8_t packed[12])
{
	for (size_t g = 0; g < 16; g++) {
		unsigned scale = (unsigned)(scales[g] + 32);

		packed[g % 8] |= (uint8_t)((scale & 15) << g / 8 * 4);
		packed[8 + g % 4] |= (uint8_t)(scale >> 4 << g / 4 * 2);
	}
}

/* A third bit in hmask: set where 4 is not subtracted. */
void encode_q3_k(const float *x, void *blocks, size_t n)
{
	static const struct scaled_format format = {
		.group = 16, .levels = {.low = -4, .high = 3}, .scales = {.low = -32, .high = 31}};
	struct block_q3_k *b = blocks;
	struct scaled_block found;
	unsigned q[BLOCK_256];

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_scaled_block(&format, x, &found);
		memset(b, 0, sizeof *b);
		b->d = found.d;
		pack_q3_scales(found.scales, b->scales);
		for (size_t j = 0; j < BLOCK_256; j++) {
			unsigned level = (unsigned)(found.q[j] + 4);

			q[j] = level & 3;
			b->hmask[j % 32] |= (uint8_t)(level >> 2 << j / 32);
		}
		pack_pairs(q, b->qs);
	}
}

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

void encode_q4_k(const float *x, void *blocks, size_t n)
{
	static const struct affine_format format = {.group = 32, .q_max = 15, .scale_max = 63};
	struct block_q4_k *b = blocks;
	struct affine_block found;

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_affine_block(&format, x, &found);
		memset(b, 0, sizeof *b);
		b->d = found.d;
		b->dmin = found.dmin;
		pack_k4_scales(&found, b->scales);
		for (size_t j = 0; j < BLOCK_256; j++)
			b->qs[j / 64 * 32 + j % 32] |=
				(uint8_t)((unsigned)found.q[j] << j % 64 / 32 * 4);
	}
}

void encode_q5_k(const float *x, void *blocks, size_t n)
{
	static const struct affine_format format = {.group = 32, .q_max = 31, .scale_max = 63};
	struct block_q5_k *b = blocks;
	struct affine_block found;

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_affine_block(&format, x, &found);
		memset(b, 0, sizeof *b);
		b->d = found.d;
		b->dmin = found.dmin;
		pack_k4_scales(&found, b->scales);
		for (size_t j = 0; j < BLOCK_256; j++) {
			unsigned level = (unsigned)found.q[j];

			b->qs[j / 64 * 32 + j % 32] |= (uint8_t)((level & 15) << j % 64 / 32 * 4);
			b->qh[j % 32] |= (uint8_t)(level >> 4 << j / 32);
		}
	}
}

/* Halves of 128: the low nibbles of 64 bytes are its elements 0..63, the high
 * ones 64..127; pairs of high bits lie in qh as those of pack_pairs. */
void encode_q6_k(const float *x, void *blocks, size_t n)
{
	static const struct scaled_format format = {
		.group = 16, .levels = {.low = -32, .high = 31}, .scales = {.low = -128, .high = 127}};
	struct block_q6_k *b = blocks;
	struct scaled_block found;
	unsigned high[BLOCK_256];

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_scaled_block(&format, x, &found);
		memset(b, 0, sizeof *b);
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
}
