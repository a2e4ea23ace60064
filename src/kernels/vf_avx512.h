/* The names of vf_generic.h on AVX-512 (F, BW, DQ, VL): for files compiled
 * with it alone. */
#ifndef SOTTO_KERNELS_VF_AVX512_H
#define SOTTO_KERNELS_VF_AVX512_H

#include <immintrin.h>
#include <stdint.h>

enum { VF_LANES = 16, VF_ROWS = 8 };

typedef __m512 vf;

static inline vf vf_set1(float value)
{
	return _mm512_set1_ps(value);
}

static inline vf vf_load(const float *from)
{
	return _mm512_loadu_ps(from);
}

static inline void vf_store(float *to, vf v)
{
	_mm512_storeu_ps(to, v);
}

static inline vf vf_add(vf a, vf b)
{
	return _mm512_add_ps(a, b);
}

static inline vf vf_sub(vf a, vf b)
{
	return _mm512_sub_ps(a, b);
}

static inline vf vf_mul(vf a, vf b)
{
	return _mm512_mul_ps(a, b);
}

static inline vf vf_div(vf a, vf b)
{
	return _mm512_div_ps(a, b);
}

static inline vf vf_fma(vf a, vf b, vf c)
{
	return _mm512_fmadd_ps(a, b, c);
}

static inline vf vf_max(vf a, vf b)
{
	return _mm512_max_ps(a, b);
}

static inline vf vf_min(vf a, vf b)
{
	return _mm512_min_ps(a, b);
}

static inline vf vf_zero_if_less(vf v, vf x, vf limit)
{
	return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(x, limit, _CMP_NLT_UQ), v);
}

static inline vf vf_round(vf v)
{
	return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline vf vf_scale(vf v, vf n)
{
	return _mm512_scalef_ps(v, n);
}

static inline __m256 vf_high(vf v)
{
	return _mm512_extractf32x8_ps(v, 1);
}

static inline float vf_sum(vf v)
{
	__m256 s = _mm256_add_ps(_mm512_castps512_ps256(v), vf_high(v));
	__m128 t = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));

	t = _mm_add_ps(t, _mm_movehl_ps(t, t));
	return _mm_cvtss_f32(_mm_add_ss(t, _mm_movehdup_ps(t)));
}

static inline float vf_max_lanes(vf v)
{
	__m256 m = _mm256_max_ps(_mm512_castps512_ps256(v), vf_high(v));
	__m128 t = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));

	t = _mm_max_ps(t, _mm_movehl_ps(t, t));
	return _mm_cvtss_f32(_mm_max_ss(t, _mm_movehdup_ps(t)));
}

static inline vf vf_load_f16(const uint16_t *from)
{
	return _mm512_cvtph_ps(_mm256_loadu_si256((const void *)from));
}

static inline void vf_store_f16(uint16_t *to, vf v)
{
	_mm256_storeu_si256((void *)to, _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

static inline vf vf_load_i8(const int8_t *from)
{
	return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)from)));
}

#endif
