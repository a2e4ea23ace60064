#include "kernels/ops.h"

#include <math.h>

#include "kernels/compute.h"
#include "kernels/threadpool.h"

void rmsnorm(const float *x, size_t n, size_t dim, const float *weight, float eps, float *out)
{
	for (size_t row = 0; row < n; row++, x += dim, out += dim) {
		double sum = 0;
		float scale;

		for (size_t i = 0; i < dim; i++)
			sum += (double)x[i] * (double)x[i];
		scale = (float)(1.0 / sqrt(sum / (double)dim + (double)eps));
		for (size_t i = 0; i < dim; i++)
			out[i] = x[i] * scale * weight[i];
	}
}

void add(float *x, const float *y, size_t count)
{
	for (size_t i = 0; i < count; i++)
		x[i] += y[i];
}

void add_bias(float *x, size_t n, size_t dim, const float *bias)
{
	if (!bias)
		return;
	for (size_t row = 0; row < n; row++)
		add(x + row * dim, bias, dim);
}

struct silu_job {
	float *gate;
	const float *up;
};

static void silu_mul_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct silu_job *job = ctx;

	(void)thread;
	for (size_t i = begin; i < end; i++)
		job->gate[i] = job->gate[i] / (1.0f + expf(-job->gate[i])) * job->up[i];
}

void silu_mul(const struct compute *compute, float *gate, const float *up, size_t count)
{
	struct silu_job job = {gate, up};

	threadpool_run(compute->pool, count, 4096, silu_mul_range, &job);
}

void softmax(float *x, size_t n)
{
	float max = -INFINITY, scale;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (x[i] > max)
			max = x[i];
	if (max == -INFINITY)
		max = 0;
	for (size_t i = 0; i < n; i++) {
		x[i] = expf(x[i] - max);
		sum += (double)x[i];
	}
	scale = sum == 0 ? 0 : (float)(1.0 / sum);
	for (size_t i = 0; i < n; i++)
		x[i] *= scale;
}
