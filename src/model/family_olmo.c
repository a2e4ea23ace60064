/* Families with norms after the blocks: OLMo 2 and 3 (OLMo Team 2024, "2 OLMo 2 Furious"),
 * EXAONE 4 (LG AI Research 2025), and GLM 4, which has them before and after. */
#include "model/family.h"

/* Queries and keys are normalised in their whole width. */
static const struct weights_group wide_norms = {WEIGHTS_ROWS(
	{"attn_q_norm", WEIGHTS_NORM, WEIGHTS_LAYER(q_norm), DIM_ONE, DIM_Q},
	{"attn_k_norm", WEIGHTS_NORM, WEIGHTS_LAYER(k_norm), DIM_ONE, DIM_K})};

/* OLMoE (Muennighoff et al. 2024): its norms are before the blocks. */
static const struct weights_group *const olmoe_weights[] = WEIGHTS_LIST(WEIGHTS_USUAL, &wide_norms,
	&weights_ffn_norm, &weights_experts);

const struct family family_olmoe = {
	.name = "olmoe",
	.pairing = ROPE_HALVES,
	.weights = olmoe_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX,
		.lengths = EXPERTS_DENSE_LENGTH),
};

/* MiniMax-M2 (MiniMax 2025): the same, rotated in part, chosen by sigmoids with a bias. */
const struct family family_minimax_m2 = {
	.name = "minimax-m2",
	.pairing = ROPE_HALVES,
	.weights = olmoe_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SIGMOID, .normalises = true,
		.lengths = EXPERTS_DENSE_LENGTH),
};

/* Windowed layers are not stretched. */
static void shape_olmo2(struct keys *keys, struct plan *plan)
{
	plan_add_window_rope(keys, plan, keys_f32(keys, "rope.freq_base", 10000, 1, 1e15), plan->ropes[0].dim);
}

const struct family family_olmo2 = {
	.name = "olmo2",
	.pairing = ROPE_HALVES,
	.window_period = 4,
	.weights = FAMILY_WEIGHTS(&weights_output_norm, &weights_attention, &weights_keys_values,
		&wide_norms, &weights_post_norms, &weights_gated_ffn),
	.shape = shape_olmo2,
};

/* Models with windows, such as the 32B, whose key may be missing, rotate only windowed layers. */
static void shape_exaone4(struct keys *keys, struct plan *plan)
{
	bool is_large = plan->n_layer == 64;

	if (is_large)
		plan_read_windows(keys, plan, 4096, 4);
	if (!plan_has_windows(plan))
		return;
	plan_set_ropes(plan, 0, ROPE_NONE);
	if (!is_large)
		keys_note_difference(keys, "attention.sliding_window", false);
}

const struct family family_exaone4 = {
	.name = "exaone4",
	.pairing = ROPE_HALVES,
	.window_period = 4,
	.weights = FAMILY_WEIGHTS(&weights_output_norm, &weights_rope_freqs, &weights_attention,
		&weights_keys_values, &weights_head_norms, &weights_post_norms, &weights_gated_ffn),
	.shape = shape_exaone4,
};

/* Vision models have three positions for each token, which are equal in text, and pair other
 * elements. */
static void shape_glm4(struct keys *keys, struct plan *plan)
{
	if (keys_has(keys, "rope.dimension_sections"))
		plan->ropes[0].pairing = ROPE_HALVES;
}

/* GLM 4.5 and after (GLM-4.5 Team 2025): norms before the blocks; experts after dense layers. */
static const struct weights_group glm4moe_norms = {WEIGHTS_ROWS(
	{"attn_q_norm", WEIGHTS_NORM, WEIGHTS_LAYER(q_norm), DIM_ONE, DIM_HEAD_K, OPTIONAL},
	{"attn_k_norm", WEIGHTS_NORM, WEIGHTS_LAYER(k_norm), DIM_ONE, DIM_HEAD_K, OPTIONAL})};

const struct family family_glm4moe = {
	.name = "glm4moe",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &glm4moe_norms, &weights_second_norm,
		&weights_gated_ffn, &weights_experts, &weights_shared_expert),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SIGMOID,
		.lengths = EXPERTS_SHARE_LENGTH, .shared = SHARED_BY_COUNT),
};

const struct family family_glm4 = {
	.name = "glm4",
	.pairing = ROPE_ADJACENT,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_post_norms, &weights_ffn_norm,
		&weights_fused_ffn),
	.shape = shape_glm4,
};
