#include "kernels/rope.h"

#include <math.h>

#include "kernels/compute.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"

enum { GRAIN = 1 << 14 }; /* floats that a thread takes at a time */

void rope_table(const double *frequency, size_t n_pairs, size_t pos, size_t n, float scale,
                float *table)
{
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < n_pairs; i++) {
			double angle = (double)(pos + t) * frequency[i];

			*table++ = (float)cos(angle) * scale;
			*table++ = (float)sin(angle) * scale;
		}
}

struct rope_job {
	void (*rotate)(const float *table, size_t n_pairs, size_t n_heads, size_t dim, float *x);
	const float *table;
	size_t n_pairs, n_heads, dim;
	float *x;
};

static void rotate_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct rope_job *job = ctx;

	(void)thread;
	for (size_t t = begin; t < end; t++)
		job->rotate(job->table + t * 2 * job->n_pairs, job->n_pairs, job->n_heads,
		            job->dim, job->x + t * job->n_heads * job->dim);
}

void rope(const struct compute *compute, enum rope_pairing pairing, const float *table,
          size_t n_pairs, size_t n, size_t n_heads, size_t dim, float *x)
{
	const struct vector_kernels *ops = compute->isa->ops;
	struct rope_job job = {.table = table, .n_pairs = n_pairs, .n_heads = n_heads, .dim = dim,
	                  .x = x};

	job.rotate = pairing == ROPE_ADJACENT ? ops->rope_adjacent : ops->rope_halves;
	threadpool_run(compute->pool, n, GRAIN / (n_heads * dim) + 1, rotate_range, &job);
}
