/* Half precision and bfloat16 <-> float (IEEE 754-2008), and the scales of the
 * OCP and NVIDIA formats of 4 bits. */
#ifndef SOTTO_KERNELS_FLOAT16_H
#define SOTTO_KERNELS_FLOAT16_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline float f32_from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline uint32_t f32_to_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Exact. No branches, so that loops over it vectorise: the half's exponent
 * and mantissa are put where a float has them and the bias (15 against 127)
 * is made good by a multiplication, which normalises subnormals as well. */
static inline float f32_from_f16(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
	uint32_t magnitude = (uint32_t)(half & 0x7fffu) << 13;
	uint32_t finite = f32_to_bits(f32_from_bits(magnitude) * 0x1p112f);
	uint32_t special = magnitude >= 0x0f800000u ? 0x7f800000u : 0; /* infinity or NaN */

	return f32_from_bits(sign | finite | special);
}

/* To nearest, ties to even; too large becomes infinity, NaN stays NaN. */
static inline uint16_t f16_from_f32(float value)
{
	uint32_t bits = f32_to_bits(value);
	uint32_t sign = bits >> 16 & 0x8000u;
	uint32_t magnitude = bits & 0x7fffffffu;

	if (magnitude > 0x7f800000u)
		return (uint16_t)(sign | 0x7e00u);
	if (magnitude >= 0x477ff000u) /* 65520 and above */
		return (uint16_t)(sign | 0x7c00u);
	if (magnitude < 0x38800000u) /* below 2^-14: let the float adder round the subnormal */
		return (uint16_t)(sign |
		                  (f32_to_bits(f32_from_bits(magnitude) + 0.5f) - 0x3f000000u));
	magnitude += 0xfffu + (magnitude >> 13 & 1u);
	return (uint16_t)(sign | ((magnitude - 0x38000000u) >> 13));
}

static inline float f32_from_bf16(uint16_t value)
{
	return f32_from_bits((uint32_t)value << 16);
}

/* To nearest, ties to even; too large becomes infinity, NaN stays NaN. */
static inline uint16_t bf16_from_f32(float value)
{
	uint32_t bits = f32_to_bits(value);

	if ((bits & 0x7fffffffu) > 0x7f800000u)
		return (uint16_t)(bits >> 16 | 0x40u);
	return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* 2^(e - 128): half of what an exponent byte means, for any byte. The factors
 * are normal where the product is not. */
static inline float f32_from_e8m0_half(uint8_t e)
{
	uint32_t first = e / 2u, second = e - first;

	return f32_from_bits((first + 63) << 23) * f32_from_bits((second + 63) << 23);
}

/* Half of a scale with 4 bits of exponent (bias 7) and 3 of mantissa. */
static inline float f32_from_e4m3_half(uint8_t bits)
{
	return f32_from_bits((uint32_t)bits << 20) * 0x1p119f;
}

#endif
