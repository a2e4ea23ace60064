/* The loops for vectors of 32 bytes: included by peak_avx2.c and peak_avxvnni.c after
 * INT8_STEP(i), which adds products of the bytes x and y to the vector a##i, with
 * PEAK_KERNELS the name of the table to define. */
#ifndef SOTTO_KERNELS_PEAK_YMM_H
#define SOTTO_KERNELS_PEAK_YMM_H

#include <immintrin.h>

#include "kernels/peak.h"

/* Chains that do not wait for each other: 12, two operands and what else is
 * needed fit in the 16 registers. The instructions are written as such, since
 * compilers put moves between the intrinsics. */
#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
enum { N_CHAINS = 12 };

static uint32_t fold(__m256i sum)
{
	__m128i half = _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));

	return (uint32_t)_mm_cvtsi128_si32(half) ^ (uint32_t)_mm_extract_epi32(half, 2);
}

static uint32_t int8_ymm(size_t rounds)
{
	__m256i x = _mm256_set1_epi32((int)rounds), y = _mm256_set1_epi8(3);
	__m256i sum = _mm256_setzero_si256();

#define BEGIN(i) __m256i a##i = _mm256_set1_epi16(i);
#define END(i) sum = _mm256_xor_si256(sum, a##i);
	CHAINS(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		CHAINS(INT8_STEP)
	}
	CHAINS(END)
	return fold(sum);
#undef BEGIN
#undef END
}

static uint32_t f32_ymm(size_t rounds)
{
	__m256 x = _mm256_set1_ps(0.5f), y = _mm256_set1_ps((float)rounds);
	__m256i sum = _mm256_setzero_si256();

#define BEGIN(i) __m256 a##i = _mm256_set1_ps(i);
#define STEP(i) __asm__ volatile("vfmadd213ps %2, %1, %0" : "+x"(a##i) : "x"(x), "x"(y));
#define END(i) sum = _mm256_xor_si256(sum, _mm256_castps_si256(a##i));
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

static uint32_t read_ymm(const void *data, size_t n_bytes, size_t streams, size_t ahead)
{
	__m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
	                   _mm256_setzero_si256()};

	for (size_t i = 0; i < n_bytes / streams; i += PEAK_STRIDE)
		for (size_t s = 0; s < streams; s++) {
			const char *at = (const char *)data + s * (n_bytes / streams) + i;

			for (size_t j = 0; ahead && j < PEAK_STRIDE; j += 64)
				_mm_prefetch(at + ahead + j, _MM_HINT_T0);
			for (size_t j = 0; j < PEAK_STRIDE / 32; j++)
				sums[j % 4] = _mm256_xor_si256(
					sums[j % 4], _mm256_load_si256((const void *)(at + 32 * j)));
		}
	return fold(_mm256_xor_si256(_mm256_xor_si256(sums[0], sums[1]),
	                             _mm256_xor_si256(sums[2], sums[3])));
}

const struct peak_kernels PEAK_KERNELS = {
	.int8 = int8_ymm,
	.int8_macs = N_CHAINS * 32,
	.f32 = f32_ymm,
	.f32_macs = N_CHAINS * 8,
	.read = read_ymm,
};

#endif
