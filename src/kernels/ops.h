/* The small operations of a transformer layer, on rows of floats. Each row is
 * computed in one fixed order, whatever the batch. */
#ifndef SOTTO_KERNELS_OPS_H
#define SOTTO_KERNELS_OPS_H

#include <stddef.h>

struct compute;

enum norm {
	NORM_RMS,   /* x / sqrt(mean(x^2) + eps) * weight + bias (Zhang and Sennrich 2019, "Root Mean Square
	             * Layer Normalization") */
	NORM_L2,    /* x / max(sqrt(sum(x^2)), eps) * weight */
	NORM_LAYER, /* (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias (Ba et al. 2016) */
	NORM_COUNT
};

/* Weights of a norm: vector i of those that are normalised gets row i % n. */
struct norm_weights {
	size_t dim, n;       /* dim 0: there is no such norm */
	const float *weight; /* [n][dim]; NULL: ones */
	const float *bias;   /* likewise; NULL: zeros */
};

/* Normalises each of `count` vectors of weights->dim floats. x may be out. */
void normalise(const struct compute *compute, enum norm norm, const float *x, size_t count,
               const struct norm_weights *weights, float eps, float *out);

/* x += y, count floats. */
void add(const struct compute *compute, float *x, const float *y, size_t count);

/* x += factor * y, count floats. In the caller's thread. */
void add_scaled(const struct compute *compute, float *x, const float *y, float factor, size_t count);

/* Adds bias[dim] to each of n rows; NULL adds nothing. */
void add_bias(float *x, size_t n, size_t dim, const float *bias);

/* x *= y, count floats. */
void multiply(const struct compute *compute, float *x, const float *y, size_t count);

/* x *= factor, count floats; nothing for 1. */
void scale(const struct compute *compute, float *x, float factor, size_t count);

/* x = cap * tanh(x / cap), count floats. */
void softcap(const struct compute *compute, float *x, float cap, size_t count);

/* Each of n rows of `dim` floats: what an element exceeds the row's mean plus `cutoff`
 * standard deviations by, else 0 (Gemma 3n). */
void gaussian_topk(const struct compute *compute, float *x, size_t n, size_t dim, float cutoff);

enum activation {
	ACTIVATION_SILU,  /* x / (1 + exp(-x)) */
	ACTIVATION_GELU,  /* its form with tanh (Hendrycks and Gimpel 2016) */
	/* the same, rounded to half precision before and after, like the reference's table: for
	 * models in which so small a difference grows */
	ACTIVATION_GELU_F16,
	ACTIVATION_RELU2, /* max(x, 0)^2 */
	ACTIVATION_SIGMOID, /* 1 / (1 + exp(-x)) */
	/* with g = min(x, 7) and y, which is required, clamped to -7 .. 7: g / (1 + exp(-1.702
	 * g)) * (y + 1) (OpenAI 2025, "gpt-oss-120b & gpt-oss-20b") */
	ACTIVATION_CLAMPED,
	ACTIVATION_COUNT
};

/* x = activation(x) * y, count floats (Shazeer 2020, "GLU Variants Improve Transformer"); y NULL:
 * activation(x) alone. */
void activate(const struct compute *compute, enum activation activation, float *x, const float *y,
              size_t count);

#endif
