/* AVX2, FMA and F16C. */
#ifndef SOTTO_KERNELS_SIMD_AVX2_H
#define SOTTO_KERNELS_SIMD_AVX2_H

enum { SIMD_LANES = 8, SIMD_COLS = 4, SIMD_BIAS = 0, SIMD_RUN = 129, SIMD_ROWS = 6 };

#include "kernels/simd_ymm.h"

/* Sums stay in their order: regrouped by the compiler, a tile's would need more
 * registers than there are. */
INLINE vi in_order(vi sum)
{
	__asm__("" : "+x"(sum));
	return sum;
}

/* acc + four products a lane; weights of 0..127: two products, at most
 * 2 * 127 * 127, do not saturate 16 bits. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	__m256i pairs = _mm256_maddubs_epi16((__m256i)w, (__m256i)a);

	return in_order(acc + (vi)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

/* The same in short sums, which widen makes sums of lanes: of as many quads as
 * weights of at most SIMD_RUN all together: 2 * 127 * 129 fits 16 bits. */
INLINE vi dot4_short(vi acc, vi w, vi a)
{
	__m256i pairs = _mm256_maddubs_epi16((__m256i)w, (__m256i)a);

	return in_order((vi)_mm256_add_epi16((__m256i)acc, pairs));
}

INLINE vi widen(vi acc)
{
	return (vi)_mm256_madd_epi16((__m256i)acc, _mm256_set1_epi16(1));
}

/* The same as dot4, weights + SIMD_BIAS as bytes: with 0, signed. The weight's sign
 * goes to the activation, which is never -128; 2 * 128 * 127 fits 16 bits. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	__m256i size = _mm256_abs_epi8((__m256i)w), with_sign = _mm256_sign_epi8((__m256i)a, (__m256i)w);

	return dot4(acc, (vi)size, (vi)with_sign);
}

#endif
