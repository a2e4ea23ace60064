/* Quantising activations (kernels/matmul.h). */
#include "kernels/activations.h"

#include "kernels/blocks.h"
#include "kernels/float16.h"

/* Floats of memory per 32 activations: 8 of quants, 7 of the rest. */
enum { FLOATS_PER_BLOCK = 15 };

size_t activations_floats(size_t cols)
{
	return (cols / BLOCK_32 + 1) * FLOATS_PER_BLOCK;
}

void activations_set(struct activations *a, void *memory, const float *x, size_t n, size_t cols)
{
	size_t n_blocks = cols / BLOCK_32 * n;
	char *at = memory;

	*a = (struct activations){.x = x, .n = n, .cols = cols};
	a->quants = (int8_t *)at;
	a->scale = (float *)(void *)(at + n_blocks * BLOCK_32);
	a->sum = a->scale + n_blocks;
	a->sum16 = a->sum + n_blocks;
	a->excess = (int32_t *)(void *)(a->sum16 + 2 * n_blocks);
	a->excess16 = a->excess + n_blocks;
}

/* The largest magnitude; NaN if there is one, which then reaches the result.
 * Magnitudes compare as integers, NaN above all. */
static float largest(const float x[BLOCK_32])
{
	uint32_t most = 0;

	for (size_t i = 0; i < BLOCK_32; i++) {
		uint32_t magnitude = f32_to_bits(x[i]) & 0x7fffffffu;

		most = magnitude > most ? magnitude : most;
	}
	return f32_from_bits(most);
}

/* To nearest, ties to even, for |v| < 2^22: the float adder rounds, the low
 * bits of the sum's mantissa are the integer. Any other v gives some byte. */
static int8_t round_to_byte(float v)
{
	return (int8_t)(uint8_t)f32_to_bits(v + 0x1.8p23f);
}

static void quantise_block(struct activations *a, size_t col, size_t block)
{
	const float *x = a->x + col * a->cols + block * BLOCK_32;
	int8_t *quants = a->quants + col * a->cols + block * BLOCK_32;
	size_t at = block * a->n + col, at16 = 2 * block * a->n + col;
	float most = largest(x), scale = most / 127;
	/* below, the quotient would overflow; what such activations add is lost in any sum */
	float inverse = most > 1e-30f && most <= 0x1.fffffep127f ? 127 / most : 0;
	int32_t first = 0, second = 0;

	for (size_t i = 0; i < BLOCK_32; i++)
		quants[i] = round_to_byte(inverse > 0 ? x[i] * inverse : 0);
	for (size_t i = 0; i < 16; i++) {
		first += quants[i];
		second += quants[i + 16];
	}
	a->scale[at] = scale;
	a->sum[at] = scale * (float)(first + second);
	a->sum16[at16] = scale * (float)first;
	a->sum16[at16 + a->n] = scale * (float)second;
	a->excess[at] = -ACTIVATION_BIAS * (first + second);
	a->excess16[at16] = -ACTIVATION_BIAS * first;
	a->excess16[at16 + a->n] = -ACTIVATION_BIAS * second;
}

void activations_quantise(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct activations *a = ctx;
	size_t n_blocks = a->cols / BLOCK_32;

	(void)thread;
	for (size_t i = begin; i < end; i++)
		quantise_block(a, i / n_blocks, i % n_blocks);
}
