/* AVX-512 F, BW, DQ, VL and VNNI. */
#ifndef SOTTO_KERNELS_SIMD_AVX512_H
#define SOTTO_KERNELS_SIMD_AVX512_H

#include <immintrin.h>

enum { SIMD_LANES = 16, SIMD_COLS = 6, SIMD_BIAS = 128 };

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

/* The same, weights + SIMD_BIAS as bytes: unsigned, as the instruction wants. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return dot4(acc, w, a);
}

INLINE vf load_f16(const uint16_t *from)
{
	__m256i v;

	memcpy(&v, from, sizeof v);
	return (vf)_mm512_cvtph_ps(v);
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

#endif
