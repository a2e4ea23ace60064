/* Matrices of weights and their product with activations. */
#ifndef SOTTO_KERNELS_MATMUL_H
#define SOTTO_KERNELS_MATMUL_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/quant.h"

struct compute;

/* A weight matrix as a file stores it: `rows` rows of `cols` weights each, in
 * blocks. The data is borrowed (it lies in the model file's mapping). */
struct matrix {
	const struct quant *quant;
	size_t rows, cols; /* cols: a multiple of the block length */
	const void *data;
};

/* Row `row` as cols floats. */
void matrix_row(const struct matrix *m, size_t row, float *out);

/* y[n][rows] = x[n][cols] * m^T: column c of a batch is x + c * cols, its
 * result y + c * rows. Each output is a dot product in one fixed order
 * (kernels/dot.h): it does not depend on n, nor on the threads. */
void matmul(const struct compute *compute, const struct matrix *m, const float *x, size_t n, float *y);

#endif
