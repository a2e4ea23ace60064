/* What an instruction set does for attention: the work on one tile of keys and
 * values. attention.c says which tiles, attention_body.h how it is done. */
#ifndef SOTTO_KERNELS_ATTENTION_KERNELS_H
#define SOTTO_KERNELS_ATTENTION_KERNELS_H

#include <stddef.h>

#include "kernels/kv_layer.h"

enum { ATTENTION_PAD = 16 }; /* rows of values and sums are padded to a multiple of this */

static inline size_t attention_padded(size_t dim)
{
	return (dim + ATTENTION_PAD - 1) / ATTENTION_PAD * ATTENTION_PAD;
}

/* A row is one query head at one position, with its sums over the keys seen so far (Milakov
 * and Gimelshein 2018, "Online normalizer calculation for softmax"). */
struct attention_rows {
	size_t n;
	size_t k_dim, v_dim; /* v_dim padded */
	const float *q;      /* [n][k_dim], times the scale of the scores */
	float softcap;       /* of the scores; 0: none */
	float *max;          /* [n]: the highest score; -inf before any */
	float *sum;          /* [n] of exp(score - max) */
	float *out;          /* [n][v_dim] of exp(score - max) * value */
};

struct attention_kernels {
	/* A tile as floats, keys [k_dim][KV_TILE] and values [KV_TILE][v_dim
	 * padded]: in place, or in the buffer. Of the values positions begin ..
	 * end - 1 alone. */
	const float *(*load_keys)(enum block_type type, const void *tile, size_t dim,
	                          float *buffer);
	const float *(*load_values)(enum block_type type, const void *tile, size_t dim,
	                            size_t begin, size_t end, float *buffer);
	/* Adds the keys begin .. end - 1 of a tile, which all rows see. A row's
	 * bits do not depend on the rows beside it. */
	void (*add_tile)(const struct attention_rows *rows, const float *keys,
	                 const float *values, size_t begin, size_t end);
	/* Adds to a[rows] the sums of b[rows], over later keys. */
	void (*merge)(const struct attention_rows *a, const struct attention_rows *b);
	/* out[v_dim, not padded] = the result of row `row`; zeros if it has seen no key. `sink`:
	 * NULL, or a score without a value. */
	void (*finish)(const struct attention_rows *rows, size_t row, size_t v_dim,
	               const float *sink, float *out);
};

extern const struct attention_kernels attention_generic;
extern const struct attention_kernels attention_avx2;
extern const struct attention_kernels attention_avx512;
extern const struct attention_kernels attention_neon;

#endif
