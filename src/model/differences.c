#include "model/differences.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "base/words.h"

#define NO_SUCH "the model's own code has no such setting"
#define ALL_LAYERS "the model's own code gives all layers this window"
#define TOPK "it is norm_topk_prob of the model's own code"
#define SCORES "the model's own code knows one way to score experts"
#define LAYER_TYPES "it is the list of layer types that the model's own code goes by"
#define YARN "the code for YaRN that all models share has it"

/* The first row that fits counts. */
static const struct difference differences[] = {
	{"llama", "attention.sliding_window", DIFFERENCE_FOLLOWED,
	 "Mistral's own code, which such files are for, gives all layers this window", .by_context = true},
	{"mistral3 phi3 phimoe starcoder2", "attention.sliding_window", DIFFERENCE_FOLLOWED, ALL_LAYERS,
	 .by_context = true},
	{"exaone4", "attention.sliding_window", DIFFERENCE_OTHERWISE,
	 "the model's own code has windows in models of any size, not only in those of 64 layers"},
	{"qwen2 qwen2moe qwen3 qwen3moe smollm3", "attention.sliding_window", DIFFERENCE_NOT_FOLLOWED,
	 "the model's own code has a window in some layers only, and the file does not say in which",
	 .by_context = true},
	{"", "attention.sliding_window", DIFFERENCE_NOT_FOLLOWED, "the model's own code has no windows",
	 .by_context = true,
	 .but = "gemma2 gemma3 gemma3n gemma4 cohere2 gpt-oss olmo2 lfm2 llama4"},

	{"gemma2 gemma3 gemma3n cohere2 gpt-oss olmo2 llama4 exaone4", "attention.sliding_window_pattern",
	 DIFFERENCE_FOLLOWED, LAYER_TYPES, .of_arrays = true},
	{"llama mistral3", "attention.sliding_window_pattern", DIFFERENCE_FOLLOWED, LAYER_TYPES},
	{"", "attention.sliding_window_pattern", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "gemma2 gemma3 gemma3n gemma4 cohere2 gpt-oss olmo2 llama4 exaone4"},

	{"gemma2 gemma3", "attention.scale", DIFFERENCE_FOLLOWED,
	 "the model's own code has such a setting, query_pre_attn_scalar"},
	{"", "attention.scale", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "granite granitemoe granitehybrid"},
	{"gemma3n", "final_logit_softcapping", DIFFERENCE_FOLLOWED,
	 "it is a setting of the model's own code", .zero_counts = true},
	{"gemma3n", "attention.shared_kv_layers", DIFFERENCE_FOLLOWED,
	 "it is a setting of the model's own code, num_kv_shared_layers", .zero_counts = true},

	{"lfm2moe", "expert_weights_scale", DIFFERENCE_FOLLOWED,
	 "it is routed_scaling_factor of the model's own code"},
	{"", "expert_weights_scale", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "deepseek2 glm4moe nemotron_h_moe"},
	{"qwen2moe qwen3moe qwen3next olmoe lfm2moe", "expert_weights_norm", DIFFERENCE_FOLLOWED, TOPK},
	{"", "expert_weights_norm", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "deepseek2 glm4moe nemotron_h_moe"},
	{"", "expert_gating_func", DIFFERENCE_NOT_FOLLOWED, SCORES,
	 .but = "deepseek2 glm4moe lfm2moe minimax-m2"},
	{"llama4", "expert_shared_count", DIFFERENCE_NOT_FOLLOWED, "the model's own code has always one"},
	{"", "leading_dense_block_count", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "deepseek2 glm4moe ernie4_5-moe lfm2moe"},
	{"", "interleave_moe_layer_step", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "llama4 ernie4_5-moe"},
	{"", "nextn_predict_layers", DIFFERENCE_NOT_FOLLOWED, NO_SUCH,
	 .but = "deepseek2 exaone4 glm4 glm4moe qwen35 qwen35moe qwen3next"},

	{"deepseek2", "rope.scaling.factor", DIFFERENCE_OTHERWISE,
	 "it is no YaRN: its scores grow as in the model's own code, by yarn_log_multiplier alone"},
	{"", "rope.scaling.yarn_beta_fast", DIFFERENCE_FOLLOWED, YARN, .but = "mistral3"},
	{"", "rope.scaling.yarn_beta_slow", DIFFERENCE_FOLLOWED, YARN, .but = "mistral3"},
	{"", "rope.scaling.yarn_log_multiplier", DIFFERENCE_FOLLOWED, YARN ", as mscale_all_dim",
	 .but = "mistral3 deepseek2"},
	{"", "rope.scaling.yarn_ext_factor", DIFFERENCE_FOLLOWED, "the code that came with YaRN has it",
	 .zero_counts = true},
	{"", "rope.scaling.yarn_attn_factor", DIFFERENCE_NOT_FOLLOWED,
	 "to some models' own code it is one factor more, to others' it replaces one"},
};

#define N_DIFFERENCES (sizeof differences / sizeof differences[0])
_Static_assert(N_DIFFERENCES <= 64, "the plan has a bit for each");

const struct difference *difference_find(const char *arch, const char *field, bool is_array)
{
	for (size_t i = 0; i < N_DIFFERENCES; i++) {
		const struct difference *d = &differences[i];

		if (strcmp(d->field, field) == 0 && (!d->of_arrays || is_array) &&
		    (!d->architectures[0] || words_have(d->architectures, arch, strlen(arch))))
			return words_have(d->but, arch, strlen(arch)) ? NULL : d;
	}
	return NULL;
}

uint64_t difference_bit(const struct difference *difference)
{
	return UINT64_C(1) << (difference - differences);
}

enum { SHOWN = 36 };

/* The value in use, which may be the user's (--override-kv); a long array is cut. */
static void put_value(struct buf *out, const struct gguf *gguf, const char *key)
{
	struct gguf_string text;
	struct buf value = {.max = 4096};
	int64_t integer;
	bool flag;
	float number;
	size_t shown;

	if (gguf_get_bool(gguf, key, &flag, NULL) == STATUS_OK)
		buf_puts(&value, flag ? "true" : "false");
	else if (gguf_get_i64(gguf, key, &integer, NULL) == STATUS_OK)
		buf_printf(&value, "%" PRId64, integer);
	else if (gguf_get_f32(gguf, key, &number, NULL) == STATUS_OK)
		buf_printf(&value, "%g", (double)number);
	else if (gguf_get_string(gguf, key, &text, NULL) == STATUS_OK)
		buf_append(&value, text.data, utf8_cut(text.data, text.len, 2 * SHOWN));
	for (size_t i = 0; !value.len && i < gguf_n_kv(gguf); i++)
		if (gguf_string_is(gguf_kv_key(gguf, i), key) && gguf_kv_describe(gguf, i, &value) != STATUS_OK)
			break;
	shown = utf8_cut(buf_text(&value), value.len, SHOWN);
	buf_printf(out, " = %.*s%s", (int)shown, buf_text(&value), shown < value.len ? "..." : "");
	buf_free(&value);
}

void differences_tell(uint64_t bits, const struct gguf *gguf, const char *arch,
                      void (*say)(void *ctx, const char *text), void *ctx)
{
	for (size_t i = 0; i < N_DIFFERENCES; i++) {
		const struct difference *d = &differences[i];
		struct buf text = {.max = 1024};
		char key[128];

		if (!(bits & difference_bit(d)))
			continue;
		snprintf(key, sizeof key, "%s.%s", arch, d->field);
		buf_printf(&text, "This file has %s", key);
		put_value(&text, gguf, key);
		buf_printf(&text, ", which llama.cpp %s for %s models: %s%s.",
		           d->kind == DIFFERENCE_OTHERWISE ? "takes otherwise" : "ignores", arch,
		           d->kind == DIFFERENCE_OTHERWISE ? ""
		           : d->kind == DIFFERENCE_FOLLOWED ? "followed, because " : "not followed, because ",
		           d->why);
		say(ctx, buf_text(&text));
		buf_free(&text);
	}
}
