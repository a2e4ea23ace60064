/* Llama and what is like it: Mistral, Mixtral, Ministral 3, SmolLM3, Granite. The engine rotates neighbouring elements,
 * laboratories element i of a head with element i + d/2: rows of queries and keys change places. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "checkpoint/family.h"

static uint32_t n_head(struct conversion *c)
{
	return config_needed_u32(c, "n_heads num_attention_heads");
}

static uint32_t head_dim(struct conversion *c)
{
	uint32_t dim = 0, heads = n_head(c);

	if (!c->family->ignores_head_dim && config_u32(c, "head_dim", &dim))
		return dim;
	return heads ? config_needed_u32(c, "hidden_size") / heads : 0;
}

bool llama_take(struct conversion *c, const struct source *source)
{
	struct row_map map = {.order = ROWS_IN_PAIRS};

	if (family_name_is(source->to.text, "attn_q"))
		map.n_heads = n_head(c);
	else if (family_name_is(source->to.text, "attn_k"))
		map.n_heads = config_n_head_kv(c);
	else
		return false;
	family_output_mapped(c, source->to.text, source->tensor, &map);
	return true;
}

/* How much slower each pair turns (Llama 3.1): short waves as ever, long ones by the factor, between them in between.
 * In the reference's order and width of numbers. */
static float llama3_factor(struct conversion *c, float frequency)
{
	double factor = rope_number(c, "factor", 8), low = rope_number(c, "low_freq_factor", 1);
	double high = rope_number(c, "high_freq_factor", 4);
	double length = rope_number(c, "original_max_position_embeddings", 8192);
	float wave = (float)(2 * acos(-1)) * (1 / frequency), smooth;

	if (wave < (float)(length / high))
		return 1;
	if (wave > (float)(length / low))
		return (float)factor;
	smooth = ((float)length * (1 / wave) - (float)low) / (float)(high - low);
	return 1 / ((1 - smooth) / (float)factor + smooth);
}

void llama_extra(struct conversion *c)
{
	double base = rope_number(c, "rope_theta", 10000);
	uint32_t dim;
	float *values;

	if (strcasecmp(rope_type(c), "llama3") != 0)
		return;
	dim = head_dim(c);
	if (dim < 2 || dim % 2 || dim > 4096) {
		conversion_fail(c, STATUS_FORMAT, "config.json: found heads of %u elements, expected an even number",
		                dim);
		return;
	}
	values = alloc_array(dim / 2, sizeof values[0]);
	for (uint32_t i = 0; values && i < dim / 2; i++)
		values[i] = llama3_factor(c, 1 / powf((float)base, (float)(2 * i) / (float)dim));
	family_output_values(c, "rope_freqs.weight", values, dim / 2);
}

void llama_keys(struct conversion *c)
{
	keys_usual(c);
	key_u32(c, "vocab_size", config_needed_u32(c, "vocab_size"));
	key_u32(c, "rope.dimension_count", head_dim(c));
}

const struct checkpoint_family checkpoint_llama = {
	.classes = FAMILY_CLASSES("LlamaForCausalLM", "LLaMAForCausalLM"),
	.architecture = "llama",
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000},
		{"vocab_size", 32000}),
	.derives_head_dim = true,
	.extra = llama_extra,
	.take = llama_take,
	.keys = llama_keys,
};

#define MISTRAL_DEFAULTS                                                                                               \
	FAMILY_DEFAULTS({"max_position_embeddings", 131072}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000},            \
		{"num_key_value_heads", 8}, {"vocab_size", 32000})

const struct checkpoint_family checkpoint_mistral = {
	.classes = FAMILY_CLASSES("MistralForCausalLM"),
	.architecture = "llama",
	.defaults = MISTRAL_DEFAULTS,
	.derives_head_dim = true,
	.extra = llama_extra,
	.take = llama_take,
	.keys = llama_keys,
};

const struct checkpoint_family checkpoint_mixtral = {
	.classes = FAMILY_CLASSES("MixtralForCausalLM"),
	.architecture = "llama",
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 131072}, {"rms_norm_eps", 1e-5}, {"rope_theta", 1e6},
		{"num_key_value_heads", 8}, {"num_local_experts", 8}, {"num_experts_per_tok", 2},
		{"vocab_size", 32000}),
	.extra = llama_extra,
	.take = llama_take,
	.keys = llama_keys,
};

static void mistral3_keys(struct conversion *c)
{
	const char *type = settings_tree_text(c->config, "model_type", "");

	llama_keys(c);
	if (strcmp(type, "mistral4") == 0)
		conversion_fail(c, STATUS_UNSUPPORTED,
		                "Mistral 4 is not converted; llama.cpp's convert_hf_to_gguf.py may");
	if (strcmp(type, "ministral3") != 0)
		return;
	if (strcmp(rope_type(c), "yarn") != 0)
		conversion_fail(c, STATUS_UNSUPPORTED, "config.json: positions are stretched by '%s', expected 'yarn'",
		                rope_type(c));
	key_f32(c, "rope.scaling.yarn_log_multiplier", rope_number(c, "mscale_all_dim", 1));
	key_f32(c, "attention.temperature_scale", rope_number(c, "llama_4_scaling_beta", 0));
}

#define MISTRAL3_CLASSES FAMILY_CLASSES("Mistral3ForConditionalGeneration", "Ministral3ForCausalLM")

const struct checkpoint_family checkpoint_ministral3 = {
	.classes = MISTRAL3_CLASSES,
	.model_type = "ministral3",
	.architecture = "mistral3",
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 262144}, {"rms_norm_eps", 1e-5},
		{"num_key_value_heads", 8}, {"head_dim", 128}, {"vocab_size", 131072}),
	.derives_head_dim = true,
	.extra = llama_extra,
	.take = llama_take,
	.keys = mistral3_keys,
};

/* Mistral's text model, with pictures: Small 3.1 and later. */
const struct checkpoint_family checkpoint_mistral3 = {
	.classes = MISTRAL3_CLASSES,
	.architecture = "mistral3",
	.defaults = MISTRAL_DEFAULTS,
	.derives_head_dim = true,
	.extra = llama_extra,
	.take = llama_take,
	.keys = mistral3_keys,
};

const struct checkpoint_family checkpoint_smollm3 = {
	.classes = FAMILY_CLASSES("SmolLM3ForCausalLM"),
	.architecture = "smollm3",
	.defaults = FAMILY_DEFAULTS({"max_position_embeddings", 32768}, {"rms_norm_eps", 1e-6}, {"rope_theta", 2e6},
		{"num_key_value_heads", 4}),
	.extra = llama_extra,
	.take = llama_take,
	.keys = llama_keys,
};

/* ---- Granite ---- */

/* A factor of 0 is none. */
static void key_factor(struct conversion *c, const char *key, const char *name)
{
	double value;

	if (config_number(c, name, &value) && value != 0)
		key_f32(c, key, value);
}

static void granite_keys(struct conversion *c)
{
	llama_keys(c);
	key_factor(c, "attention.scale", "attention_multiplier");
	key_factor(c, "embedding_scale", "embedding_multiplier");
	key_factor(c, "residual_scale", "residual_multiplier");
	key_factor(c, "logit_scale", "logits_scaling");
}

static bool granite_skips(const char *name)
{
	return strncmp(name, "encoder.", 8) == 0 || strstr(name, "image_") || strstr(name, "layerwise_projectors") ||
	       strstr(name, "spatial_projectors");
}

#define GRANITE_DEFAULTS                                                                                               \
	FAMILY_DEFAULTS({"max_position_embeddings", 2048}, {"rms_norm_eps", 1e-6}, {"rope_theta", 10000})

const struct checkpoint_family checkpoint_granite = {
	.classes = FAMILY_CLASSES("GraniteForCausalLM"),
	.architecture = "granite",
	.defaults = GRANITE_DEFAULTS,
	.ignores_head_dim = true,
	.extra = llama_extra,
	.take = llama_take,
	.skips = granite_skips,
	.keys = granite_keys,
};

static void granitemoe_keys(struct conversion *c)
{
	uint32_t length;

	granite_keys(c);
	if (config_u32(c, "shared_intermediate_size", &length) && length)
		key_u32(c, "expert_shared_feed_forward_length", length);
}

/* Gates and inputs are halves of one tensor. */
static bool granitemoe_take(struct conversion *c, const struct source *source)
{
	static const char *const halves[][2] = {{"ffn_gate_exps", "ffn_up_exps"}, {"ffn_gate_shexp", "ffn_up_shexp"}};
	char name[NAMES_MAX];

	for (size_t i = 0; i < 2; i++)
		if (family_name_is(source->to.text, halves[i][0])) {
			family_rename(source->to.text, halves[i][0], halves[i][1], name);
			family_output_half(c, source->to.text, source->tensor, 0);
			family_output_half(c, name, source->tensor, 1);
			return true;
		}
	return llama_take(c, source);
}

const struct checkpoint_family checkpoint_granitemoe = {
	.classes = FAMILY_CLASSES("GraniteMoeForCausalLM", "GraniteMoeSharedForCausalLM"),
	.architecture = "granitemoe",
	.defaults = GRANITE_DEFAULTS,
	.ignores_head_dim = true,
	.extra = llama_extra,
	.take = granitemoe_take,
	.skips = granite_skips,
	.keys = granitemoe_keys,
};
