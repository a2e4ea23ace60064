/* The vector types of the kernels, and functions on them.
 *
 * Each isa_*.c includes the simd_*.h of its instruction set, which defines the constants below
 * and the functions that the vector extensions of GCC and clang cannot express well, and includes
 * this file for the rest; sums and products of vectors are operators. Loads and stores need no
 * alignment. Everything is static: local.mk says why.
 *
 * In matrix products a lane is a row of weights, and a vector of quants has four bytes a lane,
 * those of four consecutive columns.
 *
 *   SIMD_LANES   32-bit lanes of a vector
 *   SIMD_COLS    columns of activations that a tile of a quantised product has
 *   SIMD_ROWS    columns of a tile of a product of floats, rows of queries of one of attention
 *   SIMD_BIAS    what dot4_biased wants to be added to signed weights: 128 makes them unsigned
 *   SIMD_SIGNED  bytes of an unpacked signed weight: 2 where signed products are made of words
 *   SIMD_WHOLE   1: integer scales multiply integer sums before these become floats */
#ifndef SOTTO_KERNELS_SIMD_H
#define SOTTO_KERNELS_SIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline, unused))
#define NOINLINE __attribute__((noinline, unused)) /* with all registers for it alone */

/* SIMD_LANES comes from the including header. */
typedef int32_t vi __attribute__((vector_size(4 * SIMD_LANES)));
typedef float vf __attribute__((vector_size(4 * SIMD_LANES)));
typedef uint8_t vu8 __attribute__((vector_size(4 * SIMD_LANES)));
typedef int16_t vi16 __attribute__((vector_size(4 * SIMD_LANES)));
typedef uint16_t vu16 __attribute__((vector_size(4 * SIMD_LANES)));
typedef uint32_t vu32 __attribute__((vector_size(4 * SIMD_LANES)));

INLINE vi load(const void *from)
{
	vi v;

	memcpy(&v, from, sizeof v);
	return v;
}

INLINE vf load_f32(const float *from)
{
	vf v;

	memcpy(&v, from, sizeof v);
	return v;
}

INLINE void store(void *to, vi v)
{
	memcpy(to, &v, sizeof v);
}

INLINE void store_f32(float *to, vf v)
{
	memcpy(to, &v, sizeof v);
}

/* Prefetches memory `offset` bytes behind `from`; the address may be invalid. */
INLINE void prefetch(const void *from, size_t offset)
{
	__builtin_prefetch((const void *)((uintptr_t)from + offset), 0, 2);
}

/* Prefetches to the first-level cache, for a store. */
INLINE void prefetch_near(const void *from)
{
	__builtin_prefetch(from, 1, 3);
}

/* Makes the compiler read memory again from here on: the operands of many unrolled steps do
 * not fit the registers, and reading costs less than spilling. */
INLINE void forget_memory(void)
{
	__asm__ volatile("" ::: "memory");
}

/* v, of whose value the compiler knows nothing. */
INLINE vi opaque(vi v)
{
#if defined(__x86_64__)
	__asm__("" : "+v"(v));
#elif defined(__aarch64__)
	__asm__("" : "+w"(v));
#else
	__asm__("" : "+m"(v));
#endif
	return v;
}

/* The same value in every lane. */
INLINE vi splat(int32_t value)
{
	return (vi){0} + value;
}

/* Subtracting zero changes no value, not even the sign of zero. */
INLINE vf splat_f32(float value)
{
	return value - (vf){0};
}

/* The same four activations in every lane. */
INLINE vi splat_quad(const int8_t *a)
{
	int32_t quad;

	memcpy(&quad, a, sizeof quad);
	return splat(quad);
}

/* Each byte shifted right (left where `shift` is negative) and masked. Shifts are of words, so the
 * mask must remove the bits that come from the word's other byte. */
INLINE vi bits(vi v, int shift, uint8_t mask)
{
	vu16 wide = shift < 0 ? (vu16)v << -shift : (vu16)v >> shift;

	return (vi)wide & (vi)((vu8){0} + mask);
}

/* Signed bytes as words: of four consecutive columns the even ones, and the odd ones. */
INLINE vi even_words(vi v)
{
	return (vi)((vi16)((vu16)v << 8) >> 8);
}

INLINE vi odd_words(vi v)
{
	return (vi)((vi16)v >> 8);
}

INLINE vi add_bytes(vi v, uint8_t value)
{
	return (vi)((vu8)v + value);
}

/* The larger of both values in each lane. */
INLINE vi larger(vi a, vi b)
{
	vi mask = a > b;

	return (a & mask) | (b & ~mask);
}

INLINE vf to_f32(vi v)
{
	return __builtin_convertvector(v, vf);
}

/* 2^n for n from -126 to 127. */
INLINE vf power_of_two(vi n)
{
	return (vf)((n + 127) << 23);
}

#endif
