/* What an instruction set does for measuring the machine (kernels/peak.h): loops that
 * have no use but their speed. Each gives back something made of all its results,
 * so that no compiler leaves out a part. */
#ifndef SOTTO_KERNELS_PEAK_KERNELS_H
#define SOTTO_KERNELS_PEAK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum { PEAK_STRIDE = 256 };

struct peak_kernels {
	uint32_t (*int8)(size_t rounds); /* products of bytes, summed as the set's matrix products do */
	size_t int8_macs;                /* multiply-adds of a round */
	uint32_t (*f32)(size_t rounds);
	size_t f32_macs;
	/* Reads n_bytes, aligned to 64, as `streams` streams side by side, and prefetches what comes
	 * `ahead` bytes later (0: left to the processor). n_bytes: a multiple of streams * PEAK_STRIDE. */
	uint32_t (*read)(const void *data, size_t n_bytes, size_t streams, size_t ahead);
};

extern const struct peak_kernels peak_generic, peak_avx2, peak_avxvnni, peak_avx512, peak_neon;

#endif
