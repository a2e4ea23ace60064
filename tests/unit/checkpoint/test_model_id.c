/* What models' names say: as the reference's rules (gguf-py/gguf/metadata.py, utility.py; August 2026) have it, by
 * which the expected texts were made. */
#include <criterion/criterion.h>

#include <string.h>

#include "checkpoint/model_id.h"

Test(model_id, names_say_what_the_reference_reads_in_them)
{
	static const struct {
		const char *id;
		uint64_t n_params;
		const char *parts[6]; /* name, organization, base name, tuning, version, size */
	} rows[] = {
		{"Llama-3.2-1B-Instruct", 0u, {"Llama-3.2-1B-Instruct", "", "Llama-3.2", "Instruct", "", "1B"}},
		{"Llama-3.2-1B-Instruct", 620000u, {"Llama-3.2-1B-Instruct", "", "Llama-3.2", "1b-Instruct", "", ""}},
		{"Llama-3.2-1B-Instruct",
	         30000000000u,
	         {"Llama-3.2-1B-Instruct", "", "Llama-3.2", "1b-Instruct", "", ""}},
		{"Qwen3-0.6B", 0u, {"Qwen3-0.6B", "", "Qwen3", "", "", "0.6B"}},
		{"Qwen3-0.6B", 620000u, {"Qwen3-0.6B", "", "Qwen3", "0.6b", "", ""}},
		{"Qwen3-0.6B", 7000000000u, {"Qwen3-0.6B", "", "Qwen3", "0.6b", "", ""}},
		{"Qwen3-0.6B", 30000000000u, {"Qwen3-0.6B", "", "Qwen3", "0.6b", "", ""}},
		{"Qwen3-30B-A3B-Instruct-2507",
	         0u,
	         {"Qwen3-30B-A3B-Instruct-2507", "", "Qwen3", "Instruct", "2507", "30B-A3B"}},
		{"Qwen3-30B-A3B-Instruct-2507",
	         620000u,
	         {"Qwen3-30B-A3B-Instruct-2507", "", "Qwen3", "30b-Instruct", "2507", "A3B"}},
		{"Qwen3-30B-A3B-Instruct-2507",
	         7000000000u,
	         {"Qwen3-30B-A3B-Instruct-2507", "", "Qwen3", "30b-Instruct", "2507", "A3B"}},
		{"Mixtral-8x7B-Instruct-v0.1",
	         0u,
	         {"Mixtral-8x7B-Instruct-v0.1", "", "Mixtral", "Instruct", "v0.1", "8x7B"}},
		{"Mistral-7B-v0.1", 0u, {"Mistral-7B-v0.1", "", "Mistral", "", "v0.1", "7B"}},
		{"Mistral-7B-v0.1", 620000u, {"Mistral-7B-v0.1", "", "Mistral", "7b", "v0.1", ""}},
		{"gemma-3-270m-it", 0u, {"gemma-3-270m-it", "", "gemma-3", "it", "", "270M"}},
		{"gemma-3-270m-it", 620000u, {"gemma-3-270m-it", "", "gemma-3", "270m-it", "", ""}},
		{"gemma-3-270m-it", 7000000000u, {"gemma-3-270m-it", "", "gemma-3", "270m-it", "", ""}},
		{"gemma-3-270m-it", 30000000000u, {"gemma-3-270m-it", "", "gemma-3", "270m-it", "", ""}},
		{"gemma-4-E2B-it", 0u, {"gemma-4-E2B-it", "", "", "", "", ""}},
		{"Phi-3-mini-4k-instruct", 0u, {"Phi-3-mini-4k-instruct", "", "Phi-3-mini", "instruct", "", "4K"}},
		{"Phi-3-mini-4k-instruct", 620000u, {"Phi-3-mini-4k-instruct", "", "Phi-3", "4k-instruct", "", "mini"}},
		{"Phi-3-mini-4k-instruct",
	         7000000000u,
	         {"Phi-3-mini-4k-instruct", "", "Phi-3", "4k-instruct", "", "mini"}},
		{"Phi-3-mini-4k-instruct",
	         30000000000u,
	         {"Phi-3-mini-4k-instruct", "", "Phi-3", "4k-instruct", "", "mini"}},
		{"Phi-3.5-mini-instruct", 0u, {"Phi-3.5-mini-instruct", "", "Phi-3.5", "instruct", "", "mini"}},
		{"granite-3.3-2b-instruct", 0u, {"granite-3.3-2b-instruct", "", "granite-3.3", "instruct", "", "2B"}},
		{"granite-3.3-2b-instruct",
	         620000u,
	         {"granite-3.3-2b-instruct", "", "granite-3.3", "2b-instruct", "", ""}},
		{"granite-3.3-2b-instruct",
	         30000000000u,
	         {"granite-3.3-2b-instruct", "", "granite-3.3", "2b-instruct", "", ""}},
		{"SmolLM3-3B", 0u, {"SmolLM3-3B", "", "SmolLM3", "", "", "3B"}},
		{"SmolLM3-3B", 620000u, {"SmolLM3-3B", "", "SmolLM3", "3b", "", ""}},
		{"SmolLM3-3B", 30000000000u, {"SmolLM3-3B", "", "SmolLM3", "3b", "", ""}},
		{"OLMo-2-0425-1B", 0u, {"OLMo-2-0425-1B", "", "OLMo-2-0425", "", "", "1B"}},
		{"OLMo-2-0425-1B", 620000u, {"OLMo-2-0425-1B", "", "OLMo-2-0425", "1b", "", ""}},
		{"OLMo-2-0425-1B", 30000000000u, {"OLMo-2-0425-1B", "", "OLMo-2-0425", "1b", "", ""}},
		{"Olmo-3-7B-Instruct", 0u, {"Olmo-3-7B-Instruct", "", "Olmo-3", "Instruct", "", "7B"}},
		{"Olmo-3-7B-Instruct", 620000u, {"Olmo-3-7B-Instruct", "", "Olmo-3", "7b-Instruct", "", ""}},
		{"LFM2-350M", 0u, {"LFM2-350M", "", "LFM2", "", "", "350M"}},
		{"LFM2-350M", 620000u, {"LFM2-350M", "", "LFM2", "350m", "", ""}},
		{"LFM2-350M", 7000000000u, {"LFM2-350M", "", "LFM2", "350m", "", ""}},
		{"LFM2-350M", 30000000000u, {"LFM2-350M", "", "LFM2", "350m", "", ""}},
		{"gpt-oss-20b", 0u, {"gpt-oss-20b", "", "gpt-oss", "", "", "20B"}},
		{"gpt-oss-20b", 620000u, {"gpt-oss-20b", "", "gpt-oss", "20b", "", ""}},
		{"gpt-oss-20b", 7000000000u, {"gpt-oss-20b", "", "gpt-oss", "20b", "", ""}},
		{"gpt-oss-120b-BF16", 0u, {"gpt-oss-120b-BF16", "", "gpt-oss", "", "", "120B"}},
		{"gpt-oss-120b-BF16", 620000u, {"gpt-oss-120b-BF16", "", "gpt-oss", "120b", "", ""}},
		{"gpt-oss-120b-BF16", 7000000000u, {"gpt-oss-120b-BF16", "", "gpt-oss", "120b", "", ""}},
		{"gpt-oss-120b-BF16", 30000000000u, {"gpt-oss-120b-BF16", "", "gpt-oss", "120b", "", ""}},
		{"bloom-7b1-petals", 0u, {"bloom-7b1-petals", "", "bloom", "petals", "", "7.1B"}},
		{"bloom-7b1-petals", 620000u, {"bloom-7b1-petals", "", "bloom", "7.1b-petals", "", ""}},
		{"meta-llama/Llama-2-7b-hf", 0u, {"Llama-2-7b-hf", "meta-llama", "Llama-2", "hf", "", "7B"}},
		{"meta-llama/Llama-2-7b-hf", 620000u, {"Llama-2-7b-hf", "meta-llama", "Llama-2", "7b-hf", "", ""}},
		{"Ministral-3-3B-Instruct-2512",
	         0u,
	         {"Ministral-3-3B-Instruct-2512", "", "Ministral-3", "Instruct", "2512", "3B"}},
		{"Ministral-3-3B-Instruct-2512",
	         620000u,
	         {"Ministral-3-3B-Instruct-2512", "", "Ministral-3", "3b-Instruct", "2512", ""}},
		{"Ministral-3-3B-Instruct-2512",
	         30000000000u,
	         {"Ministral-3-3B-Instruct-2512", "", "Ministral-3", "3b-Instruct", "2512", ""}},
		{"Qwen3.5-35B-A3B", 0u, {"Qwen3.5-35B-A3B", "", "Qwen3.5", "", "", "35B-A3B"}},
		{"Qwen3.5-35B-A3B", 620000u, {"Qwen3.5-35B-A3B", "", "Qwen3.5", "35b", "", "A3B"}},
		{"Qwen3.5-35B-A3B", 7000000000u, {"Qwen3.5-35B-A3B", "", "Qwen3.5", "35b", "", "A3B"}},
		{"tiny", 0u, {"tiny", "", "", "", "", ""}},
		{"llama", 0u, {"llama", "", "", "", "", ""}},
		{"qwen35moe", 0u, {"qwen35moe", "", "", "", "", ""}},
		{"model v1", 0u, {"model v1", "", "", "", "", ""}},
		{"../x/y", 0u, {"x/y", "", "", "", "", ""}},
		{"--a--b--", 0u, {"--a--b--", "", "", "", "", ""}},
		{"TinyLlama-1.1B-Chat-v1.0", 0u, {"TinyLlama-1.1B-Chat-v1.0", "", "TinyLlama", "Chat", "v1.0", "1.1B"}},
		{"TinyLlama-1.1B-Chat-v1.0",
	         620000u,
	         {"TinyLlama-1.1B-Chat-v1.0", "", "TinyLlama", "1.1b-Chat", "v1.0", ""}},
		{"TinyLlama-1.1B-Chat-v1.0",
	         30000000000u,
	         {"TinyLlama-1.1B-Chat-v1.0", "", "TinyLlama", "1.1b-Chat", "v1.0", ""}},
		{"Yi-34B-200K", 0u, {"Yi-34B-200K", "", "Yi", "", "", "34B-200K"}},
		{"Yi-34B-200K", 620000u, {"Yi-34B-200K", "", "Yi", "34b", "", "200K"}},
		{"Yi-34B-200K", 7000000000u, {"Yi-34B-200K", "", "Yi", "34b-200k", "", ""}},
		{"Yi-34B-200K", 30000000000u, {"Yi-34B-200K", "", "Yi", "200k", "", "34B"}},
		{"Meta-Llama-3-8B-Instruct-Q4_K_M",
	         0u,
	         {"Meta-Llama-3-8B-Instruct-Q4_K_M", "", "Meta-Llama-3", "Instruct", "", "8B"}},
		{"Meta-Llama-3-8B-Instruct-Q4_K_M",
	         620000u,
	         {"Meta-Llama-3-8B-Instruct-Q4_K_M", "", "Meta-Llama-3", "8b-Instruct", "", ""}},
		{"Hermes-2-Pro-Llama-3-8B", 0u, {"Hermes-2-Pro-Llama-3-8B", "", "Hermes-2-Pro-Llama-3", "", "", "8B"}},
		{"Hermes-2-Pro-Llama-3-8B",
	         620000u,
	         {"Hermes-2-Pro-Llama-3-8B", "", "Hermes-2-Pro-Llama-3", "8b", "", ""}},
		{"xl-large-v2", 0u, {"xl-large-v2", "", "xl", "", "v2", "large"}},
		{"Small-medium", 0u, {"Small-medium", "", "Small", "", "", "medium"}},
		{"mamba2-2.7B-8B-8B", 0u, {"mamba2-2.7B-8B-8B", "", "mamba2", "", "", "2.7B-8B"}},
		{"mamba2-2.7B-8B-8B", 620000u, {"mamba2-2.7B-8B-8B", "", "mamba2", "2.7b-8b-8b", "", ""}},
		{"mamba2-2.7B-8B-8B", 30000000000u, {"mamba2-2.7B-8B-8B", "", "mamba2", "2.7b", "", "8B"}},
		{"iter3-x", 0u, {"iter3-x", "", "", "", "", ""}},
	};
	struct model_id id;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *const found[] = {id.name,     id.organization, id.basename,
		                             id.finetune, id.version,      id.size_label};

		model_id_read(&id, rows[i].id, rows[i].n_params);
		for (size_t j = 0; j < 6; j++)
			cr_expect_str_eq(found[j], rows[i].parts[j], "%s, part %zu: found '%s'", rows[i].id, j,
			                 found[j]);
	}
}

Test(model_id, titles_have_capitals)
{
	static const char *const rows[][2] = {
		{"tiny-llama", "Tiny Llama"},
		{"Llama-3.2-1B", "Llama 3.2 1B"},
		{"qwen3 v1.5 chat", "Qwen3 v1.5 Chat"},
		{"v2", "v2"},
		{"gpt-oss-20b", "Gpt Oss 20b"},
		{"tiny_llama x2y", "Tiny_Llama X2Y"},
		{"7b-it", "7b It"},
		{"meta-llama", "Meta Llama"},
	};
	char found[MODEL_ID_MAX];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		model_id_title(rows[i][0], found);
		cr_expect_str_eq(found, rows[i][1]);
	}
}

Test(model_id, sizes_are_rounded)
{
	static const struct {
		uint64_t all, shared, expert, n_experts;
		const char *label;
	} rows[] = {
		{999u, 999u, 0u, 0u, "1.0K"},
		{1000u, 1000u, 0u, 0u, "1.0K"},
		{620000u, 0u, 0u, 0u, "620K"},
		{99500u, 0u, 0u, 0u, "100K"},
		{1235814400u, 0u, 0u, 0u, "1.2B"},
		{7241732096u, 0u, 0u, 0u, "7.2B"},
		{46702792704u, 1600000000u, 5600000000u, 8u, "8x7.2B"},
		{30532122624u, 1500000000u, 226000000u, 128u, "128x1.7B"},
		{1500000000000u, 0u, 0u, 0u, "1.5T"},
		{50u, 0u, 0u, 0u, "0.05K"},
	};
	char found[32];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		model_size_label(rows[i].all, rows[i].shared, rows[i].expert, rows[i].n_experts, found);
		cr_expect_str_eq(found, rows[i].label);
	}
}

/* Foreign: nothing is written past the ends. */
Test(model_id, long_names_are_cut)
{
	char text[1024];
	struct model_id id;

	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	model_id_read(&id, text, 0);
	cr_assert_eq(strlen(id.name), MODEL_ID_MAX - 1);
	for (size_t i = 1; i < 250; i += 2)
		text[i] = '-';
	text[255] = '\0';
	model_id_read(&id, text, 0);
	model_id_title(text, id.name);
}
