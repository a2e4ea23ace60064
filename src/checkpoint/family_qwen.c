/* Qwen 2, 3 and 3.5. Rows stay where they are, but for Qwen 3.5's recurrent layers. */
#include <string.h>

#include "checkpoint/family.h"

const struct checkpoint_family checkpoint_qwen2 = {
	.classes = FAMILY_CLASSES("Qwen2ForCausalLM"),
	.architecture = "qwen2",
	.vocabulary = VOCABULARY_PLAIN,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 32768}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000},
		{"num_key_value_heads", 32}),
	.keys = keys_usual,
};

/* Models that rank texts have another head, made of two tokens' rows. */
static void qwen3_keys(struct conversion *c)
{
	const char *const names[] = {checkpoint_folder(c->from), settings_tree_text(c->config, "_name_or_path", "")};

	for (size_t i = 0; i < 2; i++)
		if (strcasestr(names[i], "qwen3-reranker"))
			conversion_fail(c, STATUS_UNSUPPORTED, "this model ranks texts and does not chat: "
			                "llama.cpp's convert_hf_to_gguf.py converts it");
	keys_usual(c);
}

const struct checkpoint_family checkpoint_qwen3 = {
	.classes = FAMILY_CLASSES("Qwen3ForCausalLM"),
	.architecture = "qwen3",
	.vocabulary = VOCABULARY_PLAIN,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 32768}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000},
		{"num_key_value_heads", 32}, {"head_dim", 128}),
	.keys = qwen3_keys,
};

/* ---- experts: single ones, or all in one tensor with gates and inputs as halves ---- */

static void qwen_moe_keys(struct conversion *c)
{
	keys_usual(c);
	key_u32_of(c, "expert_feed_forward_length", "moe_intermediate_size");
	key_u32_of(c, "expert_shared_feed_forward_length", "shared_expert_intermediate_size");
}

static bool qwen_moe_take(struct conversion *c, const struct source *source)
{
	char up[NAMES_MAX];

	if (source->to.expert >= 0 || !family_name_is(source->to.text, "ffn_gate_exps"))
		return false;
	family_rename(source->to.text, "ffn_gate_exps", "ffn_up_exps", up);
	family_output_half(c, source->to.text, source->tensor, 0);
	family_output_half(c, up, source->tensor, 1);
	return true;
}

const struct checkpoint_family checkpoint_qwen3moe = {
	.classes = FAMILY_CLASSES("Qwen3MoeForCausalLM"),
	.architecture = "qwen3moe",
	.vocabulary = VOCABULARY_PLAIN,
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 32768}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000},
		{"num_key_value_heads", 4}, {"num_experts_per_tok", 8}, {"num_experts", 128},
		{"moe_intermediate_size", 768}),
	.take = qwen_moe_take,
	.keys = qwen_moe_keys,
};

/* ---- Qwen 3.5: of the recurrent layers' value heads those of one key lie together; the engine has them in turns ----
 */

static void qwen35_keys(struct conversion *c)
{
	uint32_t dim, n_value = config_needed_u32(c, "linear_num_value_heads"), interval = 4;
	double heads;

	qwen_moe_keys(c);
	key_u32(c, "ssm.conv_kernel", config_needed_u32(c, "linear_conv_kernel_dim"));
	key_u32(c, "ssm.state_size", config_needed_u32(c, "linear_key_head_dim"));
	key_u32(c, "ssm.group_count", config_needed_u32(c, "linear_num_key_heads"));
	key_u32(c, "ssm.time_step_rank", n_value);
	key_u32(c, "ssm.inner_size", config_needed_u32(c, "linear_value_head_dim") * n_value);
	config_u32(c, "full_attention_interval", &interval);
	key_u32(c, "full_attention_interval", interval);
	if (!config_u32(c, "head_dim", &dim)) {
		heads = config_needed(c, "num_attention_heads");
		dim = heads >= 1 ? config_cut(c, "head", config_needed(c, "hidden_size") / heads) : 0;
	}
	key_u32(c, "rope.dimension_count",
	        config_cut(c, "rotated part", dim * rope_number_common(c, "partial_rotary_factor", 0.25)));
	if (!rope_find_common(c, "mrope_section"))
		key_i32s(c, "rope.dimension_sections", (const int32_t[]){11, 11, 10, 0}, 4);
}

/* Which rows of a tensor are of value heads; false: none. */
static bool value_rows(struct conversion *c, const char *name, struct row_map *map)
{
	uint32_t n_key = config_needed_u32(c, "linear_num_key_heads"),
		 n_value = config_needed_u32(c, "linear_num_value_heads");
	uint64_t dim = config_needed_u32(c, "linear_value_head_dim");
	uint64_t before = 2 * (uint64_t)config_needed_u32(c, "linear_key_head_dim") * n_key;

	*map = (struct row_map){.order = ROWS_AS_THEY_ARE};
	if (n_key && n_value && n_key != n_value)
		*map = (struct row_map){ROWS_IN_TURNS, n_key, n_value % n_key ? 0 : n_value / n_key, dim, 0};
	if (strstr(name, ".linear_attn.in_proj_qkv.") || strstr(name, ".linear_attn.conv1d.")) {
		map->before = before;
		return true;
	}
	if (strstr(name, ".linear_attn.in_proj_z.") || strstr(name, ".linear_attn.out_proj."))
		return true;
	map->dim = 1;
	return strstr(name, ".linear_attn.in_proj_a.") || strstr(name, ".linear_attn.in_proj_b.") ||
	       text_ends(name, ".linear_attn.A_log") || text_ends(name, ".linear_attn.dt_bias");
}

/* The output's columns are value heads. */
static void take_out_proj(struct conversion *c, const struct source *source, const struct row_map *map)
{
	struct output *output;

	if (!row_map_fits(map, source->tensor->n_cols)) {
		conversion_fail(c, STATUS_FORMAT, "tensor '%s': its columns are not the heads of config.json",
		                source->name);
		return;
	}
	output = family_output_whole(c, source->to.text, source->tensor);
	if (output && !output_map_columns(output, map))
		conversion_fail(c, STATUS_NOMEM, "not enough memory");
}

static void take_recurrent(struct conversion *c, const struct source *source, const struct row_map *map)
{
	struct output *output;

	if (strstr(source->name, ".out_proj.")) {
		take_out_proj(c, source, map);
		return;
	}
	output = family_output_mapped(c, source->to.text, source->tensor, map);
	if (!output)
		return;
	if (text_ends(source->name, ".A_log"))
		output->change = CHANGE_MINUS_EXP;
	if (strstr(source->name, ".conv1d."))
		family_shape(c, source->tensor, true, &output->n_dims, output->ne);
}

static bool qwen35_take(struct conversion *c, const struct source *source)
{
	struct row_map map;
	struct output *output;

	if (strstr(source->name, ".linear_attn.") && value_rows(c, source->name, &map)) {
		take_recurrent(c, source, &map);
		return true;
	}
	if (text_ends(source->name, "norm.weight") && !text_ends(source->name, "linear_attn.norm.weight")) {
		output = family_output_whole(c, source->to.text, source->tensor);
		if (output)
			output->change = CHANGE_PLUS_ONE;
		return true;
	}
	return qwen_moe_take(c, source);
}

/* Layers that guess further tokens are left out. */
static bool qwen35_skips(const char *name)
{
	return strncmp(name, "mtp.", 4) == 0 || strncmp(name, "model.mtp.", 10) == 0;
}

#define QWEN35_DEFAULTS(...) FAMILY_DEFAULTS({"max_position_embeddings", 32768}, {"rms_norm_eps", 1e-6}, \
	{"rope_theta", 10000}, {"head_dim", 256}, {"linear_conv_kernel_dim", 4}, {"linear_key_head_dim", 128}, \
	{"linear_value_head_dim", 128}, {"linear_num_key_heads", 16}, {"linear_num_value_heads", 32}, __VA_ARGS__)

const struct checkpoint_family checkpoint_qwen35 = {
	.classes = FAMILY_CLASSES("Qwen3_5ForConditionalGeneration", "Qwen3_5ForCausalLM"),
	.architecture = "qwen35",
	.vocabulary = VOCABULARY_PLAIN,
	.defaults = QWEN35_DEFAULTS({"num_key_value_heads", 4}),
	.take = qwen35_take,
	.skips = qwen35_skips,
	.keys = qwen35_keys,
};

const struct checkpoint_family checkpoint_qwen35moe = {
	.classes = FAMILY_CLASSES("Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeForCausalLM"),
	.architecture = "qwen35moe",
	.vocabulary = VOCABULARY_PLAIN,
	.defaults = QWEN35_DEFAULTS({"num_key_value_heads", 2}, {"num_experts", 256}, {"num_experts_per_tok", 8},
		{"moe_intermediate_size", 512}, {"shared_expert_intermediate_size", 512}),
	.take = qwen35_take,
	.skips = qwen35_skips,
	.keys = qwen35_keys,
};
