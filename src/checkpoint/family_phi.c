/* Phi 3 and 4: tensors that hold several matrices stay so; factors of frequencies for short and long contexts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/family.h"

static uint32_t rope_dim(struct conversion *c)
{
	uint32_t n_head = config_needed_u32(c, "num_attention_heads n_head");

	double part = rope_number_common(c, "partial_rotary_factor", 1);

	return n_head ? config_cut(c, "rotated part", part * config_needed(c, "hidden_size n_embd")) / n_head : 0;
}

/* Of the context that it was trained with first; without: the whole. */
static double original_length(struct conversion *c)
{
	double number = 4096;

	config_number(c, "original_max_position_embeddings", &number);
	return rope_number_common(c, "original_max_position_embeddings", number);
}

/* A list of numbers as a tensor. */
static void write_factors(struct conversion *c, const char *name, const struct setting *list, uint32_t n)
{
	float *values;

	if (setting_n_items(list) != n) {
		conversion_fail(c, STATUS_FORMAT,
		                "config.json: long_factor and short_factor are no lists of %" PRIu32 " numbers", n);
		return;
	}
	values = alloc_array(n, sizeof values[0]);
	for (uint32_t i = 0; values && i < n; i++) {
		char path[160];

		snprintf(path, sizeof path, "%.140s.%" PRIu32, list->path, i);
		values[i] = (float)settings_tree_number(c->config, path, 1);
	}
	family_output_values(c, name, values, n);
}

static void phi3_extra(struct conversion *c)
{
	const struct setting *long_factor = rope_find_common(c, "long_factor");
	const struct setting *type = rope_find_common(c, "rope_type");
	double original = original_length(c), scale, factor = 1;
	const char *name = type && type->kind == SETTING_STRING ? type->text : "";

	if (!long_factor || long_factor->number == 0)
		return;
	scale = config_needed(c, "n_positions max_position_embeddings") / original;
	if (strcmp(name, "longrope") == 0 || strcmp(name, "su") == 0)
		factor = scale > 1 ? sqrt(1 + log(scale) / log(original)) : 1;
	else if (strcmp(name, "yarn") == 0)
		factor = scale > 1 ? 0.1 * log(scale) + 1 : 1;
	else
		conversion_fail(c, STATUS_UNSUPPORTED, "config.json: the way of stretching positions '%s' is not known",
		                name);
	key_f32(c, "rope.scaling.attn_factor", factor);
	write_factors(c, "rope_factors_long.weight", long_factor, rope_dim(c) / 2);
	write_factors(c, "rope_factors_short.weight", rope_find_common(c, "short_factor"), rope_dim(c) / 2);
}

static void phi3_keys(struct conversion *c)
{
	uint32_t window = 0;

	key_u32(c, "context_length", config_needed_u32(c, "n_positions max_position_embeddings"));
	key_u32(c, "rope.scaling.original_context_length", config_cut(c, "context", original_length(c)));
	key_u32(c, "embedding_length", config_needed_u32(c, "hidden_size n_embd"));
	key_u32(c, "feed_forward_length", config_needed_u32(c, "intermediate_size"));
	key_u32(c, "block_count", config_n_layer(c));
	key_u32(c, "attention.head_count", config_needed_u32(c, "num_attention_heads n_head"));
	key_u32(c, "attention.head_count_kv", config_n_head_kv(c));
	key_f32(c, "attention.layer_norm_rms_epsilon", config_needed(c, "rms_norm_eps"));
	key_u32(c, "rope.dimension_count", rope_dim(c));
	key_f32(c, "rope.freq_base",
	        rope_find(c, "rope_theta") ? rope_number(c, "rope_theta", 0) : config_needed(c, "rope_theta"));
	key_file_type(c);
	config_u32(c, "sliding_window", &window);
	key_u32(c, "attention.sliding_window", window); /* 0: none, as of Phi 4 */
}

const struct checkpoint_family checkpoint_phi3 = {
	.classes = FAMILY_CLASSES("Phi3ForCausalLM"),
	.architecture = "phi3",
	.vocabulary = VOCABULARY_PHI3,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 4096}, {"original_max_position_embeddings", 4096},
		{"rms_norm_eps", 1e-5}, {"rope_theta", 10000}),
	.extra = phi3_extra,
	.keys = phi3_keys,
};
