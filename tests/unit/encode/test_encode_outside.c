/* Conversations with a vocabulary that is elsewhere: the same ids, for few requests. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/asked_vocab.h"
#include "unit/encode/chat_model.h"

enum { MESSAGES = 121 };

static struct test_model model;
static struct asked_vocab vocab;
static struct tokenizer *outside;
static struct chat_template *tmpl;
static struct message messages[MESSAGES + 2];
static char texts[MESSAGES + 2][32];
static struct token_list ids[MESSAGES + 2];
static struct error err;

static void begin(void)
{
	test_model_open(&model, &test_bpe, NULL);
	test_model_choose(&model, "chatml");
	vocab = (struct asked_vocab){.inner = model.tokenizer, .tells_pieces = true};
	outside = asked_vocab_open(&vocab);
	cr_assert_eq(chat_template_open(&tmpl, "chatml", NULL, outside, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < MESSAGES + 2; i++) {
		snprintf(texts[i], sizeof texts[i], "the in%zu a<|im_end|>", i);
		messages[i] = test_message(i % 2 ? ROLE_ASSISTANT : ROLE_USER, texts[i]);
		if (i % 2 == 0)
			continue;
		cr_assert_eq(tokenizer_encode(model.tokenizer, texts[i], strlen(texts[i]), 0, &ids[i], &err), STATUS_OK);
		messages[i].ids = ids[i].ids;
		messages[i].n_ids = ids[i].n;
	}
}

static void end(void)
{
	for (size_t i = 0; i < MESSAGES + 2; i++)
		token_list_free(&ids[i]);
	chat_template_close(tmpl);
	tokenizer_close(outside);
	test_model_close(&model);
}

TestSuite(encode_outside, .init = begin, .fini = end);

static void expect_same(const struct turn *turn)
{
	struct encoded here, there;

	cr_assert_eq(encode_turn(&here, model.tokenizer, model.tmpl, turn, SIZE_MAX, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(encode_turn(&there, outside, tmpl, turn, SIZE_MAX, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(there.ids.n, here.ids.n);
	cr_expect(there.ids.n == here.ids.n && memcmp(there.ids.ids, here.ids.ids, here.ids.n * sizeof(int32_t)) == 0);
	for (size_t i = 0; i < turn->n_messages; i++)
		cr_expect_eq(there.counts[i].tokens, here.counts[i].tokens);
	encoded_free(&here);
	encoded_free(&there);
}

Test(encode_outside, a_long_conversation_takes_few_requests)
{
	struct turn turn = {.messages = messages, .n_messages = MESSAGES};
	size_t n_asked = vocab.n_asked;

	expect_same(&turn);
	cr_expect_leq(vocab.n_asked - n_asked, 8, "%zu", vocab.n_asked - n_asked);
	n_asked = vocab.n_asked;
	expect_same(&turn);
	cr_expect_eq(vocab.n_asked, n_asked);
	turn.n_messages += 2;
	expect_same(&turn);
	cr_expect_leq(vocab.n_asked - n_asked, 2, "%zu", vocab.n_asked - n_asked);
}

Test(encode_outside, a_failure_is_told_and_nothing_remembered)
{
	const struct turn turn = {.messages = messages, .n_messages = MESSAGES};
	struct encoded encoded;

	vocab.fails = STATUS_IO;
	cr_expect_eq(encode_turn(&encoded, outside, tmpl, &turn, SIZE_MAX, &err), STATUS_IO);
	cr_expect_str_eq(err.text, "no answer");
	encoded_free(&encoded);
	vocab.fails = STATUS_OK;
	expect_same(&turn);
}
