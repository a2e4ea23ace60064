/* What the blocks of a model compute, from their definitions and in double precision. */
#ifndef SOTTO_DOCTOR_REFERENCE_H
#define SOTTO_DOCTOR_REFERENCE_H

#include <stddef.h>

#include "kernels/ops.h"
#include "model/weights.h"

/* Root mean square of a - b, divided by b's; 0 where both are 0. `a` may have numbers that are not finite: infinity. */
double reference_distance(const float *a, const double *b, size_t n);
/* y[rows] = matrix * x[cols] of `n` rows from `first`; `row`: memory for cols floats. */
void reference_multiply(const struct matrix *m, size_t first, size_t n, const float *x, float *row, double *y);
/* out[dim]: x[dim] normalised with row i of the weights (kernels/ops.h). */
void reference_norm(enum norm norm, double eps, const struct norm_weights *weights, size_t i, const double *x,
                    double *out);
/* Expert i of a stack, as it lies in the file: apart from stack_at, and without panels. */
struct matrix reference_expert(const struct stack *stack, size_t i);
double reference_activation(enum activation activation, double x);

#endif
