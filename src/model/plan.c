#include "model/plan.h"

/* The largest of n layers' values, each a product of two. */
#define LARGEST(plan, a, b) \
	uint32_t max = 0; \
	for (uint32_t i = 0; i < (plan)->n_layer; i++) { \
		const struct layer_plan *l = &(plan)->layers[i]; \
	\
		uint32_t found = (a) * (b); \
	\
		max = found > max ? found : max; \
	} \
	return max

uint32_t plan_max_ff(const struct plan *plan)
{
	LARGEST(plan, l->n_ff, 1);
}

uint32_t plan_max_expert_ff(const struct plan *plan)
{
	LARGEST(plan, l->experts.n_ff, 1);
}

uint32_t plan_max_experts(const struct plan *plan)
{
	LARGEST(plan, l->experts.n, 1);
}

uint32_t plan_max_experts_used(const struct plan *plan)
{
	LARGEST(plan, l->experts.n_used, 1);
}

uint32_t plan_max_q(const struct plan *plan)
{
	LARGEST(plan, l->n_head, l->head_dim_k);
}

uint32_t plan_max_heads(const struct plan *plan)
{
	LARGEST(plan, l->n_head, l->head_dim_v);
}

uint32_t plan_max_k(const struct plan *plan)
{
	LARGEST(plan, l->n_head_kv, l->head_dim_k);
}

uint32_t plan_max_v(const struct plan *plan)
{
	LARGEST(plan, l->n_head_kv, l->head_dim_v);
}

uint32_t layer_latent_queries(const struct layer_plan *layer)
{
	return layer->n_head * (layer->latent.key + layer->head_dim_k - layer->head_dim_v);
}

uint32_t plan_max_q_rank(const struct plan *plan)
{
	LARGEST(plan, l->latent.q_rank, 1);
}

uint32_t plan_max_latent_heads(const struct plan *plan)
{
	LARGEST(plan, l->latent.key ? l->n_head : 0, 1);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint32_t plan_max_latent_head(const struct plan *plan)
{
	LARGEST(plan, l->latent.key ? larger(l->head_dim_v, larger(l->latent.key, l->latent.value)) : 0, 1);
}

uint32_t plan_max_latent_width(const struct plan *plan)
{
	LARGEST(plan, l->latent.key ? larger(layer_latent_queries(l), l->n_head * l->latent.value) : 0, 1);
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
	return plan_max_experts(plan) && !plan_is_recurrent(plan) ? 512 : 256;
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

uint32_t plan_max_channels(const struct plan *plan)
{
	LARGEST(plan, l->mixers & RECURRENT ? (uint32_t)layer_conv_channels(plan, i) : 0, 1);
}

uint32_t plan_max_state_heads(const struct plan *plan)
{
	LARGEST(plan, l->n_state_head, 1);
}

uint32_t plan_max_state_width(const struct plan *plan)
{
	uint32_t embd = plan->n_embd;

	LARGEST(plan, l->mixers & MIXER_SHORTCONV ? embd : l->n_state_head * l->state_value, 1);
}
