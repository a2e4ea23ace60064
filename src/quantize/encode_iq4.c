/* IQ4_NL and IQ4_XS: 16 levels that lie closer about 0. */
#include <string.h>

#include "kernels/blocks.h"
#include "kernels/float16.h"
#include "quantize/encode.h"
#include "quantize/superblock.h"

static const int8_t values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                  1,    13,   25,  38,  53,  69,  89,  113};
#define LEVELS {.low = -127, .high = 113, .values = values}

static unsigned index_of(float level)
{
	unsigned i = 0;

	while (i < 15 && (float)values[i] < level)
		i++;
	return i;
}

/* Low nibbles are elements 0..15, high ones 16..31. */
static void pack_nibbles(const float *q, uint8_t qs[16])
{
	for (size_t j = 0; j < 16; j++)
		qs[j] = (uint8_t)(index_of(q[j]) | index_of(q[j + 16]) << 4);
}

void encode_iq4_nl(const float *x, void *blocks, size_t n)
{
	static const struct levels levels = LEVELS;
	struct block_iq4_nl *b = blocks;
	float w[BLOCK_32], q[BLOCK_32], d;

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		fit_importance(x, BLOCK_32, w);
		b->d = fit_half(fit_scale(&levels, x, w, BLOCK_32, q), 1);
		d = f32_from_f16(b->d);
		levels_nearest(&levels, x, d != 0 ? 1 / d : 0, BLOCK_32, q);
		pack_nibbles(q, b->qs);
	}
}

void encode_iq4_xs(const float *x, void *blocks, size_t n)
{
	static const struct scaled_format format = {
		.group = 32, .levels = LEVELS, .scales = {.low = -32, .high = 31}};
	struct block_iq4_xs *b = blocks;
	struct scaled_block found;

	for (size_t i = 0; i < n / BLOCK_256; i++, b++, x += BLOCK_256) {
		fit_scaled_block(&format, x, &found);
		memset(b, 0, sizeof *b);
		b->d = found.d;
		for (size_t g = 0; g < 8; g++) {
			unsigned scale = (unsigned)(found.scales[g] + 32);

			b->scales_l[g / 2] |= (uint8_t)((scale & 15) << g % 2 * 4);
			b->scales_h |= (uint16_t)(scale >> 4 << 2 * g);
			pack_nibbles(found.q + 32 * g, b->qs + 16 * g);
		}
	}
}
