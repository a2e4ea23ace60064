#include "trace/routes.h"

#include <math.h>

#include "model/experts.h"
#include "model/model.h"

bool routes_has(const struct model *model, size_t layer)
{
	return model_plan(model)->layers[layer].experts.n > 0;
}

void routes_want(struct recorder *recorder, size_t layer)
{
	recorder_want(recorder, PROBE_ROUTER, layer);
	recorder_want(recorder, PROBE_CHOSEN, layer);
	recorder_want(recorder, PROBE_ROUTE, layer);
}

enum status routes_make(struct routes_trace *out, const struct model *model, const struct recorder *recorder,
                        size_t layer, struct error *err)
{
	const struct experts_plan *plan = &model_plan(model)->layers[layer].experts;
	const struct record *logits = recorder_find(recorder, PROBE_ROUTER, layer);
	const struct record *chosen = recorder_find(recorder, PROBE_CHOSEN, layer);
	const struct record *weights = recorder_find(recorder, PROBE_ROUTE, layer);

	if (recorder_status(recorder, err))
		return err->status;
	if (!logits || !chosen || !weights)
		return error_set(err, STATUS_USAGE, "nothing has passed through the experts of layer %zu", layer);
	*out = (struct routes_trace){.layer = layer, .n = chosen->n, .n_used = plan->n_used, .n_experts = plan->n,
	                             .chosen = chosen->data, .weights = weights->data, .logits = logits->data};
	return STATUS_OK;
}

size_t routes_chosen(const struct routes_trace *trace, size_t token, size_t rank)
{
	return (size_t)trace->chosen[token * trace->n_used + rank];
}

double routes_entropy(const struct routes_trace *trace, size_t token)
{
	const float *logits = trace->logits + token * trace->n_experts;
	double most = -INFINITY, sum = 0, weighted = 0;

	for (size_t i = 0; i < trace->n_experts; i++)
		most = fmax(most, (double)logits[i]);
	for (size_t i = 0; i < trace->n_experts; i++) {
		double x = (double)logits[i] - most;

		sum += exp(x);
		weighted += exp(x) * x;
	}
	return (log(sum) - weighted / sum) / log(2);
}

struct routes_load routes_load_of(const struct routes_trace *trace)
{
	struct routes_load load = {.busiest = 0};
	size_t counts[EXPERTS_MAX] = {0};

	for (size_t i = 0; i < trace->n * trace->n_used; i++)
		counts[(size_t)trace->chosen[i]]++;
	for (size_t i = 0; i < trace->n_experts; i++) {
		load.n_with_tokens += counts[i] > 0;
		if (counts[i] > load.n_busiest) {
			load.busiest = i;
			load.n_busiest = counts[i];
		}
	}
	return load;
}
