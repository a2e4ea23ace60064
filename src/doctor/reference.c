#include "doctor/reference.h"

#include <math.h>

#include "kernels/quant.h"

double reference_distance(const float *a, const double *b, size_t n)
{
	double difference = 0, square = 0;

	for (size_t i = 0; i < n; i++) {
		double d = (double)a[i] - b[i];

		difference += d * d;
		square += b[i] * b[i];
	}
	if (!isfinite(difference))
		return (double)INFINITY;
	return difference > 0 ? sqrt(difference / (square > 0 ? square : 1)) : 0;
}

void reference_multiply(const struct matrix *m, size_t first, size_t n, const float *x, float *row, double *y)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		matrix_row(m, first + i, row);
		for (size_t k = 0; k < m->cols; k++)
			sum += (double)row[k] * (double)x[k];
		y[i] = sum;
	}
}

void reference_norm(enum norm norm, double eps, const struct norm_weights *weights, size_t i, const double *x,
                    double *out)
{
	size_t dim = weights->dim, at = i % weights->n * dim;
	double mean = 0, square = 0, by;

	for (size_t k = 0; k < dim && norm == NORM_LAYER; k++)
		mean += x[k] / (double)dim;
	for (size_t k = 0; k < dim; k++)
		square += (x[k] - mean) * (x[k] - mean);
	by = norm == NORM_L2 ? 1 / fmax(sqrt(square), eps) : 1 / sqrt(square / (double)dim + eps);
	for (size_t k = 0; k < dim; k++)
		out[k] = (x[k] - mean) * by * (weights->weight ? (double)weights->weight[at + k] : 1) +
		         (weights->bias ? (double)weights->bias[at + k] : 0);
}

struct matrix reference_expert(const struct stack *stack, size_t i)
{
	struct matrix m = {.quant = stack->first.quant, .rows = stack->first.rows, .cols = stack->first.cols};

	m.data = (const char *)stack->first.data + i * stack->step * (m.cols / m.quant->n_elements * m.quant->n_bytes);
	return m;
}

double reference_activation(enum activation activation, double x)
{
	switch (activation) {
	case ACTIVATION_SILU: return x / (1 + exp(-x));
	case ACTIVATION_GELU:
	case ACTIVATION_GELU_F16: return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
	case ACTIVATION_RELU2: return x > 0 ? x * x : 0;
	case ACTIVATION_SIGMOID: return 1 / (1 + exp(-x));
	case ACTIVATION_CLAMPED: return fmin(x, 7) / (1 + exp(-1.702 * fmin(x, 7)));
	case ACTIVATION_COUNT: break;
	}
	return x;
}
