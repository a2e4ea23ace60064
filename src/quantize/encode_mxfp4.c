/* MXFP4: 32 floats of four bits and a power of two. There is no search: files get the bytes
 * that llama.cpp writes, so that a block's scale depends on its largest weight alone, after
 * the OCP Microscaling specification: 2^(floor(log2(largest)) - 2). Weights beyond 6 times
 * that become 6 times it. */
#include <math.h>

#include "kernels/blocks.h"
#include "quantize/encode.h"
#include "quantize/fit.h"

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

void encode_mxfp4(const float *x, void *blocks, size_t n)
{
	struct block_mxfp4 *b = blocks;

	for (size_t i = 0; i < n / BLOCK_32; i++, b++, x += BLOCK_32) {
		float step;

		b->e = exponent_of(fabsf(fit_extreme(x, BLOCK_32)));
		step = ldexpf(1, b->e - EXPONENT_BIAS - 1);
		/* Low nibbles are elements 0..15, high ones 16..31. */
		for (size_t j = 0; j < 16; j++)
			b->qs[j] = (uint8_t)(nibble_of(x[j], step) | nibble_of(x[j + 16], step) << 4);
	}
}
