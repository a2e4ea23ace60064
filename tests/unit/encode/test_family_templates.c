/* Files without a chat template: each family gets its own, by its architecture and the control
 * tokens of its vocabulary; replies end where they should and are separated from the
 * reasoning. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "model/family.h"
#include "model/model.h"

#include "unit/encode/chat_model.h"

enum { CONTROL = 3, TOKENS_MAX = 12 };

static const struct row {
	const char *architecture, *pre;
	const char *tokens[TOKENS_MAX];
	const char *name;
	const char *end;  /* the token that ends a reply */
	const char *open; /* NULL: no reasoning */
	/* How the prompt ends if thinking is left open, on, and off; NULL: as the one before. */
	const char *tail, *on, *off;
	uint32_t n_expert;
} rows[] = {
	{"qwen2", "qwen2", {"<|im_start|>", "<|im_end|>"}, "chatml", "<|im_end|>", NULL,
	 "<|im_start|>assistant\n", NULL, NULL},
	{"qwen3", "qwen2", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "qwen3", "<|im_end|>",
	 "<think>", "<|im_start|>assistant\n", NULL, "assistant\n<think>\n\n</think>\n\n"},
	{"qwen35", "qwen35", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "qwen3.5",
	 "<|im_end|>", "<think>", "<|im_start|>assistant\n", "assistant\n<think>\n",
	 "assistant\n<think>\n\n</think>\n\n"},
	{"gemma3", NULL, {"<start_of_turn>", "<end_of_turn>"}, "gemma", "<end_of_turn>", NULL,
	 "<start_of_turn>model\n", NULL, NULL},
	{"gemma4", NULL, {"<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|think|>"}, "gemma4",
	 "<turn|>", "<|channel>thought", "<|turn>user\nV<turn|>\n<|turn>model\n", NULL,
	 "<|turn>model\n<|channel>thought\n<channel|>"},
	{"granite", NULL, {"<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>"}, "granite",
	 "<|end_of_text|>", NULL, "<|start_of_role|>assistant<|end_of_role|>", NULL, NULL},
	{"granitehybrid", NULL, {"<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>"},
	 "granite-4.0", "<|end_of_text|>", NULL, "<|start_of_role|>assistant<|end_of_role|>", NULL, NULL},
	{"lfm2", NULL, {"<|im_start|>", "<|im_end|>"}, "chatml", "<|im_end|>", NULL,
	 "<|im_start|>assistant\n", NULL, NULL},
	{"phi3", "gpt-4o", {"<|user|>", "<|assistant|>", "<|system|>", "<|end|>"}, "phi4-mini",
	 "<|end|>", NULL, "<|user|>V<|end|><|assistant|>", NULL, NULL},
	{"phi3", NULL, {"<|user|>", "<|assistant|>", "<|system|>", "<|end|>"}, "phi3", "<|end|>", NULL,
	 "<|user|>\nV<|end|>\n<|assistant|>\n", NULL, NULL},
	{"mistral3", "tekken", {"[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "</s>"},
	 "mistral-v7-tekken", "</s>", NULL, "A</s>[INST]V[/INST]", NULL, NULL},
	{"mistral3", "tekken", {"[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "</s>",
	                        "[THINK]", "[/THINK]"},
	 "mistral-v7-tekken", "</s>", "[THINK]", "A</s>[INST]V[/INST]", NULL, NULL},
	{"smollm3", "smollm", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "chatml",
	 "<|im_end|>", "<think>", "<|im_start|>assistant\n", NULL, NULL},
	{"olmo2", NULL, {"<|im_start|>", "<|im_end|>"}, "chatml", "<|im_end|>", NULL,
	 "<|im_start|>assistant\n", NULL, NULL},
	{"exaone4", NULL, {"[|user|]", "[|assistant|]", "[|endofturn|]", "[|tool|]", "<think>",
	                   "</think>"},
	 "exaone4", "[|endofturn|]", "<think>", "[|user|]V\n[|assistant|]", NULL, NULL},
	{"glm4", "chatglm-bpe", {"[gMASK]", "<sop>", "<|user|>", "<|assistant|>"}, "chatglm4",
	 "<|user|>", NULL, "A<|user|>\nV<|assistant|>\n", NULL, NULL},
	{"bitnet", NULL, {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}, "bitnet",
	 "<|eot_id|>", NULL, "User: V<|eot_id|>Assistant: ", NULL, NULL},
	{"llama", NULL, {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}, "llama3",
	 "<|eot_id|>", NULL, "<|start_header_id|>assistant<|end_header_id|>\n\n", NULL, NULL},
	{"ernie4_5", NULL, {"<|begin_of_sentence|>", "<|end_of_sentence|>"}, "ernie4.5",
	 "<|end_of_sentence|>", NULL, "A<|end_of_sentence|>User: V\nAssistant: ", NULL, NULL},
	{"gpt-oss", "gpt-4o", {"<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>",
	                       "<|call|>", "<|constrain|>"},
	 "gpt-oss", "<|return|>", "<|channel|>analysis<|message|>",
	 "<|channel|>final<|message|>A<|end|><|start|>user<|message|>V<|end|><|start|>assistant", NULL,
	 NULL},
	{"qwen2moe", "qwen2", {"<|im_start|>", "<|im_end|>"}, "chatml", "<|im_end|>", NULL,
	 "<|im_start|>assistant\n", NULL, NULL, 60},
	{"qwen3moe", "qwen2", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "qwen3",
	 "<|im_end|>", "<think>", "<|im_start|>assistant\n", NULL, "assistant\n<think>\n\n</think>\n\n",
	 128},
	{"qwen3next", "qwen2", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "qwen3",
	 "<|im_end|>", "<think>", "<|im_start|>assistant\n", NULL, "assistant\n<think>\n\n</think>\n\n",
	 512},
	{"qwen35moe", "qwen35", {"<|im_start|>", "<|im_end|>", "<think>", "</think>"}, "qwen3.5",
	 "<|im_end|>", "<think>", "<|im_start|>assistant\n", "assistant\n<think>\n",
	 "assistant\n<think>\n\n</think>\n\n", 256},
	{"granitemoe", NULL, {"<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>"}, "granite",
	 "<|end_of_text|>", NULL, "<|start_of_role|>assistant<|end_of_role|>", NULL, NULL, 40},
	{"lfm2moe", NULL, {"<|im_start|>", "<|im_end|>"}, "chatml", "<|im_end|>", NULL,
	 "<|im_start|>assistant\n", NULL, NULL, 32},
	{"olmoe", "olmo", {"<|endoftext|>"}, "olmoe", "<|endoftext|>", NULL,
	 "<|assistant|>\nA<|endoftext|>\n<|user|>\nV\n<|assistant|>\n", NULL, NULL, 64},
	{"phimoe", NULL, {"<|user|>", "<|assistant|>", "<|system|>", "<|end|>"}, "phi3", "<|end|>", NULL,
	 "<|user|>\nV<|end|>\n<|assistant|>\n", NULL, NULL, 16},
	{"ernie4_5-moe", NULL, {"<|begin_of_sentence|>", "<|end_of_sentence|>"}, "ernie4.5",
	 "<|end_of_sentence|>", NULL, "A<|end_of_sentence|>User: V\nAssistant: ", NULL, NULL, 64},
	{"glm4moe", "chatglm-bpe", {"[gMASK]", "<sop>", "<|user|>", "<|assistant|>", "<think>", "</think>"},
	 "glm4.5", "<|user|>", "<think>",
	 "<|assistant|>\n<think></think>\nA<|user|>\nV<|assistant|>", NULL,
	 "<|user|>\nV/nothink<|assistant|>\n<think></think>", 128},
	{"minimax-m2", NULL, {"]~!b[", "]~b]", "[e~[", "<think>", "</think>"}, "minimax-m2",
	 "[e~[", "<think>", "]~b]ai\nA[e~[\n]~b]user\nV[e~[\n]~b]ai\n<think>\n", NULL, NULL, 256},
	/* Mixtral 8x7B, and 8x22B. */
	{"llama", NULL, {"<s>", "</s>"}, "mistral-v1", "</s>", NULL, " A</s> [INST] V [/INST]", NULL, NULL,
	 8},
	{"llama", NULL, {"<s>", "</s>", "[INST]", "[/INST]"}, "mistral-v3", "</s>", NULL,
	 " A</s>[INST] V[/INST]", NULL, NULL, 8},
	{"llama4", NULL, {"<|header_start|>", "<|header_end|>", "<|eot|>"}, "llama4", "<|eot|>", NULL,
	 "V<|eot|><|header_start|>assistant<|header_end|>\n\n", NULL, NULL, 16},
	{"deepseek2", "deepseek-llm", {"<｜end▁of▁sentence｜>"},
	 "deepseek2", "<｜end▁of▁sentence｜>", NULL,
	 "Assistant: A<｜end▁of▁sentence｜>User: V\n\nAssistant:", NULL, NULL, 64},
	{"deepseek2", "deepseek-v3", {"<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>",
	                              "<｜Assistant｜>"},
	 "deepseek3", "<｜end▁of▁sentence｜>", NULL,
	 "<｜Assistant｜>A<｜end▁of▁sentence｜><｜User｜>V<｜Assistant｜>", NULL, NULL, 256},
	{"seed_oss", NULL, {"<seed:bos>", "<seed:eos>", "<seed:think>", "</seed:think>"}, "seed_oss",
	 "<seed:eos>", "<seed:think>", "<seed:bos>assistant\n", NULL, NULL},
	{"cohere2", NULL, {"<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>",
	                   "<|CHATBOT_TOKEN|>"},
	 "command-r", "<|END_OF_TURN_TOKEN|>", NULL, "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", NULL,
	 NULL},
};

static void open_row(struct test_model *model, const struct row *row, int32_t type)
{
	char expert_count[64];
	const struct test_key keys[] = {{"general.architecture", row->architecture, 0},
	                                {expert_count, NULL, row->n_expert}, {NULL, NULL, 0}};
	struct tiny_token tokens[TOKENS_MAX + 1] = {0};

	snprintf(expert_count, sizeof expert_count, "%s.expert_count", row->architecture);
	for (size_t i = 0; i < TOKENS_MAX && row->tokens[i]; i++)
		tokens[i] = (struct tiny_token){row->tokens[i], 0, type};
	test_model_open(model, &(struct tiny_vocabulary){.model = "gpt2",
	                                                 .pre = row->pre ? row->pre : "gpt-2",
	                                                 .tokens = tokens},
	                keys);
	test_model_choose(model, NULL);
}

static void expect_tail(const struct test_model *model, enum reasoning_mode reasoning,
                        const char *tail)
{
	static const struct chat_text texts[] = {{"U", 1, 1}, {"A", 1, 2}, {"V", 1, 3}};
	const struct chat_message messages[] = {
		{.role = ROLE_USER, .texts = &texts[0], .n_texts = 1},
		{.role = ROLE_ASSISTANT, .texts = &texts[1], .n_texts = 1, .reasoning = {"hmm", 3, 4}},
		{.role = ROLE_USER, .texts = &texts[2], .n_texts = 1},
	};
	struct jinja_output out;
	struct error err;
	size_t len = strlen(tail);

	cr_assert_eq(chat_template_render(model->tmpl, messages, 3, true,
	                                  (struct reasoning_wish){.mode = reasoning}, &out, &err),
	             STATUS_OK, "%s", err.text);
	cr_expect(out.len >= len && strcmp(out.text + out.len - len, tail) == 0, "%s: %s",
	          model->tmpl->name, out.text);
	cr_expect_null(strstr(out.text, "hmm"), "what was thought before is not told again");
	jinja_output_free(&out);
}

Test(family_templates, are_chosen_end_and_think)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *row = &rows[i];
		struct test_model model;
		int32_t end;

		open_row(&model, row, CONTROL);
		cr_expect_str_eq(model.tmpl->name, row->name, "%s: %s", row->architecture, model.tmpl->name);
		end = tokenizer_find(model.tokenizer, row->end, strlen(row->end));
		cr_expect(end != TOKEN_NONE && (tokenizer_is_eog(model.tokenizer, end) ||
		                                model.tmpl->end_id == end),
		          "%s does not end", row->architecture);
		cr_expect_eq(row->open != NULL, model.tmpl->reasoning != NULL, "%s", row->architecture);
		if (row->open && model.tmpl->reasoning)
			cr_expect_str_eq(model.tmpl->reasoning->opens[0], row->open);
		expect_tail(&model, REASONING_AUTO, row->tail);
		expect_tail(&model, REASONING_ON, row->on ? row->on : row->tail);
		expect_tail(&model, REASONING_OFF, row->off ? row->off : row->tail);
		test_model_close(&model);
	}
}

/* Some ends are known by their names, whatever type the file says they have. */
static bool are_all_special(const struct test_model *model, const struct row *row)
{
	for (size_t i = 0; i < TOKENS_MAX && row->tokens[i]; i++) {
		int32_t id = tokenizer_find(model->tokenizer, row->tokens[i], strlen(row->tokens[i]));

		if (!tokenizer_is_special(model->tokenizer, id))
			return false;
	}
	return true;
}

/* If the markers are plain text the model was not trained with them. */
Test(family_templates, need_control_tokens)
{
	size_t n_special = 0;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct test_model model;

		open_row(&model, &rows[i], 1);
		if (are_all_special(&model, &rows[i]))
			n_special++;
		else
			cr_expect_str_eq(model.tmpl->name, "plain", "%s: %s", rows[i].architecture,
			                 model.tmpl->name);
		test_model_close(&model);
	}
	cr_expect_eq(n_special, 2); /* OLMoE, DeepSeek 2 */
}

/* Gemma 4 is told to think in its system message. */
Test(family_templates, gemma4_thinks_when_it_is_told_to)
{
	const struct row *row = rows;
	static const struct chat_text texts[] = {{" S ", 3, 1}, {"U", 1, 2}};
	const struct chat_message messages[] = {
		{.role = ROLE_SYSTEM, .texts = &texts[0], .n_texts = 1},
		{.role = ROLE_USER, .texts = &texts[1], .n_texts = 1},
	};
	struct test_model model;
	struct jinja_output out;

	while (strcmp(row->architecture, "gemma4") != 0)
		row++;
	open_row(&model, row, CONTROL);
	cr_assert(model.tmpl->can.reasoning && model.tmpl->knows_reasoning && model.tmpl->can.system);
	for (size_t with = 0; with < 2; with++) {
		cr_assert_eq(chat_template_render(model.tmpl, messages + 1 - with, 1 + with, true,
		                                  (struct reasoning_wish){.mode = REASONING_ON}, &out,
		                                  NULL), STATUS_OK);
		cr_expect_str_eq(out.text, with ? "<|turn>system\n<|think|>\nS<turn|>\n<|turn>user\nU<turn|>\n"
		                                  "<|turn>model\n"
		                                : "<|turn>system\n<|think|>\n<turn|>\n<|turn>user\nU<turn|>\n"
		                                  "<|turn>model\n");
		jinja_output_free(&out);
	}
	test_model_close(&model);
}

Test(family_templates, of_all_that_run_are_in_the_manual)
{
	struct buf names = {.max = 4096};
	char *text;
	size_t len;

	cr_assert_eq(sys_read_file(TEST_SRCDIR "/man/sotto.1", 1 << 20, &text, &len, NULL), STATUS_OK);
	cr_assert_eq(family_list(&names), STATUS_OK);
	for (char *at = names.data; *at;) {
		size_t n = strcspn(at, ", ");
		char line[80] = ".B ", *to = line + 3;

		for (size_t i = 0; i < n && i < 32; i++) {
			if (at[i] == '-')
				*to++ = '\\';
			*to++ = at[i];
		}
		*to++ = '\n';
		cr_expect_not_null(strstr(text, line), "%s", line);
		at += n;
		at += strspn(at, ", ");
	}
	buf_free(&names);
	free(text);
}

/* In gpt-oss's own system message it says how long to think; other templates have no such
 * setting. */
Test(family_templates, gpt_oss_is_told_how_long_to_think)
{
	static const char *const expected[] = {
		[EFFORT_AUTO] = "\n\nReasoning: medium\n\n", [EFFORT_LOW] = "\n\nReasoning: low\n\n",
		[EFFORT_MEDIUM] = "\n\nReasoning: medium\n\n", [EFFORT_HIGH] = "\n\nReasoning: high\n\n"};
	static const struct chat_text text = {"U", 1, 1};
	const struct chat_message message = {.role = ROLE_USER, .texts = &text, .n_texts = 1};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool asks = strcmp(rows[i].architecture, "gpt-oss") == 0;
		struct test_model model;
		struct jinja_output out;

		open_row(&model, &rows[i], CONTROL);
		cr_expect_eq(model.tmpl->can.effort, asks, "%s", rows[i].architecture);
		for (enum effort effort = EFFORT_AUTO; asks && effort <= EFFORT_HIGH; effort++) {
			cr_assert_eq(chat_template_render(model.tmpl, &message, 1, true,
			                                  (struct reasoning_wish){.effort = effort}, &out, NULL),
			             STATUS_OK);
			cr_expect_not_null(strstr(out.text, expected[effort]), "%s", out.text);
			jinja_output_free(&out);
		}
		test_model_close(&model);
	}
}
