/* For sets whose sums of products always have 32 bits: included after dot4_biased. */
#ifndef SOTTO_KERNELS_SIMD_WIDE_SUMS_H
#define SOTTO_KERNELS_SIMD_WIDE_SUMS_H

/* A group's sum by dot4, as one number a lane. */
INLINE vi widen(vi sum)
{
	return sum;
}

/* The same times a scale, in both words of a lane: where SIMD_WHOLE is 1. */
INLINE vi widen_by(vi sum, vi scale)
{
	return sum * (scale >> 16);
}

/* acc + the products of signed weights as they are unpacked. */
INLINE vi dot_signed(vi acc, vi w, vi a)
{
	return dot4_biased(acc, w, a);
}

/* The zero point of all unpacked quants, of groups of 16 or 32 columns. */
INLINE int unpacked_zero(size_t group)
{
	(void)group;
	return SIMD_BIAS ? SIMD_BIAS : 32;
}

/* Subtracts it again: -zero * sum, of 32 activations, of the first 16 and of the others. */
INLINE void take_back(const int8_t quants[32], int32_t first, int32_t second, int32_t excess[3])
{
	(void)quants;
	excess[0] = -unpacked_zero(32) * (first + second);
	excess[1] = -unpacked_zero(16) * first;
	excess[2] = -unpacked_zero(16) * second;
}

/* The initial value of sums of quants whose zero point is 2^shift times smaller. */
INLINE vi splat_excess(int32_t excess, int shift)
{
	return splat(excess >> shift);
}

#endif
