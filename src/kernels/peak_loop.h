/* What measures how fast an instruction set multiplies: included by peak_body.h and
 * bf16_body.h. */
#ifndef SOTTO_KERNELS_PEAK_LOOP_H
#define SOTTO_KERNELS_PEAK_LOOP_H

#include "kernels/matmul_pair.h"

/* Sums that do not wait for each other: two vectors for each of SIMD_ROWS stay in
 * registers, beside both operands. */
enum { PEAK_CHAINS = 2 * SIMD_ROWS };

INLINE uint32_t fold_lanes(vi v)
{
	uint32_t lanes[SIMD_LANES], all = 0;

	store(lanes, v);
	for (size_t i = 0; i < SIMD_LANES; i++)
		all ^= lanes[i];
	return all;
}

#define BEGIN(c) vi x##c = {c}, y##c = {c + 8};
/* Opaque, or compilers would multiply w and a once for all, and move sums about. */
#define STEP(c) \
	if (c < SIMD_ROWS) { \
		w = opaque(w); \
		x##c = opaque(multiply_add(x##c, w, a)); \
		w = opaque(w); \
		y##c = opaque(multiply_add(y##c, w, a)); \
	}
#define END(c) all ^= x##c ^ y##c;

/* Rounds of PEAK_CHAINS times multiply_add(sums, weights, activations), a constant. */
INLINE uint32_t peak_loop(size_t rounds, vi (*multiply_add)(vi, vi, vi), vi w, vi a)
{
	vi all = {0};

	FOR_TILE(BEGIN)
	for (size_t r = 0; r < rounds; r++) {
		FOR_TILE(STEP)
	}
	FOR_TILE(END)
	return fold_lanes(all);
}

#undef BEGIN
#undef STEP
#undef END

#endif
