#include "kernels/blocks.h"
#include "kernels/matmul.h"

/* Floats of memory per 32 activations: 8 of quants, 16 of them as words, 7 of scales and
 * sums, 32 of tiles (pairs of bf16 take half). */
enum { FLOATS_PER_BLOCK = 31, FLOATS_PER_TILED = 32 };

size_t activations_floats(size_t cols)
{
	return (cols / BLOCK_32 + 1) * (FLOATS_PER_BLOCK + FLOATS_PER_TILED);
}

void activations_set(struct activations *a, void *memory, const float *x, size_t n, size_t cols)
{
	size_t n_blocks = cols / BLOCK_32 * n;
	char *at = memory;

	*a = (struct activations){.x = x, .n = n, .cols = cols};
	a->quants = (int8_t *)at;
	a->words = a->quants + n_blocks * BLOCK_32;
	a->scale = (float *)(void *)(a->words + 2 * n_blocks * BLOCK_32);
	a->sum = a->scale + n_blocks;
	a->sum16 = a->sum + n_blocks;
	a->excess = (int32_t *)(void *)(a->sum16 + 2 * n_blocks);
	a->excess16 = a->excess + n_blocks;
	a->tiles = (float *)(void *)(a->excess16 + 2 * n_blocks);
	a->pairs = (uint32_t *)(void *)a->tiles;
}
