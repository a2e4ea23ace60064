/* What the processor can do and the operating system supports. */
#ifndef SOTTO_KERNELS_CPU_H
#define SOTTO_KERNELS_CPU_H

enum cpu_feature {
	CPU_FMA = 1 << 0,
	CPU_F16C = 1 << 1,
	CPU_AVX2 = 1 << 2,
	CPU_AVX512 = 1 << 3, /* F, BW, DQ and VL: Skylake-SP's */
	CPU_AVX512_VNNI = 1 << 4,
	CPU_DOTPROD = 1 << 5, /* Arm: products of bytes, added four by four */
	CPU_AVX_VNNI = 1 << 6, /* AVX512_VNNI's for ymm, without AVX-512 */
	CPU_AVX512_BF16 = 1 << 7,
};

/* A set of enum cpu_feature, by cpu_x86.c or cpu_arm.c; empty on other processors
 * (cpu_other.c). Features count only if the operating system saves their registers (x86:
 * XCR0; Intel SDM volume 1, 13.3 and 14.3). */
unsigned cpu_features(void);

#endif
