/* StableLM 2 (Bellagente et al. 2024) and StarCoder 2 (Lozhkov et al. 2024): norms with biases. */
#include "model/family.h"

static const struct weights_group stablelm_norms = {WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(attn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS},
	{"ffn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(ffn_norm), DIM_ONE, DIM_EMBD, OPTIONAL, BIAS})};

/* The 12B has no norm before its feed-forward and runs it in parallel with attention. */
static void shape_stablelm(struct keys *keys, struct plan *plan)
{
	bool is_parallel = !gguf_find_tensor(keys->gguf, "blk.0.ffn_norm.weight");

	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].is_parallel = is_parallel;
}

const struct family family_stablelm = {
	.name = "stablelm",
	.pairing = ROPE_HALVES,
	.norm = NORM_LAYER,
	.weights = FAMILY_WEIGHTS(&weights_output_norm_biased, &stablelm_norms, &weights_attention,
		&weights_keys_values, &weights_own_head_norms, &weights_gated_ffn),
	.shape = shape_stablelm,
};

/* StarCoder 2: biases everywhere, no gate. */
static const struct weights_group starcoder2_layer = {WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(attn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS},
	{"ffn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(ffn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS},
	{"ffn_up", WEIGHTS_LINEAR, WEIGHTS_LAYER(up), DIM_FF, DIM_EMBD, NEEDED, MAYBE_BIAS},
	{"ffn_down", WEIGHTS_LINEAR, WEIGHTS_LAYER(down), DIM_EMBD, DIM_FF, NEEDED, MAYBE_BIAS})};

const struct family family_starcoder2 = {
	.name = "starcoder2",
	.pairing = ROPE_HALVES,
	.norm = NORM_LAYER,
	.activation = ACTIVATION_GELU,
	.weights = FAMILY_WEIGHTS(&weights_output_norm_biased, &starcoder2_layer,
		&weights_attention, &weights_keys_values),
};
