/* The small operations of a transformer layer, on rows of floats. Each row is
 * computed in one fixed order, whatever the batch. */
#ifndef SOTTO_KERNELS_OPS_H
#define SOTTO_KERNELS_OPS_H

#include <stddef.h>

struct compute;

/* out = x / sqrt(mean(x^2) + eps) * weight for each of n rows of dim floats
 * (Zhang and Sennrich 2019, "Root Mean Square Layer Normalization"). */
void rmsnorm(const struct compute *compute, const float *x, size_t n, size_t dim,
             const float *weight, float eps, float *out);

/* x += y, count floats. */
void add(const struct compute *compute, float *x, const float *y, size_t count);

/* Adds bias[dim] to each of n rows; NULL adds nothing. */
void add_bias(float *x, size_t n, size_t dim, const float *bias);

/* gate = silu(gate) * up, count floats; silu(x) = x / (1 + exp(-x))
 * (Shazeer 2020, "GLU Variants Improve Transformer"). */
void silu_mul(const struct compute *compute, float *gate, const float *up, size_t count);

#endif
