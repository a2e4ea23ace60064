#include "kernels/ops.h"

#include "kernels/compute.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"

/* Floats that a thread takes at a time; less is not worth waking one. */
enum { GRAIN = 1 << 14, SILU_GRAIN = 1 << 12 };

struct job {
	const struct vector_kernels *kernels;
	float *out;
	const float *x, *weight;
	size_t dim;
	float eps;
};

static void rmsnorm_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct job *job = ctx;

	(void)thread;
	for (size_t row = begin; row < end; row++)
		job->kernels->rmsnorm(job->x + row * job->dim, job->dim, job->weight, job->eps,
		                      job->out + row * job->dim);
}

void rmsnorm(const struct compute *compute, const float *x, size_t n, size_t dim,
             const float *weight, float eps, float *out)
{
	struct job job = {.kernels = compute->isa->ops, .out = out, .x = x, .weight = weight,
	                  .dim = dim, .eps = eps};

	threadpool_run(compute->pool, n, GRAIN / dim + 1, rmsnorm_range, &job);
}

static void add_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct job *job = ctx;

	(void)thread;
	job->kernels->add(job->out + begin, job->x + begin, end - begin);
}

void add(const struct compute *compute, float *x, const float *y, size_t count)
{
	struct job job = {.kernels = compute->isa->ops, .out = x, .x = y};

	threadpool_run(compute->pool, count, GRAIN, add_range, &job);
}

void add_bias(float *x, size_t n, size_t dim, const float *bias)
{
	if (!bias)
		return;
	for (size_t row = 0; row < n; row++)
		for (size_t i = 0; i < dim; i++)
			x[row * dim + i] += bias[i];
}

static void silu_mul_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct job *job = ctx;

	(void)thread;
	job->kernels->silu_mul(job->out + begin, job->x + begin, end - begin);
}

void silu_mul(const struct compute *compute, float *gate, const float *up, size_t count)
{
	struct job job = {.kernels = compute->isa->ops, .out = gate, .x = up};

	threadpool_run(compute->pool, count, SILU_GRAIN, silu_mul_range, &job);
}
