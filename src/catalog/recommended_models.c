#include "catalog/recommended_models.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "catalog/catalog.h"
#include "catalog/memory.h"
#include "catalog/speed.h"

const double recommended_least_speed = 5;

/* Bytes of weights that a desktop with two memory channels reads in a second. */
static const double usual_weight_rate = 35e9;

/* A model has its states twice, and at least two copies of them (model/cache.h). */
enum { CONTEXT = 8192, STATES = 4, REST = 100 << 20, OTHERS = 6 };

/* As of autumn 2026. File sizes are those the repositories state. KV cache: 2 (K and V) * 2 bytes *
 * layers that store keys * KV heads * length of a head. States: heads * 128 * 128 floats for each
 * delta net layer. What Gemma 4 looks up in the file: 262,144 rows of 256 weights for each layer, at
 * 4.5 bits or more. What a token reads of a model with experts: of their tensors, experts used /
 * experts; all of the others. The last one that fits, is fast enough and has no special purpose is
 * recommended. */
const struct recommended_model recommended[] = {
	{"Gemma 3 270M", "gemma3", "ggml-org/gemma-3-270m-it-GGUF", "gemma-3-270m-it-Q8_0.gguf",
	 "Gemma", 292, 18},
	{"LFM2.5 350M", "lfm2", "LiquidAI/LFM2.5-350M-GGUF", "LFM2.5-350M-Q8_0.gguf",
	 "LFM Open 1.0", 379, 12},
	{"LFM2.5 1.2B Instruct", "lfm2", "LiquidAI/LFM2.5-1.2B-Instruct-GGUF",
	 "LFM2.5-1.2B-Instruct-Q4_K_M.gguf", "LFM Open 1.0", 731, 12},
	{"Qwen3.5 0.8B", "qwen35", "unsloth/Qwen3.5-0.8B-GGUF", "Qwen3.5-0.8B-Q8_0.gguf",
	 "Apache-2.0", 812, 12, .states_mib = 19, .purpose = "many languages"},
	{"Qwen3.5 2B", "qwen35", "unsloth/Qwen3.5-2B-GGUF", "Qwen3.5-2B-Q4_K_M.gguf",
	 "Apache-2.0", 1281, 12, .states_mib = 19},
	{"LFM2 2.6B", "lfm2", "LiquidAI/LFM2-2.6B-GGUF", "LFM2-2.6B-Q4_K_M.gguf",
	 "LFM Open 1.0", 1564, 16, .purpose = "fast for its size"},
	{"Gemma 4 E2B", "gemma4", "unsloth/gemma-4-E2B-it-GGUF", "gemma-4-E2B-it-Q4_K_M.gguf",
	 "Apache-2.0", 3107, 18, .in_file_mb = 1321, .purpose = "many languages"},
	{"SmolLM3 3B", "smollm3", "ggml-org/SmolLM3-3B-GGUF", "SmolLM3-Q4_K_M.gguf",
	 "Apache-2.0", 1915, 72, .purpose = "its training data are public"},
	{"Granite 4.1 3B", "granite", "ibm-granite/granite-4.1-3b-GGUF", "granite-4.1-3b-Q4_K_M.gguf",
	 "Apache-2.0", 2100, 80, .purpose = "for business"},
	{"Ministral 3 3B Instruct", "mistral3", "mistralai/Ministral-3-3B-Instruct-2512-GGUF",
	 "Ministral-3-3B-Instruct-2512-Q4_K_M.gguf", "Apache-2.0", 2147, 104,
	 .purpose = "many languages"},
	{"Qwen3.5 4B", "qwen35", "unsloth/Qwen3.5-4B-GGUF", "Qwen3.5-4B-Q4_K_M.gguf",
	 "Apache-2.0", 2741, 32, .states_mib = 50},
	{"Phi-4-mini 3.8B Instruct", "phi3", "unsloth/Phi-4-mini-instruct-GGUF",
	 "Phi-4-mini-instruct-Q4_K_M.gguf", "MIT", 2492, 128, .purpose = "for mathematics"},
	{"Gemma 4 E4B", "gemma4", "unsloth/gemma-4-E4B-it-GGUF", "gemma-4-E4B-it-Q4_K_M.gguf",
	 "Apache-2.0", 4977, 56, .in_file_mb = 1585, .purpose = "many languages"},
	{"Granite 4.0 H Tiny", "granitehybrid", "ibm-granite/granite-4.0-h-tiny-GGUF",
	 "granite-4.0-h-tiny-Q4_K_M.gguf", "Apache-2.0", 4230, 8, .states_mib = 54, .token_mb = 900,
	 .purpose = "fast for its size"},
	{"LFM2 8B A1B", "lfm2moe", "LiquidAI/LFM2-8B-A1B-GGUF", "LFM2-8B-A1B-Q4_K_M.gguf",
	 "LFM Open 1.0", 5040, 12, .token_mb = 900, .purpose = "fast for its size"},
	{"Qwen2.5 Coder 7B Instruct", "qwen2", "unsloth/Qwen2.5-Coder-7B-Instruct-GGUF",
	 "Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf", "Apache-2.0", 4683, 56, .purpose = "for code"},
	{"Qwen3.5 9B", "qwen35", "unsloth/Qwen3.5-9B-GGUF", "Qwen3.5-9B-Q4_K_M.gguf",
	 "Apache-2.0", 5681, 32, .states_mib = 50},
	{"Ministral 3 8B Instruct", "mistral3", "mistralai/Ministral-3-8B-Instruct-2512-GGUF",
	 "Ministral-3-8B-Instruct-2512-Q4_K_M.gguf", "Apache-2.0", 5199, 136,
	 .purpose = "many languages"},
	{"Ministral 3 14B Instruct", "mistral3", "mistralai/Ministral-3-14B-Instruct-2512-GGUF",
	 "Ministral-3-14B-Instruct-2512-Q4_K_M.gguf", "Apache-2.0", 8240, 160},
	{"Gemma 4 12B", "gemma4", "unsloth/gemma-4-12b-it-GGUF", "gemma-4-12b-it-Q4_K_M.gguf",
	 "Apache-2.0", 7122, 336},
	{"gpt-oss 20B", "gpt-oss", "bartowski/openai_gpt-oss-20b-GGUF", "openai_gpt-oss-20b-MXFP4.gguf",
	 "Apache-2.0", 12100, 48, .token_mb = 2570},
	{"GLM 4.7 Flash", "deepseek2", "bartowski/zai-org_GLM-4.7-Flash-GGUF", "zai-org_GLM-4.7-Flash-Q4_K_M.gguf",
	 "MIT", 18470, 100, .token_mb = 2200},
	{"Qwen3 30B A3B Instruct", "qwen3moe", "unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF",
	 "Qwen3-30B-A3B-Instruct-2507-Q4_K_M.gguf", "Apache-2.0", 18557, 96, .token_mb = 1900},
	{"Qwen3.5 35B A3B", "qwen35moe", "unsloth/Qwen3.5-35B-A3B-GGUF", "Qwen3.5-35B-A3B-Q4_K_M.gguf",
	 "Apache-2.0", 21200, 20, .token_mb = 1800, .states_mib = 63},
};
const size_t n_recommended = sizeof recommended / sizeof recommended[0];

/* Bytes of the file that are loaded and, without experts, read for each token. */
static uint64_t weights_of(const struct recommended_model *model)
{
	return (uint64_t)(model->file_mb - model->in_file_mb) * 1000000;
}

uint64_t recommended_memory(const struct recommended_model *model)
{
	return weights_of(model) + (uint64_t)model->cache_kib * CONTEXT * 1024 +
	       (uint64_t)model->states_mib * STATES * 1024 * 1024 + REST;
}

double recommended_speed(const struct recommended_model *model, double weight_rate)
{
	/* states are read and written */
	uint64_t weights = model->token_mb ? (uint64_t)model->token_mb * 1000000 : weights_of(model);

	return speed_estimate(weight_rate, weights +
	                                           (uint64_t)model->cache_kib * SPEED_CONTEXT * 1024 +
	                                           (uint64_t)model->states_mib * 2 * 1024 * 1024);
}

bool recommended_fits(const struct recommended_model *model, uint64_t available)
{
	if (!available)
		return recommended_memory(model) <= MIB(1536);
	return recommended_memory(model) <= memory_limit(available);
}

uint64_t recommended_most_bytes(double weight_rate)
{
	const uint64_t giga = 1000000000;
	double speed = speed_estimate(weight_rate > 0 ? weight_rate : usual_weight_rate, giga);

	return (uint64_t)(speed / recommended_least_speed * (double)giga);
}

static bool is_fast(const struct recommended_model *model, double weight_rate)
{
	double rate = weight_rate > 0 ? weight_rate : usual_weight_rate;

	return recommended_speed(model, rate) >= recommended_least_speed;
}

const struct recommended_model *recommended_choose(uint64_t available, double weight_rate)
{
	const struct recommended_model *best = &recommended[0];

	for (const struct recommended_model *model = best; model < &recommended[n_recommended]; model++)
		if (!model->purpose && recommended_fits(model, available) && is_fast(model, weight_rate))
			best = model;
	return best;
}

void recommended_pull_name(const struct recommended_model *model, struct buf *out)
{
	const char *type = strrchr(model->file, '-');

	buf_puts(out, model->repository);
	if (type)
		buf_printf(out, ":%.*s", (int)strcspn(type + 1, "."), type + 1);
}

/* Why this one is recommended. */
static void put_reason(struct buf *out, const struct recommended_model *best, uint64_t available,
                       double weight_rate)
{
	char text[AMOUNT_TEXT_MAX];

	amount_bytes(text, available);
	if (!recommended_fits(best, available))
		buf_printf(out, "No model fits in the %s of memory that is free here. This is the smallest:",
		           text);
	else if (weight_rate > 0 && !is_fast(best, weight_rate))
		buf_printf(out, "No model is as fast here as people read (%g tokens a second). This is the "
		           "fastest:", recommended_least_speed);
	else if (!available)
		buf_puts(out, "A model that sotto can run and that suits most machines:");
	else if (weight_rate > 0)
		buf_printf(out, "The largest model that fits in the %s free here and is as fast as people "
		           "read (%g tokens a second):", text, recommended_least_speed);
	else
		buf_printf(out, "Of the models that sotto can run, this one suits the %s of memory that is "
		           "free here:", text);
	buf_puts(out, "\n\n");
}

static void put_speed(struct buf *out, double speed)
{
	char text[AMOUNT_TEXT_MAX];

	amount_estimate(text, speed);
	if (text[0] == '<')
		buf_puts(out, "less than 1 token a second here");
	else
		buf_printf(out, "about %s token%s a second here", text, strcmp(text, "1") ? "s" : "");
}

void recommended_put_short(const struct recommended_model *model, double weight_rate, struct buf *out)
{
	buf_printf(out, "%s (%.2f GB", model->name, (double)model->file_mb / 1000);
	if (weight_rate > 0) {
		buf_puts(out, ", ");
		put_speed(out, recommended_speed(model, weight_rate));
	}
	buf_putc(out, ')');
}

/* Others of about the same size; --json lists all. */
static void put_others(struct buf *out, const struct recommended_model *best, uint64_t available,
                       double weight_rate)
{
	char memory[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX];
	size_t at = (size_t)(best - recommended), first = at > OTHERS / 2 ? at - OTHERS / 2 : 0;

	if (first + OTHERS >= n_recommended)
		first = n_recommended - OTHERS - 1;
	buf_printf(out, "Others on huggingface.co, with the memory they need%s:\n",
	           weight_rate > 0 ? " and about how many tokens a second" : "");
	for (size_t i = first; i <= first + OTHERS; i++) {
		const struct recommended_model *model = &recommended[i];

		if (model == best)
			continue;
		buf_printf(out, "  %-25s %9s  ", model->name, amount_bytes(memory, recommended_memory(model)));
		if (!recommended_fits(model, available) && available)
			buf_puts(out, "too large  ");
		else if (weight_rate > 0)
			buf_printf(out, "%7s/s  ", amount_estimate(speed, recommended_speed(model, weight_rate)));
		buf_printf(out, "%s%s%s%s\n", model->repository, model->purpose ? " (" : "",
		           model->purpose ? model->purpose : "", model->purpose ? ")" : "");
	}
}

enum status catalog_advice(struct buf *out, uint64_t available, double weight_rate)
{
	const struct recommended_model *best = recommended_choose(available, weight_rate);
	char text[AMOUNT_TEXT_MAX];

	put_reason(out, best, available, weight_rate);
	buf_printf(out, "  %s (%s)\n  a download of %.2f GB; needs %s", best->name, best->licence,
	           (double)best->file_mb / 1000, amount_bytes(text, recommended_memory(best)));
	if (weight_rate > 0) {
		buf_puts(out, "; ");
		put_speed(out, recommended_speed(best, weight_rate));
	}
	buf_puts(out, "\n\n  sotto pull ");
	recommended_pull_name(best, out);
	buf_puts(out, "\n\nfetches it; in the chat /pull does. ");
	put_others(out, best, available, weight_rate);
	return buf_status(out);
}

/* "8B" of "Llama 3.1 8B Instruct". */
static const char *size_word(const char *name, size_t *len)
{
	for (;; name += *len + 1) {
		*len = strcspn(name, " ");
		if (*len > 1 && isdigit((unsigned char)name[0]) && strchr("BM", name[*len - 1]))
			return name;
		if (!name[*len])
			return NULL;
	}
}

void recommended_words(const struct recommended_model *model, char *out, size_t size)
{
	size_t len;
	const char *n = size_word(model->name, &len), *type = strrchr(model->file, '-');

	if (n && type)
		snprintf(out, size, "%s %.*s model in %.*s", n[0] == '8' ? "an" : "a", (int)len, n,
		         (int)strcspn(type + 1, "."), type + 1);
	else
		snprintf(out, size, "%s", model->file);
}
