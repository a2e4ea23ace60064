/* What the processor can do and the operating system supports. */
#ifndef SOTTO_KERNELS_CPU_H
#define SOTTO_KERNELS_CPU_H

enum cpu_feature {
	CPU_AVX2 = 1 << 0,     /* with FMA and F16C: Haswell's */
	CPU_AVX_VNNI = 1 << 1, /* with CPU_AVX2: AVX512_VNNI's for ymm, without AVX-512 */
	CPU_AVX512 = 1 << 2,   /* with CPU_AVX2: F, BW, DQ, VL and VNNI, Cascade Lake's */
	CPU_AVX512_BF16 = 1 << 3, /* with CPU_AVX512 */
	CPU_DOTPROD = 1 << 4,  /* Arm: products of bytes, added four by four */
};

/* A set of enum cpu_feature, by cpu_x86.c or cpu_arm.c; empty on other processors
 * (cpu_other.c). Features count only if the operating system saves their registers (x86:
 * XCR0; Intel SDM volume 1, 13.3 and 14.3). */
unsigned cpu_features(void);

#endif
