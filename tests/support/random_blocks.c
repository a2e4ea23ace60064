#include "support/random_blocks.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/float16.h"

const enum block_type random_block_types[] = {
	BLOCK_F32,  BLOCK_F16,  BLOCK_BF16, BLOCK_Q4_0, BLOCK_Q4_1,   BLOCK_Q5_0,  BLOCK_Q5_1, BLOCK_Q8_0,
	BLOCK_Q2_K, BLOCK_Q3_K, BLOCK_Q4_K, BLOCK_Q5_K, BLOCK_Q6_K, BLOCK_IQ4_NL, BLOCK_IQ4_XS,
	BLOCK_TQ1_0, BLOCK_TQ2_0, BLOCK_MXFP4, BLOCK_NVFP4, BLOCK_Q1_0, BLOCK_Q2_0,
	BLOCK_IQ2_XXS, BLOCK_IQ2_XS, BLOCK_IQ2_S, BLOCK_IQ3_XXS, BLOCK_IQ3_S, BLOCK_IQ1_S, BLOCK_IQ1_M,
};
const size_t random_n_block_types = sizeof random_block_types / sizeof random_block_types[0];

/* Where a block has its half-precision scale d and its offset m, the largest
 * multiple of d that a weight can be, and m as a multiple of d that puts the
 * middle of the range near zero (offsets are added by Q4_1 and Q5_1 only). */
static const struct scales {
	enum block_type type;
	size_t d;
	float largest;
	size_t m; /* 0: none */
	float offset;
} scales[] = {
	{BLOCK_Q4_0, 0, 8, 0, 0},        {BLOCK_Q4_1, 0, 15, 2, -7.5f},
	{BLOCK_Q5_0, 0, 16, 0, 0},       {BLOCK_Q5_1, 0, 31, 2, -15.5f},
	{BLOCK_Q8_0, 0, 128, 0, 0},      {BLOCK_IQ4_NL, 0, 127, 0, 0},
	{BLOCK_Q2_K, 80, 45, 82, 1.5f},  {BLOCK_Q3_K, 108, 128, 0, 0},
	{BLOCK_Q4_K, 0, 945, 2, 7.5f},   {BLOCK_Q5_K, 0, 1953, 2, 15.5f},
	{BLOCK_Q6_K, 208, 4096, 0, 0},   {BLOCK_IQ4_XS, 0, 4064, 0, 0},
	{BLOCK_IQ2_XXS, 0, 167, 0, 0},   {BLOCK_IQ2_XS, 0, 167, 0, 0},
	{BLOCK_IQ2_S, 0, 167, 0, 0},     {BLOCK_IQ3_XXS, 0, 481, 0, 0},
	{BLOCK_IQ3_S, 0, 465, 0, 0},     {BLOCK_IQ1_S, 0, 17, 0, 0},
	{BLOCK_TQ1_0, 52, 1, 0, 0},      {BLOCK_TQ2_0, 64, 2, 0, 0},
	{BLOCK_Q1_0, 0, 1, 0, 0},        {BLOCK_Q2_0, 0, 2, 0, 0},
};

/* Types whose scales are no halves. Returns whether `type` is one. */
static bool set_other_scale(enum block_type type, float amplitude, unsigned char *block)
{
	uint16_t half = f16_from_f32(amplitude / 17);
	int exponent;

	frexpf(amplitude / 6, &exponent); /* a power of two above; the largest weight is 6 */
	switch (type) {
	case BLOCK_MXFP4:
		block[0] = (unsigned char)(127 + exponent - 1);
		return true;
	case BLOCK_NVFP4: /* any mantissa, below the power of two */
		for (size_t i = 0; i < 4; i++)
			block[i] = (unsigned char)((block[i] & 7) | (exponent < -4 ? 0 : exponent + 5) << 3);
		return true;
	case BLOCK_IQ1_M: /* four bits of d on top of each word */
		for (size_t i = 0; i < 4; i++)
			block[49 + 2 * i] = (unsigned char)((block[49 + 2 * i] & 15) | (half >> 4 * i & 15) << 4);
		return true;
	default:
		return false;
	}
}

size_t random_blocks_bytes(enum block_type type, size_t n)
{
	const struct block_info *info = block_info(type);

	return n / info->n_elements * info->n_bytes;
}

static void random_scalars(struct test_random *random, enum block_type type, size_t n,
                           float amplitude, void *out)
{
	for (size_t i = 0; i < n; i++) {
		float value = test_random_float(random) * amplitude;
		uint16_t half = type == BLOCK_F16 ? f16_from_f32(value)
		                                  : (uint16_t)(f32_to_bits(value) >> 16);

		if (type == BLOCK_F32)
			memcpy((float *)out + i, &value, sizeof value);
		else
			memcpy((uint16_t *)out + i, &half, sizeof half);
	}
}

void random_blocks(struct test_random *random, enum block_type type, size_t n, float amplitude,
                   void *out)
{
	const struct block_info *info = block_info(type);
	const struct scales *s = scales;
	unsigned char *block = out;

	if (info->n_elements == 1) {
		random_scalars(random, type, n, amplitude, out);
		return;
	}
	test_random_bytes(random, out, random_blocks_bytes(type, n));
	for (size_t i = 0; i < n / info->n_elements; i++, block += info->n_bytes) {
		float d;
		uint16_t half;

		if (set_other_scale(type, amplitude, block))
			continue;
		while (s->type != type)
			s++;
		d = amplitude / s->largest;
		half = f16_from_f32(d);

		memcpy(block + s->d, &half, sizeof half);
		half = f16_from_f32(d * s->offset);
		if (s->m)
			memcpy(block + s->m, &half, sizeof half);
	}
}
