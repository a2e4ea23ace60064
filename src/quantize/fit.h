/* Least squares for one group of weights: private to this folder.
 *
 * A group of weights x is stored as quants q, small numbers (levels), with a scale, x ~ d * q, or
 * with a scale and an offset, x ~ d * q - m. For given quants the best scale (and offset) is a
 * linear least-squares problem; for a given scale the best quant of each weight is the nearest
 * level. fit_scale and fit_affine try a series of scales that put the largest weight on or near
 * an end of the levels, solve the problem for the quants of each scale, and alternate both steps
 * from the best scale until nothing improves. The squared error of weight i counts with the
 * factor w[i] >= 0.
 *
 * Trying a series of scales, each solved by least squares, is the method of ggml-quants.c
 * (make_qx_quants, make_qkx2_quants); the series is longer here, since it is a matter of luck
 * which scale rounds best. */
#ifndef SOTTO_QUANTIZE_FIT_H
#define SOTTO_QUANTIZE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FIT_MAX = 32,         /* weights of a group */
	FIT_HALF_MAX = 65504, /* the largest scale in half precision */
};

/* w[i]: how much the error of x[i] counts, without an importance matrix: the larger the weight the
 * more, as for Q4_K in ggml-quants.c. The same factor for all weights gives a little less KL
 * divergence on small models (bench/LOG.md), but may clip a single large weight, which can matter
 * much in large models. */
void fit_importance(const float *x, size_t n, float *w);

/* The weight that is farthest from 0. */
float fit_extreme(const float *x, size_t n);

/* The scale in half precision, limited to +-65504 / unit. */
uint16_t fit_half(float scale, float unit);
/* 1 / d; 0 for a scale that vanishes. */
float fit_inverse(float d);

/* What quants may be: either the whole numbers from low to high or, with `values`, 16 numbers of
 * which low is the first and high the last. */
struct levels {
	float low, high;
	const int8_t *values; /* rising */
};

/* q[i] = the level nearest to x[i] * inverse. */
void levels_nearest(const struct levels *levels, const float *x, float inverse, size_t n, float *q);

/* Finds quants q and the scale d with x ~ d * q; returns d, of either sign; 0 where all x vanish in
 * half precision. */
float fit_scale(const struct levels *levels, const float *x, const float *w, size_t n, float *q);

struct affine {
	float d, m; /* d >= 0 */
};

/* Finds whole quants q, 0..q_max, scale and offset with x ~ d * q - m; `below`: only m >= 0 can be
 * stored. */
struct affine fit_affine(float q_max, bool below, const float *x, const float *w, size_t n,
                         float *q);

/* q[i] = the whole number 0..q_max nearest to (x[i] + m) * inverse. */
void affine_nearest(float q_max, const float *x, float inverse, float m, size_t n, float *q);

#endif
