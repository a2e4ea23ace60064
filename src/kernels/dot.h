/* Dot products with one order of accumulation, for quantize/.
 *
 * Element i is added to lane i % 16, in rising order of i; the lanes are then added as a
 * fixed binary tree. It does not depend on batch sizes, threads or the instruction set. The
 * vectors below are the compilers' own (GCC and clang, any target); a lane group of four is
 * what plain x86-64 and NEON hold in a register. */
#ifndef SOTTO_KERNELS_DOT_H
#define SOTTO_KERNELS_DOT_H

#include <stddef.h>
#include <string.h>

enum { DOT_LANES = 16 };

typedef float dot_f32x4 __attribute__((vector_size(16)));

static inline dot_f32x4 dot_load(const float *from)
{
	dot_f32x4 v;

	memcpy(&v, from, sizeof v);
	return v;
}

static inline float dot(const float *a, const float *b, size_t n)
{
	dot_f32x4 s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, s;
	size_t i = 0;

	for (; i + DOT_LANES <= n; i += DOT_LANES) {
		s0 += dot_load(a + i) * dot_load(b + i);
		s1 += dot_load(a + i + 4) * dot_load(b + i + 4);
		s2 += dot_load(a + i + 8) * dot_load(b + i + 8);
		s3 += dot_load(a + i + 12) * dot_load(b + i + 12);
	}
	if (i < n) { /* elements that fill no whole set of lanes */
		dot_f32x4 lanes[] = {s0, s1, s2, s3};

		for (size_t k = 0; i + k < n; k++)
			lanes[k / 4][k % 4] += a[i + k] * b[i + k];
		s0 = lanes[0], s1 = lanes[1], s2 = lanes[2], s3 = lanes[3];
	}
	s = (s0 + s2) + (s1 + s3);
	return (s[0] + s[2]) + (s[1] + s[3]);
}

#endif
