#include "catalog/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gguf/split_name.h"
#include "model/tensor_use.h"
#include "sampler/params.h"

struct gguf_string describe_name(const struct gguf *gguf)
{
	const char *file = split_name_file(gguf_path(gguf));
	struct gguf_string name;

	if (gguf_get_string(gguf, "general.name", &name, NULL) || name.len == 0)
		name = (struct gguf_string){file, strlen(file)};
	return name;
}

struct gguf_string describe_architecture(const struct gguf *gguf)
{
	struct gguf_string name;

	return gguf_get_string(gguf, "general.architecture", &name, NULL) ? (struct gguf_string){"", 0}
	                                                                 : name;
}

uint32_t describe_context(const struct gguf *gguf)
{
	char key[GGUF_ARCH_KEY_MAX];
	uint32_t n;

	gguf_arch_key(describe_architecture(gguf), "context_length", key);
	return gguf_get_u32(gguf, key, &n, NULL) ? 0 : n;
}

/* The type that most of the tensors' bytes have. */
static const char *commonest_type(const struct gguf *gguf)
{
	uint64_t bytes[BLOCK_TYPE_MAX] = {0};
	uint32_t best = BLOCK_F32;

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (tensor->type < BLOCK_TYPE_MAX)
			bytes[tensor->type] += tensor->n_bytes;
	}
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++)
		if (bytes[type] > bytes[best])
			best = type;
	return block_info(best) ? block_info(best)->name : "?";
}

const char *describe_type(const struct gguf *gguf)
{
	/* general.file_type is enum llama_ftype of llama.h; these say more than the block type. */
	static const char *const recipes[] = {
		[11] = "Q3_K_S",   [12] = "Q3_K_M",  [13] = "Q3_K_L", [14] = "Q4_K_S",   [15] = "Q4_K_M",
		[16] = "Q5_K_S",   [17] = "Q5_K_M",  [19] = "IQ2_XXS", [20] = "IQ2_XS",  [21] = "Q2_K_S",
		[22] = "IQ3_XS",   [23] = "IQ3_XXS", [24] = "IQ1_S",  [26] = "IQ3_S",    [27] = "IQ3_M",
		[28] = "IQ2_S",    [29] = "IQ2_M",   [31] = "IQ1_M",
	};
	const char *common = commonest_type(gguf);
	uint32_t type;

	if (gguf_get_u32(gguf, "general.file_type", &type, NULL) == STATUS_OK &&
	    type < sizeof recipes / sizeof recipes[0] && recipes[type] &&
	    strncmp(recipes[type], common, strcspn(common, "_") + 1) == 0)
		return recipes[type];
	return common;
}

bool describe_is_guide(const struct gguf *gguf)
{
	bool is_guide;

	return gguf_get_bool(gguf, "sotto.guide", &is_guide, NULL) == STATUS_OK && is_guide;
}

bool describe_modalities(const struct gguf *gguf, char out[MODALITIES_NOTE_MAX])
{
	unsigned modalities = model_modalities(gguf);

	out[0] = '\0';
	if (modalities)
		snprintf(out, MODALITIES_NOTE_MAX, "The file has parts for %s%s%s, which sotto ignores: "
		         "it supports text only.", modalities & MODALITY_IMAGES ? "images" : "",
		         modalities == (MODALITY_IMAGES | MODALITY_AUDIO) ? " and " : "",
		         modalities & MODALITY_AUDIO ? "sound" : "");
	return modalities != 0;
}

/* ---- sampling ---- */

static const struct {
	const char *key, *option;
} sampling[] = {
	{"general.sampling.temp", "temp"},
	{"general.sampling.top_k", "top-k"},
	{"general.sampling.top_p", "top-p"},
	{"general.sampling.min_p", "min-p"},
	{"general.sampling.penalty_repeat", "repeat-penalty"},
	{"general.sampling.penalty_last_n", "repeat-last-n"},
	{"general.sampling.xtc_probability", "xtc-probability"},
	{"general.sampling.xtc_threshold", "xtc-threshold"},
	{"general.sampling.mirostat", "mirostat"},
	{"general.sampling.mirostat_tau", "mirostat-ent"},
	{"general.sampling.mirostat_eta", "mirostat-lr"},
};

/* Reads a number of any type. */
static bool read_number(const struct gguf *gguf, const char *key, double *out)
{
	int32_t integer;
	float real;

	if (gguf_get_i32(gguf, key, &integer, NULL) == STATUS_OK)
		*out = integer;
	else if (gguf_get_f32(gguf, key, &real, NULL) == STATUS_OK)
		*out = real;
	else
		return false;
	return !isnan(*out);
}

void describe_recommend(struct option_text values[RECOMMENDED_MAX], size_t *n, const char *name, double value)
{
	const struct option *option = option_find(sampler_options, sampler_n_options, name);
	size_t at = 0;

	while (option && at < *n && values[at].name != option->name)
		at++;
	if (!option || isnan(value) || at == RECOMMENDED_MAX)
		return;
	value = fmin(fmax(value, option->min), option->max);
	values[at].name = option->name;
	snprintf(values[at].value, sizeof values[at].value, option->type == OPTION_INT ? "%.0f" : "%.6g", value);
	*n += at == *n;
}

size_t describe_sampling(const struct gguf *gguf, struct option_text out[RECOMMENDED_MAX])
{
	size_t n = 0;
	double value;

	for (size_t i = 0; i < sizeof sampling / sizeof sampling[0]; i++)
		if (read_number(gguf, sampling[i].key, &value))
			describe_recommend(out, &n, sampling[i].option, value);
	return n;
}
