/* Reading the keys that families have in common. */
#include "model/family.h"

#include <inttypes.h>
#include <math.h>

#include "base/limits.h"
#include "kernels/scan.h"

#define LAYERS(field) &plan->layers[0].field, sizeof plan->layers[0]

/* Models of experts alone may give only the experts' length. */
static void read_lengths(struct keys *keys, struct plan *plan, const struct family *family)
{
	static const char key[] = "feed_forward_length", experts[] = "expert_feed_forward_length";
	bool by_experts = family->experts && family->experts->are_needed && !keys_has(keys, key) && keys_has(keys, experts);
	uint32_t length = by_experts ? keys_required_u32(keys, experts, 1, KEYS_MAX_FF) : 0;

	keys_per_layer(keys, key, by_experts ? &length : NULL, family->is_hybrid ? 0 : 1, KEYS_MAX_FF, LAYERS(n_ff));
}

static void read_sizes(struct keys *keys, struct plan *plan, const struct family *family)
{
	uint32_t n_behind;

	plan->n_ctx_train = keys_required_u32(keys, "context_length", 1, KEYS_MAX_CTX);
	plan->n_embd = keys_required_u32(keys, "embedding_length", 1, KEYS_MAX_EMBD);
	plan->n_blocks = keys_required_u32(keys, "block_count", 1, PLAN_MAX_LAYERS);
	n_behind = keys_u32(keys, "nextn_predict_layers", 0, 0, plan->n_blocks - 1);
	plan->n_layer = plan->n_blocks - n_behind;
	read_lengths(keys, plan, family);
}

static void check_heads(struct keys *keys, const struct plan *plan)
{
	keys_has(keys, "attention.head_count_kv"); /* for the error's text */
	for (uint32_t i = 0; i < plan->n_layer && !keys->status; i++) {
		const struct layer_plan *l = &plan->layers[i];

		if (l->mixers & MIXER_ATTENTION && (!l->n_head_kv || l->n_head % l->n_head_kv))
			keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected a divisor of the %" PRIu32
			          " heads", l->n_head_kv, l->n_head);
	}
}

static void read_heads(struct keys *keys, struct plan *plan, const struct family *family)
{
	uint32_t n_head = 0, dim_k, dim_v, least = family->is_hybrid ? 0 : 1;

	keys_per_layer(keys, "attention.head_count", NULL, least, KEYS_MAX_HEADS, LAYERS(n_head));
	if (keys_has(keys, "attention.head_count_kv"))
		keys_per_layer(keys, "attention.head_count_kv", NULL, least, KEYS_MAX_HEADS,
		               LAYERS(n_head_kv));
	else
		for (uint32_t i = 0; i < plan->n_layer; i++)
			plan->layers[i].n_head_kv = plan->layers[i].n_head;
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (!plan->layers[i].n_head_kv)
			plan->layers[i].mixers &= ~(unsigned)MIXER_ATTENTION;
	check_heads(keys, plan);
	if (keys->status)
		return;
	/* Heads share the embedding unless the file gives their length. */
	for (uint32_t i = 0; i < plan->n_layer && !n_head; i++)
		n_head = plan->layers[i].n_head;
	if (!n_head)
		n_head = 1; /* not used */
	dim_k = dim_v = plan->n_embd / n_head;
	if (!keys_has(keys, "attention.key_length") && plan->n_embd % n_head) {
		keys_has(keys, "attention.head_count");
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected a divisor of the embedding "
		          "length %" PRIu32, n_head, plan->n_embd);
	}
	dim_k = keys_u32(keys, "attention.key_length", dim_k, 2, ATTENTION_MAX_DIM);
	if (plan->n_embd % n_head)
		dim_v = dim_k;
	dim_v = keys_u32(keys, "attention.value_length", dim_v, 1, ATTENTION_MAX_DIM);
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		plan->layers[i].head_dim_k = dim_k;
		plan->layers[i].head_dim_v = dim_v;
		plan->layers[i].attention_scale = 1 / sqrtf((float)dim_k);
	}
}

static bool in_window(uint32_t layer, uint32_t period)
{
	return period == 0 || layer % period < period - 1;
}

void plan_read_windows(struct keys *keys, struct plan *plan, uint32_t window, uint32_t period)
{
	static const char pattern[] = "attention.sliding_window_pattern";
	bool windowed[PLAN_MAX_LAYERS];

	window = keys_u32(keys, "attention.sliding_window", window, 0, KEYS_MAX_CTX);
	if (window == 0)
		return;
	if (keys_flags(keys, pattern, windowed, sizeof windowed[0])) {
		for (uint32_t i = 0; i < plan->n_layer; i++)
			if (windowed[i] != in_window(i, period))
				keys_note_difference(keys, pattern, true);
	} else {
		period = keys_u32(keys, pattern, period, 0, PLAN_MAX_LAYERS);
		for (uint32_t i = 0; i < plan->n_layer; i++)
			windowed[i] = in_window(i, period);
	}
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].window = windowed[i] ? window : 0;
}

bool plan_has_windows(const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (plan->layers[i].window)
			return true;
	return false;
}

void plan_set_ropes(struct plan *plan, int windowed, int others)
{
	for (uint32_t i = 0; i < plan->n_layer; i++)
		plan->layers[i].rope = plan->layers[i].window ? windowed : others;
}

/* The pair whose wave has turned `turns` times at the end of the context trained on. */
static float yarn_pair(const struct rope_plan *rope, uint32_t n_ctx, float turns)
{
	return (float)rope->dim * logf((float)n_ctx / (turns * 2 * (float)M_PI)) /
	       (2 * logf(rope->base));
}

/* How much larger scores have to be where positions are stretched `factor` times. */
static float yarn_magnitude(float factor, float by)
{
	return factor <= 1 ? 1 : 0.1f * by * logf(factor) + 1;
}

static void read_yarn(struct keys *keys, struct plan *plan, struct rope_plan *rope,
                      const struct rope_wish *wish, float factor)
{
	float fast = keys_f32(keys, "rope.scaling.yarn_beta_fast", 32, 1e-3, 1e6);
	float slow = keys_f32(keys, "rope.scaling.yarn_beta_slow", 1, 1e-3, 1e6);
	float by = keys_f32(keys, "rope.scaling.yarn_log_multiplier", 0, 0, 100);
	uint32_t n_ctx = wish->n_ctx_original ? wish->n_ctx_original : plan->n_ctx_original;

	keys_f32(keys, "rope.scaling.yarn_attn_factor", 0, 0, 1e6); /* not followed */
	fast = wish->has_beta_fast ? wish->beta_fast : fast;
	slow = wish->has_beta_slow ? wish->beta_slow : slow;
	rope->low = fmaxf(0, floorf(yarn_pair(rope, n_ctx, fast)));
	rope->high = fminf((float)rope->dim - 1, ceilf(yarn_pair(rope, n_ctx, slow)));
	if (rope->yarn > 0) {
		rope->magnitude *= yarn_magnitude(factor, 1);
		if (by > 0)
			rope->magnitude /= yarn_magnitude(factor, by);
	} else if (wish->has_magnitude) {
		rope->magnitude *= wish->magnitude;
	}
}

/* How many times the file's positions are stretched. */
static float read_factor(struct keys *keys)
{
	/* The first key is what files of 2023 have. */
	float factor = keys_f32(keys, "rope.scale_linear", 1, 0, 1e6);

	factor = keys_f32(keys, "rope.scaling.factor", factor, 0, 1e6);
	if (factor <= 0) /* converters write 0 for none */
		factor = 1;
	if (factor < 1e-6f && (keys_has(keys, "rope.scaling.factor") || keys_has(keys, "rope.scale_linear")))
		keys_fail(keys, STATUS_FORMAT, "found %g, expected 0 or 1e-06 to 1e+06", (double)factor);
	return factor;
}

static enum rope_scaling read_scaling(struct keys *keys)
{
	struct gguf_string type = keys_string(keys, "rope.scaling.type");

	if (gguf_string_is(type, "none"))
		return ROPE_SCALING_NONE;
	if (gguf_string_is(type, "yarn"))
		return ROPE_SCALING_YARN;
	if (keys_has(keys, "rope.scaling.type") && !gguf_string_is(type, "linear") && !gguf_string_is(type, "longrope"))
		keys_fail(keys, STATUS_UNSUPPORTED, "found \"%.*s\", supported are none, linear, yarn and "
		          "longrope", type.len < 32 ? (int)type.len : 32, type.data);
	return ROPE_SCALING_LINEAR;
}

static void read_rope_set(struct keys *keys, struct plan *plan, const struct family *family,
                          const struct rope_wish *wish, struct rope_plan *rope)
{
	uint32_t dim = plan->layers[0].head_dim_k;
	float factor = read_factor(keys), ext;
	enum rope_scaling scaling = read_scaling(keys);

	*rope = (struct rope_plan){.pairing = family->pairing};
	rope->dim = keys_u32(keys, "rope.dimension_count", dim, 2, dim);
	if (rope->dim % 2)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected an even number", rope->dim);
	rope->base = keys_f32(keys, "rope.freq_base", 10000, 1, 1e15);
	rope->magnitude = keys_f32(keys, "rope.scaling.attn_factor", 1, 0.01, 100);
	if (wish->base > 0)
		rope->base = wish->base;
	if (wish->scaling != ROPE_SCALING_FILE)
		scaling = wish->scaling;
	if (wish->freq_scale > 0)
		factor = 1 / wish->freq_scale;
	if (scaling == ROPE_SCALING_NONE)
		factor = 1;
	ext = scaling == ROPE_SCALING_YARN ? keys_f32(keys, "rope.scaling.yarn_ext_factor", 1, -1, 1) : 0;
	if (ext < 0)
		ext = 1;
	rope->yarn = wish->has_extrapolation ? wish->extrapolation : ext;
	if (scaling == ROPE_SCALING_YARN || rope->yarn > 0 || wish->has_magnitude)
		read_yarn(keys, plan, rope, wish, factor);
	rope->freq_scale = 1 / factor;
}

static void read_rope(struct keys *keys, struct plan *plan, const struct family *family)
{
	static const struct rope_wish none;

	plan->n_ctx_original = keys_u32(keys, "rope.scaling.original_context_length",
	                                plan->n_ctx_train, 1, KEYS_MAX_CTX);
	plan->has_long_factors = gguf_find_tensor(keys->gguf, "rope_factors_long.weight") != NULL;
	plan->n_ropes = 1;
	read_rope_set(keys, plan, family, keys->rope ? keys->rope : &none, &plan->ropes[0]);
}

/* The user's settings are for layers that see all positions. Layers with windows keep the file's,
 * unless no other layer is rotated or they have a rope set of their own. */
static void keep_window_ropes(struct keys *keys, struct plan *plan, const struct family *family)
{
	static const struct rope_wish none;
	bool windowed = false, others = false;

	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i];

		windowed |= l->rope == 0 && l->window;
		others |= l->rope == 0 && !l->window;
	}
	if (!keys->rope || plan->n_ropes > 1 || !windowed || !others)
		return;
	read_rope_set(keys, plan, family, &none, &plan->ropes[1]);
	if (plan->ropes[1].base == plan->ropes[0].base && plan->ropes[1].freq_scale == plan->ropes[0].freq_scale &&
	    plan->ropes[1].yarn == plan->ropes[0].yarn && plan->ropes[1].magnitude == plan->ropes[0].magnitude &&
	    plan->ropes[1].low == plan->ropes[0].low && plan->ropes[1].high == plan->ropes[0].high)
		return;
	plan->ropes[1].pairing = plan->ropes[0].pairing;
	plan->n_ropes = 2;
	for (uint32_t i = 0; i < plan->n_layer; i++)
		if (plan->layers[i].rope == 0 && plan->layers[i].window)
			plan->layers[i].rope = 1;
}

/* The vocabulary's size: its tokens where the file has them, else the rows of
 * the embedding. */
static void read_vocab(struct keys *keys, struct plan *plan)
{
	static const char key[] = "tokenizer.ggml.tokens";
	const struct gguf_tensor *embedding = gguf_find_tensor(keys->gguf, "token_embd.weight");
	struct gguf_array tokens;
	enum status status;
	uint64_t n;

	if (keys->status)
		return;
	status = gguf_get_array(keys->gguf, key, GGUF_STRING, &tokens, keys->err);
	if (status && status != STATUS_NOTFOUND) {
		keys->status = status;
		return;
	}
	n = status == STATUS_OK ? tokens.n : embedding ? embedding->ne[1] : 0;
	if (status && !embedding)
		keys->status = error_set(keys->err, STATUS_FORMAT, "tensor 'token_embd.weight' is missing");
	else if (n < 1 || n > LIMIT_VOCAB)
		keys->status = error_set(keys->err, STATUS_FORMAT, "%s: found %" PRIu64
		                         " tokens, expected 1 to %zu",
		                         status ? "tensor 'token_embd.weight'" : "key 'tokenizer.ggml.tokens'",
		                         n, LIMIT_VOCAB);
	plan->n_vocab = (uint32_t)n;
}

static void read_norm(struct keys *keys, struct plan *plan, const struct family *family)
{
	plan->norm = family->norm;
	plan->norm_eps = keys_required_f32(keys, family->norm == NORM_RMS
	                                   ? "attention.layer_norm_rms_epsilon"
	                                   : "attention.layer_norm_epsilon", (double)1e-12f, 1);
}

static void check_supported(struct keys *keys, const struct family *family)
{
	uint32_t n_expert = keys_u32(keys, "expert_count", 0, 0, UINT32_MAX);

	if (n_expert && !family->experts)
		keys_fail(keys, STATUS_UNSUPPORTED, "found %" PRIu32
		          "; this architecture is supported only without experts", n_expert);
	if (!keys_bool(keys, "attention.causal", true))
		keys_fail(keys, STATUS_UNSUPPORTED, "found false; only causal attention is supported");
}

static void read_attention_scale(struct keys *keys, struct plan *plan)
{
	float usual = plan->layers[0].attention_scale;
	float scale = keys_f32(keys, "attention.scale", usual, 0, 1e3);

	for (uint32_t i = 0; i < plan->n_layer && scale > 0 && scale != usual; i++)
		plan->layers[i].attention_scale = scale;
}

enum status family_read(struct plan *plan, const struct family *family, const struct gguf *gguf,
                        const struct rope_wish *rope, struct error *err)
{
	struct keys keys = {.gguf = gguf, .arch = family->name, .plan = plan, .rope = rope,
	                    .err = err};

	*plan = (struct plan){.embedding_scale = 1, .residual_scale = 1, .logit_scale = 1};
	read_sizes(&keys, plan, family);
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		plan->layers[i].mixers = MIXER_ATTENTION;
		plan->layers[i].kv_layer = i;
		plan->layers[i].activation = family->activation;
		plan->layers[i].is_parallel = family->is_parallel;
		plan->layers[i].norms_after_rope = family->norms_after_rope;
	}
	read_heads(&keys, plan, family);
	plan_read_windows(&keys, plan, family->window, family->window_period);
	read_rope(&keys, plan, family);
	plan->temperature_length = plan->n_ctx_original;
	read_vocab(&keys, plan);
	read_norm(&keys, plan, family);
	check_supported(&keys, family);
	if (family->experts && !keys.status)
		plan_read_experts(&keys, plan, family->experts);
	if (family->shape && !keys.status)
		family->shape(&keys, plan);
	read_attention_scale(&keys, plan);
	keep_window_ropes(&keys, plan, family);
	check_heads(&keys, plan);
	plan->differences = keys.differences;
	return keys.status;
}

void plan_add_window_rope(struct keys *keys, struct plan *plan, float base, uint32_t dim)
{
	base = keys_f32(keys, "rope.freq_base_swa", base, 1, 1e15);
	if (!plan_has_windows(plan))
		return;
	plan_set_ropes(plan, (int)plan->n_ropes, 0);
	plan->ropes[plan->n_ropes++] = (struct rope_plan){
		.pairing = plan->ropes[0].pairing, .dim = dim, .base = base, .freq_scale = 1, .magnitude = 1};
}

void plan_read_states(struct keys *keys, struct plan *plan, unsigned mixers)
{
	uint32_t taps = keys_required_u32(keys, "ssm.conv_kernel", 1, CONV_MAX_TAPS);
	uint32_t key = keys_required_u32(keys, "ssm.state_size", 1, ATTENTION_MAX_DIM);
	uint32_t n_group = keys_required_u32(keys, "ssm.group_count", 1, KEYS_MAX_HEADS);
	uint32_t n_head = keys_required_u32(keys, "ssm.time_step_rank", 1, KEYS_MAX_HEADS);
	uint32_t width = keys_required_u32(keys, "ssm.inner_size", 1, KEYS_MAX_EMBD);

	if (width % n_head || width % n_group)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected a multiple of the %" PRIu32
		          " heads and the %" PRIu32 " groups", width, n_head, n_group);
	else if (keys_has(keys, "ssm.group_count") && n_head % n_group)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected a divisor of the %" PRIu32
		          " heads", n_group, n_head);
	for (uint32_t i = 0; i < plan->n_layer && !keys->status; i++) {
		struct layer_plan *l = &plan->layers[i];

		if (!(l->mixers & mixers))
			continue;
		l->conv_taps = taps;
		l->n_state_head = n_head;
		l->n_state_group = n_group;
		l->state_key = key;
		l->state_value = width / n_head;
	}
}
