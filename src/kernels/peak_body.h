/* The loops of peak_kernels.h on the names of simd.h, once for all instruction sets. */
#ifndef SOTTO_KERNELS_PEAK_BODY_H
#define SOTTO_KERNELS_PEAK_BODY_H

#include "kernels/peak_kernels.h"
#include "kernels/peak_loop.h"

static uint32_t peak_int8(size_t rounds)
{
	return peak_loop(rounds, dot4, splat(0x03030303), splat((int32_t)rounds));
}

INLINE vi multiply_add_floats(vi sums, vi w, vi a)
{
	return (vi)fma_f32((vf)w, (vf)a, (vf)sums);
}

static uint32_t peak_f32(size_t rounds)
{
	return peak_loop(rounds, multiply_add_floats, (vi)splat_f32(0.5f), (vi)splat_f32((float)rounds));
}

static uint32_t peak_read(const void *data, size_t n_bytes, size_t streams, size_t ahead)
{
	vi sums[4] = {{0}};

	for (size_t i = 0; i < n_bytes / streams; i += PEAK_STRIDE)
		for (size_t s = 0; s < streams; s++) {
			const char *at = (const char *)data + s * (n_bytes / streams) + i;

			for (size_t j = 0; ahead && j < PEAK_STRIDE; j += 64)
				__builtin_prefetch(at + ahead + j);
#pragma GCC unroll 16
			for (size_t j = 0; j < PEAK_STRIDE / sizeof(vi); j++)
				sums[j % 4] ^= load(at + j * sizeof(vi));
		}
	return fold_lanes((sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3]));
}

const struct peak_kernels ISA(peak) = {.int8 = peak_int8,
                                       .int8_macs = (size_t)PEAK_CHAINS * 4 * SIMD_LANES,
                                       .f32 = peak_f32,
                                       .f32_macs = (size_t)PEAK_CHAINS * SIMD_LANES,
                                       .read = peak_read};

#endif
