/* For sets whose sums of products are never short (SIMD_RUN is 0); after dot4. */
#ifndef SOTTO_KERNELS_SIMD_WIDE_SUMS_H
#define SOTTO_KERNELS_SIMD_WIDE_SUMS_H

INLINE vi dot4_short(vi acc, vi w, vi a)
{
	return dot4(acc, w, a);
}

INLINE vi widen(vi acc)
{
	return acc;
}

#endif
