#include "kernels/scan.h"

#include <string.h>

#include "kernels/compute.h"
#include "kernels/ops_kernels.h"
#include "kernels/threadpool.h"

enum {
	GRAIN = 1 << 14, /* floats that a thread takes at a time */
	ROWS = 8,        /* of a state that are one piece of work: whole cache lines of output */
};

struct conv_job {
	const struct vector_kernels *kernels;
	const struct conv *conv;
};

static const float *input_row(const struct conv *c, size_t t, size_t tap)
{
	size_t at = t + tap; /* n_taps - 1 rows precede the first token's own */

	return at < c->n_taps - 1 ? c->before + at * c->n_channels
	                          : c->x + (at - (c->n_taps - 1)) * c->n_channels;
}

static void convolve_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct conv_job *job = ctx;
	const struct conv *c = job->conv;
	const float *rows[CONV_MAX_TAPS];

	(void)thread;
	for (size_t t = begin; t < end; t++) {
		for (size_t j = 0; j < c->n_taps; j++)
			rows[j] = input_row(c, t, j);
		job->kernels->conv(rows, c->n_taps, c->taps, c->bias, c->activated, c->n_channels,
		                   c->out + t * c->n_channels);
	}
}

void convolve(const struct compute *compute, const struct conv *conv)
{
	struct conv_job job = {compute->isa->ops, conv};

	threadpool_run(compute->pool, conv->n, GRAIN / (conv->n_channels * conv->n_taps) + 1,
	               convolve_range, &job);
	for (size_t j = 0; j + 1 < conv->n_taps; j++)
		memcpy(conv->next + j * conv->n_channels, input_row(conv, conv->n, j),
		       conv->n_channels * sizeof *conv->next);
}

struct scan_job {
	const struct vector_kernels *kernels;
	const struct scan *scan;
	size_t pieces; /* of a head */
};

static void scan_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct scan_job *job = ctx;
	size_t n_value = job->scan->n_value;

	(void)thread;
	for (size_t i = begin; i < end; i++) {
		size_t first = i % job->pieces * ROWS;
		size_t last = first + ROWS < n_value ? first + ROWS : n_value;

		job->kernels->scan(job->scan, i / job->pieces, first, last);
	}
}

void scan_states(const struct compute *compute, const struct scan *scan)
{
	struct scan_job job = {compute->isa->ops, scan, (scan->n_value + ROWS - 1) / ROWS};
	size_t piece = ROWS * scan->n_key * (scan->n + 1);

	threadpool_run(compute->pool, scan->n_head * job.pieces, GRAIN / piece + 1, scan_range, &job);
}
