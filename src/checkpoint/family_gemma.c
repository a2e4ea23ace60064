/* Gemma 2, 3 and 4. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/family.h"

/* Weights of norms are stored as what they differ from 1. */
static bool gemma_take_norm(struct conversion *c, const struct source *source)
{
	struct output *output;

	if (!text_ends(source->name, "norm.weight"))
		return false;
	output = family_output_whole(c, source->to.text, source->tensor);
	if (output)
		output->change = CHANGE_PLUS_ONE;
	return true;
}

static void gemma2_keys(struct conversion *c)
{
	uint32_t head_dim = config_needed_u32(c, "head_dim");

	key_u32(c, "context_length", config_needed_u32(c, "max_position_embeddings"));
	key_u32(c, "embedding_length", config_needed_u32(c, "hidden_size"));
	key_u32(c, "block_count", config_n_layer(c));
	key_u32(c, "feed_forward_length", config_needed_u32(c, "intermediate_size"));
	key_u32(c, "attention.head_count", config_needed_u32(c, "num_attention_heads"));
	key_u32(c, "attention.head_count_kv", config_n_head_kv(c));
	key_f32(c, "attention.layer_norm_rms_epsilon", config_needed(c, "rms_norm_eps"));
	key_u32(c, "attention.key_length", head_dim);
	key_u32(c, "attention.value_length", head_dim);
	key_file_type(c);
	key_f32(c, "attn_logit_softcapping", config_needed(c, "attn_logit_softcapping"));
	key_f32(c, "final_logit_softcapping", config_needed(c, "final_logit_softcapping"));
	key_u32(c, "attention.sliding_window", config_needed_u32(c, "sliding_window"));
}

/* The embedding is the output's matrix, also where it is stored twice. */
static bool gemma2_skips(const char *name)
{
	return strcmp(name, "lm_head.weight") == 0;
}

const struct checkpoint_family checkpoint_gemma2 = {
	.classes = FAMILY_CLASSES("Gemma2ForCausalLM"),
	.architecture = "gemma2",
	.vocabulary = VOCABULARY_GEMMA,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 8192}, {"rms_norm_eps", 1e-6},
		{"num_key_value_heads", 4}, {"head_dim", 256}, {"sliding_window", 4096},
		{"attn_logit_softcapping", 50}, {"final_logit_softcapping", 30}),
	.take = gemma_take_norm,
	.skips = gemma2_skips,
	.keys = gemma2_keys,
};

/* ---- Gemma 3 ---- */

/* What Gemma 3 writes, and 4 before its own. */
static void gemma3_keys(struct conversion *c)
{
	uint32_t head_dim = config_needed_u32(c, "head_dim");
	double softcap = 0, period = 0;

	keys_usual(c);
	key_u32(c, "context_length", config_needed_u32(c, "max_position_embeddings"));
	key_u32(c, "attention.head_count", config_needed_u32(c, "num_attention_heads"));
	key_f32(c, "attention.layer_norm_rms_epsilon", config_needed(c, "rms_norm_eps"));
	key_u32(c, "attention.key_length", head_dim);
	key_u32(c, "attention.value_length", head_dim);
	key_f32(c, "rope.freq_base", rope_number(c, "rope_theta", 1e6));
	if (config_find(c, "attn_logit_softcapping"))
		conversion_fail(c, STATUS_UNSUPPORTED,
		                "config.json: attn_logit_softcapping is set, which this kind of model has not");
	if (config_number(c, "final_logit_softcapping", &softcap) && softcap != 0)
		key_f32(c, "final_logit_softcapping", softcap);
	if (!config_find(c, "sliding_window_pattern") || !config_number(c, "sliding_window_pattern", &period) ||
	    period != 1)
		key_u32(c, "attention.sliding_window", config_needed_u32(c, "sliding_window"));
	key_u32(c, "attention.head_count_kv", config_n_head_kv(c));
}

/* The first rows of the embedding: it may have more than the vocabulary. */
static void take_embedding(struct conversion *c, const struct source *source)
{
	const struct safetensor *tensor = source->tensor;
	uint64_t n = c->n_vocab && c->n_vocab < tensor->n_rows ? c->n_vocab : tensor->n_rows;
	struct output *output = family_output_whole(c, source->to.text, tensor);

	if (!output || n == tensor->n_rows)
		return;
	output->ne[1] = n;
	output->runs[0].n = n;
	conversion_note(c, "%s: %" PRIu64 " rows without tokens were left out", tensor->name, tensor->n_rows - n);
}

static bool gemma3_take(struct conversion *c, const struct source *source)
{
	if (strcmp(source->to.text, "token_embd.weight") != 0 || source->tensor->n_dims != 2)
		return gemma_take_norm(c, source);
	take_embedding(c, source);
	return true;
}

const struct checkpoint_family checkpoint_gemma3 = {
	.classes = FAMILY_CLASSES("Gemma3ForCausalLM", "Gemma3ForConditionalGeneration"),
	.architecture = "gemma3",
	.vocabulary = VOCABULARY_GEMMA,
	.defaults = FAMILY_DEFAULTS({"num_attention_heads", 8}, {"num_key_value_heads", 4}, {"head_dim", 256},
		{"max_position_embeddings", 131072}, {"rms_norm_eps", 1e-6}, {"sliding_window", 4096},
		{"rope_local_base_freq", 10000}),
	.take = gemma3_take,
	.keys = gemma3_keys,
};

/* ---- Gemma 4: heads of windowed layers are shorter; the last layers use others' keys and values ---- */

static void gemma4_key_lengths(struct conversion *c, uint32_t n_layer, uint32_t n_shared)
{
	uint32_t length = config_needed_u32(c, "intermediate_size");
	int32_t lengths[FAMILY_MAX_LAYERS];

	if (length > INT32_MAX / 2) {
		conversion_fail(c, STATUS_FORMAT, "config.json: intermediate_size is %" PRIu32, length);
		return;
	}
	for (uint32_t i = 0; i < n_layer; i++)
		lengths[i] = (int32_t)(i < n_layer - n_shared ? length : 2 * length);
	key_i32s(c, "feed_forward_length", lengths, n_layer);
}

/* The last layer never has a window. */
static bool is_windowed(const struct conversion *c, uint32_t layer, uint32_t n_layer)
{
	return layer + 1 < n_layer && (config_find(c, "layer_types") ? config_layer_is(c, layer, "sliding_attention")
	                                                             : (layer + 1) % 6 != 0);
}

static void gemma4_key_windows(struct conversion *c, uint32_t n_layer)
{
	bool windows[FAMILY_MAX_LAYERS];

	for (uint32_t i = 0; i < n_layer; i++)
		windows[i] = is_windowed(c, i, n_layer);
	key_bools(c, "attention.sliding_window_pattern", windows, n_layer);
}

static void gemma4_key_heads(struct conversion *c, uint32_t n_layer)
{
	int32_t heads[FAMILY_MAX_LAYERS];
	uint32_t full, windowed = config_n_head_kv(c);

	if (!config_u32(c, "num_global_key_value_heads", &full))
		return;
	for (uint32_t i = 0; i < n_layer; i++)
		heads[i] = (int32_t)(is_windowed(c, i, n_layer) ? windowed : full);
	key_i32s(c, "attention.head_count_kv", heads, n_layer);
}

static void gemma4_keys(struct conversion *c)
{
	uint32_t n_layer = config_n_layer(c), n_shared = config_needed_u32(c, "num_kv_shared_layers"), n_input = 0;
	uint32_t dim = config_needed_u32(c, "global_head_dim"), windowed_dim = config_needed_u32(c, "head_dim");

	if (c->err.status)
		return;
	gemma3_keys(c);
	key_u32(c, "attention.shared_kv_layers", n_shared);
	config_u32(c, "hidden_size_per_layer_input", &n_input);
	key_u32(c, "embedding_length_per_layer_input", n_input);
	gemma4_key_windows(c, n_layer);
	key_u32(c, "attention.key_length", dim);
	key_u32(c, "attention.value_length", dim);
	key_u32(c, "attention.key_length_swa", windowed_dim);
	key_u32(c, "attention.value_length_swa", windowed_dim);
	key_u32_of(c, "expert_feed_forward_length", "expert_intermediate_size moe_intermediate_size");
	if (n_shared > n_layer)
		conversion_fail(c, STATUS_FORMAT,
		                "config.json: num_kv_shared_layers is %" PRIu32 " of %" PRIu32 " layers", n_shared,
		                n_layer);
	else if (settings_tree_bool(c->config, "use_double_wide_mlp", false))
		gemma4_key_lengths(c, n_layer, n_shared);
	gemma4_key_heads(c, n_layer);
	key_u32(c, "rope.dimension_count", dim);
	key_u32(c, "rope.dimension_count_swa",
	        config_cut(c, "rotated part", windowed_dim * rope_number_common(c, "partial_rotary_factor", 1)));
}

/* Of layers without windows only the first elements of each half of a head are rotated: the others turn slowly enough
 * to stand. */
static void gemma4_extra(struct conversion *c)
{
	uint32_t dim = config_needed_u32(c, "global_head_dim"), n_rotated;
	float *values;

	if (strcmp(rope_type(c), "proportional") != 0)
		conversion_fail(c, STATUS_UNSUPPORTED,
		                "config.json: positions of layers with full attention are rotated by '%s', "
		                "expected 'proportional'",
		                rope_type(c));
	if (dim < 2 || dim % 2 || dim > 4096)
		conversion_fail(c, STATUS_FORMAT,
		                "config.json: global_head_dim is %" PRIu32 ", expected an even number", dim);
	if (c->err.status)
		return;
	n_rotated = config_cut(c, "rotated part", dim * rope_number(c, "partial_rotary_factor", 0.25) / 2);
	values = alloc_array(dim / 2, sizeof values[0]);
	for (uint32_t i = 0; values && i < dim / 2; i++)
		values[i] = i < n_rotated ? 1 : 1e30f;
	family_output_values(c, "rope_freqs.weight", values, dim / 2);
}

static bool gemma4_take(struct conversion *c, const struct source *source)
{
	bool is_embedding = strcmp(source->to.text, "token_embd.weight") == 0 ||
	                    strcmp(source->to.text, "per_layer_token_embd.weight") == 0;

	if (!is_embedding || source->tensor->n_dims != 2)
		return false;
	take_embedding(c, source);
	return true;
}

const struct checkpoint_family checkpoint_gemma4 = {
	.classes = FAMILY_CLASSES("Gemma4ForConditionalGeneration", "Gemma4ForCausalLM"),
	.architecture = "gemma4",
	.vocabulary = VOCABULARY_GEMMA4,
	.defaults = FAMILY_DEFAULTS({"num_attention_heads", 8}, {"num_key_value_heads", 4}, {"head_dim", 256},
		{"global_head_dim", 512}, {"max_position_embeddings", 131072}, {"rms_norm_eps", 1e-6}, {"sliding_window", 512},
		{"num_kv_shared_layers", 0}, {"hidden_size_per_layer_input", 256}),
	.extra = gemma4_extra,
	.take = gemma4_take,
	.keys = gemma4_keys,
};
