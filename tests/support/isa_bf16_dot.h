/* VDPBF16PS as the Intel SDM (volume 2) has it, on the names of simd.h: two
 * fused multiply-adds, the high halves first, rounded to nearest, with denormals
 * taken and given as zero.
 *
 * Without a fused one it is the same bits: a product of two bf16 fits a float,
 * if it is no denormal. */
#ifndef SOTTO_TESTS_SUPPORT_ISA_BF16_DOT_H
#define SOTTO_TESTS_SUPPORT_ISA_BF16_DOT_H

INLINE vf flush_denormals(vf v)
{
	vi normal = ((vi)v & 0x7f800000) != 0;

	return (vf)((vi)v & (normal | (vi)((vu32){0} + 0x80000000u)));
}

INLINE vf add_product(vf sums, vi w, vi a)
{
	return flush_denormals(fma_f32(flush_denormals((vf)w), flush_denormals((vf)a), sums));
}

INLINE vf dot_bf16(vf sums, vi w, vi a)
{
	vi high = (vi)((vu32){0} + 0xffff0000u);

	return add_product(add_product(flush_denormals(sums), w & high, a & high), w << 16, a << 16);
}

#endif
