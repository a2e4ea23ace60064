/* The compilers' own vectors, of 16 bytes: SSE2, NEON and what else there is. */
#ifndef SOTTO_KERNELS_SIMD_GENERIC_H
#define SOTTO_KERNELS_SIMD_GENERIC_H

enum { SIMD_LANES = 4, SIMD_COLS = 4, SIMD_BIAS = 0 };

/* Groups of a block are not unrolled: their shifts are variables. */
#define UNROLL_GROUPS _Pragma("GCC unroll 1")

#include "kernels/float16.h"
#include "kernels/simd.h"

typedef int16_t vi16 __attribute__((vector_size(4 * SIMD_LANES)));

INLINE vf fma_f32(vf a, vf b, vf c)
{
	return a * b + c;
}

/* Products of bytes fit 16 bits: 127 * 127, 128 * 127 for signed weights. Even
 * and odd bytes are widened apart. */
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

/* The same, weights + SIMD_BIAS as bytes: with 0, signed. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return acc + dot_16((vi16)((vu16)w << 8) >> 8, (vi16)w >> 8, a);
}

INLINE vf load_f16(const uint16_t *from)
{
	vf v = {0};

	for (int i = 0; i < SIMD_LANES; i++)
		v[i] = f32_from_f16(from[i]);
	return v;
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

#endif
