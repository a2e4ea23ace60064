/* What an instruction set does for the small operations (ops.h, rope.h): each
 * on one row, or on any stretch of an element-wise one. */
#ifndef SOTTO_KERNELS_OPS_KERNELS_H
#define SOTTO_KERNELS_OPS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/ops.h"
#include "kernels/scan.h"

struct vector_kernels {
	/* One vector, by enum norm; weight and bias may be NULL. */
	void (*normalise[NORM_COUNT])(const float *x, size_t n, const float *weight, const float *bias,
	                     float eps, float *out);
	void (*add)(float *x, const float *y, size_t n); /* x[n] += y[n] */
	void (*add_scaled)(float *x, const float *y, float factor, size_t n); /* x[n] += factor * y[n] */
	void (*multiply)(float *x, const float *y, size_t n); /* x[n] *= y[n] */
	void (*scale)(float *x, float factor, size_t n);
	void (*gaussian_topk)(float *x, float cutoff, size_t n); /* one row */
	void (*softcap)(float *x, float cap, size_t n);
	/* x[n] = activation(x[n]) * y[n]; y NULL: without that */
	void (*activate[ACTIVATION_COUNT])(float *x, const float *y, size_t n);
	/* Rotates n_heads heads of one token, pairs 2i and 2i + 1, or i and i +
	 * n_pairs, by table[n_pairs][2] of cosines and sines. */
	void (*rope_adjacent)(const float *table, size_t n_pairs, size_t n_heads, size_t dim,
	                      float *x);
	void (*rope_halves)(const float *table, size_t n_pairs, size_t n_heads, size_t dim,
	                    float *x);
	/* One token of a convolution: out[n] = silu(bias[n] + sum of taps[j][n] * rows[j][n]), with
	 * activation; bias may be NULL. */
	void (*conv)(const float *const *rows, size_t n_taps, const float *taps, const float *bias,
	             bool activated, size_t n, float *out);
	/* Rows begin .. end - 1 of a head's state go through all tokens (scan.h). */
	void (*scan)(const struct scan *scan, size_t head, size_t begin, size_t end);
	/* To half precision; beyond its range to its largest number. */
	void (*to_f16)(const float *x, size_t n, uint16_t *out);
	/* exp(x), 0 for x < -87; for the tests */
	void (*exp)(const float *x, size_t n, float *out);
};

extern const struct vector_kernels ops_generic;
extern const struct vector_kernels ops_avx2;
extern const struct vector_kernels ops_avx512;
extern const struct vector_kernels ops_neon;

#endif
