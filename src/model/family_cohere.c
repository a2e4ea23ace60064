/* Cohere's Command R and R7B (cohere2): attention and feed-forward side by side behind one norm
 * without a bias, logits scaled. */
#include "model/family.h"

static void scale_logits(struct keys *keys, struct plan *plan)
{
	plan->logit_scale = keys_f32(keys, "logit_scale", 1, 1e-6, 1e6);
}

const struct family family_command_r = {
	.name = "command-r",
	.pairing = ROPE_ADJACENT,
	.norm = NORM_LAYER,
	.is_parallel = true,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_own_head_norms, &weights_gated_ffn),
	.shape = scale_logits,
};

/* Layers without a window are not rotated. */
static void shape_cohere2(struct keys *keys, struct plan *plan)
{
	scale_logits(keys, plan);
	plan_set_ropes(plan, 0, ROPE_NONE);
}

const struct family family_cohere2 = {
	.name = "cohere2",
	.pairing = ROPE_ADJACENT,
	.norm = NORM_LAYER,
	.is_parallel = true,
	.window = 4096,
	.window_period = 4,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_gated_ffn),
	.shape = shape_cohere2,
};
