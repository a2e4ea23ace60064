#include "trace/attention.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"

void attention_want(struct recorder *recorder, const struct model *model, size_t layer)
{
	recorder_want(recorder, PROBE_QUERY, layer);
	recorder_want(recorder, PROBE_KEY, model_plan(model)->layers[layer].kv_layer);
}

static bool attends(const struct layer_plan *layer)
{
	return (layer->mixers & MIXER_ATTENTION) != 0;
}

enum status attention_check(const struct model *model, size_t layer, size_t head, struct error *err)
{
	const struct plan *plan = model_plan(model);

	if (layer >= plan->n_layer)
		return error_set(err, STATUS_USAGE, "there is no layer %zu: this model has 0 to %" PRIu32, layer,
		                 plan->n_layer - 1);
	if (!attends(&plan->layers[layer])) {
		size_t other = 0;

		while (other < plan->n_layer && !attends(&plan->layers[other]))
			other++;
		return other < plan->n_layer
		               ? error_set(err, STATUS_USAGE, "layer %zu has no attention; layer %zu has", layer, other)
		               : error_set(err, STATUS_USAGE, "no layer of this model has attention");
	}
	if (head >= plan->layers[layer].n_head)
		return error_set(err, STATUS_USAGE, "there is no head %zu: layer %zu has 0 to %" PRIu32, head, layer,
		                 plan->layers[layer].n_head - 1);
	return STATUS_OK;
}

const double *attention_row(const struct attention_trace *trace, size_t q)
{
	return trace->weights + q * (q + 1) / 2;
}

size_t attention_first(const struct attention_trace *trace, size_t q)
{
	if (trace->window == 0)
		return 0;
	if (trace->by_chunks)
		return q / trace->window * trace->window;
	return q + 1 > trace->window ? q + 1 - trace->window : 0;
}

static double score_of(const struct layer_plan *layer, const float *q, const float *k)
{
	double sum = 0, cap = (double)layer->softcap;

	for (size_t i = 0; i < layer->head_dim_k; i++)
		sum += (double)q[i] * (double)k[i];
	sum *= (double)layer->attention_scale;
	return cap > 0 ? cap * tanh(sum / cap) : sum;
}

/* One query's row: scores become weights. `sink`: one more score, without a value; NULL: none. */
static void fill_row(struct attention_trace *trace, const struct layer_plan *layer, const float *query,
                     const struct record *keys, size_t q, const float *sink)
{
	double *row = trace->weights + q * (q + 1) / 2, most = sink ? (double)*sink : -INFINITY, sum = 0;
	size_t first = attention_first(trace, q);

	for (size_t p = first; p <= q; p++) {
		row[p] = score_of(layer, query, keys->data + p * keys->width + trace->kv_head * layer->head_dim_k);
		most = fmax(most, row[p]);
	}
	for (size_t p = first; p <= q; p++)
		sum += row[p] = exp(row[p] - most);
	if (sink) {
		trace->sink[q] = exp((double)*sink - most);
		sum += trace->sink[q];
		trace->sink[q] /= sum;
	}
	for (size_t p = first; p <= q; p++)
		row[p] /= sum;
}

enum status attention_make(struct attention_trace *out, const struct model *model, const struct recorder *recorder,
                           size_t layer, size_t head, struct error *err)
{
	const struct layer_plan *plan = &model_plan(model)->layers[layer];
	const float *sinks = model_sinks(model, layer);
	const struct record *queries = recorder_find(recorder, PROBE_QUERY, layer);
	const struct record *keys = recorder_find(recorder, PROBE_KEY, plan->kv_layer);

	*out = (struct attention_trace){.layer = layer, .head = head, .kv_layer = plan->kv_layer,
	                                .kv_head = head / (plan->n_head / plan->n_head_kv), .window = plan->window,
	                                .by_chunks = plan->by_chunks};
	if (recorder_status(recorder, err))
		return err->status;
	if (!queries || !keys)
		return error_set(err, STATUS_USAGE, "nothing has passed through layer %zu", layer);
	if (queries->n > ATTENTION_TRACE_MAX)
		return error_set(err, STATUS_LIMIT, "attention is shown of at most %d tokens, here are %zu",
		                 ATTENTION_TRACE_MAX, queries->n);
	out->n = queries->n;
	out->weights = alloc_array(out->n * (out->n + 1) / 2, sizeof *out->weights);
	out->sink = sinks ? alloc_array(out->n, sizeof *out->sink) : NULL;
	if (!out->weights || (sinks && !out->sink))
		return error_no_memory(err, "for the weights of attention");
	for (size_t q = 0; q < out->n; q++)
		fill_row(out, plan, queries->data + q * queries->width + head * plan->head_dim_k, keys, q,
		         sinks ? sinks + head : NULL);
	return STATUS_OK;
}

void attention_free(struct attention_trace *trace)
{
	free(trace->weights);
	free(trace->sink);
	*trace = (struct attention_trace){.n = 0};
}
