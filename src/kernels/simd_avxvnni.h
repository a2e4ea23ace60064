/* AVX2, FMA, F16C and AVX-VNNI: the dot product of bytes that AVX-512 has too, in
 * the older (VEX) encoding, for processors without AVX-512. */
#ifndef SOTTO_KERNELS_SIMD_AVXVNNI_H
#define SOTTO_KERNELS_SIMD_AVXVNNI_H

/* Of 16 registers a tile of 5 columns takes 10 for its integer sums; its float sums stay in memory
 * until a group of columns ends. Measured: bench/LOG.md. */
enum { SIMD_LANES = 8, SIMD_COLS = 5, SIMD_BIAS = 128, SIMD_SIGNED = 1, SIMD_WHOLE = 0, SIMD_ROWS = 6 };

#include "kernels/simd_ymm.h"

/* The encoding is named, or the assembler might use AVX-512's, as the tests' twin does
 * (tests/support/isa_avxvnni_evex.c). */
#ifndef VPDPBUSD_ENCODING
#define VPDPBUSD_ENCODING "vex"
#endif

/* acc + four products a lane; weights of 0..127. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	__asm__("%{" VPDPBUSD_ENCODING "%} vpdpbusd %2, %1, %0" : "+x"(acc) : "x"(w), "x"(a));
	return acc;
}

/* As dot4, of weights + SIMD_BIAS: unsigned bytes, as the instruction wants. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return dot4(acc, w, a);
}

#include "kernels/simd_wide_sums.h"

#endif
