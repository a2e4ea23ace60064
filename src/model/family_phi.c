/* Phi 2 to 4. Javaheripi et al. 2023, "Phi-2"; Abdin et al. 2024, "Phi-3", "Phi-4". */
#include "model/family.h"

/* Phi 2: one norm with a bias before attention and feed-forward, which run side by side; biases
 * everywhere; no gate. */
static const struct weights_group phi2_layer = {WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(attn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS},
	{"ffn_up", WEIGHTS_LINEAR, WEIGHTS_LAYER(up), DIM_FF, DIM_EMBD, .bias = BIAS},
	{"ffn_down", WEIGHTS_LINEAR, WEIGHTS_LAYER(down), DIM_EMBD, DIM_FF, .bias = BIAS})};

const struct family family_phi2 = {
	.name = "phi2",
	.pairing = ROPE_HALVES,
	.norm = NORM_LAYER,
	.activation = ACTIVATION_GELU,
	.is_parallel = true,
	.weights = FAMILY_WEIGHTS(&weights_output_norm_biased, &weights_qkv_biased, &phi2_layer),
};

/* Phi 3 and 4: tensors that hold several matrices; frequencies by the length of the context. Where there is a
 * window, all layers have it. */
static const struct weights_group rope_factors = {.is_global = true, WEIGHTS_ROWS(
	{"rope_factors_long.weight", WEIGHTS_VECTOR, WEIGHTS_GLOBAL(rope_factors_long), DIM_ONE, DIM_ROPE, OPTIONAL},
	{"rope_factors_short.weight", WEIGHTS_VECTOR, WEIGHTS_GLOBAL(rope_factors_short), DIM_ONE, DIM_ROPE, OPTIONAL})};

const struct family family_phi3 = {
	.name = "phi3",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &rope_factors, &weights_ffn_norm,
		&weights_fused_ffn),
};

/* Phi 3.5 with experts: biases everywhere. */
static const struct weights_group phimoe_norms = {WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(attn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS},
	{"ffn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(ffn_norm), DIM_ONE, DIM_EMBD, .bias = BIAS})};

const struct family family_phimoe = {
	.name = "phimoe",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(&weights_output_norm_biased, &rope_factors, &phimoe_norms,
		&weights_qkv_biased, &weights_experts),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX, .normalises = true,
		.lengths = EXPERTS_DENSE_LENGTH),
};
