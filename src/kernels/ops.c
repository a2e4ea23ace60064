#include "kernels/ops.h"

#include "kernels/compute.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"

/* Floats that a thread takes at a time; less is not worth waking one. */
enum { GRAIN = 1 << 14, SILU_GRAIN = 1 << 12 };

struct norm {
	const struct vector_kernels *kernels;
	float *out;
	const float *x, *weight;
	size_t dim;
	float eps;
};

static void rmsnorm_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct norm *norm = ctx;

	(void)thread;
	for (size_t row = begin; row < end; row++)
		norm->kernels->rmsnorm(norm->x + row * norm->dim, norm->dim, norm->weight, norm->eps,
		                       norm->out + row * norm->dim);
}

void rmsnorm(const struct compute *compute, const float *x, size_t n, size_t dim,
             const float *weight, float eps, float *out)
{
	struct norm norm = {.kernels = compute->isa->ops, .out = out, .x = x, .weight = weight,
	                    .dim = dim, .eps = eps};

	threadpool_run(compute->pool, n, GRAIN / dim + 1, rmsnorm_range, &norm);
}

/* An operation on each element of one row of floats, with another one. */
struct elements {
	void (*run)(float *x, const float *y, size_t n);
	float *x;
	const float *y;
};

static void run_elements(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct elements *elements = ctx;

	(void)thread;
	elements->run(elements->x + begin, elements->y + begin, end - begin);
}

void add(const struct compute *compute, float *x, const float *y, size_t count)
{
	struct elements elements = {compute->isa->ops->add, x, y};

	threadpool_run(compute->pool, count, GRAIN, run_elements, &elements);
}

void add_bias(float *x, size_t n, size_t dim, const float *bias)
{
	if (!bias)
		return;
	for (size_t row = 0; row < n; row++)
		for (size_t i = 0; i < dim; i++)
			x[row * dim + i] += bias[i];
}

void silu_mul(const struct compute *compute, float *gate, const float *up, size_t count)
{
	struct elements elements = {compute->isa->ops->silu_mul, gate, up};

	threadpool_run(compute->pool, count, SILU_GRAIN, run_elements, &elements);
}
