#include "kernels/simd_avx512.h"

/* sums + w * a of the high halves, then of the low ones, each sum rounded to
 * nearest; denormals are zero, and MXCSR has no say (Intel SDM, VDPBF16PS). */
INLINE vf dot_bf16(vf sums, vi w, vi a)
{
	return (vf)_mm512_dpbf16_ps((__m512)sums, (__m512bh)w, (__m512bh)a);
}

#define BF16_KERNELS bf16_avx512
#include "kernels/bf16_body.h"
