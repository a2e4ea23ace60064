/* Gemma 2, 3 and 4. Gemma Team 2024, "Gemma 2"; 2025, "Gemma 3". A norm before and after each
 * block, GELU, scaled embeddings; most layers have windows. */
#include <inttypes.h>
#include <math.h>

#include "model/family.h"

/* The largest models were scaled as if their heads shared the embedding. */
static void scale_scores(struct plan *plan, uint32_t n_layer_largest)
{
	for (uint32_t i = 0; i < plan->n_layer && plan->n_layer == n_layer_largest; i++)
		plan->layers[i].attention_scale = 1 / sqrtf((float)(plan->n_embd / plan->layers[0].n_head));
}

static void shape_gemma2(struct keys *keys, struct plan *plan)
{
	float softcap = keys_f32(keys, "attn_logit_softcapping", 50, 0, 1e6);

	plan->embedding_scale = sqrtf((float)plan->n_embd);
	plan->logit_softcap = keys_f32(keys, "final_logit_softcapping", 30, 0, 1e6);
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].softcap = softcap;
	scale_scores(plan, 46);
}

const struct family family_gemma2 = {
	.name = "gemma2",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_GELU,
	.window = 4096,
	.window_period = 2,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_post_norms, &weights_ffn_norm,
		&weights_gated_ffn),
	.shape = shape_gemma2,
};

static void shape_gemma3(struct keys *keys, struct plan *plan)
{
	plan->embedding_scale = sqrtf((float)plan->n_embd);
	plan->logit_softcap = keys_f32(keys, "final_logit_softcapping", 0, 0, 1e6);
	plan_add_window_rope(keys, plan, 10000, plan->ropes[0].dim);
	scale_scores(plan, 62);
}

const struct family family_gemma3 = {
	.name = "gemma3",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_GELU,
	.window_period = 6,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_head_norms, &weights_post_norms,
		&weights_ffn_norm, &weights_gated_ffn),
	.shape = shape_gemma3,
};

/* Gemma 4: windowed layers have shorter heads; values are normalised, or are the keys; the
 * last layers reuse the keys and values of earlier ones; small models have embeddings for
 * each layer. */
static const struct weights_group gemma4_layer = {WEIGHTS_ROWS(
	{"layer_output_scale.weight", WEIGHTS_VECTOR, WEIGHTS_LAYER(output_scale), DIM_ONE, DIM_ONE, OPTIONAL})};

static const struct weights_group gemma4_keys_values = {.layers = KV_LAYERS, WEIGHTS_ROWS(
	{"attn_k", WEIGHTS_LINEAR, WEIGHTS_LAYER(k), DIM_K, DIM_EMBD},
	{"attn_v", WEIGHTS_LINEAR, WEIGHTS_LAYER(v), DIM_V, DIM_EMBD, OPTIONAL},
	{"attn_k_norm", WEIGHTS_NORM, WEIGHTS_LAYER(k_norm), DIM_ONE, DIM_HEAD_K})};

static const struct weights_group gemma4_queries = {WEIGHTS_ROWS(
	{"attn_q_norm", WEIGHTS_NORM, WEIGHTS_LAYER(q_norm), DIM_ONE, DIM_HEAD_K})};

/* The 26B: experts and a shared expert, each with a norm before and after; the
 * router has a norm, too. */
static const struct weights_group gemma4_dense = {.layers = SHARED_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate", WEIGHTS_LINEAR, WEIGHTS_LAYER(gate), DIM_FF, DIM_EMBD},
	{"ffn_up", WEIGHTS_LINEAR, WEIGHTS_LAYER(up), DIM_FF, DIM_EMBD},
	{"ffn_down", WEIGHTS_LINEAR, WEIGHTS_LAYER(down), DIM_EMBD, DIM_FF},
	{"post_ffw_norm_1", WEIGHTS_NORM, WEIGHTS_LAYER(shared_post_norm), DIM_ONE, DIM_EMBD},
	{"pre_ffw_norm_2", WEIGHTS_NORM, WEIGHTS_LAYER(experts_norm), DIM_ONE, DIM_EMBD},
	{"post_ffw_norm_2", WEIGHTS_NORM, WEIGHTS_LAYER(experts_post_norm), DIM_ONE, DIM_EMBD},
	{"ffn_gate_inp.scale", WEIGHTS_BARE_NORM, WEIGHTS_LAYER(router_norm), DIM_ONE, DIM_EMBD})};

void plan_share_keys_values(struct keys *keys, struct plan *plan, uint32_t n_shared)
{
	uint32_t first = plan->n_layer - n_shared;

	for (uint32_t i = first; i < plan->n_layer; i++) {
		uint32_t from = first - (plan->layers[i].window ? 2 : 1);

		if (first < 2 || !plan->layers[from].window != !plan->layers[i].window ||
		    plan->layers[from].n_head_kv != plan->layers[i].n_head_kv) {
			keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", but layer %" PRIu32 " has none "
			          "before it to share with", n_shared, i);
			return;
		}
		plan->layers[i].kv_layer = from;
	}
}

static void shape_gemma4(struct keys *keys, struct plan *plan)
{
	uint32_t dim_k = keys_u32(keys, "attention.key_length_swa", plan->layers[0].head_dim_k, 2,
	                          ATTENTION_MAX_DIM);
	uint32_t dim_v = keys_u32(keys, "attention.value_length_swa", dim_k, 2, ATTENTION_MAX_DIM);
	uint32_t rotated = keys_u32(keys, "rope.dimension_count_swa", dim_k, 2, dim_k);

	if (rotated % 2)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected an even number", rotated);
	plan->embedding_scale = sqrtf((float)plan->n_embd);
	plan->logit_softcap = keys_f32(keys, "final_logit_softcapping", 30, 0, 1e6);
	plan->n_layer_embd = keys_u32(keys, "embedding_length_per_layer_input", 0, 0, KEYS_MAX_EMBD);
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		struct layer_plan *l = &plan->layers[i];

		l->attention_scale = 1;
		l->norms_values = true;
		l->experts.input_scale = 1 / sqrtf((float)plan->n_embd);
		if (l->experts.n) /* otherwise tokens choose other experts than in the reference */
			l->activation = ACTIVATION_GELU_F16;
		if (l->window) {
			l->head_dim_k = dim_k;
			l->head_dim_v = dim_v;
		}
	}
	plan_add_window_rope(keys, plan, 10000, rotated);
	plan_share_keys_values(keys, plan, keys_u32(keys, "attention.shared_kv_layers", 0, 0,
	                                            plan->n_layer));
}

const struct family family_gemma4 = {
	.name = "gemma4",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_GELU,
	.window_period = 6,
	.weights = FAMILY_WEIGHTS(&weights_output_norm, &weights_rope_freqs,
		&weights_layer_embeddings, &weights_attn_norm, &weights_attention, &gemma4_queries,
		&gemma4_keys_values, &weights_post_norms, &weights_ffn_norm, &weights_gated_ffn,
		&weights_layer_embedding_gates, &gemma4_layer, &weights_experts, &gemma4_dense),
	.experts = FAMILY_EXPERTS(.route = ROUTE_SOFTMAX, .normalises = true,
		.shared = SHARED_DENSE),
	.shape = shape_gemma4,
};
