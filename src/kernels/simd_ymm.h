/* Vectors of 32 bytes with AVX2, FMA and F16C: included by simd_avx2.h and simd_avxvnni.h after
 * SIMD_LANES. */
#ifndef SOTTO_KERNELS_SIMD_YMM_H
#define SOTTO_KERNELS_SIMD_YMM_H

#include <immintrin.h>

/* Groups of a block are unrolled: their shifts are constants. */
#define UNROLL_GROUPS _Pragma("GCC unroll 16")

#include "kernels/simd.h"

INLINE vf fma_f32(vf a, vf b, vf c)
{
	return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

INLINE vf max_f32(vf a, vf b)
{
	return (vf)_mm256_max_ps((__m256)a, (__m256)b);
}

INLINE vf min_f32(vf a, vf b)
{
	return (vf)_mm256_min_ps((__m256)a, (__m256)b);
}

INLINE vf zero_if_less(vf v, vf x, vf limit)
{
	return (vf)_mm256_andnot_ps(_mm256_cmp_ps((__m256)x, (__m256)limit, _CMP_LT_OQ), (__m256)v);
}

INLINE vf round_f32(vf v)
{
	return (vf)_mm256_round_ps((__m256)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINE vf scale_f32(vf v, vf n)
{
	vi exponent = (vi)_mm256_cvtps_epi32((__m256)n), half = exponent >> 1;

	return v * power_of_two(half) * power_of_two(exponent - half);
}

INLINE float sum_lanes(vf v)
{
	__m128 s = _mm_add_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

INLINE float max_lanes(vf v)
{
	__m128 m = _mm_max_ps(_mm256_castps256_ps128((__m256)v), _mm256_extractf128_ps((__m256)v, 1));

	m = _mm_max_ps(m, _mm_movehl_ps(m, m));
	return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

INLINE int32_t sum_lanes_i32(vi v)
{
	__m128i s = _mm_add_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));

	s = _mm_add_epi32(s, _mm_unpackhi_epi64(s, s));
	return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 1)));
}

INLINE int32_t max_lanes_i32(vi v)
{
	__m128i m = _mm_max_epi32(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1));

	m = _mm_max_epi32(m, _mm_unpackhi_epi64(m, m));
	return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 1)));
}

INLINE vf load_f16(const uint16_t *from)
{
	__m128i v;

	memcpy(&v, from, sizeof v);
	return (vf)_mm256_cvtph_ps(v);
}

INLINE void store_f16(uint16_t *to, vf v)
{
	__m128i halves = _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT);

	memcpy(to, &halves, sizeof halves);
}

/* One value a lane, widened. */
INLINE vi load_u8(const uint8_t *from)
{
	return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

INLINE vi load_i8(const int8_t *from)
{
	return (vi)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

INLINE vf load_bf16(const uint16_t *from)
{
	__m128i v;

	memcpy(&v, from, sizeof v);
	return (vf)_mm256_slli_epi32(_mm256_cvtepu16_epi32(v), 16);
}

/* The low byte of each lane. */
INLINE void store_low_bytes(int8_t *to, vi v)
{
	const __m256i low = _mm256_set1_epi64x(0x0c080400);
	__m256i bytes = _mm256_shuffle_epi8((__m256i)v, low);
	int32_t first = _mm256_extract_epi32(bytes, 0), second = _mm256_extract_epi32(bytes, 4);

	memcpy(to, &first, 4);
	memcpy(to + 4, &second, 4);
}

/* levels[byte] for each byte, 0..15. */
INLINE vi look_up(const int8_t levels[16], vi index)
{
	__m128i table;

	memcpy(&table, levels, sizeof table);
	return (vi)_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), (__m256i)index);
}

/* table[index] for each lane. */
INLINE vi look_up_u16(const uint16_t *table, vi index)
{
	int32_t at[SIMD_LANES];

	store(at, index);
	return (vi){table[at[0]], table[at[1]], table[at[2]], table[at[3]],
	            table[at[4]], table[at[5]], table[at[6]], table[at[7]]};
}

#endif
