/* Families in which most layers are recurrent, or layers have attention and a recurrent mixer
 * side by side. */
#include <math.h>

#include "kernels/scan.h"
#include "model/family.h"

/* Layers without attention get this mixer. */
static void fill_mixers(struct plan *plan, enum mixer mixer)
{
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (!plan->layers[i].mixers)
			plan->layers[i].mixers = mixer;
}

/* Qwen 3.5 and after: three of four layers are gated delta nets; the others' heads have gates. */
static const struct weights_group delta_net = {.layers = DELTA_LAYERS, WEIGHTS_ROWS(
	{"attn_qkv", WEIGHTS_LINEAR, WEIGHTS_LAYER(conv_in), DIM_CHANNELS, DIM_EMBD},
	{"attn_gate", WEIGHTS_LINEAR, WEIGHTS_LAYER(output_gate), DIM_STATE_WIDTH, DIM_EMBD},
	{"ssm_conv1d.weight", WEIGHTS_TAPS, WEIGHTS_LAYER(conv), DIM_CHANNELS, DIM_TAPS},
	{"ssm_dt.bias", WEIGHTS_VECTOR, WEIGHTS_LAYER(state_time_bias), DIM_ONE, DIM_STATE_HEADS},
	{"ssm_a", WEIGHTS_VECTOR, WEIGHTS_LAYER(state_decay), DIM_ONE, DIM_STATE_HEADS},
	{"ssm_norm", WEIGHTS_NORM, WEIGHTS_LAYER(state_norm), DIM_ONE, DIM_STATE_VALUE},
	{"ssm_out", WEIGHTS_LINEAR, WEIGHTS_LAYER(state_out), DIM_EMBD, DIM_STATE_WIDTH})};

static const struct weights_group delta_rates = {.layers = DELTA_LAYERS, WEIGHTS_ROWS(
	{"ssm_beta", WEIGHTS_LINEAR, WEIGHTS_LAYER(state_beta), DIM_STATE_HEADS, DIM_EMBD},
	{"ssm_alpha", WEIGHTS_LINEAR, WEIGHTS_LAYER(state_time), DIM_STATE_HEADS, DIM_EMBD})};

static void shape_qwen3next(struct keys *keys, struct plan *plan)
{
	uint32_t interval = keys_u32(keys, "full_attention_interval", 4, 1, PLAN_MAX_LAYERS);
	bool is_delta[PLAN_MAX_LAYERS];
	bool by_flags = keys_flags(keys, "attention.recurrent_layers", is_delta, sizeof is_delta[0]);

	for (uint32_t i = 0; i < plan->n_layer; i++) {
		struct layer_plan *l = &plan->layers[i];

		l->mixers = (by_flags ? is_delta[i] : (i + 1) % interval != 0) ? MIXER_DELTA
		                                                               : MIXER_ATTENTION;
		l->gates_heads = l->mixers == MIXER_ATTENTION;
	}
	plan_read_states(keys, plan, MIXER_DELTA);
}

static void shape_qwen35(struct keys *keys, struct plan *plan)
{
	shape_qwen3next(keys, plan);
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].groups_alternate = true;
}

static const struct weights_group *const qwen35_weights[] = WEIGHTS_LIST(WEIGHTS_USUAL,
	&weights_head_norms, &delta_net, &delta_rates, &weights_second_norm, &weights_gated_ffn,
	&weights_experts, &weights_shared_expert, &weights_shared_gate);

const struct family family_qwen35 = {
	.name = "qwen35",
	.pairing = ROPE_HALVES,
	.weights = qwen35_weights,
	.shape = shape_qwen35,
};

/* The same with experts, one of them shared. */
static const struct family_experts qwen35_experts = {
	.are_needed = true, .route = ROUTE_SOFTMAX, .normalises = true,
	.lengths = EXPERTS_SHARE_LENGTH, .shared = SHARED_BY_LENGTH, .n_shared = 1,
};

const struct family family_qwen35moe = {
	.name = "qwen35moe",
	.pairing = ROPE_HALVES,
	.weights = qwen35_weights,
	.experts = &qwen35_experts,
	.shape = shape_qwen35,
};

/* Qwen 3 Next, their predecessor: neighbouring heads share keys, and one matrix has, for each
 * group of heads, the rows for how much is learnt, then those for how fast it is forgotten. */
static const struct weights_group next_rates = {.layers = DELTA_LAYERS, WEIGHTS_ROWS(
	{"ssm_ba", WEIGHTS_LINEAR, WEIGHTS_LAYER(state_rates), DIM_2STATE_HEADS, DIM_EMBD})};

const struct family family_qwen3next = {
	.name = "qwen3next",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_head_norms, &delta_net, &next_rates,
		&weights_second_norm, &weights_experts, &weights_shared_expert,
		&weights_shared_gate),
	.experts = &qwen35_experts,
	.shape = shape_qwen3next,
};

/* LFM2: most layers are short convolutions between two gates. */
#define IN_PROJ(at) .fused = "shortconv.in_proj", .before = (at), .of = DIM_3EMBD
static const struct weights_group shortconv = {.layers = SHORTCONV_LAYERS, WEIGHTS_ROWS(
	{"shortconv.in_proj", WEIGHTS_LINEAR, WEIGHTS_LAYER(input_gate), DIM_EMBD, DIM_EMBD, NEEDED, NO_BIAS, IN_PROJ(DIM_NONE)},
	{"shortconv.in_proj", WEIGHTS_LINEAR, WEIGHTS_LAYER(output_gate), DIM_EMBD, DIM_EMBD, NEEDED, NO_BIAS, IN_PROJ(DIM_EMBD)},
	{"shortconv.in_proj", WEIGHTS_LINEAR, WEIGHTS_LAYER(conv_in), DIM_EMBD, DIM_EMBD, NEEDED, NO_BIAS, IN_PROJ(DIM_2EMBD)},
	{"shortconv.conv.weight", WEIGHTS_TAPS, WEIGHTS_LAYER(conv), DIM_CHANNELS, DIM_TAPS},
	{"shortconv.out_proj", WEIGHTS_LINEAR, WEIGHTS_LAYER(state_out), DIM_EMBD, DIM_EMBD})};

/* The norm before the output has the embedding's name. */
static const struct weights_group lfm2_norm = {.is_global = true, WEIGHTS_ROWS(
	{"token_embd_norm", WEIGHTS_NORM, WEIGHTS_GLOBAL(output_norm), DIM_ONE, DIM_EMBD})};

static void shape_lfm2(struct keys *keys, struct plan *plan)
{
	uint32_t taps = keys_required_u32(keys, "shortconv.l_cache", 1, CONV_MAX_TAPS);

	fill_mixers(plan, MIXER_SHORTCONV);
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (plan->layers[i].mixers & MIXER_SHORTCONV)
			plan->layers[i].conv_taps = taps;
}

static const struct weights_group *const lfm2_weights[] = WEIGHTS_LIST(&lfm2_norm,
	&weights_attn_norm, &weights_attention, &weights_keys_values, &weights_head_norms,
	&shortconv, &weights_ffn_norm, &weights_gated_ffn, &weights_experts);

const struct family family_lfm2 = {
	.name = "lfm2",
	.pairing = ROPE_HALVES,
	.is_hybrid = true,
	.weights = lfm2_weights,
	.shape = shape_lfm2,
};

const struct family family_lfm2moe = {
	.name = "lfm2moe",
	.pairing = ROPE_HALVES,
	.is_hybrid = true,
	.weights = lfm2_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SIGMOID, .normalises = true),
	.shape = shape_lfm2,
};

/* Granite 4: as granite, but nine of ten layers are Mamba-2. */
static void shape_granitehybrid(struct keys *keys, struct plan *plan)
{
	family_granite.shape(keys, plan);
	fill_mixers(plan, MIXER_MAMBA2);
	plan_read_states(keys, plan, MIXER_MAMBA2);
}

const struct family family_granitehybrid = {
	.name = "granitehybrid",
	.pairing = ROPE_ADJACENT,
	.is_hybrid = true,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_mamba2, &weights_ffn_norm,
		&weights_gated_ffn, &weights_experts, &weights_shared_expert),
	.experts = &granite_experts,
	.shape = shape_granitehybrid,
};

/* Falcon-H1: attention and Mamba-2 side by side in each layer. */
static const struct weights_group falcon_ffn_norm = {WEIGHTS_ROWS(
	{"ffn_norm", WEIGHTS_BARE_NORM, WEIGHTS_LAYER(ffn_norm), DIM_ONE, DIM_EMBD})};

static void shape_falcon_h1(struct keys *keys, struct plan *plan)
{
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].mixers |= MIXER_MAMBA2;
	plan_read_states(keys, plan, MIXER_MAMBA2);
}

const struct family family_falcon_h1 = {
	.name = "falcon-h1",
	.pairing = ROPE_HALVES,
	.weights = FAMILY_WEIGHTS(WEIGHTS_USUAL, &weights_rope_freqs, &weights_mamba2,
		&falcon_ffn_norm, &weights_gated_ffn),
	.shape = shape_falcon_h1,
};

/* Nemotron-H: each layer is one block; attention is not rotated. The norm has the same name
 * before any block. */
static const struct weights_group nemotron_norm = {.layers = FFN_LAYERS, WEIGHTS_ROWS(
	{"attn_norm", WEIGHTS_NORM, WEIGHTS_LAYER(ffn_norm), DIM_ONE, DIM_EMBD})};

static const struct weights_group nemotron_ffn = {.layers = DENSE_LAYERS, WEIGHTS_ROWS(
	{"ffn_up", WEIGHTS_LINEAR, WEIGHTS_LAYER(up), DIM_FF, DIM_EMBD, NEEDED, MAYBE_BIAS},
	{"ffn_down", WEIGHTS_LINEAR, WEIGHTS_LAYER(down), DIM_EMBD, DIM_FF, NEEDED, MAYBE_BIAS})};

/* Nemotron 3 Nano: the same with experts in place of the feed-forwards, without gates. */
static const struct weights_group nemotron_expert = {.layers = EXPERT_LAYERS, WEIGHTS_ROWS(
	{"ffn_gate_inp", WEIGHTS_EXACT, WEIGHTS_LAYER(router), DIM_EXPERTS, DIM_EMBD},
	{"exp_probs_b.bias", WEIGHTS_VECTOR, WEIGHTS_LAYER(router_bias), DIM_ONE, DIM_EXPERTS, OPTIONAL},
	{"ffn_up_exps", WEIGHTS_STACK, WEIGHTS_LAYER(expert_up), DIM_EXPERT_FF, DIM_EMBD, .slices = DIM_EXPERTS},
	{"ffn_down_exps", WEIGHTS_STACK, WEIGHTS_LAYER(expert_down), DIM_EMBD, DIM_EXPERT_FF, .slices = DIM_EXPERTS})};

static const struct weights_group nemotron_shared = {.layers = SHARED_LAYERS, WEIGHTS_ROWS(
	{"ffn_up_shexp", WEIGHTS_LINEAR, WEIGHTS_LAYER(up), DIM_FF, DIM_EMBD},
	{"ffn_down_shexp", WEIGHTS_LINEAR, WEIGHTS_LAYER(down), DIM_EMBD, DIM_FF})};

static const struct weights_group *const nemotron_weights[] = WEIGHTS_LIST(WEIGHTS_USUAL,
	&weights_mamba2, &nemotron_norm, &nemotron_ffn, &nemotron_expert, &nemotron_shared);

static void shape_nemotron_h(struct keys *keys, struct plan *plan)
{
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		plan->layers[i].rope = ROPE_NONE;
		if (plan->layers[i].n_ff || plan->layers[i].experts.n)
			plan->layers[i].mixers = 0;
		else if (!plan->layers[i].mixers)
			plan->layers[i].mixers = MIXER_MAMBA2;
	}
	plan_read_states(keys, plan, MIXER_MAMBA2);
}

const struct family family_nemotron_h = {
	.name = "nemotron_h",
	.pairing = ROPE_ADJACENT,
	.activation = ACTIVATION_RELU2,
	.is_hybrid = true,
	.weights = nemotron_weights,
	.shape = shape_nemotron_h,
};

const struct family family_nemotron_h_moe = {
	.name = "nemotron_h_moe",
	.pairing = ROPE_ADJACENT,
	.activation = ACTIVATION_RELU2,
	.is_hybrid = true,
	.weights = nemotron_weights,
	.experts = FAMILY_EXPERTS(.are_needed = true, .route = ROUTE_SIGMOID,
		.lengths = EXPERTS_SHARE_LENGTH, .shared = SHARED_BY_LENGTH),
	.shape = shape_nemotron_h,
};
