/* The exponential function and tanh with the vectors of simd.h: included after a simd_*.h.
 *
 * x = n ln 2 + r, |r| <= ln 2 / 2; exp(x) = 2^n exp(r), and exp(r) is 1 + r +
 * r^2 q(r) with the q of degree 4 whose largest relative error is smallest
 * (3e-9, by Lawson's algorithm of weighted least squares). Within 2 units in
 * the last place (tests/unit/kernels/test_ops.c). */
#ifndef SOTTO_KERNELS_SIMD_EXP_H
#define SOTTO_KERNELS_SIMD_EXP_H

/* exp(EXP_SMALL) is about 2^-100: a weight of softmax that changes no sum. Its products would be
 * denormals, with which processors are a hundred times slower. */
#define EXP_SMALL (-69.314f)

/* exp(x), but 0 for x < smallest, where smallest >= -87. Infinity from 88.73
 * on; NaN stays NaN. */
INLINE vf exp_f32(vf x, float smallest)
{
	vf at = min_f32(splat_f32(89.0f), max_f32(splat_f32(smallest), x)), n, r, q;

	n = round_f32(at * splat_f32(0x1.715476p+0f));
	/* ln 2 in two parts: n times the first, of 15 bits, is exact */
	r = fma_f32(n, splat_f32(-0x1.62e4p-1f), at);
	r = fma_f32(n, splat_f32(-0x1.7f7d1cp-20f), r);
	q = fma_f32(r, splat_f32(0x1.6a23d0p-10f), splat_f32(0x1.123a20p-7f));
	q = fma_f32(q, r, splat_f32(0x1.5558f2p-5f));
	q = fma_f32(q, r, splat_f32(0x1.555492p-3f));
	q = fma_f32(q, r, splat_f32(0x1.fffffcp-2f));
	q = fma_f32(r * r, q, r) + splat_f32(1);
	return zero_if_less(scale_f32(q, n), x, splat_f32(smallest));
}

/* 1 - 2 / (exp(2 x) + 1), with an absolute error of 1e-7, also for small x. */
INLINE vf tanh_f32(vf x)
{
	vf at = min_f32(splat_f32(10.0f), max_f32(splat_f32(-10.0f), x));

	return splat_f32(1) - splat_f32(2) / (exp_f32(at + at, -87.0f) + splat_f32(1));
}

#endif
