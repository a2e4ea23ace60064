/* AVX2, FMA and F16C. */
#ifndef SOTTO_KERNELS_SIMD_AVX2_H
#define SOTTO_KERNELS_SIMD_AVX2_H

enum { SIMD_LANES = 8, SIMD_COLS = 4, SIMD_BIAS = 0, SIMD_SIGNED = 2, SIMD_WHOLE = 1, SIMD_ROWS = 6 };

#include "kernels/simd_ymm.h"

/* Sums are opaque to the compiler, so that they stay in their order: if it regrouped them, the sums
 * of a tile would need more registers than there are. */

/* acc + four products a lane, of weights of 0..127, in two sums of 16 bits: 2 * 127 * 127 fits
 * one. Overflows of partial sums cancel out if the last sum fits. The last sum fits, for any
 * activations, with groups of 32 weights of -16..15 and groups of 16 of -32..31 (16 * 16 * 127 =
 * 8 * 32 * 127 a sum), and of 0..15 and 0..31. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	__m256i pairs = _mm256_maddubs_epi16((__m256i)w, (__m256i)a);

	return opaque((vi)_mm256_add_epi16((__m256i)acc, pairs));
}

INLINE vi widen(vi sum)
{
	return (vi)_mm256_madd_epi16((__m256i)sum, _mm256_set1_epi16(1));
}

/* widen(sum) times a scale that stands in both words of a lane. */
INLINE vi widen_by(vi sum, vi scale)
{
	return (vi)_mm256_madd_epi16((__m256i)sum, (__m256i)scale);
}

/* As in simd_wide_sums.h, for both sums of 16 bits. The smallest zero points that the quants of all
 * types fit: with these the sums of 16 bits fit, too. */
INLINE int unpacked_zero(size_t group)
{
	return group == 16 ? 32 : 16;
}

INLINE void take_back(const int8_t quants[32], int32_t first, int32_t second, int32_t excess[3])
{
	__m256i sums = _mm256_maddubs_epi16(_mm256_set1_epi8(1), (__m256i)load(quants));
	__m256i halves, all;

	(void)first, (void)second;
	sums = _mm256_sub_epi16(_mm256_setzero_si256(), sums);
	sums = _mm256_add_epi16(sums, _mm256_shuffle_epi32(sums, 0x4e));
	sums = _mm256_add_epi16(sums, _mm256_shuffle_epi32(sums, 0xb1));
	halves = _mm256_slli_epi16(sums, 5);
	all = _mm256_slli_epi16(_mm256_add_epi16(sums, _mm256_permute4x64_epi64(sums, 0x4e)), 4);
	excess[0] = _mm256_extract_epi32(all, 0);
	excess[1] = _mm256_extract_epi32(halves, 0);
	excess[2] = _mm256_extract_epi32(halves, 4);
}

INLINE vi splat_excess(int32_t excess, int shift)
{
	return (vi)((vi16)splat(excess) >> shift);
}

/* acc + two products of words a lane. Signed weights and activations are unpacked to words: two
 * instructions for 16 products. */
INLINE vi dot_signed(vi acc, vi w, vi a)
{
	return opaque(acc + (vi)_mm256_madd_epi16((__m256i)w, (__m256i)a));
}

/* acc + four products a lane of signed bytes. The weight's sign is moved to the activation,
 * which is never -128; 2 * 128 * 127 fits 16 bits. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	__m256i size = _mm256_abs_epi8((__m256i)w), with_sign = _mm256_sign_epi8((__m256i)a, (__m256i)w);

	return opaque(acc + widen((vi)_mm256_maddubs_epi16(size, with_sign)));
}

#endif
