/* The vector extensions of GCC and clang, 16 bytes wide: SSE2, NEON and others. */
#ifndef SOTTO_KERNELS_SIMD_GENERIC_H
#define SOTTO_KERNELS_SIMD_GENERIC_H

/* SIMD_ROWS: twice as many vectors of sums fit the registers, beside three of factors. */
enum { SIMD_LANES = 4, SIMD_COLS = 4, SIMD_BIAS = 0, SIMD_SIGNED = 1, SIMD_WHOLE = 0, SIMD_ROWS = 4 };

/* Groups of a block are not unrolled: their shifts are variables. */
#define UNROLL_GROUPS _Pragma("GCC unroll 1")

#include "kernels/float16.h"
#include "kernels/simd.h"

typedef uint16_t half4 __attribute__((vector_size(2 * SIMD_LANES)));

/* a * b + c, rounded once where the instruction set can. */
INLINE vf fma_f32(vf a, vf b, vf c)
{
	return a * b + c;
}

/* Products of bytes fit 16 bits: 127 * 127, 128 * 127 for signed weights. The even and the odd
 * bytes are widened to words separately. */
INLINE vi dot_16(vi16 even, vi16 odd, vi a)
{
	vi16 a_even = (vi16)((vu16)a << 8) >> 8, a_odd = (vi16)a >> 8;
	vi p = (vi)(even * a_even), q = (vi)(odd * a_odd);

	return ((vi)((vu32)p << 16) >> 16) + (p >> 16) + ((vi)((vu32)q << 16) >> 16) + (q >> 16);
}

/* acc + four products a lane; weights of 0..127. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	return acc + dot_16((vi16)((vu16)w & 255), (vi16)((vu16)w >> 8), a);
}

/* As dot4, of signed bytes: SIMD_BIAS is 0. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return acc + dot_16((vi16)((vu16)w << 8) >> 8, (vi16)w >> 8, a);
}

#include "kernels/simd_wide_sums.h"

INLINE vf select_f32(vi mask, vf a, vf b)
{
	vi bits = (mask & (vi)a) | (~mask & (vi)b);

	return (vf)bits;
}

#include "kernels/simd_select.h"

/* Adding and subtracting this number leaves the nearest integer (ties to even); the low bits of the
 * sum are this integer in binary. */
#define SIMD_INTEGER 0x1.8p23f

/* To the nearest integer; |v| < 2^22. */
INLINE vf round_f32(vf v)
{
	return v + splat_f32(SIMD_INTEGER) - splat_f32(SIMD_INTEGER);
}

/* v * 2^n for an integral n from -127 to 130. */
INLINE vf scale_f32(vf v, vf n)
{
	vi exponent = (vi)((vu32)(n + splat_f32(SIMD_INTEGER)) - (vu32)splat_f32(SIMD_INTEGER));
	vi half = exponent >> 1;

	return v * power_of_two(half) * power_of_two(exponent - half);
}

/* Adds the lanes as a fixed binary tree. */
INLINE float sum_lanes(vf v)
{
	return (v[0] + v[2]) + (v[1] + v[3]);
}

INLINE float max_lanes(vf v)
{
	float a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];

	return a > b ? a : b;
}

INLINE int32_t sum_lanes_i32(vi v)
{
	return v[0] + v[1] + v[2] + v[3];
}

INLINE int32_t max_lanes_i32(vi v)
{
	int32_t a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];

	return a > b ? a : b;
}

/* As f32_from_f16 does it. */
INLINE vf load_f16(const uint16_t *from)
{
	vu32 bits, magnitude, special;
	half4 half;
	vf finite;

	memcpy(&half, from, sizeof half);
	bits = __builtin_convertvector(half, vu32);
	magnitude = (bits & 0x7fff) << 13;
	finite = (vf)magnitude * splat_f32(0x1p112f);
	special = (vu32)(magnitude >= 0x0f800000u) & 0x7f800000u;
	return (vf)((bits & 0x8000) << 16 | (vu32)finite | special);
}

INLINE void store_f16(uint16_t *to, vf v)
{
	for (int i = 0; i < SIMD_LANES; i++)
		to[i] = f16_from_f32(v[i]);
}

/* One value a lane, widened. */
INLINE vi load_u8(const uint8_t *from)
{
	return (vi){from[0], from[1], from[2], from[3]};
}

INLINE vi load_i8(const int8_t *from)
{
	return (vi){from[0], from[1], from[2], from[3]};
}

INLINE vf load_bf16(const uint16_t *from)
{
	return (vf)((vi){from[0], from[1], from[2], from[3]} << 16);
}

/* The low byte of each lane. */
INLINE void store_low_bytes(int8_t *to, vi v)
{
	for (int i = 0; i < SIMD_LANES; i++)
		to[i] = (int8_t)(uint8_t)v[i];
}

/* levels[byte] for each byte, 0..15. */
INLINE vi look_up(const int8_t levels[16], vi index)
{
	vu8 v = (vu8)index;

	for (size_t i = 0; i < sizeof v; i++)
		v[i] = (uint8_t)levels[v[i] & 15];
	return (vi)v;
}

/* table[index] for each lane. */
INLINE vi look_up_u16(const uint16_t *table, vi index)
{
	int32_t at[SIMD_LANES];

	store(at, index);
	return (vi){table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
}

#endif
