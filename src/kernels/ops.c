#include "kernels/ops.h"

#include "kernels/compute.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"

/* Floats that a thread takes at a time; fewer are not worth waking one. */
enum { GRAIN = 1 << 14, EXP_GRAIN = 1 << 12 };

struct norm_job {
	const struct vector_kernels *kernels;
	enum norm norm;
	float *out;
	const float *x;
	const struct norm_weights *weights;
	float eps;
};

static void normalise_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct norm_job *job = ctx;
	const struct norm_weights *w = job->weights;

	(void)thread;
	for (size_t i = begin; i < end; i++) {
		size_t at = i % w->n * w->dim;

		job->kernels->normalise[job->norm](job->x + i * w->dim, w->dim,
		                                   w->weight ? w->weight + at : NULL,
		                                   w->bias ? w->bias + at : NULL, job->eps,
		                                   job->out + i * w->dim);
	}
}

void normalise(const struct compute *compute, enum norm norm, const float *x, size_t count,
               const struct norm_weights *weights, float eps, float *out)
{
	struct norm_job job = {.kernels = compute->isa->ops, .norm = norm, .out = out, .x = x,
	                       .weights = weights, .eps = eps};

	threadpool_run(compute->pool, count, GRAIN / weights->dim + 1, normalise_range, &job);
}

/* An operation on each element of a row of floats, with another row or a number. */
struct elements {
	void (*run)(float *x, const float *y, size_t n);
	void (*run_number)(float *x, float y, size_t n);
	float *x;
	const float *y;
	float number;
};

static void run_elements(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct elements *e = ctx;

	(void)thread;
	if (e->run)
		e->run(e->x + begin, e->y ? e->y + begin : NULL, end - begin);
	else
		e->run_number(e->x + begin, e->number, end - begin);
}

void add(const struct compute *compute, float *x, const float *y, size_t count)
{
	struct elements elements = {.run = compute->isa->ops->add, .x = x, .y = y};

	threadpool_run(compute->pool, count, GRAIN, run_elements, &elements);
}

void add_scaled(const struct compute *compute, float *x, const float *y, float factor, size_t count)
{
	compute->isa->ops->add_scaled(x, y, factor, count);
}

void multiply(const struct compute *compute, float *x, const float *y, size_t count)
{
	struct elements elements = {.run = compute->isa->ops->multiply, .x = x, .y = y};

	threadpool_run(compute->pool, count, GRAIN, run_elements, &elements);
}

void scale(const struct compute *compute, float *x, float factor, size_t count)
{
	struct elements elements = {.run_number = compute->isa->ops->scale, .x = x, .number = factor};

	if (factor != 1)
		threadpool_run(compute->pool, count, GRAIN, run_elements, &elements);
}

void softcap(const struct compute *compute, float *x, float cap, size_t count)
{
	struct elements elements = {.run_number = compute->isa->ops->softcap, .x = x, .number = cap};

	threadpool_run(compute->pool, count, EXP_GRAIN, run_elements, &elements);
}

void activate(const struct compute *compute, enum activation activation, float *x, const float *y,
              size_t count)
{
	struct elements elements = {.run = compute->isa->ops->activate[activation], .x = x, .y = y};

	threadpool_run(compute->pool, count, EXP_GRAIN, run_elements, &elements);
}

struct rows {
	void (*run)(float *x, float number, size_t n);
	float *x;
	size_t dim;
	float number;
};

static void run_rows(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct rows *rows = ctx;

	(void)thread;
	for (size_t i = begin; i < end; i++)
		rows->run(rows->x + i * rows->dim, rows->number, rows->dim);
}

void gaussian_topk(const struct compute *compute, float *x, size_t n, size_t dim, float cutoff)
{
	struct rows rows = {.run = compute->isa->ops->gaussian_topk, .x = x, .dim = dim,
	                    .number = cutoff};

	threadpool_run(compute->pool, n, GRAIN / dim + 1, run_rows, &rows);
}

void add_bias(float *x, size_t n, size_t dim, const float *bias)
{
	if (!bias)
		return;
	for (size_t row = 0; row < n; row++)
		for (size_t i = 0; i < dim; i++)
			x[row * dim + i] += bias[i];
}
