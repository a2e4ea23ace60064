/* Qwen 2 and 3, and Hunyuan's dense models. Yang et al. 2024, "Qwen2"; 2025, "Qwen3". As llama, but
 * rotated in halves; Qwen 2 has biases of queries, keys and values, Qwen 3 norms of the heads. */
#include "model/family.h"

static const struct weights_group *const qwen2_weights[] = WEIGHTS_LIST(&weights_output_norm,
	&weights_attn_norm, &weights_qkv_biased, &weights_ffn_norm, &weights_gated_ffn,
	&weights_experts, &weights_shared_expert, &weights_shared_gate);

const struct family family_qwen2 = {
	.name = "qwen2",
	.pairing = ROPE_HALVES,
	.weights = qwen2_weights,
};

static const struct weights_group *const qwen3_weights[] = WEIGHTS_LIST(WEIGHTS_USUAL,
	&weights_head_norms, &weights_ffn_norm, &weights_gated_ffn, &weights_experts);

const struct family family_qwen3 = {
	.name = "qwen3",
	.pairing = ROPE_HALVES,
	.weights = qwen3_weights,
};

/* Qwen 1.5 and 2 with experts: the shared one has a gate. */
const struct family family_qwen2moe = {
	.name = "qwen2moe",
	.pairing = ROPE_HALVES,
	.weights = qwen2_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX,
		.lengths = EXPERTS_SHARE_LENGTH, .shared = SHARED_BY_LENGTH, .n_shared = 1),
};

const struct family family_qwen3moe = {
	.name = "qwen3moe",
	.pairing = ROPE_HALVES,
	.weights = qwen3_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX, .normalises = true,
		.lengths = EXPERTS_SHARE_LENGTH),
};

const struct family family_hunyuan_dense = {
	.name = "hunyuan-dense",
	.pairing = ROPE_HALVES,
	.norms_after_rope = true,
	.weights = qwen3_weights,
};
