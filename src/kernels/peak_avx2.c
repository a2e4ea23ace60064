#include "kernels/peak_ymm.h"

/* Products in pairs, added up in 16 bits, which is all that small weights
 * need; widening them now and then is not counted. */
static uint32_t int8_avx2(size_t rounds)
{
	__m256i x = _mm256_set1_epi32((int)rounds), y = _mm256_set1_epi8(3);
	__m256i sum = _mm256_setzero_si256();

#define BEGIN(i) __m256i a##i = _mm256_set1_epi16(i);
#define STEP(i) \
	__asm__ volatile("vpmaddubsw %2, %1, %%ymm15\n\tvpaddw %%ymm15, %0, %0" \
	                 : "+x"(a##i) : "x"(x), "x"(y) : "xmm15");
#define END(i) sum = _mm256_xor_si256(sum, a##i);
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return fold(sum);
}

const struct peak_kernels peak_avx2 = {
	.int8 = int8_avx2,
	.int8_macs = N_CHAINS * 32,
	.f32 = f32_ymm,
	.f32_macs = N_CHAINS * 8,
	.read = read_ymm,
};
