#include <sys/auxv.h>

#include "kernels/cpu.h"

/* Source: Linux, Documentation/arch/arm64/elf_hwcaps.rst. The dot products are
 * an extension of Armv8.1 (Arm ARM, FEAT_DotProd), whose other instructions
 * compilers may then use as well. */
unsigned cpu_features(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ASIMDDP ? CPU_DOTPROD : 0;
}
