/* Minimum, maximum and comparison for instruction sets without instructions that treat NaN as these
 * functions do; included after select_f32. */
#ifndef SOTTO_KERNELS_SIMD_SELECT_H
#define SOTTO_KERNELS_SIMD_SELECT_H

/* The larger; b where either is NaN. */
INLINE vf max_f32(vf a, vf b)
{
	return select_f32(a > b, a, b);
}

/* The smaller; b where either is NaN. */
INLINE vf min_f32(vf a, vf b)
{
	return select_f32(a < b, a, b);
}

/* v, but 0 where x < limit. */
INLINE vf zero_if_less(vf v, vf x, vf limit)
{
	return select_f32(x < limit, splat_f32(0), v);
}

#endif
