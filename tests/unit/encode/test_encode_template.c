/* Conversations as ids through templates with control tokens. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "encode/builtin_templates.h"
#include "encode/shape.h"
#include "unit/encode/chat_model.h"

static struct test_model model;
static struct error err;

static void close_model(void)
{
	test_model_close(&model);
}

TestSuite(encode_template, .fini = close_model);

static void open_own(const struct tiny_vocabulary *vocabulary, const char *own)
{
	const struct test_key keys[] = {{"tokenizer.chat_template", own}, {NULL, NULL}};

	test_model_open(&model, vocabulary, keys);
	test_model_choose(&model, NULL);
	cr_assert_str_eq(model.tmpl->name, "model's own", "%s", model.tmpl->note);
}

static void encode(struct encoded *out, const struct message *messages, size_t n)
{
	struct turn turn = {.messages = messages, .n_messages = n};

	cr_assert_eq(encode_turn(out, model.tokenizer, model.tmpl, &turn, SIZE_MAX, &err), STATUS_OK,
	             "%s", err.text);
}

static void check_spelling(const struct message *messages, size_t n, const char *expected)
{
	struct encoded encoded;
	struct buf text = {.max = 10000};

	encode(&encoded, messages, n);
	test_spell(&model, &encoded.ids, &text);
	cr_expect_str_eq(buf_text(&text), expected, "%s", buf_text(&text));
	buf_free(&text);
	encoded_free(&encoded);
}

/* Appends ids that no tokenizer would produce: one for each byte. */
static void sample(struct token_list *out, const char *text)
{
	for (; *text; text++)
		cr_assert_eq(tokenizer_encode(model.tokenizer, text, 1, ENCODE_CONTINUE, out, &err),
		             STATUS_OK);
}

static void sample_token(struct token_list *out, const char *name)
{
	int32_t id = tokenizer_find(model.tokenizer, name, strlen(name));

	cr_assert_geq(id, 0, "%s", name);
	cr_assert_eq(token_list_push(out, id), STATUS_OK);
}

/* Whether ids(before + reply + next) begin with ids(before) + the reply's. */
static void check_prefix(struct message *messages, size_t n, const char *what)
{
	const struct message *reply = &messages[n - 2];
	struct encoded before, after;
	size_t head;

	encode(&before, messages, n - 2);
	encode(&after, messages, n);
	head = before.ids.n;
	cr_expect_gt(after.ids.n, head + reply->n_ids, "%s", what);
	cr_expect_eq(memcmp(after.ids.ids, before.ids.ids, head * sizeof(int32_t)), 0, "%s: the prompt",
	             what);
	cr_expect_eq(memcmp(after.ids.ids + head, reply->ids, reply->n_ids * sizeof(int32_t)), 0,
	             "%s: the reply", what);
	encoded_free(&before);
	encoded_free(&after);
}

Test(encode_template, a_conversation_continued_begins_with_the_same_ids)
{
	static const struct {
		const char *name;
		bool bpe;
		const char *sampled, *text;
	} rows[] = {
		{"chatml", true, "the hen", "the hen"},
		{"chatml", true, " the hen", "the hen"}, /* blanks that the reply lost */
		{"chatml", false, "\xC3\xA9\xE6\x97\xA5!", "\xC3\xA9\xE6\x97\xA5!"},
		{"chatml", false, "the hen", "the hen"},
		{"llama3", true, "the hen", "the hen"},
		{"llama3", false, "the hen", "the hen"},
		{"mistral-v3", false, "the hen", "the hen"},
		{"mistral-v3", false, " the hen", "the hen"},
		{"mistral-v3-tekken", true, "the hen", "the hen"},
		{"mistral-v7", false, " the hen", "the hen"},
		{"gemma", false, "the hen", "the hen"},
		{"gemma", true, "the hen", "the hen"},
		{"plain", false, " the hen", "the hen"},
		{"plain", false, "the hen", "the hen"},
		{"plain", true, "\n\nthe hen", "the hen"},
		{"llama2-sys", false, " the hen", "the hen"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct message messages[] = {
			test_message(ROLE_SYSTEM, "in the end"), test_message(ROLE_USER, "a then?"),
			test_message(ROLE_ASSISTANT, rows[i].text), test_message(ROLE_USER, "and in the end"),
			test_message(ROLE_ASSISTANT, rows[i].text), test_message(ROLE_USER, "so"),
		};
		struct token_list ids = {0};
		char what[60];

		test_model_open(&model, rows[i].bpe ? &test_bpe : &test_spm, NULL);
		test_model_choose(&model, rows[i].name);
		sample(&ids, rows[i].sampled);
		messages[2].ids = messages[4].ids = ids.ids;
		messages[2].n_ids = messages[4].n_ids = ids.n;
		snprintf(what, sizeof what, "row %zu, %s", i, rows[i].name);
		check_prefix(messages, 4, what);
		check_prefix(messages, 6, what);
		token_list_free(&ids);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

/* A template that shows the reasoning of every reply. */
#define SHOWS \
	"{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}" \
	"{% if m.reasoning_content %}{{ '<think>\\n' + m.reasoning_content + '\\n</think>\\n\\n' }}{% endif %}" \
	"{{ m.content + '<|im_end|>\\n' }}{% endfor %}" \
	"{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
#define SHOWS_OPENED SHOWS "{% if add_generation_prompt %}{{ '<think>\\n' }}{% endif %}"
/* A template that leaves it out. */
#define HIDES \
	"{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}" \
	"{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}{# <think> </think> #}"

static void think(struct message *reply, struct token_list *ids, bool opened)
{
	if (!opened) {
		sample_token(ids, "<think>");
		sample(ids, "\n");
	}
	sample(ids, "hm then\n");
	sample_token(ids, "</think>");
	sample(ids, "\n\n");
	reply->n_reasoning_ids = ids->n;
	sample(ids, "the hen");
	reply->ids = ids->ids;
	reply->n_ids = ids->n;
	reply->reasoning = "hm then";
	reply->reasoning_len = 7;
}

Test(encode_template, reasoning_keeps_its_ids_where_it_is_shown)
{
	for (int opened = 0; opened <= 1; opened++)
		for (int bpe = 0; bpe <= 1; bpe++) {
			struct message messages[] = {
				test_message(ROLE_USER, "a then?"), test_message(ROLE_ASSISTANT, "the hen"),
				test_message(ROLE_USER, "in the end")};
			struct token_list ids = {0};

			open_own(bpe ? &test_bpe : &test_spm, opened ? SHOWS_OPENED : SHOWS);
			think(&messages[1], &ids, opened);
			check_prefix(messages, 3, opened ? "opened by the prompt" : "opened by the reply");
			token_list_free(&ids);
			test_model_close(&model);
			model = (struct test_model){0};
		}
}

Test(encode_template, the_answer_keeps_its_ids_where_reasoning_is_left_out)
{
	struct message messages[] = {
		test_message(ROLE_USER, "a then?"), test_message(ROLE_ASSISTANT, "the hen"),
		test_message(ROLE_USER, "in the end")};
	struct token_list ids = {0};
	struct encoded before, after;

	open_own(&test_bpe, HIDES);
	think(&messages[1], &ids, false);
	encode(&before, messages, 1);
	encode(&after, messages, 3);
	cr_assert_eq(memcmp(after.ids.ids, before.ids.ids, before.ids.n * sizeof(int32_t)), 0);
	cr_assert_eq(memcmp(after.ids.ids + before.ids.n, ids.ids + messages[1].n_reasoning_ids,
	                    7 * sizeof(int32_t)), 0);
	encoded_free(&before);
	encoded_free(&after);
	token_list_free(&ids);
}

Test(encode_template, a_control_token_among_a_replys_ids_is_not_believed)
{
	struct message messages[] = {
		test_message(ROLE_USER, "a"), test_message(ROLE_ASSISTANT, "the<|im_start|>hen"),
		test_message(ROLE_USER, "b")};
	struct token_list ids = {0};

	test_model_open(&model, &test_bpe, NULL);
	test_model_choose(&model, "chatml");
	sample(&ids, "the");
	sample_token(&ids, "<|im_start|>"); /* says nothing, and is not what the text says */
	sample(&ids, "hen");
	messages[1].ids = ids.ids;
	messages[1].n_ids = ids.n;
	for (size_t reasoning = 0; reasoning < 5; reasoning++) {
		messages[1].n_reasoning_ids = reasoning;
		check_spelling(messages, 3,
		               "«<|im_start|>»user\na«<|im_end|>»\n«<|im_start|>»assistant\n"
		               "the<|im_start|>hen«<|im_end|>»\n«<|im_start|>»user\nb«<|im_end|>»\n"
		               "«<|im_start|>»assistant\n");
	}
	token_list_free(&ids);
}

Test(encode_template, nor_is_a_user_defined_marker_of_turns)
{
	static const struct tiny_token tokens[] = {
		{"<|im_start|>", 0, 3}, {"<|im_end|>", 0, 3}, {"<|Role|>", 0, 4}, {NULL, 0, 0}};
	static const struct tiny_vocabulary vocabulary = {
		.model = "gpt2", .pre = "gpt-2", .tokens = tokens};
	struct message messages[] = {test_message(ROLE_USER, "a"),
	                             test_message(ROLE_ASSISTANT, "h<|Role|>")};
	struct token_list ids = {0};
	struct encoded encoded;

	test_model_open(&model, &vocabulary, NULL);
	test_model_choose(&model, "chatml");
	sample(&ids, "h");
	sample_token(&ids, "<|Role|>");
	messages[1].ids = ids.ids;
	messages[1].n_ids = ids.n;
	encode(&encoded, messages, 2);
	for (size_t i = 0; i < encoded.ids.n; i++)
		cr_expect_neq(encoded.ids.ids[i], ids.ids[1]);
	encoded_free(&encoded);
	token_list_free(&ids);
}

Test(encode_template, the_text_between_control_tokens_is_tokenised_as_one)
{
	static const char *const names[] = {"chatml", "llama3", "mistral-v3", "gemma", "vicuna", "plain",
	                                    "llama2-sys"};
	const struct message messages[] = {
		test_message(ROLE_SYSTEM, "in the end"), test_message(ROLE_USER, "then the hen "),
		test_message(ROLE_ASSISTANT, "the hen"), test_message(ROLE_USER, " in the den\n")};
	const bool keep[] = {true, true, true, true};
	struct turn turn = {.messages = messages, .n_messages = 4};

	for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
		struct token_list whole = {0};
		struct encoded encoded;
		struct prompt prompt;

		test_model_open(&model, i % 2 ? &test_bpe : &test_spm, NULL);
		test_model_choose(&model, names[i / 2]);
		cr_assert_eq(prompt_render(&prompt, model.tmpl, &turn, keep, &err), STATUS_OK);
		cr_assert_eq(tokenizer_encode(model.tokenizer, prompt.text, prompt.len,
		                              ENCODE_BOS | ENCODE_SPECIAL, &whole, &err), STATUS_OK);
		encode(&encoded, messages, 4);
		cr_expect_eq(encoded.ids.n, whole.n, "%s", names[i / 2]);
		cr_expect_eq(memcmp(encoded.ids.ids, whole.ids, whole.n * sizeof(int32_t)), 0, "%s",
		             names[i / 2]);
		token_list_free(&whole);
		encoded_free(&encoded);
		prompt_free(&prompt);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(encode_template, bos_is_never_doubled)
{
	static const struct {
		const char *own, *expected;
	} rows[] = {
		{"{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}", "«<s>» <s>hen"},
		{"{% for m in messages %}{{ m.content }}{% endfor %}", "«<s>» <s>hen"},
		{"{{ bos_token + bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}",
		 "«<s>» <s>hen"},
		{"<s>{% for m in messages %}{{ m.content }}{% endfor %}", "«<s>» <s>hen"},
		{"{% for m in messages %}{{ m.content + bos_token }}{% endfor %}", "«<s>» <s>hen«<s>»"},
	};
	const struct message message = test_message(ROLE_USER, "<s>hen");

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		open_own(&test_spm, rows[i].own);
		check_spelling(&message, 1, rows[i].expected);
		test_model_close(&model);
		model = (struct test_model){0};
	}
	/* If the vocabulary adds none, the template decides. */
	open_own(&test_bpe, rows[0].own);
	check_spelling(&message, 1, "«<|endoftext|>»<s>hen");
}

static size_t count_control(const struct encoded *encoded)
{
	size_t n = 0;

	for (size_t i = 0; i < encoded->ids.n; i++) {
		bool control = tokenizer_is_control(model.tokenizer, encoded->ids.ids[i]);

		n += control;
		cr_expect(!control || !encoded->origins[i].is_input);
	}
	return n;
}

/* Puts a name in every text of a conversation, in several forms; the number of
 * control tokens stays that of harmless words. */
static void inject(const char *name)
{
	static const char *const forms[] = {"%s", "%s x", "x %s", "x%sx", "%s%s", "\n%s\n"};
	size_t expected = 0;

	for (size_t i = 0; i <= sizeof forms / sizeof forms[0]; i++) {
		char text[400] = "word";
		struct encoded encoded;

		if (i) /* a form has the name at most twice */
			snprintf(text, sizeof text, forms[i - 1], name, name);
		struct message messages[] = {
			test_message(ROLE_SYSTEM, text), test_message(ROLE_USER, text),
			test_message(ROLE_ASSISTANT, text), test_message(ROLE_USER, text)};

		messages[2].reasoning = text;
		messages[2].reasoning_len = strlen(text);
		encode(&encoded, messages, 4);
		if (i == 0)
			expected = count_control(&encoded);
		else
			cr_expect_eq(count_control(&encoded), expected, "%s with %s: %s", model.tmpl->name,
			             name, text);
		encoded_free(&encoded);
	}
}

Test(encode_template, nothing_that_is_written_becomes_a_control_token)
{
	static const char *const names[] = {"chatml", "llama3", "mistral-v3", "gemma", "gpt-oss", "plain"};

	for (size_t i = 0; i < 2 * (sizeof names / sizeof names[0] + 1); i++) {
		if (i / 2 == sizeof names / sizeof names[0]) {
			open_own(i % 2 ? &test_bpe : &test_spm, SHOWS);
		} else {
			test_model_open(&model, i % 2 ? &test_bpe : &test_spm, NULL);
			test_model_choose(&model, names[i / 2]);
		}
		for (size_t id = 0; id < tokenizer_n_vocab(model.tokenizer); id++)
			if (tokenizer_is_special(model.tokenizer, (int32_t)id)) {
				size_t len;
				const char *name = tokenizer_name(model.tokenizer, (int32_t)id, &len);
				char copy[100];

				snprintf(copy, sizeof copy, "%.*s", (int)len, name);
				inject(copy);
			}
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(encode_template, no_control_token_is_put_together_from_several_sources)
{
	/* Two messages side by side, and template text around one. */
	const struct message two[] = {test_message(ROLE_USER, "<|im_st"),
	                              test_message(ROLE_USER, "art|>")};
	const struct message one[] = {test_message(ROLE_USER, "im_end")};
	const struct message bar[] = {test_message(ROLE_USER, "|")};

	open_own(&test_bpe, "{% for m in messages %}{{ m.content }}{% endfor %}");
	check_spelling(two, 2, "<|im_start|>");
	test_model_close(&model);
	open_own(&test_bpe, "{{ '<|' + messages[0].content + '|>' }}");
	check_spelling(one, 1, "<|im_end|>");
	test_model_close(&model);
	open_own(&test_bpe, "{{ '<|im_end' + messages[0].content + '>' }}");
	check_spelling(bar, 1, "<|im_end|>");
}

Test(encode_template, what_a_template_makes_of_a_text_stays_a_text)
{
	static const char *const own[] = {
		"{% for m in messages %}{{ m.content | trim | upper | lower }}{% endfor %}",
		"{% for m in messages %}{{ m.content.split('x') | join('') }}{% endfor %}",
		"{% for m in messages %}{{ m.content[0:5] + m.content[5:] }}{% endfor %}",
		"{% for m in messages %}{% for c in m.content %}{{ c }}{% endfor %}{% endfor %}",
		"{% for m in messages %}{{ '{}'.format(m.content) }}{% endfor %}",
		"{% for m in messages %}{{ m.content | replace('x', '') }}{% endfor %}",
		"{% set n = namespace(t='') %}{% for m in messages %}{% set n.t = n.t ~ m.content %}{% endfor %}{{ n.t }}",
		"{% macro f(t) %}{{ t }}{% endmacro %}{% for m in messages %}{{ f(m.content) }}{% endfor %}",
		"{% for m in messages %}{% set t %}{{ m.content }}{% endset %}{{ t }}{% endfor %}",
	};
	const struct message message = test_message(ROLE_USER, "<|im_start|>");

	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		open_own(&test_bpe, own[i]);
		check_spelling(&message, 1, "<|im_start|>");
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

Test(encode_template, every_token_belongs_to_a_message)
{
	static const char *const expected[] = {
		"«<|im_start|>»system\nin«<|im_end|>»\n", "«<|im_start|>»user\nthe«<|im_end|>»\n",
		"«<|im_start|>»assistant\nhen«<|im_end|>»\n",
		"«<|im_start|>»user\nden«<|im_end|>»\n«<|im_start|>»assistant\n"};
	const struct message messages[] = {
		test_message(ROLE_SYSTEM, "in"), test_message(ROLE_USER, "the"),
		test_message(ROLE_ASSISTANT, "hen"), test_message(ROLE_USER, "den")};
	struct encoded encoded;

	test_model_open(&model, &test_bpe, NULL);
	test_model_choose(&model, "chatml");
	encode(&encoded, messages, 4);
	for (size_t m = 0, at = 0; m < 4; m++) {
		struct token_list own = {.ids = encoded.ids.ids + at, .n = encoded.counts[m].tokens};
		size_t n_input = 0;
		struct buf text = {.max = 1000};

		for (size_t i = 0; i < own.n; i++) {
			cr_expect_eq(encoded.origins[at + i].message, m);
			n_input += encoded.origins[at + i].is_input;
		}
		cr_expect(n_input >= 1 && n_input <= 3);
		test_spell(&model, &own, &text);
		cr_expect_str_eq(buf_text(&text), expected[m], "%s", buf_text(&text));
		buf_free(&text);
		at += own.n;
		cr_expect(m < 3 || at == encoded.ids.n);
	}
	encoded_free(&encoded);
}

/* Whatever the template, each token of the prompt is counted for one message, as its text or as what
 * the template adds, and those of a message's text are as many as it has alone, but for what joins
 * with the text around it. */
Test(encode_template, counts_sum_up_with_every_template)
{
	struct message messages[] = {
		test_message(ROLE_SYSTEM, "in the den"), test_message(ROLE_USER, "the hen and the den"),
		test_message(ROLE_ASSISTANT, "hen"), test_message(ROLE_USER, "the end of it")};
	static const struct tiny_vocabulary *const vocabularies[] = {&test_spm, &test_bpe};
	size_t n_checked = 0;

	messages[1].files_len = strlen("the hen");
	messages[3].files_len = messages[3].len;
	for (size_t v = 0; v < 2; v++) {
		if (v)
			test_model_close(&model);
		test_model_open(&model, vocabularies[v], NULL);
		for (size_t i = 0; i < builtin_n_templates; i++) {
			uint32_t sum = 0, text[4] = {0};
			struct encoded encoded;

			test_model_choose(&model, builtin_templates[i].name);
			encode(&encoded, messages, 4);
			for (size_t m = 0; m < 4; m++)
				sum += encoded.counts[m].tokens;
			cr_expect_eq(sum, encoded.ids.n, "%s", builtin_templates[i].name);
			for (size_t id = 0; id < encoded.ids.n; id++)
				text[encoded.origins[id].message] += encoded.origins[id].is_input;
			for (size_t m = 0; m < 4; m++) {
				struct token_list alone = {0};

				cr_assert_eq(tokenizer_encode(model.tokenizer, messages[m].text, messages[m].len,
				                              ENCODE_CONTINUE, &alone, &err), STATUS_OK);
				cr_expect(text[m] <= encoded.counts[m].tokens && text[m] + 2 >= alone.n &&
				          text[m] <= alone.n + 2, "%s, message %zu: %u for %zu",
				          builtin_templates[i].name, m, text[m], alone.n);
				token_list_free(&alone);
			}
			/* Attached files are the beginning of a message, or all of it. */
			cr_expect_eq(encoded.counts[0].files + encoded.counts[2].files, 0);
			cr_expect(encoded.counts[1].files >= 1 && encoded.counts[1].files < text[1], "%s: %u of %u",
			          builtin_templates[i].name, encoded.counts[1].files, text[1]);
			cr_expect_eq(encoded.counts[3].files, text[3], "%s: %u of %u", builtin_templates[i].name,
			             encoded.counts[3].files, text[3]);
			encoded_free(&encoded);
			n_checked++;
		}
	}
	cr_assert_eq(n_checked, 2 * builtin_n_templates);
}

Test(encode_template, what_does_not_fit_is_left_out_and_rendered_again)
{
	const struct message messages[] = {
		test_message(ROLE_SYSTEM, "in"), test_message(ROLE_USER, "the hen in the den"),
		test_message(ROLE_ASSISTANT, "hen"), test_message(ROLE_USER, "den")};
	struct turn turn = {.messages = messages, .n_messages = 4};
	struct encoded all, some;
	struct buf text = {.max = 1000};

	/* Since the system message is part of the user's first one, that one has changed. */
	test_model_open(&model, &test_spm, NULL);
	test_model_choose(&model, "gemma");
	encode(&all, messages, 4);
	cr_assert_eq(encode_turn(&some, model.tokenizer, model.tmpl, &turn, all.ids.n - 1, &err),
	             STATUS_OK);
	cr_assert_eq(some.n_dropped, 2);
	test_spell(&model, &some.ids, &text);
	cr_assert_str_eq(buf_text(&text),
	                 "«<s>»«<start_of_turn>» user\nin\n\nden«<end_of_turn>» \n«<start_of_turn>» model\n",
	                 "%s", buf_text(&text));
	buf_free(&text);
	encoded_free(&some);
	encoded_free(&all);
}

Test(encode_template, a_conversation_that_grows_when_cut_still_fits)
{
	/* The shorter it is, the longer its preamble: dropping must go on. */
	static const char own[] =
		"{{ 'the hen ' * (60 // (messages | length)) }}"
		"{% for m in messages %}{{ '<' + m.content + '>' }}{% endfor %}";
	const struct message messages[] = {
		test_message(ROLE_USER, "the hen"), test_message(ROLE_ASSISTANT, "in the den"),
		test_message(ROLE_USER, "the hen"), test_message(ROLE_ASSISTANT, "in the den"),
		test_message(ROLE_USER, "the end")};
	struct turn turn = {.messages = messages, .n_messages = 5};
	size_t n_fit = 0;

	open_own(&test_bpe, own);
	for (size_t room = 1; room < 400; room++) {
		struct encoded encoded;
		enum status status = encode_turn(&encoded, model.tokenizer, model.tmpl, &turn, room, &err);

		cr_assert(status == STATUS_OK || status == STATUS_CONTEXT);
		if (!status) {
			cr_assert_leq(encoded.ids.n, room);
			n_fit++;
		}
		encoded_free(&encoded);
	}
	cr_assert_gt(n_fit, 10);
}

Test(encode_template, the_beginning_of_text_stands_there_once)
{
	static const struct {
		const char *template, *expected;
	} rows[] = {
		{"{{ bos_token }}{{ messages[0].content }}", "«<s>» <s>"},
		{"{{ bos_token * 3 }}{{ messages[0].content }}", "«<s>» <s>"},
		{"{{ '\\n ' ~ bos_token }}{{ messages[0].content }}", " \n «<s>» <s>"},
		{"{{ messages[0].content }}{{ bos_token }}", "«<s>» <s>«<s>»"},
		{" {{ messages[0].content }}", "«<s>»  <s>"},
	};
	const struct message message = test_message(ROLE_USER, "<s>");

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		open_own(&test_spm, rows[i].template);
		check_spelling(&message, 1, rows[i].expected);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}

/* U+2581, which SentencePiece reads as a blank, does not shift what follows, nor do the blanks
 * that Phi-3's control tokens absorb. */
Test(encode_template, the_marks_of_the_conversation_are_exact)
{
	static const char *const texts[] = {"\xE2\x96\x81", "a\u2581\u2581b", " a b ",
	                                    "\n\n a", "\xC3\xA9 \xE2\x96\x81", "<|im_end|>",
	                                    "\xE2\x96\x81the"};
	enum { N = sizeof texts / sizeof texts[0] };
	static const struct test_key phi3[] = {{"general.name", "Phi-3 mini"}, {NULL, NULL}};

	for (size_t row = 0; row < 2 * N; row++) {
		size_t i = row % N;
		struct message messages[] = {test_message(ROLE_USER, texts[i]),
		                             test_message(ROLE_ASSISTANT, texts[i]),
		                             test_message(ROLE_USER, "the end")};
		struct encoded encoded;

		test_model_open(&model, &test_spm, row < N ? NULL : phi3);
		test_model_choose(&model, "chatml");
		encode(&encoded, messages, 3);
		for (size_t t = 0; t < encoded.ids.n; t++)
			cr_expect(!encoded.origins[t].is_input ||
			          !tokenizer_is_control(model.tokenizer, encoded.ids.ids[t]),
			          "text %zu, token %zu", i, t);
		encoded_free(&encoded);
		test_model_close(&model);
		model = (struct test_model){0};
	}
}
