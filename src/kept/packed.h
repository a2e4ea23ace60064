/* Floats in few bytes. */
#ifndef SOTTO_KEPT_PACKED_H
#define SOTTO_KEPT_PACKED_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t packed_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline float packed_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* A number that is in the order of the floats, so that neighbours in it differ by little. */
#define PACKED_ORDER_FIRST UINT32_MAX

static inline uint32_t packed_order(float value)
{
	uint32_t bits = packed_bits(value);

	return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static inline float packed_unorder(uint32_t order)
{
	return packed_float(order >> 31 ? order & ~(UINT32_C(1) << 31) : ~order);
}

/* A probability in 16 bits, to a relative 1/4096: its logarithm in steps of 1/2048; 0 is 65535. */
enum { PACKED_STEPS = 2048, PACKED_NONE = 65535 };

static inline uint32_t packed_probability(float p)
{
	float steps = p > 0 ? roundf(-logf(p) * PACKED_STEPS) : PACKED_NONE;

	return steps < 0 ? 0 : steps < PACKED_NONE ? (uint32_t)steps : PACKED_NONE;
}

static inline float packed_unprobability(uint32_t packed)
{
	return packed == PACKED_NONE ? 0 : expf(-(float)packed / PACKED_STEPS);
}

#endif
