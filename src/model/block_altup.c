/* AltUp (Baykal et al. 2023, "Alternating Updates for Efficient Transformers"): several
 * residual streams side by side, of which layers compute only the first. The others are
 * predicted from all of them and corrected by the error of the first one's prediction. */
#include <math.h>

#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/blocks.h"
#include "model/model_internal.h"

enum {
	MAX_STREAMS = 4,
	STRETCH = 64,    /* elements of all streams at a time */
	GRAIN = 1 << 14, /* floats that are worth waking a thread for */
};

float *altup_stream(const struct pass *p, size_t i)
{
	size_t first = p->pos - p->f->pos;

	if (i == 0)
		return p->x;
	return p->scratch->streams +
	       ((i - 1) * p->scratch->n_batch + first) * p->plan->n_embd;
}

/* What the tasks below share. */
struct altup_job {
	float *streams[MAX_STREAMS];
	size_t n_streams, n_embd;
	const float *coefs;
	const float *computed;
};

static void run_tokens(const struct pass *p, threadpool_task task, const float *computed)
{
	struct altup_job job = {.n_streams = 1 + p->plan->n_side_streams, .n_embd = p->plan->n_embd,
	                  .coefs = p->scratch->coefs, .computed = computed};

	for (size_t i = 0; i < job.n_streams; i++)
		job.streams[i] = altup_stream(p, i);
	threadpool_run(p->compute->pool, p->n, GRAIN / (job.n_embd * job.n_streams) + 1, task, &job);
}

/* scratch->coefs: linear(tanh(router(norm(x[n][n_embd])) / n_embd)) */
static void route(const struct pass *p, const float *x, const struct linear *linear)
{
	const struct layer_weights *w = p->weights;
	struct scratch *s = p->scratch;
	size_t n_embd = p->plan->n_embd, n_streams = 1 + p->plan->n_side_streams;
	struct activations in;

	normalise(p->compute, p->plan->norm, x, p->n, &w->altup_router_norm, p->plan->norm_eps, s->norm);
	scale(p->compute, s->norm, 1 / (float)n_embd, p->n * n_embd);
	activations_set(&in, s->quants, s->norm, p->n, n_embd);
	apply_linear(p, &w->altup_router, &in, s->routes);
	softcap(p->compute, s->routes, 1, p->n * n_streams);
	activations_set(&in, s->quants, s->routes, p->n, n_streams);
	apply_linear(p, linear, &in, s->coefs);
}

/* Elements begin .. begin + n - 1 of a token's streams: each gets coefs[to][from] of all. */
static void mix_stretch(const struct altup_job *job, size_t begin, size_t n, const float *coefs)
{
	float old[MAX_STREAMS][STRETCH];

	for (size_t from = 0; from < job->n_streams; from++)
		for (size_t k = 0; k < n; k++)
			old[from][k] = job->streams[from][begin + k];
	for (size_t to = 0; to < job->n_streams; to++) {
		float *stream = job->streams[to] + begin, sum[STRETCH] = {0};

		for (size_t from = 0; from < job->n_streams; from++)
			for (size_t k = 0; k < n; k++)
				sum[k] += coefs[to * job->n_streams + from] * old[from][k];
		for (size_t k = 0; k < n; k++)
			stream[k] += sum[k];
	}
}

static void predict_tokens(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct altup_job *job = ctx;

	(void)thread;
	for (size_t t = begin; t < end; t++)
		for (size_t i = 0; i < job->n_embd; i += STRETCH)
			mix_stretch(job, t * job->n_embd + i,
			            job->n_embd - i < STRETCH ? job->n_embd - i : STRETCH,
			            job->coefs + t * job->n_streams * job->n_streams);
}

void altup_predict(const struct pass *p)
{
	route(p, p->x, &p->weights->predict);
	run_tokens(p, predict_tokens, NULL);
}

static void correct_tokens(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct altup_job *job = ctx;

	(void)thread;
	for (size_t t = begin; t < end; t++) {
		const float *computed = job->computed + t * job->n_embd;
		const float *predicted = job->streams[0] + t * job->n_embd;

		for (size_t i = job->n_streams; i-- > 0;) { /* last, since the others are compared with it */
			float *stream = job->streams[i] + t * job->n_embd;
			float by = job->coefs[t * job->n_streams + i] + 1;

			for (size_t k = 0; k < job->n_embd; k++)
				stream[k] += by * (computed[k] - predicted[k]);
		}
	}
}

void altup_correct(const struct pass *p, const float *computed)
{
	route(p, computed, &p->weights->correct);
	run_tokens(p, correct_tokens, computed);
}

static double magnitude(const float *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i] * (double)x[i];
	return sqrt(sum);
}

/* Scales each of n rows to the length of `like`'s. */
static void match_magnitude(const struct pass *p, const float *like, float *x)
{
	size_t n_embd = p->plan->n_embd;

	for (size_t t = 0; t < p->n; t++) {
		double found = magnitude(x + t * n_embd, n_embd);
		double wanted = magnitude(like + t * n_embd, n_embd);

		if (found > 0)
			scale(p->compute, x + t * n_embd, (float)(wanted / found), n_embd);
	}
}

void altup_begin(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	struct activations x;

	activations_set(&x, p->scratch->quants, p->x, p->n, p->plan->n_embd);
	for (size_t i = 1; i <= p->plan->n_side_streams; i++) {
		apply_linear(p, &w->altup_proj[i - 1], &x, altup_stream(p, i));
		match_magnitude(p, p->x, altup_stream(p, i));
	}
}

/* The mean of all streams, projected back. */
void altup_end(const struct pass *p)
{
	const struct weights *w = &p->f->model->weights;
	size_t n_embd = p->plan->n_embd, count = p->n * n_embd;
	struct activations x;

	for (size_t i = 1; i <= p->plan->n_side_streams; i++) {
		activations_set(&x, p->scratch->quants, altup_stream(p, i), p->n, n_embd);
		apply_linear(p, &w->altup_unembd[i - 1], &x, p->scratch->out);
		match_magnitude(p, p->x, p->scratch->out);
		for (size_t k = 0; k < count; k++)
			altup_stream(p, i)[k] = p->scratch->out[k];
	}
	for (size_t i = 1; i <= p->plan->n_side_streams; i++)
		add(p->compute, p->x, altup_stream(p, i), count);
	scale(p->compute, p->x, 1 / (float)(1 + p->plan->n_side_streams), count);
}
