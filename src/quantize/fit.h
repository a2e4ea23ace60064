/* Least squares for one group of weights: private to this folder.
 *
 * A group is stored as levels q, small numbers, and as what turns them back into weights: a
 * scale, x ~ d * q, or a scale and an offset, x ~ d * q - m. For given levels the best scale
 * (and offset) is a linear least-squares problem; for a given scale the best level of each
 * weight is the nearest. Both functions try a row of scales that put the largest weight on or
 * near an end of the levels, solve for each, and alternate both steps from the best one until
 * nothing improves. Errors count with w >= 0.
 *
 * Trying a row of scales, each solved by least squares, is the method of ggml-quants.c
 * (make_qx_quants, make_qkx2_quants); the row is longer here, since it is a matter of luck
 * which one rounds best. */
#ifndef SOTTO_QUANTIZE_FIT_H
#define SOTTO_QUANTIZE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FIT_MAX = 32,         /* weights of a group */
	FIT_HALF_MAX = 65504, /* the largest scale in half precision */
};

/* How much an error in each weight is to count where nothing is known of what it will be
 * multiplied with: the larger the weight the more, as Q4_K of ggml-quants.c has it. Counting
 * all alike gives a little less KL divergence on small models (bench/LOG.md), but may clip a
 * lone large weight, which can matter much in large models. */
void fit_importance(const float *x, size_t n, float *w);

/* The weight that is farthest from 0. */
float fit_extreme(const float *x, size_t n);

/* In half precision, as far as that reaches: 65504 / unit. */
uint16_t fit_half(float scale, float unit);
/* 1 / d; 0 for a scale that vanishes. */
float fit_inverse(float d);

/* Either the whole numbers from low to high or, with `values`, 16 numbers of
 * which low is the first and high the last. */
struct levels {
	float low, high;
	const int8_t *values; /* rising */
};

/* The levels nearest to x[i] * inverse. */
void levels_nearest(const struct levels *levels, const float *x, float inverse, size_t n, float *q);

/* x ~ d * q; returns d, of either sign, 0 where all x vanish. */
float fit_scale(const struct levels *levels, const float *x, const float *w, size_t n, float *q);

struct affine {
	float d, m; /* d >= 0 */
};

/* Whole q in 0..q_max with x ~ d * q - m; `below`: m >= 0 is all that can be stored. */
struct affine fit_affine(float q_max, bool below, const float *x, const float *w, size_t n,
                         float *q);

/* The levels nearest to (x[i] + m) * inverse. */
void affine_nearest(float q_max, const float *x, float inverse, float m, size_t n, float *q);

#endif
