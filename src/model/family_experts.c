/* What families with experts share: their keys and tensors. */
#include <inttypes.h>

#include "model/experts.h"
#include "model/family.h"

#define LAYER WEIGHTS_LAYER
#define GATE_UP(at) .fused = "ffn_gate_up_exps", .before = (at), .of = DIM_2EXPERT_FF

const struct weights_group weights_experts = {.layers = EXPERT_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate_inp", WEIGHTS_EXACT, LAYER(router), DIM_EXPERTS, DIM_EMBD, NEEDED, MAYBE_BIAS},
	{"exp_probs_b.bias", WEIGHTS_VECTOR, LAYER(router_bias), DIM_ONE, DIM_EXPERTS, OPTIONAL},
	{"ffn_gate_exps", WEIGHTS_STACK, LAYER(expert_gate), DIM_EXPERT_FF, DIM_EMBD, NEEDED, MAYBE_BIAS, GATE_UP(DIM_NONE), .slices = DIM_EXPERTS},
	{"ffn_up_exps", WEIGHTS_STACK, LAYER(expert_up), DIM_EXPERT_FF, DIM_EMBD, NEEDED, MAYBE_BIAS, GATE_UP(DIM_EXPERT_FF), .slices = DIM_EXPERTS},
	{"ffn_down_exps", WEIGHTS_STACK, LAYER(expert_down), DIM_EMBD, DIM_EXPERT_FF, NEEDED, MAYBE_BIAS, .slices = DIM_EXPERTS})};

const struct weights_group weights_shared_expert = {.layers = SHARED_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate_shexp", WEIGHTS_LINEAR, LAYER(gate), DIM_FF, DIM_EMBD},
	{"ffn_up_shexp", WEIGHTS_LINEAR, LAYER(up), DIM_FF, DIM_EMBD},
	{"ffn_down_shexp", WEIGHTS_LINEAR, LAYER(down), DIM_EMBD, DIM_FF})};

const struct weights_group weights_shared_gate = {.layers = SHARED_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate_inp_shexp", WEIGHTS_LINEAR, LAYER(shared_gate), DIM_ONE, DIM_EMBD})};

/* Lengths of an expert and of the shared expert; n_ff: of a dense layer. */
static void read_lengths(struct keys *keys, const struct family_experts *family, uint32_t n_used,
                         uint32_t n_ff, uint32_t *expert_ff, uint32_t *shared_ff)
{
	uint32_t own = family->lengths == EXPERTS_SHARE_LENGTH ? n_ff / n_used : n_ff;

	*expert_ff = n_ff;
	if (family->lengths != EXPERTS_DENSE_LENGTH)
		*expert_ff = family->lengths == EXPERTS_OWN_LENGTH
		                     ? keys_required_u32(keys, "expert_feed_forward_length", 1, KEYS_MAX_FF)
		                     : keys_u32(keys, "expert_feed_forward_length", own, 1, KEYS_MAX_FF);
	*shared_ff = 0;
	switch (family->shared) {
	case SHARED_NONE:
	case SHARED_DENSE: break;
	case SHARED_BY_COUNT:
		*shared_ff = *expert_ff * keys_u32(keys, "expert_shared_count", family->n_shared, 0, 64);
		break;
	case SHARED_BY_LENGTH:
		*shared_ff = keys_u32(keys, "expert_shared_feed_forward_length",
		                      family->n_shared ? n_ff : 0, 0, KEYS_MAX_FF);
		break;
	}
}

static void read_groups(struct keys *keys, struct experts_plan *e)
{
	e->n_groups = keys_u32(keys, "expert_group_count", 1, 0, e->n);
	if (e->n_groups == 0)
		e->n_groups = 1;
	if (e->n % e->n_groups)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected a divisor of the %" PRIu32
		          " experts", e->n_groups, e->n);
	e->n_groups_used = e->n_groups;
	if (e->n_groups > 1)
		e->n_groups_used = keys_u32(keys, "expert_group_used_count", e->n_groups, 1, e->n_groups);
	if (e->n_groups_used * (e->n / e->n_groups) < e->n_used)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 " groups, which hold fewer than the %"
		          PRIu32 " experts used", e->n_groups_used, e->n_used);
}

void plan_read_experts(struct keys *keys, struct plan *plan, const struct family_experts *family)
{
	uint32_t n = keys_u32(keys, "expert_count", 0, 0, UINT32_MAX), n_dense, step, shared_ff;
	struct experts_plan e = {.n = n, .input_scale = 1, .weighs_inputs = family->weighs_inputs,
	                         .by_logits = family->weighs_inputs};

	if (n == 0) {
		if (family->are_needed)
			keys_fail(keys, STATUS_FORMAT, "found 0 or nothing, expected 1 to %d", EXPERTS_MAX);
		return;
	}
	e.n = keys_u32(keys, "expert_count", 0, 1, EXPERTS_MAX);
	e.n_used = keys_required_u32(keys, "expert_used_count", 1, e.n);
	e.route = (enum route)keys_u32(keys, "expert_gating_func", family->route, 1, ROUTE_COUNT - 1);
	e.normalises = keys_bool(keys, "expert_weights_norm", family->normalises);
	e.route_scale = keys_f32(keys, "expert_weights_scale", 1, 0, 1e6);
	if (e.route_scale <= 0) /* converters write 0 for none */
		e.route_scale = 1;
	n_dense = keys_u32(keys, "leading_dense_block_count", 0, 0, plan->n_blocks);
	step = keys_u32(keys, "interleave_moe_layer_step", 1, 1, PLAN_MAX_LAYERS);
	if (keys->status)
		return;
	read_groups(keys, &e);
	read_lengths(keys, family, e.n_used, plan->layers[0].n_ff, &e.n_ff, &shared_ff);
	for (uint32_t i = n_dense; i < plan->n_layer; i++) {
		if ((i + 1) % step || !plan->layers[i].n_ff) /* hybrids have layers that only mix */
			continue;
		plan->layers[i].experts = e;
		if (family->shared != SHARED_DENSE)
			plan->layers[i].n_ff = shared_ff;
	}
}
