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

struct dot_lanes {
	dot_f32x4 v[DOT_LANES / 4];
};

static inline dot_f32x4 dot_load(const float *from)
{
	dot_f32x4 v;

	memcpy(&v, from, sizeof v);
	return v;
}

/* The n < 16 elements that fill no whole set of lanes. */
static inline void dot_tail(struct dot_lanes *acc, const float *a, const float *b, size_t n)
{
	float lanes[DOT_LANES];

	memcpy(lanes, acc, sizeof lanes);
	for (size_t i = 0; i < n; i++)
		lanes[i] += a[i] * b[i];
	memcpy(acc, lanes, sizeof lanes);
}

/* Adds a . b to the lanes. Only the last call for an accumulator may have an
 * n that is no multiple of 16. */
static inline void dot_add(struct dot_lanes *acc, const float *a, const float *b, size_t n)
{
	dot_f32x4 s0 = acc->v[0], s1 = acc->v[1], s2 = acc->v[2], s3 = acc->v[3];
	size_t i;

	for (i = 0; i + DOT_LANES <= n; i += DOT_LANES) {
		s0 += dot_load(a + i) * dot_load(b + i);
		s1 += dot_load(a + i + 4) * dot_load(b + i + 4);
		s2 += dot_load(a + i + 8) * dot_load(b + i + 8);
		s3 += dot_load(a + i + 12) * dot_load(b + i + 12);
	}
	*acc = (struct dot_lanes){{s0, s1, s2, s3}};
	if (i < n)
		dot_tail(acc, a + i, b + i, n - i);
}

static inline float dot_sum(const struct dot_lanes *acc)
{
	dot_f32x4 s = (acc->v[0] + acc->v[2]) + (acc->v[1] + acc->v[3]);

	return (s[0] + s[2]) + (s[1] + s[3]);
}

static inline float dot(const float *a, const float *b, size_t n)
{
	struct dot_lanes acc = {0};

	dot_add(&acc, a, b, n);
	return dot_sum(&acc);
}

#endif
