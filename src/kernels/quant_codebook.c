/* Dequantisation of the codebook types. */
#include "kernels/blocks.h"
#include "kernels/codebooks.h"
#include "kernels/float16.h"
#include "kernels/quant_generic.h"

/* Levels of an entry of a codebook, each with its sign (or shift) above its bits. */
static void levels_of_8(const int8_t levels[16], unsigned entry, unsigned signs, float scale,
                        float *out)
{
	for (size_t j = 0; j < 8; j++)
		out[j] = scale * (float)levels[(entry >> 2 * j & 3) | (signs >> j & 1) << 2];
}

static void levels_of_4(const int8_t levels[16], unsigned entry, unsigned signs, float scale,
                        float *out)
{
	for (size_t j = 0; j < 4; j++)
		out[j] = scale * (float)levels[(entry >> 3 * j & 7) | (signs >> j & 1) << 3];
}

/* Half of 2 * scale + 1, of the low nibble or the high one. */
static float half_scale(uint8_t scales, size_t which)
{
	return 0.5f + (float)(scales >> 4 * which & 15);
}

uint32_t iq_signs(const uint8_t rest[4])
{
	uint32_t bits = rest[0] | (uint32_t)rest[1] << 8 | (uint32_t)rest[2] << 16 |
	                (uint32_t)rest[3] << 24, signs = 0;

	for (size_t j = 0; j < 4; j++)
		signs |= (uint32_t)iq_eight_signs(bits >> 7 * j & 127) << 8 * j;
	return signs;
}

static void iq2_xxs_block(const struct block_iq2_xxs *b, float *out)
{
	for (size_t s = 0; s < 8; s++) {
		float scale = f32_from_f16(b->d) * half_scale(b->subs[s].rest[3], 1) * 0.25f;
		uint32_t signs = iq_signs(b->subs[s].rest);

		for (size_t j = 0; j < 4; j++, out += 8)
			levels_of_8(iq2_levels, codebook_iq2_xxs[b->subs[s].index[j]],
			            signs >> 8 * j, scale, out);
	}
}
DEQUANTIZE(iq2_xxs, BLOCK_256)

static void iq2_xs_block(const struct block_iq2_xs *b, float *out)
{
	for (size_t j = 0; j < 32; j++, out += 8) {
		float scale = f32_from_f16(b->d) * half_scale(b->scales[j / 4], j / 2 % 2) * 0.25f;

		levels_of_8(iq2_levels, codebook_iq2_xs[b->qs[j] & 511],
		            iq_eight_signs(b->qs[j] >> 9), scale, out);
	}
}
DEQUANTIZE(iq2_xs, BLOCK_256)

static void iq2_s_block(const struct block_iq2_s *b, float *out)
{
	for (size_t j = 0; j < 32; j++, out += 8) {
		float scale = f32_from_f16(b->d) * half_scale(b->scales[j / 4], j / 2 % 2) * 0.25f;
		unsigned high = b->high[j / 4] >> 2 * (j % 4) & 3u;

		levels_of_8(iq2_levels, codebook_iq2_s[b->index[j] | high << 8], b->signs[j],
		            scale, out);
	}
}
DEQUANTIZE(iq2_s, BLOCK_256)

static void iq3_xxs_block(const struct block_iq3_xxs *b, float *out)
{
	for (size_t s = 0; s < 8; s++) {
		float scale = f32_from_f16(b->d) * half_scale(b->rest[s][3], 1) * 0.5f;
		uint32_t signs = iq_signs(b->rest[s]);

		for (size_t j = 0; j < 8; j++, out += 4)
			levels_of_4(iq3_xxs_levels, codebook_iq3_xxs[b->index[8 * s + j]],
			            signs >> 4 * j, scale, out);
	}
}
DEQUANTIZE(iq3_xxs, BLOCK_256)

static void iq3_s_block(const struct block_iq3_s *b, float *out)
{
	for (size_t j = 0; j < 64; j++, out += 4) {
		float scale = f32_from_f16(b->d) * half_scale(b->scales[j / 16], j / 8 % 2) * 2;
		unsigned high = b->high[j / 8] >> j % 8 & 1u;

		levels_of_4(iq3_s_levels, codebook_iq3_s[b->index[j] | high << 8],
		            (unsigned)b->signs[j / 2] >> 4 * (j % 2), scale, out);
	}
}
DEQUANTIZE(iq3_s, BLOCK_256)

static void iq1_s_block(const struct block_iq1_s *b, float *out)
{
	for (size_t j = 0; j < 32; j++, out += 8) {
		unsigned rest = b->high[j / 4], high = rest >> 3 * (j % 4) & 7;
		float scale = f32_from_f16(b->d) * (float)(2 * (rest >> 12 & 7) + 1) * 0.125f;

		levels_of_8(iq1_levels, codebook_iq1[b->index[j] | high << 8],
		            rest >> 15 ? 255 : 0, scale, out);
	}
}
DEQUANTIZE(iq1_s, BLOCK_256)

static unsigned iq1_m_word(const struct block_iq1_m *block, size_t i)
{
	return block->scales[2 * i] | (unsigned)block->scales[2 * i + 1] << 8;
}

uint16_t iq1_m_d(const struct block_iq1_m *block)
{
	unsigned d = 0;

	for (size_t i = 0; i < 4; i++)
		d |= iq1_m_word(block, i) >> 12 << 4 * i;
	return (uint16_t)d;
}

uint8_t iq1_m_scale(const struct block_iq1_m *block, size_t g)
{
	return iq1_m_word(block, g / 4) >> 3 * (g % 4) & 7;
}

static void iq1_m_block(const struct block_iq1_m *b, float *out)
{
	float d = f32_from_f16(iq1_m_d(b));

	for (size_t j = 0; j < 32; j++, out += 8) {
		unsigned rest = b->high[j / 2] >> 4 * (j % 2);
		float scale = d * (float)(2 * iq1_m_scale(b, j / 2) + 1) * 0.125f;

		levels_of_8(iq1_levels, codebook_iq1[b->index[j] | (rest & 7) << 8],
		            rest & 8 ? 255 : 0, scale, out);
	}
}
DEQUANTIZE(iq1_m, BLOCK_256)
