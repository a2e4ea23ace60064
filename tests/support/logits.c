#include "support/logits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/options.h"
#include "gguf/reader.h"

void must(enum status status, const struct error *err)
{
	if (status) {
		printf("FAIL %s\n", err->text);
		exit(1);
	}
}

struct model *logits_open_model(const char *path)
{
	struct error err = {0};
	struct gguf *gguf;
	struct model *model;

	must(gguf_open(&gguf, path, &err), &err);
	must(model_open(&model, gguf, NULL, &err), &err);
	return model;
}

struct session *logits_open_session(const struct model *model,
                                    const struct logits_options *options)
{
	struct engine_params params = engine_params_default();
	struct error err = {0};
	struct compute compute = {.pool = options->pool, .isa = options->isa};
	struct session *session;

	if (!compute.isa)
		must(isa_find(&compute.isa, NULL, &err), &err);
	params.kv_type_k = params.kv_type_v = options->kv_type;
	params.n_ctx = options->n_ctx;
	if (!params.n_ctx && model_plan(model)->has_long_factors) /* as for a chat that is longer */
		params.n_ctx = (int32_t)model_plan(model)->n_ctx_train;
	if (options->n_batch)
		params.n_batch = options->n_batch;
	params.kv_cache = !options->no_cache;
	must(session_create(&session, model, &compute, &params, &err), &err);
	return session;
}

void logits_evaluate(struct session *session, const int32_t *ids, size_t n, size_t cut,
                     size_t n_vocab, float *out)
{
	struct error err = {0};

	if (cut)
		must(session_eval(session, ids, cut, 0, out, &err), &err);
	must(session_eval(session, ids + cut, n - cut, cut, out + cut * n_vocab, &err), &err);
}

float *logits_of_model(const struct model *model, const struct logits_options *options,
                       const int32_t *ids, size_t n)
{
	size_t n_vocab = model_plan(model)->n_vocab;
	struct session *session = logits_open_session(model, options);
	float *logits = calloc(n * n_vocab, sizeof *logits);

	if (!logits)
		exit(1);
	logits_evaluate(session, ids, n, 0, n_vocab, logits);
	session_free(session);
	return logits;
}

static double row_kl(const float *p, const float *q, size_t n)
{
	double max_p = -INFINITY, max_q = -INFINITY, sum_p = 0, sum_q = 0, kl = 0;

	for (size_t i = 0; i < n; i++) {
		max_p = fmax(max_p, (double)p[i]);
		max_q = fmax(max_q, (double)q[i]);
	}
	for (size_t i = 0; i < n; i++) {
		sum_p += exp((double)p[i] - max_p);
		sum_q += exp((double)q[i] - max_q);
	}
	for (size_t i = 0; i < n; i++) {
		double log_p = (double)p[i] - max_p - log(sum_p);

		kl += exp(log_p) * (log_p - ((double)q[i] - max_q - log(sum_q)));
	}
	return kl;
}

double logits_mean_kl(const float *p, const float *q, size_t n, size_t n_vocab)
{
	double kl = 0;

	for (size_t i = 0; i < n; i++)
		kl += row_kl(p + i * n_vocab, q + i * n_vocab, n_vocab) / (double)n;
	return kl;
}

int32_t logits_best(const float *logits, size_t n_vocab)
{
	int32_t best = 0;

	for (size_t i = 1; i < n_vocab; i++)
		if (logits[i] > logits[best])
			best = (int32_t)i;
	return best;
}
