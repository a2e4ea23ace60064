#include "kernels/peak_ymm.h"
#include "kernels/vpdpbusd.h"

static uint32_t int8_avxvnni(size_t rounds)
{
	__m256i x = _mm256_set1_epi32((int)rounds), y = _mm256_set1_epi8(3);
	__m256i sum = _mm256_setzero_si256();

#define BEGIN(i) __m256i a##i = _mm256_set1_epi32(i);
#define STEP(i) __asm__ volatile(VPDPBUSD " %2, %1, %0" : "+x"(a##i) : "x"(x), "x"(y));
#define END(i) sum = _mm256_xor_si256(sum, a##i);
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return fold(sum);
}

const struct peak_kernels peak_avxvnni = {
	.int8 = int8_avxvnni,
	.int8_macs = N_CHAINS * 32,
	.f32 = f32_ymm,
	.f32_macs = N_CHAINS * 8,
	.read = read_ymm,
};
