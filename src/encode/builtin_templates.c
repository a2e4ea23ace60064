#include "encode/builtin_templates.h"

#include <string.h>

/* What most of them are built of: a text for each message `m`, and the text that
 * asks for the reply. Arguments are Jinja expressions in C strings. */
#define EACH(body) "{% for m in messages %}" body "{% endfor %}"
#define SAY(expression) "{{ " expression " }}"
#define ASK(expression) "{% if add_generation_prompt %}" SAY(expression) "{% endif %}"
#define BY_ROLE(system, user, assistant) \
	"{% if m.role == 'system' %}" SAY(system) \
	"{% elif m.role == 'user' %}" SAY(user) \
	"{% else %}" SAY(assistant) "{% endif %}"
#define TEXT "m.content"
#define TRIMMED "m.content.strip()"

/* Mistral and Llama 2: system and user message share one pair of brackets, which
 * `open` opens. */
#define BRACKETS(open, system, user, assistant) \
	"{% set ns = namespace(open=false) %}" \
	EACH("{% if not ns.open and m.role != 'assistant' %}" SAY(open) "{% set ns.open = true %}{% endif %}" \
	     "{% if m.role == 'assistant' %}{% set ns.open = false %}{% endif %}" \
	     BY_ROLE(system, user, assistant))
#define MISTRAL_7(gap) \
	EACH(BY_ROLE("'[SYSTEM_PROMPT]" gap "' + " TEXT " + '[/SYSTEM_PROMPT]'", \
	             "'[INST]" gap "' + " TEXT " + '[/INST]'", "'" gap "' + " TEXT " + '</s>'"))
#define LLAMA_2(open, system, text) \
	BRACKETS(open, system, text " + ' [/INST]'", text " + '</s>'")
#define LLAMA_2_SYSTEM(text) "'<<SYS>>\\n' + " text " + '\\n<</SYS>>\\n\\n'"

/* For models without system messages: the text goes before the user's next message. */
#define SYSTEM_WITH_USER(user, assistant) \
	"{% set ns = namespace(system='') %}" \
	EACH("{% if m.role == 'system' %}{% set ns.system = ns.system + m.content.strip() + '\\n\\n' %}" \
	     "{% elif m.role == 'user' %}" SAY(user) "{% set ns.system = '' %}" \
	     "{% else %}" SAY(assistant) "{% endif %}")

#define CHATML \
	EACH(SAY("'<|im_start|>' + m.role + '\\n' + " TEXT " + '<|im_end|>\\n'")) \
	ASK("'<|im_start|>assistant\\n'")
/* Empty reasoning: the model answers at once. */
#define NO_THOUGHT "'<think>\\n\\n</think>\\n\\n'"
#define WITHOUT_THINKING "enable_thinking is defined and not enable_thinking"
#define VICUNA(system) \
	EACH(BY_ROLE(system, "'USER: ' + " TEXT " + '\\n'", "'ASSISTANT: ' + " TEXT " + '</s>\\n'")) \
	ASK("'ASSISTANT:'")
#define GRANITE \
	EACH(SAY("'<|start_of_role|>' + m.role + '<|end_of_role|>' + " TEXT " + '<|end_of_text|>\\n'")) \
	ASK("'<|start_of_role|>assistant<|end_of_role|>'")
#define EXAONE_3 \
	EACH(BY_ROLE("'[|system|]' + " TRIMMED " + '[|endofturn|]\\n'", \
	             "'[|user|]' + " TRIMMED " + '\\n'", \
	             "'[|assistant|]' + " TRIMMED " + '[|endofturn|]\\n'")) \
	ASK("'[|assistant|]'")
#define BAILING(end) \
	EACH(SAY("'<role>' + ('HUMAN' if m.role == 'user' else m.role.upper()) + '</role>' + " TEXT \
	         " + '" end "'"))

const struct builtin_template builtin_templates[] = {
	/* A system message becomes the developer's; the model's own system message says
	 * what model it is, which channels there are and how long to think. */
	{.name = "gpt-oss",
	 .text = "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\n"
	         "Knowledge cutoff: 2024-06\nCurrent date: {{ strftime_now('%Y-%m-%d') }}\n\n"
	         "Reasoning: {{ reasoning_effort if reasoning_effort is defined else 'medium' }}\n\n"
	         "# Valid channels: analysis, commentary, final. Channel must be included for every "
	         "message.<|end|>"
	         EACH(BY_ROLE("'<|start|>developer<|message|># Instructions\n\n' + " TEXT
	                      " + '\n\n<|end|>'",
	                      "'<|start|>user<|message|>' + " TEXT " + '<|end|>'",
	                      "'<|start|>assistant<|channel|>final<|message|>' + " TEXT
	                      " + ('<|return|>' if loop.last and not add_generation_prompt"
	                      " else '<|end|>')"))
	         ASK("'<|start|>assistant'"),
	 .tokens = {"<|start|>", "<|channel|>", "<|message|>"}},
	/* BitNet has Llama 3's vocabulary but its own format. */
	{.name = "bitnet",
	 .text = EACH(SAY("m.role.capitalize() + ': ' + " TRIMMED " + '<|eot_id|>'")) ASK("'Assistant: '"),
	 .architecture = "bitnet", .tokens = {"<|start_header_id|>", "<|eot_id|>"}},
	{.name = "llama4",
	 .text = EACH(SAY("'<|header_start|>' + m.role + '<|header_end|>\\n\\n' + " TRIMMED
	                  " + '<|eot|>'"))
	         ASK("'<|header_start|>assistant<|header_end|>\\n\\n'"),
	 .tokens = {"<|header_start|>", "<|header_end|>", "<|eot|>"}},
	{.name = "llama3",
	 .text = EACH(SAY("'<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' + " TRIMMED
	                  " + '<|eot_id|>'"))
	         ASK("'<|start_header_id|>assistant<|end_header_id|>\\n\\n'"),
	 .tokens = {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}},
	{.name = "phi4",
	 .text = EACH(SAY("'<|im_start|>' + m.role + '<|im_sep|>' + " TEXT " + '<|im_end|>'"))
	         ASK("'<|im_start|>assistant<|im_sep|>'"),
	 .tokens = {"<|im_start|>", "<|im_sep|>", "<|im_end|>"}},
	{.name = "kimi-k2",
	 .text = EACH(SAY("'<|im_' + m.role + '|>' + m.role + '<|im_middle|>' + " TEXT " + '<|im_end|>'"))
	         ASK("'<|im_assistant|>assistant<|im_middle|>'"),
	 .tokens = {"<|im_assistant|>", "<|im_middle|>", "<|im_end|>"}},
	{.name = "smolvlm",
	 .text = "<|im_start|>" EACH(BY_ROLE(TEXT " + '\\n\\n'",
	                                     "'User: ' + " TEXT " + '<end_of_utterance>\\n'",
	                                     "'Assistant: ' + " TEXT " + '<end_of_utterance>\\n'"))
	         ASK("'Assistant:'"),
	 .tokens = {"<|im_start|>", "<end_of_utterance>"}},
	{.name = "qwen3.5",
	 .text = CHATML "{% if add_generation_prompt and enable_thinking is defined %}"
	         SAY("'<think>\\n' if enable_thinking else " NO_THOUGHT) "{% endif %}",
	 .architecture = "qwen35", .tokens = {"<|im_start|>", "<|im_end|>", "<think>"}},
	{.name = "qwen3",
	 .text = CHATML "{% if add_generation_prompt and enable_thinking is defined and not enable_thinking %}"
	         SAY(NO_THOUGHT) "{% endif %}",
	 .architecture = "qwen3", .tokens = {"<|im_start|>", "<|im_end|>", "<think>"}},
	{.name = "chatml", .text = CHATML, .tokens = {"<|im_start|>", "<|im_end|>"}},
	/* It always thinks, and closes </think> itself. */
	{.name = "minimax-m2",
	 .text = "]~!b[{% if not messages or messages[0].role != 'system' %}"
	         "]~b]system\nYou are a helpful assistant.[e~[\n{% endif %}"
	         EACH(SAY("']~b]' + ('ai' if m.role == 'assistant' else m.role) + '\\n' + " TEXT
	                  " + '[e~[\\n'"))
	         ASK("']~b]ai\\n<think>\\n'") "{# </think> #}",
	 .tokens = {"]~!b[", "]~b]", "[e~["}},
	{.name = "gemma4",
	 .text = "{% set think = enable_thinking is defined and enable_thinking %}"
	         "{% if think and (not messages or messages[0].role != 'system') %}"
	         "<|turn>system\n<|think|>\n<turn|>\n{% endif %}"
	         EACH("{% if m.role == 'system' and loop.first and think %}"
	              SAY("'<|turn>system\\n<|think|>\\n' + " TRIMMED " + '<turn|>\\n'")
	              "{% else %}"
	              SAY("'<|turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' + " TRIMMED
	                  " + '<turn|>\\n'")
	              "{% endif %}")
	         ASK("'<|turn>model\\n' + ('<|channel>thought\\n<channel|>' if " WITHOUT_THINKING
	             " else '')"),
	 .tokens = {"<|turn>", "<turn|>"}},
	{.name = "gemma",
	 .text = SYSTEM_WITH_USER("'<start_of_turn>user\\n' + ns.system + " TRIMMED " + '<end_of_turn>\\n'",
	                          "'<start_of_turn>model\\n' + " TRIMMED " + '<end_of_turn>\\n'")
	         ASK("'<start_of_turn>model\\n'"),
	 .tokens = {"<start_of_turn>", "<end_of_turn>"}},
	{.name = "solar-open",
	 .text = EACH(SAY("'<|begin|>' + m.role + '<|content|>' + " TEXT " + '<|end|>'"))
	         ASK("'<|begin|>assistant'"),
	 .tokens = {"<|begin|>", "<|content|>", "<|end|>"}},
	{.name = "phi4-mini",
	 .text = EACH(SAY("'<|' + m.role + '|>' + " TEXT " + '<|end|>'")) ASK("'<|assistant|>'"),
	 .architecture = "phi3", .pre = "gpt-4o", .tokens = {"<|user|>", "<|assistant|>", "<|end|>"}},
	{.name = "phi3",
	 .text = EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT " + '<|end|>\\n'")) ASK("'<|assistant|>\\n'"),
	 .tokens = {"<|user|>", "<|assistant|>", "<|end|>"}},
	{.name = "exaone-moe",
	 .text = EACH(SAY("'<|' + m.role + '|>\\n' + " TRIMMED " + '<|endofturn|>\\n'"))
	         ASK("'<|assistant|>\\n'"),
	 .tokens = {"<|user|>", "<|assistant|>", "<|endofturn|>"}},
	{.name = "exaone4", .text = EXAONE_3, .tokens = {"[|assistant|]", "[|endofturn|]", "[|tool|]"}},
	{.name = "exaone3", .text = EXAONE_3, .tokens = {"[|assistant|]", "[|endofturn|]"}},
	{.name = "glm4.5",
	 .text = "[gMASK]<sop>"
	         EACH(BY_ROLE("'<|system|>\\n' + " TEXT,
	                      "'<|user|>\\n' + " TEXT " + ('/nothink' if " WITHOUT_THINKING
	                      " and not m.content.endswith('/nothink') else '')",
	                      "'<|assistant|>\\n<think></think>\\n' + " TRIMMED))
	         ASK("'<|assistant|>' + ('\\n<think></think>' if " WITHOUT_THINKING " else '')"),
	 .architecture = "glm4moe", .tokens = {"[gMASK]", "<sop>", "<|user|>"}},
	{.name = "chatglm4",
	 .text = "[gMASK]<sop>" EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT)) ASK("'<|assistant|>\\n'"),
	 .tokens = {"[gMASK]", "<sop>", "<|user|>"}},
	{.name = "chatglm3",
	 .text = "[gMASK]sop" EACH(SAY("'<|' + m.role + '|>\\n ' + " TEXT)) ASK("'<|assistant|>'"),
	 .tokens = {"[gMASK]", "sop"}},
	{.name = "command-r",
	 .text = EACH(SAY("'<|START_OF_TURN_TOKEN|>' + {'system': '<|SYSTEM_TOKEN|>', "
	                  "'user': '<|USER_TOKEN|>', 'assistant': '<|CHATBOT_TOKEN|>'}[m.role] + " TRIMMED
	                  " + '<|END_OF_TURN_TOKEN|>'"))
	         ASK("'<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>'"),
	 .tokens = {"<|START_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>"}},
	{.name = "granite-4.1", .text = GRANITE},
	{.name = "granite-4.0", .text = GRANITE, .architecture = "granitehybrid",
	 .tokens = {"<|start_of_role|>", "<|end_of_role|>"}},
	{.name = "granite", .text = GRANITE, .tokens = {"<|start_of_role|>", "<|end_of_role|>"}},
	{.name = "deepseek3",
	 .text = EACH(BY_ROLE(TEXT " + '\\n\\n'", "'<｜User｜>' + " TEXT,
	                      "'<｜Assistant｜>' + " TEXT " + '<｜end▁of▁sentence｜>'"))
	         ASK("'<｜Assistant｜>'"),
	 .tokens = {"<｜User｜>", "<｜Assistant｜>"}},
	{.name = "deepseek2",
	 .text = EACH(BY_ROLE(TEXT " + '\\n\\n'", "'User: ' + " TEXT " + '\\n\\n'",
	                      "'Assistant: ' + " TEXT " + '<｜end▁of▁sentence｜>'"))
	         ASK("'Assistant:'"),
	 .architecture = "deepseek2", .pre = "deepseek-llm", .tokens = {"<｜end▁of▁sentence｜>"},
	 .stops = {"\nUser:"}},
	{.name = "deepseek",
	 .text = EACH(BY_ROLE(TEXT, "'### Instruction:\\n' + " TEXT " + '\\n'",
	                      "'### Response:\\n' + " TEXT " + '\\n<|EOT|>\\n'"))
	         ASK("'### Response:\\n'"),
	 .pre = "deepseek-coder", .tokens = {"<|EOT|>"}, .stops = {"\n### Instruction:"}},
	{.name = "deepseek-ocr", .text = EACH(SAY(TEXT)), .architecture = "deepseek2-ocr"},
	{.name = "mistral-v7-tekken", .text = MISTRAL_7(""), .pre = "tekken",
	 .tokens = {"[INST]", "[SYSTEM_PROMPT]"}},
	{.name = "mistral-v7", .text = MISTRAL_7(" "), .tokens = {"[INST]", "[SYSTEM_PROMPT]"}},
	{.name = "mistral-v3-tekken",
	 .text = BRACKETS("'[INST]'", TEXT " + '\\n\\n'", TEXT " + '[/INST]'", TEXT " + '</s>'"),
	 .pre = "tekken", .tokens = {"[INST]", "[/INST]"}},
	{.name = "mistral-v3",
	 .text = BRACKETS("'[INST] '", TEXT " + '\\n\\n'", TEXT " + '[/INST]'",
	                  "' ' + " TRIMMED " + '</s>'"),
	 .tokens = {"[INST]", "[/INST]"}},
	/* Only its experts distinguish Mixtral 8x7B from Llama 2. */
	{.name = "mistral-v1",
	 .text = BRACKETS("' [INST] '", TEXT " + '\\n\\n'", TEXT " + ' [/INST]'",
	                  "' ' + " TEXT " + '</s>'"),
	 .architecture = "llama", .experts = true, .tokens = {"<s>", "</s>"}},
	{.name = "olmoe",
	 .text = "<|endoftext|>" EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT
	                                  " + ('<|endoftext|>' if m.role == 'assistant' else '') + '\\n'"))
	         ASK("'<|assistant|>\\n'"),
	 .architecture = "olmoe", .tokens = {"<|endoftext|>"}, .stops = {"\n<|user|>"}},
	{.name = "llama2", .text = LLAMA_2("'[INST] '", TEXT " + '\\n'", TEXT)},
	{.name = "llama2-sys", .text = LLAMA_2("'[INST] '", LLAMA_2_SYSTEM(TEXT), TEXT)},
	{.name = "llama2-sys-bos",
	 .text = LLAMA_2("('' if loop.first else '<s>') + '[INST] '", LLAMA_2_SYSTEM(TEXT), TEXT)},
	{.name = "llama2-sys-strip", .text = LLAMA_2("'[INST] '", LLAMA_2_SYSTEM(TRIMMED), TRIMMED)},
	{.name = "falcon3",
	 .text = EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT " + '\\n'")) ASK("'<|assistant|>\\n'"),
	 .pre = "falcon3", .stops = {"\n<|user|>"}},
	{.name = "glmedge",
	 .text = EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT)) ASK("'<|assistant|>'"),
	 .architecture = "chatglm", .tokens = {"<|user|>", "<|assistant|>"}},
	{.name = "zephyr",
	 .text = EACH(SAY("'<|' + m.role + '|>\\n' + " TEXT " + '<|endoftext|>\\n'"))
	         ASK("'<|assistant|>\\n'"),
	 .architecture = "stablelm", .tokens = {"<|user|>", "<|assistant|>", "<|endoftext|>"},
	 .stops = {"\n<|user|>"}},
	{.name = "monarch",
	 .text = EACH(SAY("('' if loop.first else '<s>') + m.role + '\\n' + " TEXT " + '</s>\\n'"))
	         ASK("'<s>assistant\\n'")},
	{.name = "orion",
	 .text = SYSTEM_WITH_USER("'Human: ' + ns.system + " TEXT " + '\\n\\nAssistant: </s>'",
	                          TEXT " + '</s>'"),
	 .architecture = "orion"},
	{.name = "openchat",
	 .text = EACH(SAY("('' if m.role == 'system' else 'GPT4 Correct ' + m.role.capitalize() + ': ') + " TEXT
	                  " + '<|end_of_turn|>'"))
	         ASK("'GPT4 Correct Assistant:'"),
	 .architecture = "llama", .tokens = {"<|end_of_turn|>"}},
	{.name = "vicuna", .text = VICUNA(TEXT " + '\\n\\n'"), .stops = {"\nUSER:"}},
	{.name = "vicuna-orca", .text = VICUNA("'SYSTEM: ' + " TEXT " + '\\n'"), .stops = {"\nUSER:"}},
	{.name = "alpaca",
	 .text = EACH(BY_ROLE(TEXT " + '\\n\\n'", "'### Instruction:\\n' + " TEXT " + '\\n\\n'",
	                      "'### Response:\\n' + " TEXT " + eos_token + '\\n\\n'"))
	         ASK("'### Response:\\n'"),
	 .stops = {"\n### Instruction:"}},
	{.name = "ernie4.5",
	 .text = "<|begin_of_sentence|>"
	         EACH(BY_ROLE(TEXT " + '\\n'", "'User: ' + " TEXT " + '\\n'",
	                      "'Assistant: ' + " TEXT " + '<|end_of_sentence|>'"))
	         ASK("'Assistant: '"),
	 .architecture = "ernie4_5", .tokens = {"<|end_of_sentence|>"}},
	{.name = "minicpm",
	 .text = EACH("{% if m.role == 'user' %}" SAY("'<用户>' + " TRIMMED " + '<AI>'")
	              "{% else %}" SAY(TRIMMED) "{% endif %}"),
	 .architecture = "minicpm", .stops = {"<用户>"}},
	{.name = "rwkv-world",
	 .text = EACH(SAY("m.role.capitalize() + ': ' + " TRIMMED " + '\\n\\n'")) ASK("'Assistant:'"),
	 .architecture = "rwkv", .stops = {"\n\nUser:"}},
	{.name = "gigachat",
	 .text = "<s>" EACH(BY_ROLE(TEXT " + '<|message_sep|>'",
	                            "'user<|role_sep|>' + " TEXT
	                            " + '<|message_sep|>available functions<|role_sep|>[]<|message_sep|>'",
	                            "'assistant<|role_sep|>' + " TEXT " + '<|message_sep|>'"))
	         ASK("'assistant<|role_sep|>'"),
	 .tokens = {"<|role_sep|>", "<|message_sep|>"}},
	{.name = "megrez",
	 .text = EACH(SAY("'<|role_start|>' + m.role + '<|role_end|>' + " TEXT " + '<|turn_end|>'"))
	         ASK("'<|role_start|>assistant<|role_end|>'"),
	 .tokens = {"<|role_start|>", "<|role_end|>", "<|turn_end|>"}},
	{.name = "yandex",
	 .text = EACH(BY_ROLE("''", "' Пользователь: ' + " TEXT " + '\\n\\n'",
	                      "' Ассистент: ' + " TEXT " + '\\n\\n'"))
	         ASK("' Ассистент:[SEP]'"),
	 .stops = {"\n\n Пользователь:"}},
	{.name = "bailing2",
	 .text = "{% if messages and messages[0].role != 'system' %}"
	         "<role>SYSTEM</role>detailed thinking off<|role_end|>{% endif %}"
	         BAILING("<|role_end|>") ASK("'<role>ASSISTANT</role>'"),
	 .tokens = {"<role>", "</role>", "<|role_end|>"}},
	{.name = "bailing", .text = BAILING("") ASK("'<role>ASSISTANT</role>'"),
	 .tokens = {"<role>", "</role>"}},
	{.name = "bailing-think", .text = BAILING("") ASK("'<role>ASSISTANT</role><think>'")},
	{.name = "dots1",
	 .text = EACH(BY_ROLE("'<|system|>' + " TEXT " + '<|endofsystem|>'",
	                      "'<|userprompt|>' + " TEXT " + '<|endofuserprompt|>'",
	                      "'<|response|>' + " TEXT " + '<|endofresponse|>'"))
	         ASK("'<|response|>'"),
	 .tokens = {"<|userprompt|>", "<|response|>", "<|endofresponse|>"}},
	{.name = "hunyuan-moe",
	 .text = EACH(BY_ROLE("'<|startoftext|>' + " TEXT " + '<|extra_4|>'",
	                      "'<|startoftext|>' + " TEXT " + '<|extra_0|>'", TEXT " + '<|eos|>'")),
	 .architecture = "hunyuan-moe", .tokens = {"<|extra_0|>", "<|extra_4|>"}},
	{.name = "hunyuan-vl",
	 .text = "<｜hy_begin▁of▁sentence｜>" EACH(BY_ROLE(TEXT " + '<｜hy_place▁holder▁no▁3｜>'",
	                                              TEXT " + '<｜hy_User｜>'",
	                                              TEXT " + '<｜hy_Assistant｜>'")),
	 .architecture = "hunyuan_vl"},
	{.name = "hunyuan-dense",
	 .text = EACH(BY_ROLE(TEXT " + '<｜hy_place▁holder▁no▁3｜>'",
	                      "'<｜hy_User｜>' + " TEXT " + '<｜hy_Assistant｜>'",
	                      "'<｜hy_Assistant｜>' + " TEXT " + '<｜hy_place▁holder▁no▁2｜>'")),
	 .tokens = {"<｜hy_User｜>", "<｜hy_Assistant｜>"}},
	{.name = "seed_oss",
	 .text = EACH(SAY("'<seed:bos>' + m.role + '\\n' + (" TRIMMED " if m.role == 'assistant' else " TEXT
	                  ") + '<seed:eos>'"))
	         ASK("'<seed:bos>assistant\\n'"),
	 .tokens = {"<seed:bos>", "<seed:eos>"}},
	{.name = "grok-2",
	 .text = EACH(BY_ROLE("'System: ' + " TRIMMED " + '<|separator|>\\n\\n'",
	                      "'Human: ' + " TRIMMED " + '<|separator|>\\n\\n'",
	                      "'Assistant: ' + " TEXT " + '<|separator|>\\n\\n'"))
	         ASK("'Assistant:'"),
	 .architecture = "grok", .tokens = {"<|separator|>"}},
	{.name = "pangu-embedded",
	 .text = "{% if messages and messages[0].role != 'system' %}[unused9]系统：[unused10]{% endif %}"
	         EACH(SAY("'[unused9]' + {'system': '系统', 'user': '用户', 'assistant': '助手'}[m.role] + "
	                  "'：' + " TEXT " + '[unused10]'"))
	         ASK("'[unused9]助手：'"),
	 .architecture = "pangu-embed", .tokens = {"[unused9]", "[unused10]"}},
	/* For unknown models: base models continue it naturally, and chat models
	 * understand it. */
	{.name = "plain",
	 .text = EACH(BY_ROLE("('' if loop.first else '\\n') + " TEXT " + '\\n'",
	                      "('' if loop.first else '\\n') + 'User: ' + " TEXT,
	                      "'\\nAssistant: ' + " TEXT))
	         ASK("'\\nAssistant:'"),
	 .stops = {"\nUser:"}},
};
const size_t builtin_n_templates = sizeof builtin_templates / sizeof builtin_templates[0];

const struct builtin_template *builtin_template_find(const char *name)
{
	for (size_t i = 0; i < builtin_n_templates; i++)
		if (strcmp(builtin_templates[i].name, name) == 0)
			return &builtin_templates[i];
	return NULL;
}

static bool has_token(const struct tokenizer *tokenizer, const char *name)
{
	int32_t id = tokenizer_find(tokenizer, name, strlen(name));

	return id != TOKEN_NONE && tokenizer_is_special(tokenizer, id);
}

const char *builtin_template_lacks(const struct builtin_template *row,
                                   const struct tokenizer *tokenizer)
{
	const char *const *token = row->tokens;

	while (*token && has_token(tokenizer, *token))
		token++;
	return *token;
}

/* What a model's file says that templates are recognised by. */
struct model_traits {
	struct gguf_string architecture, pre;
	bool experts;
};

static bool has_experts(const struct gguf *gguf, struct gguf_string architecture)
{
	char key[GGUF_ARCH_KEY_MAX];
	uint32_t n = 0;

	gguf_arch_key(architecture, "expert_count", key);
	return !gguf_get_u32(gguf, key, &n, NULL) && n > 0;
}

static bool suits(const struct builtin_template *row, const struct model_traits *traits,
                  const struct tokenizer *tokenizer)
{
	if (!row->architecture && !row->pre && !row->tokens[0])
		return false;
	if (row->architecture && !gguf_string_begins(traits->architecture, row->architecture))
		return false;
	if (row->pre && !gguf_string_is(traits->pre, row->pre))
		return false;
	if (row->experts && !traits->experts)
		return false;
	return !builtin_template_lacks(row, tokenizer);
}

enum { BUILTIN_TOKENS_ALL = 256 };

static void expect_tokens(const struct tokenizer *tokenizer)
{
	const char *names[BUILTIN_TOKENS_ALL];
	size_t n = 0;

	for (size_t i = 0; i < builtin_n_templates; i++)
		for (const char *const *token = builtin_templates[i].tokens; *token && n < BUILTIN_TOKENS_ALL; token++)
			names[n++] = *token;
	tokenizer_expect(tokenizer, names, n);
}

const struct builtin_template *builtin_template_detect(const struct gguf *gguf,
                                                       const struct tokenizer *tokenizer)
{
	struct model_traits traits = {{"", 0}, {"", 0}, false};

	if (gguf && gguf_get_string(gguf, "general.architecture", &traits.architecture, NULL))
		traits.architecture = (struct gguf_string){"", 0};
	if (gguf && gguf_get_string(gguf, "tokenizer.ggml.pre", &traits.pre, NULL))
		traits.pre = (struct gguf_string){"", 0};
	traits.experts = gguf && has_experts(gguf, traits.architecture);
	expect_tokens(tokenizer);
	for (size_t i = 0; i < builtin_n_templates; i++)
		if (suits(&builtin_templates[i], &traits, tokenizer))
			return &builtin_templates[i];
	return NULL;
}
