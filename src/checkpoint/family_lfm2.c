/* LFM2: most layers are short convolutions, whose keys' heads are 0. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checkpoint/family.h"

/* Older files list the layers with attention; without a list all have it. */
static bool is_convolution(const struct conversion *c, uint32_t layer)
{
	const struct setting *list = config_find(c, "full_attn_idxs");

	if (config_find(c, "layer_types"))
		return config_layer_is(c, layer, "conv");
	for (uint32_t i = 0; i < setting_n_items(list); i++) {
		char path[64];

		snprintf(path, sizeof path, "full_attn_idxs.%" PRIu32, i);
		if (settings_tree_number(c->config, path, -1) == layer)
			return false;
	}
	return list != NULL;
}

static void key_heads(struct conversion *c)
{
	int32_t heads[FAMILY_MAX_LAYERS], n_head_kv = (int32_t)(config_n_head_kv(c) & INT32_MAX);
	uint32_t n_layer = config_n_layer(c);

	for (uint32_t i = 0; i < n_layer; i++)
		heads[i] = is_convolution(c, i) ? 0 : n_head_kv;
	key_i32s(c, "attention.head_count_kv", heads, n_layer);
}

/* config.json has the length before it is made smaller and rounded up. */
static void key_length(struct conversion *c)
{
	double length = config_needed(c, "block_ff_dim intermediate_size"), factor, multiple;

	if (settings_tree_bool(c->config, "block_auto_adjust_ff_dim", true)) {
		multiple = config_needed(c, "block_multiple_of");
		length = floor(2 * length / 3);
		if (config_number(c, "block_ffn_dim_multiplier", &factor))
			length = floor(factor * length);
		if (multiple >= 1)
			length = multiple * floor((length + multiple - 1) / multiple);
	}
	if (length >= 1 && length <= UINT32_MAX)
		key_u32(c, "feed_forward_length", (uint32_t)length);
	else
		conversion_fail(c, STATUS_FORMAT, "config.json: block_ff_dim gives feed-forwards of %.10g elements",
		                length);
}

static void lfm2_keys(struct conversion *c)
{
	keys_usual(c);
	key_heads(c);
	key_u32(c, "vocab_size", config_needed_u32(c, "vocab_size"));
	key_u32(c, "shortconv.l_cache", config_needed_u32(c, "conv_L_cache"));
	key_f32(c, "attention.layer_norm_rms_epsilon", config_needed(c, "norm_eps"));
	key_length(c);
}

static bool lfm2_take(struct conversion *c, const struct source *source)
{
	struct output *output;

	if (!family_name_is(source->to.text, "shortconv.conv"))
		return false;
	output = family_output_whole(c, source->to.text, source->tensor);
	if (output && source->tensor->n_dims == 3 && source->tensor->shape[1] == 1) {
		output->n_dims = 2;
		output->ne[1] = output->ne[2];
		output->ne[2] = 1;
	}
	return true;
}

static bool lfm2_skips(const char *name)
{
	static const char *const parts[] = {"audio",           "codebook",    "conformer",
	                                    "depth_embedding", "depthformer", "depth_linear"};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

const struct checkpoint_family checkpoint_lfm2 = {
	.classes = FAMILY_CLASSES("Lfm2ForCausalLM", "LFM2ForCausalLM"),
	.architecture = "lfm2",
	.vocabulary = VOCABULARY_BPE,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 128000}, {"norm_eps", 1e-5}, {"rope_theta", 1e6},
		{"num_key_value_heads", 8}, {"conv_L_cache", 3}, {"block_multiple_of", 256}),
	.take = lfm2_take,
	.skips = lfm2_skips,
	.keys = lfm2_keys,
};
