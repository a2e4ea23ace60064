/* gpt-oss (OpenAI 2025, "gpt-oss-120b & gpt-oss-20b"): every second layer has a window, heads
 * have sinks, experts have biases and a clamped activation; routes are a softmax over the
 * chosen experts. */
#include "model/family.h"

static const struct weights_group sinks = {WEIGHTS_ROWS(
	{"attn_sinks.weight", WEIGHTS_VECTOR, WEIGHTS_LAYER(sinks), DIM_ONE, DIM_N_HEAD})};

const struct family family_gpt_oss = {
	.name = "gpt-oss",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_CLAMPED,
	.window_period = 2,
	.weights = FAMILY_WEIGHTS(&weights_output_norm, &weights_attn_norm, &weights_qkv_biased,
		&sinks, &weights_second_norm, &weights_experts),
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SOFTMAX_CHOSEN),
};
