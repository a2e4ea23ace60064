/* DeepSeek V2 and V3 and what is built like them: Kimi K2, GLM 4.7 Flash (DeepSeek-AI 2024,
 * "DeepSeek-V2", "DeepSeek-V3"). Attention is latent; experts follow a few dense layers. */
#include <math.h>

#include "model/family.h"

static const struct weights_group latent = {WEIGHTS_ROWS(
	{"attn_kv_a_mqa", WEIGHTS_LINEAR, WEIGHTS_LAYER(latent), DIM_K, DIM_EMBD},
	{"attn_kv_a_norm", WEIGHTS_NORM, WEIGHTS_LAYER(latent_norm), DIM_ONE, DIM_V},
	{"attn_output", WEIGHTS_LINEAR, WEIGHTS_LAYER(o), DIM_EMBD, DIM_LATENT_HEADS})};

static const struct weights_group split_latent = {.layers = SPLIT_LATENT_LAYERS, WEIGHTS_ROWS(
	{"attn_k_b", WEIGHTS_STACK, WEIGHTS_LAYER(latent_key), DIM_V, DIM_LATENT_KEY, .slices = DIM_N_HEAD},
	{"attn_v_b", WEIGHTS_STACK, WEIGHTS_LAYER(latent_value), DIM_LATENT_VALUE, DIM_V, .slices = DIM_N_HEAD})};

/* Files of 2024 were made for attention that makes keys and values of all heads. */
static const struct weights_group joined_latent = {.layers = JOINED_LATENT_LAYERS, WEIGHTS_ROWS(
	{"attn_kv_b", WEIGHTS_JOINED_TRANSPOSED, WEIGHTS_LAYER(latent_key), DIM_V, DIM_LATENT_KEY,
	 .slices = DIM_N_HEAD, .before = DIM_NONE, .of = DIM_LATENT_KV},
	{"attn_kv_b", WEIGHTS_JOINED, WEIGHTS_LAYER(latent_value), DIM_LATENT_VALUE, DIM_V,
	 .slices = DIM_N_HEAD, .before = DIM_LATENT_KEY, .of = DIM_LATENT_KV})};

static const struct weights_group low_queries = {.layers = LOW_QUERY_LAYERS, WEIGHTS_ROWS(
	{"attn_q_a", WEIGHTS_LINEAR, WEIGHTS_LAYER(q_a), DIM_Q_RANK, DIM_EMBD},
	{"attn_q_a_norm", WEIGHTS_NORM, WEIGHTS_LAYER(q_a_norm), DIM_ONE, DIM_Q_RANK},
	{"attn_q_b", WEIGHTS_LINEAR, WEIGHTS_LAYER(q), DIM_LATENT_Q, DIM_Q_RANK})};

static const struct weights_group full_queries = {.layers = FULL_QUERY_LAYERS, WEIGHTS_ROWS(
	{"attn_q", WEIGHTS_LINEAR, WEIGHTS_LAYER(q), DIM_LATENT_Q, DIM_EMBD})};

/* The effect of stretched positions on scores is in the scale of attention, not in the
 * rotation; converters write a tenth of the key's value. */
static float attention_scale(struct keys *keys, struct rope_plan *rope, uint32_t key_length)
{
	float by = 10 * keys_f32(keys, "rope.scaling.yarn_log_multiplier", 0, 0, 100);
	float factor = 1 / rope->freq_scale, magnitude;

	if (by > 0 && rope->yarn > 0)
		rope->magnitude = keys_f32(keys, "rope.scaling.attn_factor", 1, 0.01, 100);
	if (rope->yarn == 0 && factor > 1)
		keys_note_difference(keys, "rope.scaling.factor", false);
	magnitude = rope->magnitude * (factor > 1 ? 1 + 0.1f * by * logf(factor) : 1);
	return magnitude * magnitude / sqrtf((float)key_length);
}

static void shape_deepseek2(struct keys *keys, struct plan *plan)
{
	uint32_t n_rotated = plan->ropes[0].dim;
	uint32_t rank = keys_required_u32(keys, "attention.kv_lora_rank", 1, ATTENTION_MAX_DIM - n_rotated);
	bool is_joined = gguf_find_tensor(keys->gguf, "blk.0.attn_kv_b.weight");
	uint32_t key = keys_required_u32(keys, is_joined ? "attention.key_length" : "attention.key_length_mla",
	                                 n_rotated + 1, ATTENTION_MAX_DIM);
	uint32_t value = keys_required_u32(keys, is_joined ? "attention.value_length"
	                                                   : "attention.value_length_mla", 1, ATTENTION_MAX_DIM);
	uint32_t q_rank = keys_u32(keys, "attention.q_lora_rank", 0, 0, KEYS_MAX_EMBD);
	float temperature = keys_f32(keys, "attention.temperature_scale", 0, 0, 100);
	float scale = attention_scale(keys, &plan->ropes[0], key);
	/* GLM 4.7 Flash, whose files lack the kind of routing */
	bool is_flash = plan->n_vocab == 154880 && (plan->n_layer == 47 || plan->n_layer == 48);

	plan->temperature_length = keys_u32(keys, "attention.temperature_length",
	                                    plan->temperature_length, 1, KEYS_MAX_CTX);
	is_flash = is_flash && !keys_has(keys, "expert_gating_func");
	/* Lite models have queries of full rank, whatever the key says. */
	if (gguf_find_tensor(keys->gguf, "blk.0.attn_q.weight"))
		q_rank = 0;
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		struct layer_plan *l = &plan->layers[i];

		l->n_head_kv = 1;
		l->head_dim_k = n_rotated + rank;
		l->head_dim_v = rank;
		l->attention_scale = scale;
		l->temperature_scale = temperature;
		if (is_flash && l->experts.n)
			l->experts.route = ROUTE_SIGMOID;
		l->latent = (struct latent_plan){.key = key - n_rotated, .value = value, .q_rank = q_rank,
		                                .is_joined = is_joined};
	}
}

const struct family family_deepseek2 = {
	.name = "deepseek2",
	.pairing = ROPE_ADJACENT,
	.weights = FAMILY_WEIGHTS(&weights_output_norm, &weights_attn_norm, &latent, &split_latent,
		&joined_latent, &low_queries, &full_queries, &weights_ffn_norm, &weights_gated_ffn,
		&weights_experts, &weights_shared_expert),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX,
		.shared = SHARED_BY_COUNT),
	.shape = shape_deepseek2,
};
