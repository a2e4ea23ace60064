/* All but the product of BF16 matrices is AVX-512's. */
#include "kernels/simd_avx512.h"

/* sums + w * a of the high halves, then of the low ones, each sum rounded to nearest;
 * denormals are zero, whatever MXCSR says (Intel SDM, VDPBF16PS). */
INLINE vf dot_bf16(vf sums, vi w, vi a)
{
	return (vf)_mm512_dpbf16_ps((__m512)sums, (__m512bh)w, (__m512bh)a);
}

#define ISA(kind) kind##_avx512bf16
#include "kernels/bf16_body.h"
