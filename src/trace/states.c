#include "trace/states.h"

#include <math.h>

#include "model/model.h"

static const unsigned recurrent = MIXER_DELTA | MIXER_MAMBA2 | MIXER_SHORTCONV;

bool states_has(const struct model *model, size_t layer)
{
	return (model_plan(model)->layers[layer].mixers & recurrent) != 0;
}

void states_want(struct recorder *recorder, size_t layer)
{
	recorder_want(recorder, PROBE_STATE, layer);
}

static struct state_part measure(const float *x, size_t n)
{
	struct state_part part = {.norm = 0};
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double size = fabs((double)x[i]);

		sum += size * size;
		if (!isnan(part.largest) && !(size <= part.largest))
			part.largest = size;
	}
	part.norm = sqrt(sum);
	return part;
}

enum status states_make(struct state_trace *out, const struct model *model, const struct recorder *recorder,
                        size_t layer, struct error *err)
{
	const struct plan *plan = model_plan(model);
	const struct layer_plan *l = &plan->layers[layer];
	const struct record *state = recorder_find(recorder, PROBE_STATE, layer);
	size_t conv = layer_conv_floats(plan, layer);

	if (recorder_status(recorder, err))
		return err->status;
	if (!state)
		return error_set(err, STATUS_USAGE, "nothing has passed through layer %zu", layer);
	*out = (struct state_trace){
		.layer = layer, .pos = state->pos, .convolution = measure(state->data, conv),
		.mixer = l->mixers & MIXER_DELTA ? "delta net" : l->mixers & MIXER_MAMBA2 ? "Mamba-2" : "convolution"};
	if (state->width > conv) {
		out->n_head = l->n_state_head;
		out->n_floats = (size_t)l->state_key * l->state_value;
		out->heads = state->data + conv;
	}
	return STATUS_OK;
}

struct state_part state_head(const struct state_trace *trace, size_t head)
{
	return measure(trace->heads + head * trace->n_floats, trace->n_floats);
}
