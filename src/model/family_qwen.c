/* Qwen 2 and 3, and Hunyuan's dense models. Yang et al. 2024, "Qwen2"; 2025, "Qwen3". As llama, but
 * rotated in halves; Qwen 2 has biases of queries, keys and values, Qwen 3 norms of the heads. */
#include "model/family.h"

const struct family family_qwen2 = {
	.name = "qwen2",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(&weights_embedding, &weights_output_norm, &weights_attn_norm,
		&weights_qkv_biased, &weights_ffn_norm, &weights_gated_ffn),
};

static const struct weights_group *const qwen3_weights[] = {
	&weights_embedding,   &weights_output_norm, &weights_attn_norm, &weights_attention,
	&weights_keys_values, &weights_head_norms,  &weights_ffn_norm,  &weights_gated_ffn,
	NULL,
};

const struct family family_qwen3 = {
	.name = "qwen3",
	.pairing = ROPE_HALVES,
	.weights = qwen3_weights,
};

/* Qwen 1.5 and 2 with experts: the shared one has a gate. */
const struct family family_qwen2moe = {
	.name = "qwen2moe",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(&weights_embedding, &weights_output_norm, &weights_attn_norm,
		&weights_qkv_biased, &weights_ffn_norm, &weights_experts, &weights_shared_expert,
		&weights_shared_gate),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX,
		.lengths = EXPERTS_SHARE_LENGTH, .shared = SHARED_BY_LENGTH, .n_shared = 1),
};

const struct family family_qwen3moe = {
	.name = "qwen3moe",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(&weights_embedding, &weights_output_norm, &weights_attn_norm,
		&weights_attention, &weights_keys_values, &weights_head_norms, &weights_ffn_norm,
		&weights_experts),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX, .normalises = true,
		.lengths = EXPERTS_SHARE_LENGTH),
};

/* Hunyuan: the heads are normalised when they are rotated. */
static void shape_hunyuan(struct keys *keys, struct plan *plan)
{
	(void)keys;
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].norms_after_rope = true;
}

const struct family family_hunyuan_dense = {
	.name = "hunyuan-dense",
	.pairing = ROPE_HALVES,
	.weights = qwen3_weights,
	.shape = shape_hunyuan,
};
