/* The exponential function on the names of vf_generic.h, which the includer
 * has included for its instruction set.
 *
 * x = n ln 2 + r, |r| <= ln 2 / 2; exp(x) = 2^n exp(r), and exp(r) is 1 + r +
 * r^2 q(r) with the q of degree 4 whose largest relative error is smallest
 * (3e-9, by Lawson's algorithm of weighted least squares). Within 2 units in
 * the last place (tests/unit/kernels/test_ops.c). */
#ifndef SOTTO_KERNELS_VF_EXP_H
#define SOTTO_KERNELS_VF_EXP_H

/* exp(VF_EXP_SMALL) is about 2^-100: a weight that changes no sum. What it
 * multiplies would become denormals, which take the processor a hundred times
 * as long. */
#define VF_EXP_SMALL (-69.314f)

/* exp(x), but 0 for x < smallest, where smallest >= -87. Infinity from 88.73
 * on; NaN stays NaN. */
static inline vf vf_exp(vf x, float smallest)
{
	vf at = vf_min(vf_set1(89.0f), vf_max(vf_set1(smallest), x)), n, r, q;

	n = vf_round(vf_mul(at, vf_set1(0x1.715476p+0f)));
	/* ln 2 in two parts: n times the first, of 15 bits, is exact */
	r = vf_fma(n, vf_set1(-0x1.62e4p-1f), at);
	r = vf_fma(n, vf_set1(-0x1.7f7d1cp-20f), r);
	q = vf_fma(r, vf_set1(0x1.6a23d0p-10f), vf_set1(0x1.123a20p-7f));
	q = vf_fma(q, r, vf_set1(0x1.5558f2p-5f));
	q = vf_fma(q, r, vf_set1(0x1.555492p-3f));
	q = vf_fma(q, r, vf_set1(0x1.fffffcp-2f));
	q = vf_add(vf_fma(vf_mul(r, r), q, r), vf_set1(1));
	return vf_zero_if_less(vf_scale(q, n), x, vf_set1(smallest));
}

#endif
