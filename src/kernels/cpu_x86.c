#include "kernels/cpu.h"

#include <cpuid.h>
#include <stdint.h>

enum {
	XCR0_AVX = 0x06,    /* xmm and ymm */
	XCR0_AVX512 = 0xe6, /* and mask registers, zmm */
};

static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static unsigned if_set(uint32_t word, int bit, unsigned feature)
{
	return word >> bit & 1 ? feature : 0;
}

/* Bits: Intel SDM volume 2, CPUID. */
unsigned cpu_features(void)
{
	uint32_t a, b, c, d, a7, b7, c7, a71 = 0;
	unsigned found;
	uint64_t xcr0;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) /* OSXSAVE */
		return 0;
	xcr0 = read_xcr0();
	if ((xcr0 & XCR0_AVX) != XCR0_AVX || !(c >> 12 & c >> 29 & 1)) /* FMA, F16C */
		return 0;
	if (!__get_cpuid_count(7, 0, &a7, &b7, &c7, &d) || !(b7 >> 5 & 1)) /* AVX2 */
		return 0;
	if (a7 >= 1) /* the last subleaf */
		__cpuid_count(7, 1, a71, b, c, d);
	found = CPU_AVX2 | if_set(a71, 4, CPU_AVX_VNNI);
	if ((xcr0 & XCR0_AVX512) != XCR0_AVX512 ||
	    !(b7 >> 16 & b7 >> 17 & b7 >> 30 & b7 >> 31 & c7 >> 11 & 1)) /* F, DQ, BW, VL, VNNI */
		return found;
	return found | CPU_AVX512 | if_set(a71, 5, CPU_AVX512_BF16);
}
