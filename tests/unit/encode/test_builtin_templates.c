/* The built-in templates: each must render a conversation as llama.cpp's template of that name
 * does. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "encode/builtin_templates.h"
#include "encode/chat_template.h"

static const struct {
	const char *name, *expected;
} rows[] = {
	{"bailing",
	 "<role>SYSTEM</role>S<role>HUMAN</role> U <role>ASSISTANT</role>A<role>"
	 "HUMAN</role>V<role>ASSISTANT</role>"},
	{"bailing-think",
	 "<role>SYSTEM</role>S<role>HUMAN</role> U <role>ASSISTANT</role>A<role>"
	 "HUMAN</role>V<role>ASSISTANT</role><think>"},
	{"bailing2",
	 "<role>SYSTEM</role>S<|role_end|><role>HUMAN</role> U <|role_end|><role>"
	 "ASSISTANT</role>A<|role_end|><role>HUMAN</role>V<|role_end|><role>ASSISTANT</role>"},
	{"bitnet",
	 "System: S<|eot_id|>User: U<|eot_id|>Assistant: A<|eot_id|>User: V<|eot_id|>Assistant: "},
	{"chatglm3",
	 "[gMASK]sop<|system|>\n S<|user|>\n  U <|assistant|>\n A<|user|>\n V<|assistant|>"},
	{"chatglm4",
	 "[gMASK]<sop><|system|>\nS<|user|>\n U <|assistant|>\nA<|user|>\nV<|assistant|>"
	 "\n"},
	{"chatml",
	 "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n U <|im_end|>\n<|im_start|>"
	 "assistant\nA<|im_end|>\n<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
	{"command-r",
	 "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>S<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|>"
	 "<|USER_TOKEN|>U<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"
	 "A<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|USER_TOKEN|>V<|END_OF_TURN_TOKEN|>"
	 "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"},
	{"deepseek",
	 "S### Instruction:\n U \n### Response:\nA\n<|EOT|>\n### Instruction:\nV\n"
	 "### Response:\n"},
	{"deepseek-ocr",
	 "S U AV"},
	{"deepseek2",
	 "S\n\nUser:  U \n\nAssistant: A<｜end▁of▁sentence｜>User: V\n\nAssistant:"},
	{"deepseek3",
	 "S\n\n<｜User｜> U <｜Assistant｜>A<｜end▁of▁sentence｜><｜User｜>V<｜Assistant｜>"},
	{"ernie4.5",
	 "<|begin_of_sentence|>S\nUser:  U \nAssistant: A<|end_of_sentence|>User: V\nAssistant: "},
	{"exaone-moe",
	 "<|system|>\nS<|endofturn|>\n<|user|>\nU<|endofturn|>\n<|assistant|>\nA<|endofturn|>"
	 "\n<|user|>\nV<|endofturn|>\n<|assistant|>\n"},
	{"exaone3",
	 "[|system|]S[|endofturn|]\n[|user|]U\n[|assistant|]A[|endofturn|]\n[|user|]"
	 "V\n[|assistant|]"},
	{"exaone4",
	 "[|system|]S[|endofturn|]\n[|user|]U\n[|assistant|]A[|endofturn|]\n[|user|]"
	 "V\n[|assistant|]"},
	{"falcon3",
	 "<|system|>\nS\n<|user|>\n U \n<|assistant|>\nA\n<|user|>\nV\n<|assistant|>"
	 "\n"},
	{"gemma",
	 "<start_of_turn>user\nS\n\nU<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>"
	 "\n<start_of_turn>user\nV<end_of_turn>\n<start_of_turn>model\n"},
	{"gemma4",
	 "<|turn>system\nS<turn|>\n<|turn>user\nU<turn|>\n<|turn>model\nA<turn|>\n<|turn>user\nV<turn|>\n<|turn>model\n"},
	{"gigachat",
	 "<s>S<|message_sep|>user<|role_sep|> U <|message_sep|>available functions<|role_sep|>"
	 "[]<|message_sep|>assistant<|role_sep|>A<|message_sep|>user<|role_sep|>"
	 "V<|message_sep|>available functions<|role_sep|>[]<|message_sep|>assistant<|role_sep|>"},
	{"glm4.5",
	 "[gMASK]<sop><|system|>\nS<|user|>\n U <|assistant|>\n<think></think>\nA<|user|>\nV"
	 "<|assistant|>"},
	{"minimax-m2",
	 "]~!b[]~b]system\nS[e~[\n]~b]user\n U [e~[\n]~b]ai\nA[e~[\n]~b]user\nV[e~[\n]~b]ai\n"
	 "<think>\n"},
	{"olmoe",
	 "<|endoftext|><|system|>\nS\n<|user|>\n U \n<|assistant|>\nA<|endoftext|>\n<|user|>\nV\n"
	 "<|assistant|>\n"},
	{"glmedge",
	 "<|system|>\nS<|user|>\n U <|assistant|>\nA<|user|>\nV<|assistant|>"},
	{"gpt-oss",
	 "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\n"
	 "Knowledge cutoff: 2024-06\nCurrent date: YYYY-MM-DD\n\nReasoning: medium\n\n"
	 "# Valid channels: analysis, commentary, final. Channel must be included for every message."
	 "<|end|><|start|>developer<|message|># Instructions\n\nS\n\n<|end|>"
	 "<|start|>user<|message|> U <|end|><|start|>"
	 "assistant<|channel|>final<|message|>A<|end|><|start|>user<|message|>V<|end|>"
	 "<|start|>assistant"},
	{"granite",
	 "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>"
	 "user<|end_of_role|> U <|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"
	 "A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>V<|end_of_text|>"
	 "\n<|start_of_role|>assistant<|end_of_role|>"},
	{"granite-4.0",
	 "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>"
	 "user<|end_of_role|> U <|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"
	 "A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>V<|end_of_text|>"
	 "\n<|start_of_role|>assistant<|end_of_role|>"},
	{"granite-4.1",
	 "<|start_of_role|>system<|end_of_role|>S<|end_of_text|>\n<|start_of_role|>"
	 "user<|end_of_role|> U <|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"
	 "A<|end_of_text|>\n<|start_of_role|>user<|end_of_role|>V<|end_of_text|>"
	 "\n<|start_of_role|>assistant<|end_of_role|>"},
	{"grok-2",
	 "System: S<|separator|>\n\nHuman: U<|separator|>\n\nAssistant: A<|separator|>"
	 "\n\nHuman: V<|separator|>\n\nAssistant:"},
	{"hunyuan-dense",
	 "S<｜hy_place▁holder▁no▁3｜><｜hy_User｜> U <｜hy_Assistant｜><｜hy_Assistant｜>"
	 "A<｜hy_place▁holder▁no▁2｜><｜hy_User｜>V<｜hy_Assistant｜>"},
	{"hunyuan-moe",
	 "<|startoftext|>S<|extra_4|><|startoftext|> U <|extra_0|>A<|eos|><|startoftext|>"
	 "V<|extra_0|>"},
	{"hunyuan-vl",
	 "<｜hy_begin▁of▁sentence｜>S<｜hy_place▁holder▁no▁3｜> U <｜hy_User｜>A<｜hy_Assistant｜>"
	 "V<｜hy_User｜>"},
	{"kimi-k2",
	 "<|im_system|>system<|im_middle|>S<|im_end|><|im_user|>user<|im_middle|>"
	 " U <|im_end|><|im_assistant|>assistant<|im_middle|>A<|im_end|><|im_user|>"
	 "user<|im_middle|>V<|im_end|><|im_assistant|>assistant<|im_middle|>"},
	{"llama2",
	 "[INST] S\n U  [/INST]A</s>[INST] V [/INST]"},
	{"llama2-sys",
	 "[INST] <<SYS>>\nS\n<</SYS>>\n\n U  [/INST]A</s>[INST] V [/INST]"},
	{"llama2-sys-bos",
	 "[INST] <<SYS>>\nS\n<</SYS>>\n\n U  [/INST]A</s><s>[INST] V [/INST]"},
	{"llama2-sys-strip",
	 "[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST]A</s>[INST] V [/INST]"},
	{"llama3",
	 "<|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>"
	 "user<|end_header_id|>\n\nU<|eot_id|><|start_header_id|>assistant<|end_header_id|>"
	 "\n\nA<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nV<|eot_id|>"
	 "<|start_header_id|>assistant<|end_header_id|>\n\n"},
	{"llama4",
	 "<|header_start|>system<|header_end|>\n\nS<|eot|><|header_start|>user<|header_end|>"
	 "\n\nU<|eot|><|header_start|>assistant<|header_end|>\n\nA<|eot|><|header_start|>"
	 "user<|header_end|>\n\nV<|eot|><|header_start|>assistant<|header_end|>\n"
	 "\n"},
	{"qwen3",
	 "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n U <|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
	{"qwen3.5",
	 "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n U <|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n<|im_start|>user\nV<|im_end|>\n<|im_start|>assistant\n"},
	{"phi4-mini",
	 "<|system|>S<|end|><|user|> U <|end|><|assistant|>A<|end|><|user|>V<|end|><|assistant|>"},
	{"megrez",
	 "<|role_start|>system<|role_end|>S<|turn_end|><|role_start|>user<|role_end|>"
	 " U <|turn_end|><|role_start|>assistant<|role_end|>A<|turn_end|><|role_start|>"
	 "user<|role_end|>V<|turn_end|><|role_start|>assistant<|role_end|>"},
	{"minicpm",
	 "S<用户>U<AI>A<用户>V<AI>"},
	{"mistral-v1",
	 " [INST] S\n\n U  [/INST] A</s> [INST] V [/INST]"},
	{"mistral-v3",
	 "[INST] S\n\n U [/INST] A</s>[INST] V[/INST]"},
	{"mistral-v3-tekken",
	 "[INST]S\n\n U [/INST]A</s>[INST]V[/INST]"},
	{"mistral-v7",
	 "[SYSTEM_PROMPT] S[/SYSTEM_PROMPT][INST]  U [/INST] A</s>[INST] V[/INST]"},
	{"mistral-v7-tekken",
	 "[SYSTEM_PROMPT]S[/SYSTEM_PROMPT][INST] U [/INST]A</s>[INST]V[/INST]"},
	{"monarch",
	 "system\nS</s>\n<s>user\n U </s>\n<s>assistant\nA</s>\n<s>user\nV</s>\n"
	 "<s>assistant\n"},
	{"openchat",
	 "S<|end_of_turn|>GPT4 Correct User:  U <|end_of_turn|>GPT4 Correct Assistant: A<|end_o"
	 "f_turn|>GPT4 Correct User: V<|end_of_turn|>GPT4 Correct Assistant:"},
	{"orion",
	 "Human: S\n\n U \n\nAssistant: </s>A</s>Human: V\n\nAssistant: </s>"},
	{"pangu-embedded",
	 "[unused9]系统：S[unused10][unused9]用户： U [unused10][unused9]助手：A[unused10]"
	 "[unused9]用户：V[unused10][unused9]助手："},
	{"phi3",
	 "<|system|>\nS<|end|>\n<|user|>\n U <|end|>\n<|assistant|>\nA<|end|>\n<|user|>"
	 "\nV<|end|>\n<|assistant|>\n"},
	{"phi4",
	 "<|im_start|>system<|im_sep|>S<|im_end|><|im_start|>user<|im_sep|> U <|im_end|>"
	 "<|im_start|>assistant<|im_sep|>A<|im_end|><|im_start|>user<|im_sep|>V<|im_end|>"
	 "<|im_start|>assistant<|im_sep|>"},
	{"rwkv-world",
	 "System: S\n\nUser: U\n\nAssistant: A\n\nUser: V\n\nAssistant:"},
	{"seed_oss",
	 "<seed:bos>system\nS<seed:eos><seed:bos>user\n U <seed:eos><seed:bos>assistant\n"
	 "A<seed:eos><seed:bos>user\nV<seed:eos><seed:bos>assistant\n"},
	{"smolvlm",
	 "<|im_start|>S\n\nUser:  U <end_of_utterance>\nAssistant: A<end_of_utterance>"
	 "\nUser: V<end_of_utterance>\nAssistant:"},
	{"solar-open",
	 "<|begin|>system<|content|>S<|end|><|begin|>user<|content|> U <|end|><|begin|>"
	 "assistant<|content|>A<|end|><|begin|>user<|content|>V<|end|><|begin|>assistant"},
	{"vicuna",
	 "S\n\nUSER:  U \nASSISTANT: A</s>\nUSER: V\nASSISTANT:"},
	{"vicuna-orca",
	 "SYSTEM: S\nUSER:  U \nASSISTANT: A</s>\nUSER: V\nASSISTANT:"},
	{"yandex",
	 " Пользователь:  U \n\n Ассистент: A\n\n Пользователь: V\n\n Ассистент:[SEP]"},
	{"zephyr",
	 "<|system|>\nS<|endoftext|>\n<|user|>\n U <|endoftext|>\n<|assistant|>\n"
	 "A<|endoftext|>\n<|user|>\nV<|endoftext|>\n<|assistant|>\n"},
	{"dots1",
	 "<|system|>S<|endofsystem|><|userprompt|> U <|endofuserprompt|><|response|>"
	 "A<|endofresponse|><|userprompt|>V<|endofuserprompt|><|response|>"},
	{"alpaca",
	 "S\n\n### Instruction:\n U \n\n### Response:\nA</s>\n\n### Instruction:\n"
	 "V\n\n### Response:\n"},
	{"plain",
	 "S\n\nUser:  U \nAssistant: A\nUser: V\nAssistant:"},
};

static void parse(struct chat_template *tmpl, const struct builtin_template *row)
{
	static char eos[] = "</s>";
	struct error err;

	*tmpl = (struct chat_template){.eos = eos};
	cr_assert_eq(jinja_parse(&tmpl->jinja, row->name, row->text, strlen(row->text),
	                         &jinja_limits_default, &err),
	             STATUS_OK, "%s", err.text);
}

/* The table does not know the date. */
static void hide_date(char *text)
{
	static const char before[] = "Current date: ", date[] = "YYYY-MM-DD";
	char *at = strstr(text, before);

	if (at && strlen(at) >= strlen(before) + strlen(date))
		memcpy(at + strlen(before), date, strlen(date));
}

static void check(const struct builtin_template *row, const char *expected)
{
	static const struct chat_text texts[] = {{"S", 1, 1}, {" U ", 3, 2}, {"A", 1, 3}, {"V", 1, 4}};
	static const struct chat_message messages[] = {
		{.role = ROLE_SYSTEM, .texts = &texts[0], .n_texts = 1},
		{.role = ROLE_USER, .texts = &texts[1], .n_texts = 1},
		{.role = ROLE_ASSISTANT, .texts = &texts[2], .n_texts = 1},
		{.role = ROLE_USER, .texts = &texts[3], .n_texts = 1},
	};
	struct chat_template tmpl;
	struct jinja_output out;
	struct error err;

	parse(&tmpl, row);
	cr_assert_eq(chat_template_render(&tmpl, messages, 4, true, (struct reasoning_wish){0}, &out,
	                                  &err), STATUS_OK, "%s", err.text);
	hide_date(out.text);
	cr_expect_str_eq(out.text, expected, "%s: %s", row->name, out.text);
	jinja_output_free(&out);
	jinja_free(tmpl.jinja);
}

Test(builtin_templates, render_as_they_should)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct builtin_template *row = builtin_template_find(rows[i].name);

		cr_assert_not_null(row, "%s", rows[i].name);
		check(row, rows[i].expected);
	}
}

Test(builtin_templates, all_of_them_are_checked)
{
	for (size_t i = 0; i < builtin_n_templates; i++) {
		bool found = false;

		for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
			found |= strcmp(rows[r].name, builtin_templates[i].name) == 0;
		cr_expect(found, "%s", builtin_templates[i].name);
	}
}

Test(builtin_templates, have_names_of_their_own)
{
	for (size_t i = 0; i < builtin_n_templates; i++)
		cr_expect_eq(builtin_template_find(builtin_templates[i].name), &builtin_templates[i]);
	cr_assert_null(builtin_template_find("nothing"));
	cr_assert_str_eq(builtin_templates[builtin_n_templates - 1].name, "plain");
}

Test(builtin_templates, are_listed_in_the_manual)
{
	struct error err;
	char *text;
	size_t len, n = 0;

	cr_assert_eq(sys_read_file(TEST_SRCDIR "/man/sotto.1", 1 << 20, &text, &len, &err), STATUS_OK,
	             "%s", err.text);
	for (size_t i = 0; i < len; i++) /* as it is read */
		if (text[i] != '\\')
			text[n++] = text[i] == '\n' ? ' ' : text[i];
	text[n] = '\0';
	for (size_t i = 0; i < builtin_n_templates; i++) {
		char name[80];

		snprintf(name, sizeof name, " %s%c", builtin_templates[i].name,
		         i + 1 < builtin_n_templates ? ',' : '.');
		cr_expect_not_null(strstr(text, name), "%s", name);
	}
	free(text);
}
