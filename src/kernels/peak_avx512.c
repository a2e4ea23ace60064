#include <immintrin.h>

#include "kernels/peak.h"

/* As in peak_avx2.c, with 16 chains. */
#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) \
	DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
enum { N_CHAINS = 16 };

static uint32_t fold(__m512i sum)
{
	return (uint32_t)_mm512_reduce_or_epi32(sum);
}

static uint32_t int8_avx512(size_t rounds)
{
	__m512i x = _mm512_set1_epi32((int)rounds), y = _mm512_set1_epi8(3);
	__m512i sum = _mm512_setzero_si512();

#define BEGIN(i) __m512i a##i = _mm512_set1_epi32(i);
#define STEP(i) __asm__ volatile("vpdpbusd %2, %1, %0" : "+v"(a##i) : "v"(x), "v"(y));
#define END(i) sum = _mm512_xor_si512(sum, a##i);
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return fold(sum);
#undef BEGIN
#undef STEP
#undef END
}

static uint32_t f32_avx512(size_t rounds)
{
	__m512 x = _mm512_set1_ps(0.5f), y = _mm512_set1_ps((float)rounds);
	__m512i sum = _mm512_setzero_si512();

#define BEGIN(i) __m512 a##i = _mm512_set1_ps(i);
#define STEP(i) __asm__ volatile("vfmadd213ps %2, %1, %0" : "+v"(a##i) : "v"(x), "v"(y));
#define END(i) sum = _mm512_xor_si512(sum, _mm512_castps_si512(a##i));
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(STEP)
	}
	CHAINS(END)
	return fold(sum);
}

static uint32_t read_avx512(const void *data, size_t n_bytes, size_t streams, size_t ahead)
{
	__m512i sums[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
	                   _mm512_setzero_si512()};

	for (size_t i = 0; i < n_bytes / streams; i += PEAK_STRIDE)
		for (size_t s = 0; s < streams; s++) {
			const char *at = (const char *)data + s * (n_bytes / streams) + i;

			for (size_t j = 0; ahead && j < PEAK_STRIDE; j += 64)
				_mm_prefetch(at + ahead + j, _MM_HINT_T0);
			for (size_t j = 0; j < 4; j++)
				sums[j] = _mm512_xor_si512(sums[j], _mm512_load_si512(at + 64 * j));
		}
	return fold(_mm512_xor_si512(_mm512_xor_si512(sums[0], sums[1]),
	                             _mm512_xor_si512(sums[2], sums[3])));
}

const struct peak_kernels peak_avx512 = {
	.int8 = int8_avx512,
	.int8_macs = N_CHAINS * 64,
	.f32 = f32_avx512,
	.f32_macs = N_CHAINS * 16,
	.read = read_avx512,
};
