/* Published templates with published vocabularies: nothing written in a conversation becomes a
 * control token, and the ids are those of the rendered text tokenised as one string. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/encode.h"
#include "encode/shape.h"
#include "support/asked_vocab.h"
#include "support/testdata.h"

enum { PATH_SIZE = 4096, NAMES_MAX = 64, TEXT_SIZE = 1024 };

static struct gguf *gguf;
static struct tokenizer *tokenizer;
static struct chat_template *tmpl;
static struct error err;

/* The files of a folder with this ending. */
static size_t list_files(const char *part, const char *suffix, char (*out)[PATH_SIZE])
{
	char dir[PATH_SIZE / 2];
	struct dirent *entry;
	size_t n = 0;
	DIR *d;

	snprintf(dir, sizeof dir, "%s/%s", testdata_root(), part);
	d = opendir(dir);
	cr_assert_not_null(d, "%s", dir);
	while ((entry = readdir(d)) && n < NAMES_MAX) {
		size_t len = strlen(entry->d_name), suffix_len = strlen(suffix);

		if (len > suffix_len && strcmp(entry->d_name + len - suffix_len, suffix) == 0)
			snprintf(out[n++], PATH_SIZE, "%s/%s", dir, entry->d_name);
	}
	closedir(d);
	return n;
}

static struct message message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

/* A conversation with the same text everywhere; false: the template raises. */
static bool encode(const char *text, const char *other, struct encoded *out)
{
	struct message messages[] = {
		message(ROLE_SYSTEM, text), message(ROLE_USER, other), message(ROLE_ASSISTANT, text),
		message(ROLE_USER, text), message(ROLE_ASSISTANT, other), message(ROLE_USER, other)};
	struct turn turn = {.messages = messages, .n_messages = 6};

	messages[2].reasoning = other;
	messages[2].reasoning_len = strlen(other);
	messages[4].reasoning = text;
	messages[4].reasoning_len = strlen(text);
	return encode_turn(out, tokenizer, tmpl, &turn, SIZE_MAX, &err) == STATUS_OK;
}

static size_t count_control(const struct encoded *encoded, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < encoded->ids.n; i++) {
		bool control = tokenizer_is_control(tokenizer, encoded->ids.ids[i]);

		n += control;
		cr_expect(!control || !encoded->origins[i].is_input, "%s: '%s'", tmpl->name, text);
	}
	return n;
}

/* There are as many control tokens as with harmless words. Templates that split texts (at
 * "</think>") may drop some, but never add any. */
static size_t inject(const char *name, size_t expected)
{
	static const char *const forms[][2] = {
		{"%s", "%s"}, {"x %s x", "%s%s"}, {"\n%s", "%s\n"}, {"a%sb", "%s %s"}};
	size_t n = 0;

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		char text[TEXT_SIZE], other[TEXT_SIZE];
		struct encoded encoded;

		snprintf(text, sizeof text, forms[i][0], name, name);
		snprintf(other, sizeof other, forms[i][1], name, name);
		if (encode(text, other, &encoded)) {
			cr_expect_leq(count_control(&encoded, text), expected, "%s: '%s'", tmpl->name, text);
			n++;
		}
		encoded_free(&encoded);
	}
	/* In two halves, next to each other if the template puts them so. */
	for (size_t half = 1; half < strlen(name); half++) {
		char text[TEXT_SIZE], other[TEXT_SIZE];
		struct encoded encoded;

		snprintf(text, sizeof text, "%.*s", (int)half, name);
		snprintf(other, sizeof other, "%s", name + half);
		if (half > 3 && !getenv("SOTTO_TEST_LONG"))
			break;
		if (encode(text, other, &encoded))
			cr_expect_leq(count_control(&encoded, text), expected, "%s: '%s'", tmpl->name, text);
		encoded_free(&encoded);
	}
	return n;
}

static size_t inject_all(size_t stride)
{
	struct encoded encoded;
	size_t expected, n = 0, seen = 0;

	cr_assert(encode("word", "other", &encoded), "%s: %s", tmpl->name, err.text);
	expected = count_control(&encoded, "word");
	encoded_free(&encoded);
	for (size_t id = 0; id < tokenizer_n_vocab(tokenizer); id++) {
		char name[TEXT_SIZE / 4];
		const char *bytes;
		size_t len;

		if (!tokenizer_is_special(tokenizer, (int32_t)id) || seen++ % stride)
			continue;
		bytes = tokenizer_name(tokenizer, (int32_t)id, &len);
		snprintf(name, sizeof name, "%.*s", (int)len, bytes);
		n += inject(name, expected);
	}
	return n;
}

/* A tokenizer that asks for everything gives the same ids. */
static void check_outside(const struct tokenizer *outside, const struct turn *turn,
                          const struct encoded *encoded)
{
	struct encoded asked;

	cr_assert_eq(encode_turn(&asked, outside, tmpl, turn, SIZE_MAX, &err), STATUS_OK, "%s", err.text);
	cr_expect(asked.ids.n == encoded->ids.n &&
	          memcmp(asked.ids.ids, encoded->ids.ids, asked.ids.n * sizeof(int32_t)) == 0,
	          "%s asked: %zu ids, expected %zu", tmpl->name, asked.ids.n, encoded->ids.n);
	for (size_t i = 0; i < asked.ids.n && i < encoded->ids.n; i++)
		cr_expect(asked.origins[i].message == encoded->origins[i].message &&
		          asked.origins[i].is_input == encoded->origins[i].is_input, "%s: token %zu", tmpl->name, i);
	encoded_free(&asked);
}

/* The ids of a conversation are those of its rendering as one string. */
static void check_whole(const struct tokenizer *outside)
{
	struct message messages[] = {
		message(ROLE_SYSTEM, "Be brief."), message(ROLE_USER, "  What is 12 + 30?\n"),
		message(ROLE_ASSISTANT, "It's 42."), message(ROLE_USER, "日本語 é 👍 done")};
	struct turn turn = {.messages = messages, .n_messages = 4};
	const bool keep[] = {true, true, true, true};
	struct token_list whole = {0};
	struct encoded encoded;
	struct prompt prompt;
	size_t skip;

	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, keep, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_encode(tokenizer, prompt.text, prompt.len, ENCODE_BOS | ENCODE_SPECIAL,
	                              &whole, &err), STATUS_OK);
	cr_assert_eq(encode_turn(&encoded, tokenizer, tmpl, &turn, SIZE_MAX, &err), STATUS_OK);
	/* Except for a BOS that is there twice. */
	for (skip = 0; skip + 1 < whole.n && tokenizer_adds_bos(tokenizer) &&
	               whole.ids[skip + 1] == tokenizer_bos(tokenizer); skip++)
		;
	cr_expect_eq(encoded.ids.n, whole.n - skip, "%s", tmpl->name);
	cr_expect(encoded.ids.n == whole.n - skip &&
	          memcmp(encoded.ids.ids, whole.ids + skip, encoded.ids.n * sizeof(int32_t)) == 0,
	          "%s", tmpl->name);
	check_outside(outside, &turn, &encoded);
	token_list_free(&whole);
	encoded_free(&encoded);
	prompt_free(&prompt);
}

Test(testdata, nothing_that_is_written_becomes_a_control_token, .timeout = 600)
{
	static char vocabs[NAMES_MAX][PATH_SIZE], templates[NAMES_MAX][PATH_SIZE];
	size_t n_vocabs = list_files("vocab", ".gguf", vocabs), n = 0;
	size_t n_templates = list_files("templates", ".jinja", templates);

	cr_assert(n_vocabs >= 6 && n_templates >= 20);
	for (size_t v = 0; v < n_vocabs; v++) {
		struct asked_vocab asked = {.tells_pieces = v % 2};
		struct tokenizer *outside;

		cr_assert_eq(gguf_open(&gguf, vocabs[v], &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(tokenizer_open(&tokenizer, gguf, &err), STATUS_OK, "%s", err.text);
		asked.inner = tokenizer;
		outside = asked_vocab_open(&asked);
		for (size_t t = 0; t < n_templates; t++) {
			cr_assert_eq(chat_template_open(&tmpl, templates[t], gguf, tokenizer, &err),
			             STATUS_OK, "%s", err.text);
			/* Templates that need more than a conversation. */
			if (!strstr(tmpl->note, "fails")) {
				check_whole(outside);
				n += inject_all(getenv("SOTTO_TEST_LONG") ? 1 : n_templates / 4);
			}
			chat_template_close(tmpl);
		}
		tokenizer_close(outside);
		tokenizer_close(tokenizer);
		gguf_close(gguf);
	}
	printf("%zu conversations\n", n);
	cr_assert_gt(n, 1000);
}

int main(int argc, char **argv)
{
	return testdata_main(argc, argv, "templates");
}
