/* What a family's rows of tensors mean for a plan: lengths, and which layers have them. */
#include "model/weights.h"

uint64_t weights_dim_length(const struct plan *plan, size_t layer, enum weights_dim dim)
{
	const struct layer_plan *l = &plan->layers[layer];
	uint64_t q = (uint64_t)l->n_head * l->head_dim_k, k = (uint64_t)l->n_head_kv * l->head_dim_k;
	uint64_t v = (uint64_t)l->n_head_kv * l->head_dim_v;
	uint64_t width = (uint64_t)l->n_state_head * l->state_value;
	uint64_t streams = 1 + (uint64_t)plan->n_side_streams;

	if (l->gates_heads)
		q *= 2;

	switch (dim) {
	case DIM_ONE: return 1;
	case DIM_EMBD: return plan->n_embd;
	case DIM_VOCAB: return plan->n_vocab;
	case DIM_ROPE: return plan->ropes[0].dim / 2;
	case DIM_N_HEAD: return l->n_head;
	case DIM_N_HEAD_KV: return l->n_head_kv;
	case DIM_HEAD_K: return l->head_dim_k;
	case DIM_Q: return q;
	case DIM_K: return k;
	case DIM_V: return v;
	case DIM_HEADS: return (uint64_t)l->n_head * l->head_dim_v;
	case DIM_FF: return l->n_ff;
	case DIM_EXPERTS: return l->experts.n;
	case DIM_EXPERT_FF: return l->experts.n_ff;
	case DIM_Q_RANK: return l->latent.q_rank;
	case DIM_LATENT_KEY: return l->latent.key;
	case DIM_LATENT_VALUE: return l->latent.value;
	case DIM_LATENT_KV: return (uint64_t)l->latent.key + l->latent.value;
	case DIM_LATENT_Q: return layer_latent_queries(l);
	case DIM_LATENT_HEADS: return (uint64_t)l->n_head * l->latent.value;
	case DIM_TAPS: return l->conv_taps;
	case DIM_CHANNELS: return layer_conv_channels(plan, layer);
	case DIM_STATE_HEADS: return l->n_state_head;
	case DIM_2STATE_HEADS: return 2 * (uint64_t)l->n_state_head;
	case DIM_STATE_GROUPS: return l->n_state_group;
	case DIM_STATE_WIDTH: return width;
	case DIM_STATE_VALUE: return l->state_value;
	case DIM_GROUP_WIDTH: return l->n_state_group ? width / l->n_state_group : 0;
	case DIM_WIDTH_CHANNELS: return width + layer_conv_channels(plan, layer);
	case DIM_SSM_IN: return width + layer_conv_channels(plan, layer) + l->n_state_head;
	case DIM_2EMBD: return 2 * (uint64_t)plan->n_embd;
	case DIM_3EMBD: return 3 * (uint64_t)plan->n_embd;
	case DIM_LAYER_EMBD: return plan->n_layer_embd;
	case DIM_LAYER_EMBDS: return (uint64_t)plan->n_layer_embd * plan->n_layer;
	case DIM_LAUREL: return plan->laurel_rank;
	case DIM_STREAMS: return streams;
	case DIM_STREAMS2: return streams * streams;
	case DIM_SIDE_STREAMS: return plan->n_side_streams;
	case DIM_QK: return q + k;
	case DIM_QKV: return q + k + v;
	case DIM_2FF: return 2 * (uint64_t)l->n_ff;
	case DIM_2EXPERT_FF: return 2 * (uint64_t)l->experts.n_ff;
	case DIM_NONE: break;
	}
	return 0;
}

bool weights_group_applies(const struct weights_group *group, const struct plan *plan, size_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];

	switch (group->layers) {
	case ALL_LAYERS: break;
	case ATTENTION_LAYERS: return l->mixers & MIXER_ATTENTION;
	case KV_LAYERS: return l->mixers & MIXER_ATTENTION && l->kv_layer == layer;
	case JOINED_LATENT_LAYERS: return l->latent.is_joined;
	case SPLIT_LATENT_LAYERS: return !l->latent.is_joined;
	case LOW_QUERY_LAYERS: return l->latent.q_rank > 0;
	case FULL_QUERY_LAYERS: return l->latent.q_rank == 0;
	case FFN_LAYERS: return l->n_ff > 0 || l->experts.n > 0;
	case DENSE_LAYERS: return l->n_ff > 0 && !l->experts.n;
	case EXPERT_LAYERS: return l->experts.n > 0;
	case SHARED_LAYERS: return l->n_ff > 0 && l->experts.n > 0;
	case DELTA_LAYERS: return l->mixers & MIXER_DELTA;
	case MAMBA2_LAYERS: return l->mixers & MIXER_MAMBA2;
	case SHORTCONV_LAYERS: return l->mixers & MIXER_SHORTCONV;
	case EMBD_LAYERS: return plan->n_layer_embd > 0;
	}
	return true;
}
