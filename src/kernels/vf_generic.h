/* Vectors of floats on any target: the names that the files *_body.h are
 * written on. The vectors are the compilers' own (GCC and clang); four floats
 * are what plain x86-64 and NEON hold in a register.
 *
 * vf_avx2.h and vf_avx512.h define the same names. A vf has VF_LANES
 * floats; memory needs no alignment. */
#ifndef SOTTO_KERNELS_VF_GENERIC_H
#define SOTTO_KERNELS_VF_GENERIC_H

#include <stdint.h>
#include <string.h>

#include "kernels/float16.h"

/* VF_ROWS: twice as many vectors of sums have room in the registers, beside three of
 * factors. */
enum { VF_LANES = 4, VF_ROWS = 4 };

typedef float vf __attribute__((vector_size(16)));
typedef int32_t vf_i32x4 __attribute__((vector_size(16)));
typedef uint32_t vf_u32x4 __attribute__((vector_size(16)));
typedef uint16_t vf_u16x4 __attribute__((vector_size(8)));
typedef int8_t vf_i8x4 __attribute__((vector_size(4)));

static inline vf vf_set1(float value)
{
	return (vf){value, value, value, value};
}

static inline vf vf_load(const float *from)
{
	vf v;

	memcpy(&v, from, sizeof v);
	return v;
}

static inline void vf_store(float *to, vf v)
{
	memcpy(to, &v, sizeof v);
}

static inline vf vf_add(vf a, vf b)
{
	return a + b;
}

static inline vf vf_sub(vf a, vf b)
{
	return a - b;
}

static inline vf vf_mul(vf a, vf b)
{
	return a * b;
}

static inline vf vf_div(vf a, vf b)
{
	return a / b;
}

/* a * b + c, rounded once where the instruction set can. */
static inline vf vf_fma(vf a, vf b, vf c)
{
	return a * b + c;
}

static inline vf vf_select(vf_i32x4 mask, vf a, vf b)
{
	vf_i32x4 bits = (mask & (vf_i32x4)a) | (~mask & (vf_i32x4)b);

	return (vf)bits;
}

/* The larger; b where either is NaN. */
static inline vf vf_max(vf a, vf b)
{
	return vf_select(a > b, a, b);
}

/* The smaller; b where either is NaN. */
static inline vf vf_min(vf a, vf b)
{
	return vf_select(a < b, a, b);
}

/* v, but 0 where x < limit. */
static inline vf vf_zero_if_less(vf v, vf x, vf limit)
{
	return vf_select(x < limit, vf_set1(0), v);
}

/* Adding and taking away this leaves the nearest integer (ties to even), of
 * which the low bits of the sum are the binary number. */
#define VF_INTEGER 0x1.8p23f

/* To the nearest integer; |v| < 2^22. */
static inline vf vf_round(vf v)
{
	return v + vf_set1(VF_INTEGER) - vf_set1(VF_INTEGER);
}

static inline vf vf_power(vf_i32x4 n)
{
	return (vf)((n + 127) << 23);
}

/* v * 2^n for an integral n from -127 to 130. */
static inline vf vf_scale(vf v, vf n)
{
	vf_i32x4 exponent = (vf_i32x4)((vf_u32x4)(n + vf_set1(VF_INTEGER)) -
	                                   (vf_u32x4)vf_set1(VF_INTEGER));
	vf_i32x4 half = exponent >> 1;

	return v * vf_power(half) * vf_power(exponent - half);
}

/* The lanes as a fixed binary tree. */
static inline float vf_sum(vf v)
{
	return (v[0] + v[2]) + (v[1] + v[3]);
}

static inline float vf_max_lanes(vf v)
{
	float a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];

	return a > b ? a : b;
}

/* As f32_from_f16 does it. */
static inline vf vf_load_f16(const uint16_t *from)
{
	vf_u16x4 half;
	vf_u32x4 bits, magnitude, special;
	vf finite;

	memcpy(&half, from, sizeof half);
	bits = __builtin_convertvector(half, vf_u32x4);
	magnitude = (bits & 0x7fff) << 13;
	finite = (vf)magnitude * vf_set1(0x1p112f);
	special = (vf_u32x4)(magnitude >= 0x0f800000u) & 0x7f800000u;
	return (vf)((bits & 0x8000) << 16 | (vf_u32x4)finite | special);
}

static inline void vf_store_f16(uint16_t *to, vf v)
{
	for (int i = 0; i < VF_LANES; i++)
		to[i] = f16_from_f32(v[i]);
}

static inline vf vf_load_i8(const int8_t *from)
{
	vf_i8x4 v;

	memcpy(&v, from, sizeof v);
	return __builtin_convertvector(v, vf);
}

#endif
