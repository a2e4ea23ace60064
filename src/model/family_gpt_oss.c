/* gpt-oss (OpenAI 2025, "gpt-oss-120b & gpt-oss-20b"): every second layer has a window, heads
 * have sinks, experts have biases and a clamped activation; routes are a softmax over the
 * chosen experts. */
#include "model/family.h"

static const struct weights_row sink_rows[] = {
	{"attn_sinks.weight", WEIGHTS_VECTOR, WEIGHTS_LAYER(sinks), DIM_ONE, DIM_N_HEAD},
};
static const struct weights_group sinks = {WEIGHTS_ROWS(sink_rows)};

static const struct weights_group *const gpt_oss_weights[] = {
	&weights_embedding, &weights_output_norm, &weights_attn_norm, &weights_qkv_biased,
	&sinks,             &weights_second_norm, &weights_experts,   NULL,
};

static const struct family_experts gpt_oss_experts = {
	.are_needed = true, .route = ROUTE_SOFTMAX_CHOSEN,
};

const struct family family_gpt_oss = {
	.name = "gpt-oss",
	.pairing = ROPE_HALVES,
	.activation = ACTIVATION_CLAMPED,
	.window_period = 2,
	.weights = gpt_oss_weights,
	.experts = &gpt_oss_experts,
};
