/* Which template is used, what is found out about it, and what the user is told. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "encode/builtin_templates.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"
#include "unit/encode/chat_model.h"

#define OWN "tokenizer.chat_template"

static struct test_model model;
static struct error err;

static enum status choose(const char *choice)
{
	chat_template_close(model.tmpl);
	model.tmpl = NULL;
	return chat_template_open(&model.tmpl, choice, model.gguf, model.tokenizer, &err);
}

static void close_model(void)
{
	test_model_close(&model);
}

TestSuite(chat_template, .fini = close_model);

#define SIMPLE(open) "{% for m in messages %}{{ '" open "' + m.content }}{% endfor %}"

/* A model with variants: tokenizer.chat_templates and a key for each. */
static void open_with_variants(bool own)
{
	struct gguf_writer *w = tiny_vocab_writer(&test_bpe);
	const char *const names[] = {"default", "tool_use", "rag"};
	const size_t lens[] = {7, 8, 3};

	if (own)
		gguf_writer_set_string(w, OWN, SIMPLE("own:"), strlen(SIMPLE("own:")));
	gguf_writer_set_strings(w, "tokenizer.chat_templates", names, lens, 3);
	gguf_writer_set_string(w, OWN ".default", SIMPLE("def:"), strlen(SIMPLE("def:")));
	gguf_writer_set_string(w, OWN ".tool_use", SIMPLE("tool:"), strlen(SIMPLE("tool:")));
	buf_init(&model.file, 1 << 20);
	cr_assert_eq(gguf_writer_write(w, &model.file, &err), STATUS_OK);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&model.gguf, model.file.data, model.file.len, &err), STATUS_OK);
	cr_assert_eq(tokenizer_open(&model.tokenizer, model.gguf, &err), STATUS_OK);
}

static void check_rendering(const char *expected)
{
	const struct chat_text text = {"hi", 2, 1};
	const struct chat_message message = {.role = ROLE_USER, .texts = &text, .n_texts = 1};
	struct jinja_output out;

	cr_assert_eq(chat_template_render(model.tmpl, &message, 1, true, (struct reasoning_wish){0}, &out, &err),
	             STATUS_OK, "%s", err.text);
	cr_assert_str_eq(out.text, expected);
	jinja_output_free(&out);
}

Test(chat_template, the_models_own_comes_first)
{
	open_with_variants(true);
	cr_assert_eq(choose(NULL), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "model's own");
	cr_assert_str_eq(model.tmpl->note, "");
	cr_assert_eq(model.tmpl->source_len, strlen(SIMPLE("own:")));
	check_rendering("own:hi");
}

Test(chat_template, variants_are_chosen_by_name)
{
	open_with_variants(false);
	cr_assert_eq(choose(NULL), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "model's default");
	check_rendering("def:hi");
	cr_assert_eq(choose("tool_use"), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "model's tool_use");
	check_rendering("tool:hi");
	cr_assert_eq(choose("chatml"), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "chatml");
	check_rendering("<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n");
}

Test(chat_template, an_unknown_name_is_an_error_with_the_nearest_one)
{
	static const struct {
		const char *choice, *text;
	} rows[] = {
		{"chatm", "there is no chat template 'chatm', did you mean 'chatml'?"},
		{"tool_us", "there is no chat template 'tool_us', did you mean 'tool_use'?"},
		{"xyzzyxyzzy", "there is no chat template 'xyzzyxyzzy'"},
		{"./nowhere", "chat-template: ./nowhere: cannot open: No such file or directory"},
		{"nowhere.jinja", "chat-template: nowhere.jinja: cannot open: No such file or directory"},
		{"/tmp", NULL},
	};

	open_with_variants(true);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cr_assert_eq(choose(rows[i].choice), STATUS_USAGE);
		cr_assert_null(model.tmpl);
		if (rows[i].text)
			cr_expect_str_eq(err.text, rows[i].text, "%s", err.text);
	}
}

Test(chat_template, a_file_is_taken_or_refused)
{
	char path[] = "/tmp/sotto-test-XXXXXX", expected[200];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	test_model_open(&model, &test_bpe, NULL);
	fputs(SIMPLE("file:"), file);
	fflush(file);
	cr_assert_eq(choose(path), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(model.tmpl->name, strrchr(path, '/') + 1);
	check_rendering("file:hi");
	fputs("\n{% if %}", file);
	fclose(file);
	cr_assert_eq(choose(path), STATUS_USAGE);
	snprintf(expected, sizeof expected, "chat-template: %s:2: ", path);
	cr_assert_eq(strncmp(err.text, expected, strlen(expected)), 0, "%s", err.text);
	unlink(path);
}

#define STANDS_IN "the model's own template cannot be used, so it gets gpt-oss instead: "

Test(chat_template, one_that_is_broken_is_replaced_and_named)
{
	static const struct {
		const char *own, *name, *note;
	} rows[] = {
		{"{% if %}", "gpt-oss", STANDS_IN "chat template:1: "},
		{"{{ raise_exception('never') }}", "gpt-oss", STANDS_IN "never"},
		{"{{ messages[0].content.nothing() }}", "gpt-oss", STANDS_IN "chat template:1: "},
		{"{% for a in range(10000) %}{% for b in range(10000) %}x{% endfor %}{% endfor %}",
		 "gpt-oss", STANDS_IN "chat template:1: "},
		{"Hello", "gpt-oss", STANDS_IN "it drops the user's message"},
		{"", "gpt-oss", "the model has no chat template, so it gets gpt-oss, which fits its vocabulary"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct test_key keys[] = {{OWN, rows[i].own}, {NULL, NULL}};

		test_model_open(&model, &test_bpe, keys);
		cr_assert_eq(choose(NULL), STATUS_OK, "row %zu: %s", i, err.text);
		cr_expect_str_eq(model.tmpl->name, rows[i].name);
		cr_expect_eq(strncmp(model.tmpl->note, rows[i].note, strlen(rows[i].note)), 0, "%s",
		             model.tmpl->note);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(chat_template, one_that_was_asked_for_is_kept_though_it_raises)
{
	static const struct test_key keys[] = {
		{OWN ".odd", "{{ raise_exception('never') }}"}, {NULL, NULL}};

	test_model_open(&model, &test_bpe, keys);
	cr_assert_eq(choose("odd"), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "model's odd");
	cr_assert_str_eq(model.tmpl->note, "the template fails: never");
	cr_assert(model.tmpl->chosen && model.tmpl->fails);
}

Test(chat_template, one_that_was_asked_for_and_is_too_much_is_a_bad_option)
{
	enum { DEPTH = 5000 };
	struct test_key keys[] = {{OWN ".deep", NULL}, {NULL, NULL}};
	char text[2 * DEPTH + 16], *at = text;

	at += snprintf(at, 4, "{{ ");
	memset(at, '(', DEPTH);
	at[DEPTH] = '1';
	memset(at + DEPTH + 1, ')', DEPTH);
	snprintf(at + 2 * DEPTH + 1, 4, " }}");
	keys[0].value = text;
	test_model_open(&model, &test_bpe, keys);
	cr_assert_eq(choose("deep"), STATUS_USAGE);
	cr_assert_str_eq(err.text, "chat-template: chat template:1: the template is nested too deeply");
}

Test(chat_template, without_any_the_vocabulary_tells)
{
	static const struct tiny_token none[] = {{NULL, 0, 0}};
	static const struct tiny_vocabulary bare = {.model = "llama", .tokens = none};
	static const struct {
		const char *tokens[4], *architecture, *pre, *name;
	} rows[] = {
		{{"<|im_start|>", "<|im_end|>"}, "qwen2", "qwen2", "chatml"},
		{{"<|im_start|>", "<|im_sep|>", "<|im_end|>"}, "phi3", "gpt-4o", "phi4"},
		{{"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}, "llama", "llama-bpe", "llama3"},
		{{"<start_of_turn>", "<end_of_turn>"}, "gemma2", "default", "gemma"},
		{{"<|user|>", "<|assistant|>", "<|end|>"}, "phi3", "default", "phi3"},
		{{"[INST]", "[/INST]"}, "llama", "tekken", "mistral-v3-tekken"},
		{{"[INST]", "[/INST]"}, "llama", "default", "mistral-v3"},
		{{"[INST]", "[/INST]", "[SYSTEM_PROMPT]"}, "llama", "tekken", "mistral-v7-tekken"},
		{{"<|start|>", "<|channel|>", "<|message|>"}, "gpt-oss", "gpt-4o", "gpt-oss"},
		{{"<|start_of_role|>", "<|end_of_role|>"}, "granite", "refact", "granite"},
		{{"<|start_of_role|>", "<|end_of_role|>"}, "granitehybrid", "refact", "granite-4.0"},
		{{"[gMASK]", "<sop>", "<|user|>"}, "glm4", "glm4", "chatglm4"},
		{{"<|EOT|>"}, "llama", "deepseek-coder", "deepseek"},
		{{NULL}, "minicpm", "default", "minicpm"},
		{{NULL}, "rwkv7", "default", "rwkv-world"},
		{{NULL}, "llama", "default", "plain"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct test_key keys[] = {{"general.architecture", rows[i].architecture},
		                                {"tokenizer.ggml.pre", rows[i].pre}, {NULL, NULL}};
		struct tiny_token tokens[5] = {{NULL, 0, 0}};
		struct tiny_vocabulary vocabulary = bare;

		for (size_t t = 0; t < 4 && rows[i].tokens[t]; t++)
			tokens[t] = (struct tiny_token){rows[i].tokens[t], 0, 3};
		vocabulary.tokens = tokens;
		test_model_open(&model, &vocabulary, keys);
		cr_assert_eq(choose(NULL), STATUS_OK, "%s", err.text);
		cr_expect_str_eq(model.tmpl->name, rows[i].name, "row %zu: %s", i, model.tmpl->name);
		cr_expect_eq(strncmp(model.tmpl->note, "the model has no chat template", 30), 0);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(chat_template, words_of_a_vocabulary_are_no_sign)
{
	static const struct tiny_token tokens[] = {
		{"<|im_start|>", 0, 1}, {"<|im_end|>", 0, 1}, {NULL, 0, 0}};
	static const struct tiny_vocabulary vocabulary = {.model = "llama", .tokens = tokens};

	test_model_open(&model, &vocabulary, NULL);
	cr_assert_eq(choose(NULL), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "plain");
}

/* A template whose markers are plain text to the model is used, with a note. */
Test(chat_template, one_that_does_not_suit_the_vocabulary_is_told)
{
	static const struct tiny_token tokens[] = {
		{"<|im_start|>", 0, 3}, {"<|im_end|>", 0, 3}, {"<|turn>", 0, 1}, {NULL, 0, 0}};
	static const struct tiny_vocabulary vocabulary = {.model = "llama", .tokens = tokens};

	test_model_open(&model, &vocabulary, NULL);
	cr_assert_eq(choose("chatml"), STATUS_OK);
	cr_expect_str_eq(model.tmpl->note, "");
	cr_assert_eq(choose("gemma4"), STATUS_OK);
	cr_expect(strstr(model.tmpl->note, "it has no token <|turn>"), "%s", model.tmpl->note);
	cr_assert_eq(choose("vicuna"), STATUS_OK);
	cr_expect_null(strstr(model.tmpl->note, "token"), "%s", model.tmpl->note);
}

/* What ends a reply if the vocabulary does not say so. */
Test(chat_template, the_end_of_a_reply_is_learnt_from_the_template)
{
	static const struct {
		const char *after, *marker, *token;
	} rows[] = {
		{"</s>", "", NULL},             /* an end token in every vocabulary */
		{"<|im_end|>", "", NULL},
		{"\\n[/INST]", "", "[/INST]"},   /* a control token that is not one here */
		{"<end>\\n", "<end>", NULL},
		{"[|endofturn|]", "[|endofturn|]", NULL},
		{"<|end of the turn\\n", "", NULL},
		{"\\n", "", NULL},
		{"\\n### Instruction:\\n", "\n### Instruction:", NULL},
		{".", "", NULL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char own[400];
		const struct test_key keys[] = {{OWN, own}, {NULL, NULL}};
		int32_t id = TOKEN_NONE;

		snprintf(own, sizeof own, "{%% for m in messages %%}{{ m.content + '%s' }}{%% endfor %%}",
		         rows[i].after);
		test_model_open(&model, &test_spm, keys);
		cr_assert_eq(choose(NULL), STATUS_OK);
		if (rows[i].token)
			id = tokenizer_find(model.tokenizer, rows[i].token, strlen(rows[i].token));
		cr_expect_str_eq(model.tmpl->end_marker, rows[i].marker, "row %zu: '%s'", i,
		                 model.tmpl->end_marker);
		cr_expect_eq(model.tmpl->end_id, id, "row %zu: %d", i, (int)model.tmpl->end_id);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(chat_template, a_part_of_a_reply_is_not_its_end)
{
	/* Harmony: <|end|> also comes after the reasoning. */
	test_model_open(&model, &test_bpe, NULL);
	cr_assert_eq(choose("gpt-oss"), STATUS_OK);
	cr_assert_eq(model.tmpl->end_id, TOKEN_NONE);
	cr_assert_str_eq(model.tmpl->end_marker, "");
	cr_assert(!tokenizer_is_eog(model.tokenizer, tokenizer_find(model.tokenizer, "<|end|>", 7)));
	cr_assert(tokenizer_is_eog(model.tokenizer, tokenizer_find(model.tokenizer, "<|return|>", 10)));
	cr_assert_not_null(model.tmpl->reasoning);
	cr_assert(model.tmpl->reasoning->parts);
}

Test(chat_template, reasoning_is_known_from_the_template_or_the_vocabulary)
{
	test_model_open(&model, &test_bpe, NULL);
	cr_assert_eq(choose("chatml"), STATUS_OK);
	cr_assert_not_null(model.tmpl->reasoning, "the vocabulary has <think>");
	cr_assert_not(model.tmpl->knows_reasoning);
	cr_assert_eq(choose("bailing-think"), STATUS_OK);
	cr_assert_not_null(model.tmpl->reasoning);
	test_model_close(&model);
	test_model_open(&model, &test_spm, (const struct test_key[]){
		{OWN, SIMPLE("") "{{ '<think></think>' if enable_thinking is defined }}"}, {NULL, NULL}});
	cr_assert_eq(choose(NULL), STATUS_OK);
	cr_assert(model.tmpl->knows_reasoning);
}

Test(chat_template, special_tokens_are_what_the_vocabulary_has)
{
	test_model_open(&model, &test_spm, (const struct test_key[]){
		{OWN, SIMPLE("") "{{ bos_token }}{{ eos_token }}{{ unk_token }}[{{ pad_token }}]"},
		{NULL, NULL}});
	cr_assert_eq(choose(NULL), STATUS_OK);
	check_rendering("hi<s></s><unk>[]");
	/* Without a vocabulary there are no end tokens. */
	chat_template_close(model.tmpl);
	cr_assert_eq(chat_template_open(&model.tmpl, NULL, model.gguf, NULL, &err), STATUS_OK);
	check_rendering("hi[]");
}

/* Templates add to them without asking. */
Test(chat_template, special_tokens_that_are_not_there_are_empty)
{
	test_model_open(&model, &test_spm, (const struct test_key[]){
		{OWN, SIMPLE("") "{{ '<' + bos_token + eos_token + unk_token + pad_token + '>' }}"},
		{NULL, NULL}});
	chat_template_close(model.tmpl);
	cr_assert_eq(chat_template_open(&model.tmpl, NULL, model.gguf, NULL, &err), STATUS_OK);
	cr_assert_str_eq(model.tmpl->name, "model's own", "%s", model.tmpl->note);
	check_rendering("hi<>");
}

Test(chat_template, every_built_in_one_can_be_opened)
{
	test_model_open(&model, &test_spm, NULL);
	for (size_t i = 0; i < builtin_n_templates; i++) {
		cr_assert_eq(choose(builtin_templates[i].name), STATUS_OK, "%s", err.text);
		cr_expect_str_eq(model.tmpl->name, builtin_templates[i].name);
		cr_expect(strstr(model.tmpl->note, "fails") == NULL, "%s: %s", model.tmpl->name,
		          model.tmpl->note);
		cr_expect(model.tmpl->can.same_role, "%s takes what it gets", model.tmpl->name);
	}
}

Test(chat_template, comes_as_a_text)
{
	static const char text[] = SIMPLE("<|im_start|>"), broken[] = "{% for m in %}", drops[] = "nothing";

	test_model_open(&model, &test_bpe, NULL);
	chat_template_close(model.tmpl);
	cr_assert_eq(chat_template_open_text(&model.tmpl, "server's", text, strlen(text), model.tokenizer, &err),
	             STATUS_OK, "%s", err.text);
	cr_expect_str_eq(model.tmpl->name, "server's");
	cr_expect_not(model.tmpl->chosen);
	check_rendering("<|im_start|>hi");
	chat_template_close(model.tmpl);
	cr_expect_eq(chat_template_open_text(&model.tmpl, "server's", broken, strlen(broken), model.tokenizer, &err),
	             STATUS_FORMAT);
	cr_expect_null(model.tmpl);
	cr_expect_eq(chat_template_open_text(&model.tmpl, "server's", drops, strlen(drops), NULL, &err), STATUS_FORMAT);
	cr_expect_null(model.tmpl);
}
