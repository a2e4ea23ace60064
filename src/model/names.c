#include "model/names.h"

#include <stdio.h>
#include <string.h>

/* '#' is the layer's number, '%' the expert's. ".weight" or ".bias" follows, but where a name is whole. */
enum name_need { OPTIONAL, NEEDED, WHOLE /* and optional */, NEEDED_WHOLE };
struct name_row {
	const char *checkpoint, *gguf;
	enum name_need need;
};

/* What a group's needed rows are needed for: a layer has at least one mixer and one feed-forward, and each of these
 * either whole or not at all. */
enum name_kind { MODEL, LAYER, MIXER, FEED_FORWARD };
struct name_group {
	enum name_kind kind;
	const struct name_row *rows; /* up to one without names */
};

#define GROUP(...) (const struct name_row[]){__VA_ARGS__, {NULL, NULL, OPTIONAL}}
#define L "model.layers.#."
#define B "blk.#."

static const struct name_group model = {MODEL,
                                        GROUP({"model.embed_tokens", "token_embd", NEEDED},
                                              {"model.norm", "output_norm", NEEDED}, {"lm_head", "output", OPTIONAL})};
static const struct name_group norm_before = {LAYER, GROUP({L "input_layernorm", B "attn_norm", NEEDED})};
static const struct name_group ffn_norm = {LAYER, GROUP({L "post_attention_layernorm", B "ffn_norm", NEEDED})};
static const struct name_group second_norm = {LAYER, GROUP(
	{L "post_attention_layernorm", B "post_attention_norm", NEEDED})};
static const struct name_group post_norms = {LAYER, GROUP(
	{L "post_attention_layernorm", B "post_attention_norm", NEEDED},
	{L "post_feedforward_layernorm", B "post_ffw_norm", NEEDED})};
static const struct name_group gemma_norm = {LAYER, GROUP({L "pre_feedforward_layernorm", B "ffn_norm", NEEDED})};

static const struct name_group attention = {MIXER, GROUP(
	{L "self_attn.q_proj", B "attn_q", NEEDED}, {L "self_attn.k_proj", B "attn_k", NEEDED},
	{L "self_attn.v_proj", B "attn_v", NEEDED}, {L "self_attn.o_proj", B "attn_output", NEEDED})};
static const struct name_group normed_attention = {MIXER, GROUP(
	{L "self_attn.q_proj", B "attn_q", NEEDED}, {L "self_attn.k_proj", B "attn_k", NEEDED},
	{L "self_attn.v_proj", B "attn_v", NEEDED}, {L "self_attn.o_proj", B "attn_output", NEEDED},
	{L "self_attn.q_norm", B "attn_q_norm", NEEDED}, {L "self_attn.k_norm", B "attn_k_norm", NEEDED})};
/* Layers that use another's keys and values have none; some have no values of their own. */
static const struct name_group gemma4_attention = {MIXER, GROUP(
	{L "self_attn.q_proj", B "attn_q", NEEDED}, {L "self_attn.k_proj", B "attn_k", OPTIONAL},
	{L "self_attn.v_proj", B "attn_v", OPTIONAL}, {L "self_attn.o_proj", B "attn_output", NEEDED},
	{L "self_attn.q_norm", B "attn_q_norm", NEEDED}, {L "self_attn.k_norm", B "attn_k_norm", OPTIONAL})};
static const struct name_group fused_attention = {MIXER, GROUP(
	{L "self_attn.qkv_proj", B "attn_qkv", NEEDED}, {L "self_attn.o_proj", B "attn_output", NEEDED})};
static const struct name_group sink_attention = {MIXER, GROUP(
	{L "self_attn.q_proj", B "attn_q", NEEDED}, {L "self_attn.k_proj", B "attn_k", NEEDED},
	{L "self_attn.v_proj", B "attn_v", NEEDED}, {L "self_attn.o_proj", B "attn_output", NEEDED},
	{L "self_attn.sinks", B "attn_sinks.weight", NEEDED_WHOLE})};
static const struct name_group lfm2_attention = {MIXER, GROUP(
	{L "self_attn.q_proj", B "attn_q", NEEDED}, {L "self_attn.k_proj", B "attn_k", NEEDED},
	{L "self_attn.v_proj", B "attn_v", NEEDED}, {L "self_attn.out_proj", B "attn_output", NEEDED},
	{L "self_attn.q_layernorm", B "attn_q_norm", NEEDED}, {L "self_attn.k_layernorm", B "attn_k_norm", NEEDED})};
static const struct name_group delta_net = {MIXER, GROUP(
	{L "linear_attn.in_proj_qkv", B "attn_qkv", NEEDED}, {L "linear_attn.in_proj_z", B "attn_gate", NEEDED},
	{L "linear_attn.in_proj_b", B "ssm_beta", NEEDED}, {L "linear_attn.in_proj_a", B "ssm_alpha", NEEDED},
	{L "linear_attn.conv1d", B "ssm_conv1d", NEEDED}, {L "linear_attn.A_log", B "ssm_a", NEEDED_WHOLE},
	{L "linear_attn.dt_bias", B "ssm_dt.bias", NEEDED_WHOLE}, {L "linear_attn.norm", B "ssm_norm", NEEDED},
	{L "linear_attn.out_proj", B "ssm_out", NEEDED})};
static const struct name_group shortconv = {MIXER, GROUP(
	{L "conv.conv", B "shortconv.conv", NEEDED}, {L "conv.in_proj", B "shortconv.in_proj", NEEDED},
	{L "conv.out_proj", B "shortconv.out_proj", NEEDED})};

static const struct name_group gated_ffn = {FEED_FORWARD, GROUP(
	{L "mlp.gate_proj", B "ffn_gate", NEEDED}, {L "mlp.up_proj", B "ffn_up", NEEDED},
	{L "mlp.down_proj", B "ffn_down", NEEDED})};
static const struct name_group fused_ffn = {FEED_FORWARD, GROUP(
	{L "mlp.gate_up_proj", B "ffn_up", NEEDED}, {L "mlp.down_proj", B "ffn_down", NEEDED})};
static const struct name_group lfm2_ffn = {FEED_FORWARD, GROUP(
	{L "feed_forward.w1", B "ffn_gate", NEEDED}, {L "feed_forward.w3", B "ffn_up", NEEDED},
	{L "feed_forward.w2", B "ffn_down", NEEDED})};
/* Single experts: in the order in which the reference stacks them. */
static const struct name_group mixtral_experts = {FEED_FORWARD, GROUP(
	{L "block_sparse_moe.gate", B "ffn_gate_inp", NEEDED},
	{L "block_sparse_moe.experts.%.w1", B "ffn_gate_exps", NEEDED},
	{L "block_sparse_moe.experts.%.w2", B "ffn_down_exps", NEEDED},
	{L "block_sparse_moe.experts.%.w3", B "ffn_up_exps", NEEDED})};
static const struct name_group qwen_experts = {
	FEED_FORWARD,
	GROUP({L "mlp.gate", B "ffn_gate_inp", NEEDED}, {L "mlp.experts.%.down_proj", B "ffn_down_exps", NEEDED},
              {L "mlp.experts.%.gate_proj", B "ffn_gate_exps", NEEDED},
              {L "mlp.experts.%.up_proj", B "ffn_up_exps", NEEDED},
              {L "mlp.experts.down_proj", B "ffn_down_exps.weight", WHOLE}, /* all in one */
              {L "mlp.experts.gate_up_proj", B "ffn_gate_exps.weight", WHOLE})};
static const struct name_group shared_expert = {LAYER,
                                                GROUP({L "mlp.shared_expert.gate_proj", B "ffn_gate_shexp", NEEDED},
                                                      {L "mlp.shared_expert.up_proj", B "ffn_up_shexp", NEEDED},
                                                      {L "mlp.shared_expert.down_proj", B "ffn_down_shexp", NEEDED},
                                                      {L "mlp.shared_expert_gate", B "ffn_gate_inp_shexp", NEEDED})};
static const struct name_group granite_experts = {FEED_FORWARD, GROUP(
	{L "block_sparse_moe.router.layer", B "ffn_gate_inp", NEEDED},
	{L "block_sparse_moe.input_linear", B "ffn_gate_exps", NEEDED}, /* and ffn_up_exps */
	{L "block_sparse_moe.output_linear", B "ffn_down_exps", NEEDED},
	{L "shared_mlp.input_linear", B "ffn_gate_shexp", OPTIONAL}, /* and ffn_up_shexp */
	{L "shared_mlp.output_linear", B "ffn_down_shexp", OPTIONAL})};
static const struct name_group gemma4_experts = {FEED_FORWARD, GROUP(
	{L "router.proj", B "ffn_gate_inp", NEEDED}, {L "router.scale", B "ffn_gate_inp.scale", NEEDED_WHOLE},
	{L "router.per_expert_scale", B "ffn_down_exps.scale", WHOLE},
	{L "experts.gate_up_proj", B "ffn_gate_up_exps.weight", NEEDED_WHOLE},
	{L "experts.down_proj", B "ffn_down_exps.weight", NEEDED_WHOLE},
	{L "pre_feedforward_layernorm_2", B "pre_ffw_norm_2", NEEDED},
	{L "post_feedforward_layernorm_1", B "post_ffw_norm_1", NEEDED},
	{L "post_feedforward_layernorm_2", B "post_ffw_norm_2", NEEDED})};
static const struct name_group gemma4_layer = {LAYER, GROUP(
	{L "layer_scalar", B "layer_output_scale.weight", WHOLE},
	{L "per_layer_input_gate", B "inp_gate", OPTIONAL}, {L "per_layer_projection", B "proj", OPTIONAL},
	{L "post_per_layer_input_norm", B "post_norm", OPTIONAL})};
static const struct name_group gemma4_model = {MODEL, GROUP(
	{"model.embed_tokens_per_layer", "per_layer_token_embd", OPTIONAL},
	{"model.per_layer_model_projection", "per_layer_model_proj", OPTIONAL},
	{"model.per_layer_projection_norm", "per_layer_proj_norm", OPTIONAL})};
static const struct name_group lfm2_model = {MODEL, GROUP(
	{"model.embed_tokens", "token_embd", NEEDED}, {"model.embedding_norm", "token_embd_norm", NEEDED},
	{"lm_head", "output", OPTIONAL})};
static const struct name_group lfm2_norms = {LAYER, GROUP(
	{L "operator_norm", B "attn_norm", NEEDED}, {L "ffn_norm", B "ffn_norm", NEEDED})};
/* In blocks with scales, or not; the experts' gates and inputs are rows of one tensor in turns. */
static const struct name_group gpt_oss_experts = {FEED_FORWARD, GROUP(
	{L "mlp.router", B "ffn_gate_inp", NEEDED},
	{L "mlp.experts.gate_up_proj_blocks", B "ffn_gate_exps.weight", NEEDED_WHOLE}, /* and ffn_up_exps */
	{L "mlp.experts.down_proj_blocks", B "ffn_down_exps.weight", NEEDED_WHOLE},
	{L "mlp.experts.gate_up_proj_scales", B "ffn_gate_exps.weight", WHOLE},
	{L "mlp.experts.down_proj_scales", B "ffn_down_exps.weight", WHOLE},
	{L "mlp.experts.gate_up_proj", B "ffn_gate_exps.weight", WHOLE},
	{L "mlp.experts.down_proj", B "ffn_down_exps.weight", WHOLE},
	{L "mlp.experts.gate_up_proj_bias", B "ffn_gate_exps.bias", NEEDED_WHOLE},
	{L "mlp.experts.down_proj_bias", B "ffn_down_exps.bias", NEEDED_WHOLE})};

enum { GROUPS_MAX = 10 };
static const struct name_family {
	const char *architecture;
	const struct name_group *groups[GROUPS_MAX];
} families[] = {
	{"llama", {&model, &norm_before, &ffn_norm, &attention, &gated_ffn, &mixtral_experts}},
	{"mistral3", {&model, &norm_before, &ffn_norm, &attention, &gated_ffn, &mixtral_experts}},
	{"smollm3", {&model, &norm_before, &ffn_norm, &attention, &gated_ffn}},
	{"granite", {&model, &norm_before, &ffn_norm, &attention, &gated_ffn}},
	{"granitemoe", {&model, &norm_before, &ffn_norm, &attention, &granite_experts}},
	{"qwen2", {&model, &norm_before, &ffn_norm, &attention, &gated_ffn}},
	{"qwen3", {&model, &norm_before, &ffn_norm, &normed_attention, &gated_ffn}},
	{"qwen3moe", {&model, &norm_before, &ffn_norm, &normed_attention, &gated_ffn, &qwen_experts}},
	{"qwen35", {&model, &norm_before, &second_norm, &normed_attention, &delta_net, &gated_ffn}},
	{"qwen35moe",
         {&model, &norm_before, &second_norm, &normed_attention, &delta_net, &qwen_experts, &shared_expert}},
	{"gemma2", {&model, &norm_before, &gemma_norm, &post_norms, &attention, &gated_ffn}},
	{"gemma3", {&model, &norm_before, &gemma_norm, &post_norms, &normed_attention, &gated_ffn}},
	{"gemma4",
         {&model, &gemma4_model, &norm_before, &gemma_norm, &post_norms, &gemma4_attention, &gated_ffn, &gemma4_experts,
          &gemma4_layer}},
	{"phi3", {&model, &norm_before, &ffn_norm, &fused_attention, &fused_ffn}},
	{"olmo2", {&model, &post_norms, &normed_attention, &gated_ffn}},
	{"lfm2", {&lfm2_model, &lfm2_norms, &lfm2_attention, &shortconv, &lfm2_ffn}},
	{"gpt-oss", {&model, &norm_before, &second_norm, &sink_attention, &gpt_oss_experts}},
};

static const struct name_family *find_family(const char *architecture)
{
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		if (strcmp(families[i].architecture, architecture) == 0)
			return &families[i];
	return NULL;
}

static bool is_whole(const struct name_row *row)
{
	return row->need == WHOLE || row->need == NEEDED_WHOLE;
}

static bool is_needed(const struct name_row *row)
{
	return row->need == NEEDED || row->need == NEEDED_WHOLE;
}

/* A number as it is usually written, of at most six digits. */
static const char *read_number(const char *text, int32_t *out)
{
	const char *at = text;
	int32_t value = 0;

	for (; *at >= '0' && *at <= '9' && at - text < 6; at++)
		value = 10 * value + (*at - '0');
	if (at == text || (*text == '0' && at - text > 1))
		return NULL;
	*out = value;
	return at;
}

/* What follows `pattern` in a name; NULL: it does not begin like that. */
static const char *match(const char *pattern, const char *name, int32_t *layer, int32_t *expert)
{
	*layer = *expert = NAMES_NONE;
	for (; *pattern; pattern++)
		if (*pattern == '#' || *pattern == '%') {
			if (!(name = read_number(name, *pattern == '#' ? layer : expert)))
				return NULL;
		} else if (*pattern != *name++) {
			return NULL;
		}
	return name;
}

static bool put(char out[NAMES_MAX], size_t *n, const char *text)
{
	size_t len = strlen(text);

	if (*n + len >= NAMES_MAX)
		return false;
	memcpy(out + *n, text, len + 1);
	*n += len;
	return true;
}

/* A pattern with its numbers, and what follows. */
static bool fill(const char *pattern, int32_t layer, int32_t expert, const char *suffix, char out[NAMES_MAX])
{
	size_t n = 0;
	bool fits = true;

	for (; *pattern && fits; pattern++) {
		char part[16] = {*pattern, '\0'};

		if (*pattern == '#' || *pattern == '%')
			snprintf(part, sizeof part, "%d", *pattern == '#' ? layer : expert == NAMES_NONE ? 0 : expert);
		fits = put(out, &n, part);
	}
	return fits && put(out, &n, suffix);
}

/* Whether what follows a row's name is what may. */
static bool suffix_fits(const struct name_row *row, const char *suffix)
{
	return is_whole(row) ? !*suffix : strcmp(suffix, ".weight") == 0 || strcmp(suffix, ".bias") == 0;
}

bool names_to_gguf(const char *architecture, const char *name, struct tensor_name *out)
{
	const struct name_family *family = find_family(architecture);

	for (size_t g = 0; family && g < GROUPS_MAX && family->groups[g]; g++)
		for (const struct name_row *row = family->groups[g]->rows; row->gguf; row++) {
			const char *suffix = match(row->checkpoint, name, &out->layer, &out->expert);

			if (suffix && suffix_fits(row, suffix))
				return fill(row->gguf, out->layer, NAMES_NONE, suffix, out->text);
		}
	return false;
}

bool names_to_checkpoint(const char *architecture, const char *name, int32_t expert, struct tensor_name *out)
{
	const struct name_family *family = find_family(architecture);
	int32_t none;

	for (size_t g = 0; family && g < GROUPS_MAX && family->groups[g]; g++)
		for (const struct name_row *row = family->groups[g]->rows; row->gguf; row++) {
			const char *suffix = match(row->gguf, name, &out->layer, &none);

			out->expert = strchr(row->checkpoint, '%') ? expert : NAMES_NONE;
			if (suffix && suffix_fits(row, suffix))
				return fill(row->checkpoint, out->layer, expert, suffix, out->text);
		}
	return false;
}

bool names_expert_at(const char *architecture, size_t index, int32_t layer, struct tensor_name *out)
{
	const struct name_family *family = find_family(architecture);

	out->layer = layer;
	out->expert = NAMES_NONE;
	for (size_t g = 0; family && g < GROUPS_MAX && family->groups[g]; g++)
		for (const struct name_row *row = family->groups[g]->rows; row->gguf; row++)
			if (strchr(row->checkpoint, '%') && index-- == 0)
				return fill(row->gguf, layer, NAMES_NONE, ".weight", out->text);
	return false;
}

size_t names_of_experts(const char *architecture)
{
	struct tensor_name name;
	size_t n = 0;

	while (names_expert_at(architecture, n, 0, &name))
		n++;
	return n;
}

struct completeness {
	names_has has;
	void *ctx;
	struct tensor_name *missing;
};

static bool has_row(const struct completeness *c, const struct name_row *row, int32_t layer)
{
	c->missing->layer = layer;
	c->missing->expert = NAMES_NONE;
	return fill(row->gguf, layer, NAMES_NONE, is_whole(row) ? "" : ".weight", c->missing->text) &&
	       c->has(c->ctx, c->missing->text);
}

static bool group_complete(const struct completeness *c, const struct name_group *group, int32_t layer)
{
	for (const struct name_row *row = group->rows; row->gguf; row++)
		if (is_needed(row) && !has_row(c, row, layer))
			return false;
	return true;
}

/* Whether a group has anything in a layer. */
static bool group_begun(const struct completeness *c, const struct name_group *group, int32_t layer)
{
	for (const struct name_row *row = group->rows; row->gguf; row++)
		if (is_needed(row) && has_row(c, row, layer))
			return true;
	return false;
}

/* Of one kind at least one group is there, and those that are there are complete. `missing`: of the first, otherwise.
 */
static bool kind_complete(const struct completeness *c, const struct name_family *family, enum name_kind kind,
                          int32_t layer)
{
	const struct name_group *first = NULL;
	bool found = false;

	for (size_t g = 0; g < GROUPS_MAX && family->groups[g]; g++) {
		if (family->groups[g]->kind != kind)
			continue;
		if (!first)
			first = family->groups[g];
		if (!group_begun(c, family->groups[g], layer))
			continue;
		found = true;
		if (!group_complete(c, family->groups[g], layer))
			return false;
	}
	return found || group_complete(c, first, layer);
}

bool names_complete(const char *architecture, int32_t n_layer, names_has has, void *ctx, struct tensor_name *missing)
{
	const struct name_family *family = find_family(architecture);
	const struct completeness c = {has, ctx, missing};

	for (size_t g = 0; family && g < GROUPS_MAX && family->groups[g]; g++) {
		enum name_kind kind = family->groups[g]->kind;

		for (int32_t layer = 0; layer < (kind == MODEL ? 1 : n_layer); layer++)
			if (kind == MODEL || kind == LAYER ? !group_complete(&c, family->groups[g], layer)
			                                   : !kind_complete(&c, family, kind, layer))
				return false;
	}
	return family != NULL;
}
