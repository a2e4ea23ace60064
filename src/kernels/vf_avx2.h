/* The names of vf_generic.h on AVX2, FMA and F16C: for files compiled with
 * these alone. */
#ifndef SOTTO_KERNELS_VF_AVX2_H
#define SOTTO_KERNELS_VF_AVX2_H

#include <immintrin.h>
#include <stdint.h>

enum { VF_LANES = 8, VF_ROWS = 6 };

typedef __m256 vf;

static inline vf vf_set1(float value)
{
	return _mm256_set1_ps(value);
}

static inline vf vf_load(const float *from)
{
	return _mm256_loadu_ps(from);
}

static inline void vf_store(float *to, vf v)
{
	_mm256_storeu_ps(to, v);
}

static inline vf vf_add(vf a, vf b)
{
	return _mm256_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b)
{
	return _mm256_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b)
{
	return _mm256_mul_ps(a, b);
}

static inline vf vf_div(vf a, vf b)
{
	return _mm256_div_ps(a, b);
}

static inline vf vf_fma(vf a, vf b, vf c)
{
	return _mm256_fmadd_ps(a, b, c);
}

static inline vf vf_max(vf a, vf b)
{
	return _mm256_max_ps(a, b);
}

static inline vf vf_min(vf a, vf b)
{
	return _mm256_min_ps(a, b);
}

static inline vf vf_zero_if_less(vf v, vf x, vf limit)
{
	return _mm256_andnot_ps(_mm256_cmp_ps(x, limit, _CMP_LT_OQ), v);
}

static inline vf vf_round(vf v)
{
	return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vf vf_power(__m256i n)
{
	return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}

static inline vf vf_scale(vf v, vf n)
{
	__m256i exponent = _mm256_cvtps_epi32(n), half = _mm256_srai_epi32(exponent, 1);

	return v * vf_power(half) * vf_power(_mm256_sub_epi32(exponent, half));
}

static inline float vf_sum(vf v)
{
	__m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

	s = _mm_add_ps(s, _mm_movehl_ps(s, s));
	return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

static inline float vf_max_lanes(vf v)
{
	__m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));

	m = _mm_max_ps(m, _mm_movehl_ps(m, m));
	return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

static inline vf vf_load_f16(const uint16_t *from)
{
	return _mm256_cvtph_ps(_mm_loadu_si128((const void *)from));
}

static inline void vf_store_f16(uint16_t *to, vf v)
{
	_mm_storeu_si128((void *)to, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

static inline vf vf_load_i8(const int8_t *from)
{
	return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)from)));
}

#endif
