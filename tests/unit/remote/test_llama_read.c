/* What a llama-server says of a raw reply: its events, with a vocabulary that is asked for here. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "encode/shape.h"
#include "remote/llama_server.h"
#include "support/asked_vocab.h"
#include "unit/encode/chat_model.h"

/* Ids of test_bpe: bytes first. */
enum { END_OF_TEXT = 256, THE = 259, IM_START = 265, IM_END = 266, THINK_END = 268 };

static struct test_model model;
static struct asked_vocab vocab;
static struct llama_server llama;
static struct remote remote;
static struct chunk chunk;
static struct error err;

static void begin(void)
{
	test_model_open(&model, &test_bpe, NULL);
	vocab = (struct asked_vocab){.inner = model.tokenizer, .tells_pieces = true};
	remote = (struct remote){.own = &llama};
	llama = (struct llama_server){.remote = &remote, .mode = LLAMA_RAW, .separator = TOKEN_NONE};
	llama.tokenizer = asked_vocab_open(&vocab);
	cr_assert_eq(chat_template_open(&llama.tmpl, "chatml", NULL, llama.tokenizer, &err), STATUS_OK, "%s", err.text);
	llama_reply_free(&llama.reply);
	chunk_init(&chunk);
}

static void end(void)
{
	llama_reply_free(&llama.reply);
	chat_template_close(llama.tmpl);
	tokenizer_close(llama.tokenizer);
	test_model_close(&model);
	chunk_free(&chunk);
}

TestSuite(llama_read, .init = begin, .fini = end);

static void event(const char *json)
{
	chunk_clear(&chunk);
	cr_assert_eq(llama_read(&remote, json, strlen(json), &chunk, &err), STATUS_OK, "%s: %s", json, err.text);
}

/* An event of one token, the n-th of the request. */
static void token(const char *content, int id, unsigned n)
{
	char json[512];

	snprintf(json, sizeof json,
	         "{\"index\":0,\"content\":\"%s\",\"tokens\":[%d],\"stop\":false,\"tokens_predicted\":%u,\"tokens_evaluated\":9}",
	         content, id, n);
	event(json);
}

static void last(const char *type, bool truncated, unsigned n)
{
	char json[512];

	snprintf(json, sizeof json,
	         "{\"content\":\"\",\"tokens\":[],\"stop\":true,\"stop_type\":\"%s\",\"stopping_word\":\"\",\"truncated\":%s,"
	         "\"tokens_predicted\":%u,\"tokens_evaluated\":9,\"timings\":{\"cache_n\":4,\"prompt_ms\":5,\"predicted_ms\":7.5}}",
	         type, truncated ? "true" : "false", n);
	event(json);
}

/* The chunk has these ids, -1 at their end, or this text. */
static void expect_ids(const int32_t *ids)
{
	size_t n = 0;

	while (ids[n] >= 0)
		n++;
	cr_assert_eq(chunk.n_ids, n, "%zu ids, expected %zu", chunk.n_ids, n);
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(chunk.ids[i], ids[i], "%d, expected %d", (int)chunk.ids[i], (int)ids[i]);
}
#define EXPECT_IDS(...) expect_ids((int32_t[]){__VA_ARGS__, -1})
#define EXPECT_NONE() expect_ids((int32_t[]){-1})

static void expect_text(const char *text)
{
	EXPECT_NONE();
	cr_expect_str_eq(buf_text(&chunk.text), text);
}

Test(llama_read, tokens_come_by_their_ids)
{
	size_t n_asked = vocab.n_asked;

	token("a", 'a', 1);
	EXPECT_IDS('a');
	token(" the", THE, 2);
	EXPECT_IDS(THE);
	cr_expect_eq(vocab.n_asked, n_asked); /* what they are has come with them */
	/* The end of the turn is a token like any other, until it turns out to be the last. */
	token("", IM_START, 3);
	EXPECT_NONE();
	token("x", 'x', 4);
	EXPECT_IDS(IM_START, 'x');
	token("", END_OF_TEXT, 5);
	EXPECT_NONE();
	last("eos", false, 5);
	EXPECT_NONE();
	cr_expect_eq(chunk.end, CHUNK_END);
	cr_expect(chunk.is_last);
	cr_expect(chunk.usage.is_known && chunk.usage.knows_cached);
	cr_expect_eq(chunk.usage.n_prompt, 9);
	cr_expect_eq(chunk.usage.n_cached, 4);
	cr_expect_eq(chunk.usage.n_generated, 4);
	cr_expect_float_eq(chunk.usage.decode_ms, 7.5, 1e-9);
	cr_expect_eq(llama.reply.ids.n, 4);
	cr_expect_not(llama.reply.lacks_ids);
}

Test(llama_read, a_reply_ends_as_the_server_says)
{
	token("a", 'a', 1);
	last("word", false, 1);
	cr_expect_eq(chunk.end, CHUNK_STOP);
	last("limit", false, 1);
	cr_expect_eq(chunk.end, CHUNK_LENGTH);
	last("limit", true, 1);
	cr_expect_eq(chunk.end, CHUNK_CONTEXT);
	token("", IM_START, 2); /* one that is no end */
	last("limit", false, 2);
	EXPECT_IDS(IM_START);
}

Test(llama_read, what_the_template_ends_a_reply_with_ends_it)
{
	cr_assert_eq(llama.tmpl->end_id, IM_END);
	token("a", 'a', 1);
	token("", IM_END, 2);
	EXPECT_NONE();
	token("b", 'b', 3);
	EXPECT_NONE();
	cr_expect(chunk.is_last);
	cr_expect_eq(chunk.end, CHUNK_END);
}

Test(llama_read, text_that_may_be_a_stop_string_comes_later)
{
	token("", 'a', 1);
	EXPECT_IDS('a');
	token("", 'b', 2);
	EXPECT_IDS('b');
	token("abc", 'c', 3);
	EXPECT_IDS('c');
	token("d", 'd', 4);
	EXPECT_IDS('d');
	cr_expect_eq(llama.reply.owed, 0);
}

Test(llama_read, a_character_of_several_tokens_gets_their_ids)
{
	token("a", 'a', 1);
	token("\xC3\xA9", 0xA9, 3); /* 0xC3 came without an event */
	EXPECT_IDS(0xC3, 0xA9);
	token("b", 'b', 4);
	EXPECT_IDS('b');
	/* Held back with the beginning of a stop string. */
	token("", 'c', 5);
	token("c\xF0\x9F\x91\x8D", 0x8D, 9);
	EXPECT_IDS(0xF0, 0x9F, 0x91, 0x8D);
	cr_expect_not(llama.reply.lacks_ids);
}

Test(llama_read, without_all_ids_the_text_is_taken)
{
	token("", 'a', 1); /* its text comes later */
	EXPECT_IDS('a');
	token("a\xC3\xA9", 0xA9, 2 + 3); /* more tokens than the text has */
	expect_text("\xC3\xA9");
	cr_expect(llama.reply.lacks_ids);
	token(" the", THE, 6);
	expect_text(" the");
	token("", IM_START, 7);
	expect_text("");
	token("x", 'x', 8);
	expect_text("x");
	last("eos", false, 8);
	cr_expect_eq(chunk.end, CHUNK_END);
}

Test(llama_read, tokens_that_were_drafted_are_not_missing)
{
	token("a", 'a', 4); /* counted ahead */
	EXPECT_IDS('a');
	token("b", 'b', 4);
	EXPECT_IDS('b');
	token("c", 'c', 4);
	EXPECT_IDS('c');
}

Test(llama_read, of_an_id_that_stands_for_nothing_the_text_is_taken)
{
	token("a", 'a', 1);
	token("<b", -1, 2);
	expect_text("<b");
	token("c", 1 << 30, 3);
	expect_text("c");
	event("{\"content\":\"d\",\"tokens\":[4294967393],\"tokens_predicted\":4}");
	expect_text("d");
	token("e", 'e', 5);
	expect_text("e");
	cr_expect(llama.reply.lacks_ids);
}

Test(llama_read, older_ones_tell_no_ids)
{
	event("{\"content\":\"hello\",\"stop\":false}");
	expect_text("hello");
	event("{\"content\":\" you\",\"stop\":false}");
	expect_text(" you");
	event("{\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\",\"tokens_predicted\":2,\"tokens_evaluated\":3}");
	cr_expect(chunk.is_last);
}

Test(llama_read, an_answer_that_is_no_stream)
{
	event("{\"content\":\"hello\",\"tokens\":[1,2],\"stop\":true,\"stop_type\":\"eos\",\"tokens_predicted\":2}");
	expect_text("hello");
	cr_expect(chunk.is_last);
}

Test(llama_read, progress_has_no_token)
{
	event("{\"content\":\"\",\"tokens\":[0],\"stop\":false,\"tokens_predicted\":0,"
	      "\"prompt_progress\":{\"total\":100,\"cache\":10,\"processed\":60,\"time_ms\":3}}");
	EXPECT_NONE();
	cr_expect(chunk.progress.is_known);
	cr_expect_eq(chunk.progress.done, 60);
	cr_expect_eq(chunk.progress.total, 100);
	cr_expect_eq(chunk.progress.cached, 10);
	cr_expect_eq(llama.reply.n_seen, 0);
}

Test(llama_read, candidates_come_with_their_bytes)
{
	event("{\"content\":\"a\",\"tokens\":[97],\"stop\":false,\"tokens_predicted\":1,\"completion_probabilities\":[{"
	      "\"id\":97,\"token\":\"a\",\"bytes\":[97],\"logprob\":-0.5,\"top_logprobs\":["
	      "{\"id\":97,\"token\":\"a\",\"bytes\":[97],\"logprob\":-0.6931472},"
	      "{\"id\":195,\"token\":\"\",\"bytes\":[195],\"logprob\":-1.3862944},"
	      "{\"id\":266,\"token\":\"\",\"bytes\":[],\"logprob\":-3.4028234663852886e+38}]}]}");
	cr_assert_eq(chunk.n_candidates, 3);
	cr_expect_float_eq(chunk.candidates[0].probability, 0.5, 1e-5);
	cr_expect_float_eq(chunk.probability, expf(-0.5F), 1e-5, "that of the token itself");
	cr_expect_eq(chunk.candidates[1].len, 1);
	cr_expect_eq(chunk.candidates[1].text[0], (char)0xC3);
	cr_expect_eq(chunk.candidates[2].probability, 0);
	cr_expect_eq(chunk.candidates[2].len, 10); /* <|im_end|> */
}

Test(llama_read, errors_are_told_with_their_numbers)
{
	event("{\"error\":{\"code\":400,\"message\":\"request (14 tokens) exceeds the available context size\","
	      "\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":14,\"n_ctx\":8}}");
	cr_expect_eq(chunk.error.status, STATUS_CONTEXT);
	cr_expect_eq(chunk.n_prompt, 14);
	cr_expect_eq(chunk.n_ctx, 8);
	event("{\"error\":{\"code\":500,\"message\":\"Compute error.\",\"type\":\"server_error\"}}");
	cr_expect_eq(chunk.error.status, STATUS_IO);
}

Test(llama_read, no_event_makes_it_lose_its_way)
{
	static const char *const events[] = {
		"{}", "[]", "{\"tokens\":[-5],\"content\":\"a\",\"tokens_predicted\":1}",
		"{\"tokens\":[99999999],\"content\":\"b\",\"tokens_predicted\":4294967295}",
		"{\"tokens\":[1,2,3,4,5,6,7,8,9,10,11],\"content\":\"b\"}", "{\"stop\":true}", "{\"tokens\":[\"a\"],\"stop\":false}",
		"{\"completion_probabilities\":[{\"top_logprobs\":[{},{\"id\":1e99,\"bytes\":[1,2,999]}]}],\"tokens\":[97]}",
		"{\"content\":\"\\ud83d\",\"tokens\":[97],\"tokens_predicted\":3}", "{\"tokens\":97,\"content\":5}"};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		chunk_clear(&chunk);
		(void)!llama_read(&remote, events[i], strlen(events[i]), &chunk, &err);
	}
	last("eos", false, 1);
	cr_expect(chunk.is_last);
}

Test(llama_read, what_ended_the_thinking_is_told_with_the_next_token)
{
	token("a", 'a', 1);
	cr_assert_eq(token_list_push(&llama.reply.forced, THINK_END), STATUS_OK);
	token("b", 'b', 1);
	EXPECT_IDS(THINK_END, 'b');
	token("c", 'c', 2);
	EXPECT_IDS('c');
}

Test(llama_read, warming_makes_no_reply)
{
	llama.reply.is_warm = true;
	token("a", 'a', 1);
	EXPECT_NONE();
	last("limit", false, 1);
	EXPECT_NONE();
	cr_expect(chunk.is_last);
}

static bool was_aside;

static enum status tokenise_aside(void *ctx, struct outside_ask *asks, size_t n, unsigned flags, struct outside *known,
                                  struct error *why)
{
	(void)ctx;
	(void)flags;
	was_aside = llama.is_reading;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < asks[i].len; k++)
			if (token_list_push(&asks[i].ids, (unsigned char)asks[i].text[k]) ||
			    outside_put_piece(known, (unsigned char)asks[i].text[k], asks[i].text + k, 1, why))
				return STATUS_NOMEM;
	return STATUS_OK;
}

Test(llama_read, to_end_the_thinking_is_asked_beside_the_reply)
{
	static const struct outside_ops ops = {.tokenise = tokenise_aside};
	struct outside_names names = {.bos = ""};

	tokenizer_close(llama.tokenizer);
	cr_assert_eq(tokenizer_open_outside(&llama.tokenizer, &ops, NULL, &names, &err), STATUS_OK, "%s", err.text);
	llama.tmpl->reasoning = reasoning_find("</think>", strlen("</think>"));
	cr_assert_not(was_aside);
	cr_assert_eq(llama_answer_now(&remote, "", &err), STATUS_OK, "%s", err.text);
	cr_expect(was_aside);
	cr_expect_not(llama.is_reading);
	cr_expect(remote.again);
}

Test(llama_read, thinking_that_cannot_be_ended_goes_on)
{
	llama.tmpl->reasoning = reasoning_find("</think>", strlen("</think>"));
	token("a", 'a', 1);
	token("", IM_START, 2);
	vocab.fails = STATUS_IO;
	cr_assert_eq(llama_answer_now(&remote, "", &err), STATUS_IO);
	cr_expect_not(remote.again);
	token("b", 'b', 3);
	EXPECT_IDS(IM_START, 'b');
}
