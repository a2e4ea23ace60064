/* AVX-512 F, BW, DQ, VL and VNNI. */
#ifndef SOTTO_KERNELS_SIMD_AVX512_H
#define SOTTO_KERNELS_SIMD_AVX512_H

#include <immintrin.h>

enum { SIMD_LANES = 16, SIMD_COLS = 6, SIMD_BIAS = 128, SIMD_SIGNED = 1, SIMD_WHOLE = 0, SIMD_ROWS = 8 };

/* Groups of a block are unrolled: their shifts are constants. */
#define UNROLL_GROUPS _Pragma("GCC unroll 16")

#include "kernels/simd.h"

INLINE vf fma_f32(vf a, vf b, vf c)
{
	return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

/* acc + four products a lane; weights of 0..127. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	return (vi)_mm512_dpbusd_epi32((__m512i)acc, (__m512i)w, (__m512i)a);
}

/* As dot4, of weights + SIMD_BIAS: unsigned bytes, as the instruction wants. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return dot4(acc, w, a);
}

#include "kernels/simd_wide_sums.h"

INLINE vf max_f32(vf a, vf b)
{
	return (vf)_mm512_max_ps((__m512)a, (__m512)b);
}

INLINE vf min_f32(vf a, vf b)
{
	return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}

INLINE vf zero_if_less(vf v, vf x, vf limit)
{
	return (vf)_mm512_maskz_mov_ps(
		_mm512_cmp_ps_mask((__m512)x, (__m512)limit, _CMP_NLT_UQ), (__m512)v);
}

INLINE vf round_f32(vf v)
{
	return (vf)_mm512_roundscale_ps((__m512)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

INLINE vf scale_f32(vf v, vf n)
{
	return (vf)_mm512_scalef_ps((__m512)v, (__m512)n);
}

INLINE __m256 high_half(vf v)
{
	return _mm512_extractf32x8_ps((__m512)v, 1);
}

INLINE float sum_lanes(vf v)
{
	__m256 s = _mm256_add_ps(_mm512_castps512_ps256((__m512)v), high_half(v));
	__m128 t = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));

	t = _mm_add_ps(t, _mm_movehl_ps(t, t));
	return _mm_cvtss_f32(_mm_add_ss(t, _mm_movehdup_ps(t)));
}

INLINE float max_lanes(vf v)
{
	__m256 m = _mm256_max_ps(_mm512_castps512_ps256((__m512)v), high_half(v));
	__m128 t = _mm_max_ps(_mm256_castps256_ps128(m), _mm256_extractf128_ps(m, 1));

	t = _mm_max_ps(t, _mm_movehl_ps(t, t));
	return _mm_cvtss_f32(_mm_max_ss(t, _mm_movehdup_ps(t)));
}

INLINE int32_t sum_lanes_i32(vi v)
{
	return _mm512_reduce_add_epi32((__m512i)v);
}

INLINE int32_t max_lanes_i32(vi v)
{
	return _mm512_reduce_max_epi32((__m512i)v);
}

INLINE vf load_f16(const uint16_t *from)
{
	__m256i v;

	memcpy(&v, from, sizeof v);
	return (vf)_mm512_cvtph_ps(v);
}

INLINE void store_f16(uint16_t *to, vf v)
{
	__m256i halves = _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT);

	memcpy(to, &halves, sizeof halves);
}

/* One value a lane, widened. */
INLINE vi load_u8(const uint8_t *from)
{
	__m128i v;

	memcpy(&v, from, sizeof v);
	return (vi)_mm512_cvtepu8_epi32(v);
}

INLINE vi load_i8(const int8_t *from)
{
	__m128i v;

	memcpy(&v, from, sizeof v);
	return (vi)_mm512_cvtepi8_epi32(v);
}

INLINE vf load_bf16(const uint16_t *from)
{
	__m256i v;

	memcpy(&v, from, sizeof v);
	return (vf)_mm512_slli_epi32(_mm512_cvtepu16_epi32(v), 16);
}

/* Two columns of 16 rows each (kernels/panels.h), the first one in the high halves of the lanes. */
INLINE vi load_pairs(const uint16_t *columns)
{
	vi lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	vi from = lane * 0x10001 + 16; /* word `lane` of 32, and behind it in memory `lane` + 16 */

	return (vi)_mm512_permutexvar_epi16((__m512i)from, (__m512i)load(columns));
}

/* The low byte of each lane. */
INLINE void store_low_bytes(int8_t *to, vi v)
{
	__m128i bytes = _mm512_cvtepi32_epi8((__m512i)v);

	memcpy(to, &bytes, sizeof bytes);
}

/* levels[byte] for each byte, 0..15. */
INLINE vi look_up(const int8_t levels[16], vi index)
{
	__m128i table;

	memcpy(&table, levels, sizeof table);
	return (vi)_mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), (__m512i)index);
}

/* table[index] for each lane. */
INLINE vi look_up_u16(const uint16_t *table, vi index)
{
	int32_t at[SIMD_LANES];

	store(at, index);
	return (vi){table[at[0]], table[at[1]], table[at[2]], table[at[3]],
	            table[at[4]], table[at[5]], table[at[6]], table[at[7]],
	            table[at[8]], table[at[9]], table[at[10]], table[at[11]],
	            table[at[12]], table[at[13]], table[at[14]], table[at[15]]};
}

#endif
