/* Keys of a family, and what most families have. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checkpoint/family.h"

enum { KEY_MAX = 128 };

static const char *with_architecture(const struct conversion *c, const char *key, char out[KEY_MAX])
{
	snprintf(out, KEY_MAX, "%s.%s", c->architecture, key);
	return out;
}

void key_u32(struct conversion *c, const char *key, uint32_t value)
{
	char name[KEY_MAX];

	gguf_writer_set_u32(c->keys, with_architecture(c, key, name), value);
}

void key_f32(struct conversion *c, const char *key, double value)
{
	char name[KEY_MAX];

	gguf_writer_set_f32(c->keys, with_architecture(c, key, name), (float)value);
}

void key_bool(struct conversion *c, const char *key, bool value)
{
	char name[KEY_MAX];

	gguf_writer_set_bool(c->keys, with_architecture(c, key, name), value);
}

void key_string(struct conversion *c, const char *key, const char *value)
{
	char name[KEY_MAX];

	gguf_writer_set_string(c->keys, with_architecture(c, key, name), value, strlen(value));
}

void key_i32s(struct conversion *c, const char *key, const int32_t *values, size_t n)
{
	char name[KEY_MAX];

	gguf_writer_set_i32s(c->keys, with_architecture(c, key, name), values, n);
}

void key_bools(struct conversion *c, const char *key, const bool *values, size_t n)
{
	char name[KEY_MAX];

	gguf_writer_set_bools(c->keys, with_architecture(c, key, name), values, n);
}

void key_u32_of(struct conversion *c, const char *key, const char *names)
{
	uint32_t value;

	if (config_u32(c, names, &value))
		key_u32(c, key, value);
}

void key_f32_of(struct conversion *c, const char *key, const char *names)
{
	double value;

	if (config_number(c, names, &value))
		key_f32(c, key, value);
}

void key_file_type(struct conversion *c)
{
	gguf_writer_set_u32(c->keys, "general.file_type", 1);
}

/* A number of the rotation, where it is there. */
static void rope_key(struct conversion *c, const char *key, const char *item)
{
	if (rope_find(c, item))
		key_f32(c, key, rope_number(c, item, 0));
}

static uint32_t rope_u32(struct conversion *c, const char *item)
{
	double number = rope_number(c, item, -1);

	if (number >= 0 && number <= UINT32_MAX)
		return (uint32_t)number;
	conversion_fail(c, STATUS_FORMAT, "config.json: %s of the rope parameters is missing or no positive number",
	                item);
	return 0;
}

static void keys_yarn(struct conversion *c)
{
	key_string(c, "rope.scaling.type", "yarn");
	rope_key(c, "rope.scaling.factor", "factor");
	key_u32(c, "rope.scaling.original_context_length", rope_u32(c, "original_max_position_embeddings"));
	rope_key(c, "rope.scaling.yarn_ext_factor", "extrapolation_factor");
	rope_key(c, "rope.scaling.yarn_attn_factor",
	         rope_find(c, "attention_factor") ? "attention_factor" : "attn_factor");
	rope_key(c, "rope.scaling.yarn_beta_fast", "beta_fast");
	rope_key(c, "rope.scaling.yarn_beta_slow", "beta_slow");
}

/* Llama 3's way is a tensor; "dynamic" and "default" need nothing. */
static void keys_scaling(struct conversion *c)
{
	static const char *const without_keys[] = {"", "default", "dynamic", "llama3", "proportional"};
	const char *type = rope_type(c);
	bool has_factor = rope_find(c, "factor") != NULL;

	if (strcmp(type, "linear") == 0 && has_factor) {
		key_string(c, "rope.scaling.type", "linear");
		rope_key(c, "rope.scaling.factor", "factor");
		return;
	}
	if (strcmp(type, "yarn") == 0 && has_factor) {
		keys_yarn(c);
		return;
	}
	if (strcmp(type, "longrope") == 0 || strcmp(type, "su") == 0) {
		key_string(c, "rope.scaling.type", "longrope");
		return;
	}
	for (size_t i = 0; i < sizeof without_keys / sizeof without_keys[0]; i++)
		if (strcasecmp(type, without_keys[i]) == 0)
			return;
	conversion_note(c, "config.json: the way of stretching positions '%s' is not known, and left out", type);
}

static void keys_sections(struct conversion *c)
{
	const struct setting *sections = rope_find_common(c, "mrope_section");
	int32_t values[4] = {0};

	if (!sections)
		return;
	if (sections->kind != SETTING_ARRAY)
		conversion_fail(c, STATUS_FORMAT, "config.json: %s is not a list", sections->path);
	for (size_t i = 0; i < 4 && i < setting_n_items(sections); i++) {
		char path[160];

		snprintf(path, sizeof path, "%s.%zu", sections->path, i);
		values[i] = (int32_t)(config_cut(c, "section", settings_tree_number(c->config, path, 0)) & INT32_MAX);
	}
	key_i32s(c, "rope.dimension_sections", values, 4);
}

static void keys_bases(struct conversion *c)
{
	const struct setting *sliding = rope_find_sliding_theta(c);
	double theta = 0;

	if (rope_find(c, "rope_theta"))
		key_f32(c, "rope.freq_base", rope_number(c, "rope_theta", 0));
	else if (config_number(c, "rope_theta", &theta))
		key_f32(c, "rope.freq_base", theta);
	if (sliding && (sliding->kind == SETTING_INT || sliding->kind == SETTING_FLOAT))
		key_f32(c, "rope.freq_base_swa", sliding->number);
	else if (!sliding && config_number(c, "rope_local_base_freq", &theta))
		key_f32(c, "rope.freq_base_swa", theta);
}

static void keys_gating(struct conversion *c)
{
	static const char names[] =
		"score_function scoring_func score_func moe_router_activation moe_router_activation_func "
		"expert_selection_fn";
	static const char *const functions[] = {"softmax", "sigmoid", "", "sqrtsoftplus"}; /* from 1 */
	const struct setting *setting = config_find(c, names);

	if (!setting)
		return;
	for (uint32_t i = 0; setting->kind == SETTING_STRING && i < 4; i++)
		if (*functions[i] && strcmp(setting->text, functions[i]) == 0) {
			key_u32(c, "expert_gating_func", i + 1);
			return;
		}
	conversion_fail(c, STATUS_UNSUPPORTED,
	                "config.json: %s is not known: expected softmax, sigmoid or sqrtsoftplus", setting->path);
}

static void keys_head_dim(struct conversion *c)
{
	uint32_t dim = 0, n_head = 0;

	if (c->family->ignores_head_dim)
		return;
	if (!config_u32(c, "head_dim", &dim) && c->family->derives_head_dim && config_u32(c, "num_attention_heads", &n_head) &&
	    n_head)
		dim = config_needed_u32(c, "hidden_size") / n_head;
	if (!dim)
		return;
	key_u32(c, "attention.key_length", dim);
	key_u32(c, "attention.value_length", dim);
}

void keys_usual(struct conversion *c)
{
	key_u32(c, "block_count", config_n_layer(c));
	key_u32_of(c, "context_length",
	           "max_position_embeddings n_ctx n_positions max_length max_sequence_length model_max_length");
	key_u32_of(c, "embedding_length", "hidden_size n_embd dim");
	key_u32_of(c, "feed_forward_length",
	           "prefix_dense_intermediate_size dense_intermediate_size intermediate_size n_inner hidden_dim");
	key_u32_of(c, "attention.head_count", "num_attention_heads n_head n_heads");
	if (config_find(c, "num_attention_heads n_head n_heads"))
		key_u32(c, "attention.head_count_kv", config_n_head_kv(c));
	if (config_find(c, "is_causal") && !settings_tree_bool(c->config, "is_causal", true))
		key_bool(c, "attention.causal", false);
	keys_scaling(c);
	keys_sections(c);
	keys_bases(c);
	key_f32_of(c, "attention.layer_norm_rms_epsilon", "rms_norm_eps norm_eps");
	key_f32_of(c, "attention.layer_norm_epsilon", "layer_norm_eps layer_norm_epsilon norm_epsilon");
	key_u32_of(c, "expert_count", "num_local_experts num_experts n_routed_experts");
	key_u32_of(c, "expert_used_count", "num_experts_per_tok num_experts_per_token top_k_experts");
	key_u32_of(c, "expert_group_count", "n_group");
	key_u32_of(c, "expert_group_used_count", "topk_group");
	keys_gating(c);
	keys_head_dim(c);
	key_file_type(c);
}

void key_window_pattern(struct conversion *c, uint32_t period)
{
	bool windows[FAMILY_MAX_LAYERS];
	uint32_t n = config_n_layer(c);

	for (uint32_t i = 0; i < n; i++)
		windows[i] = config_find(c, "layer_types") ? config_layer_is(c, i, "sliding_attention")
		                                           : (i + 1) % period != 0;
	key_bools(c, "attention.sliding_window_pattern", windows, n);
}
