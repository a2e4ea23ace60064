#include "model/plan.h"

const struct experts_plan *plan_experts(const struct plan *plan)
{
	uint32_t i = 0;

	while (i + 1 < plan->n_layer && !plan->layers[i].experts.n)
		i++;
	return &plan->layers[i].experts;
}

uint32_t layer_latent_queries(const struct layer_plan *layer)
{
	return layer->n_head * (layer->latent.key + layer->head_dim_k - layer->head_dim_v);
}

enum { RECURRENT = MIXER_DELTA | MIXER_MAMBA2 | MIXER_SHORTCONV };

bool plan_is_recurrent(const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (plan->layers[i].mixers & RECURRENT)
			return true;
	return false;
}

uint32_t plan_micro_batch(const struct plan *plan)
{
	return plan_experts(plan)->n && !plan_is_recurrent(plan) ? 512 : 256;
}

size_t layer_conv_channels(const struct plan *plan, size_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];

	if (l->mixers & MIXER_SHORTCONV)
		return plan->n_embd;
	return (size_t)l->n_state_head * l->state_value + 2 * (size_t)l->n_state_group * l->state_key;
}

size_t layer_conv_floats(const struct plan *plan, size_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];

	return l->mixers & RECURRENT ? (l->conv_taps - 1) * layer_conv_channels(plan, layer) : 0;
}

size_t layer_state_floats(const struct plan *plan, size_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];

	return layer_conv_floats(plan, layer) + (size_t)l->n_state_head * l->state_value * l->state_key;
}
