/* Products in pairs, added up in 16 bits, which is all that small weights
 * need; widening them now and then is not counted. */
#define INT8_STEP(i) \
	__asm__ volatile("vpmaddubsw %2, %1, %%ymm15\n\tvpaddw %%ymm15, %0, %0" \
	                 : "+x"(a##i) : "x"(x), "x"(y) : "xmm15");
#define PEAK_KERNELS peak_avx2
#include "kernels/peak_ymm.h"
