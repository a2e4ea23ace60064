/* For instruction sets whose sums of products have 32 bits from the start (AVX2 sums in words and
 * widens later): included after dot4_biased. */
#ifndef SOTTO_KERNELS_SIMD_WIDE_SUMS_H
#define SOTTO_KERNELS_SIMD_WIDE_SUMS_H

/* The sum of a group of columns by dot4, as one 32-bit number a lane. */
INLINE vi widen(vi sum)
{
	return sum;
}

/* This sum times a scale that stands in both words of a lane: used where SIMD_WHOLE is 1. */
INLINE vi widen_by(vi sum, vi scale)
{
	return sum * (scale >> 16);
}

/* acc + the products of signed weights, in the form that they are unpacked to (SIMD_SIGNED). */
INLINE vi dot_signed(vi acc, vi w, vi a)
{
	return dot4_biased(acc, w, a);
}

/* The zero point that all unpacked quants have, in groups of 16 or 32 columns. */
INLINE int unpacked_zero(size_t group)
{
	(void)group;
	return SIMD_BIAS ? SIMD_BIAS : 32;
}

/* excess: what sums of products begin with to undo the zero point: -zero * sum of the activations,
 * for all 32, the first 16 and the other 16. first, second: these sums of 16. */
INLINE void take_back(const int8_t quants[32], int32_t first, int32_t second, int32_t excess[3])
{
	(void)quants;
	excess[0] = -unpacked_zero(32) * (first + second);
	excess[1] = -unpacked_zero(16) * first;
	excess[2] = -unpacked_zero(16) * second;
}

/* The initial value of a sum of quants whose zero point is 2^shift times smaller than
 * unpacked_zero. */
INLINE vi splat_excess(int32_t excess, int shift)
{
	return splat(excess >> shift);
}

#endif
