/* Replies that are continued: cut off anywhere, they become what they would have been. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "support/harmony_model.h"
#include "support/save_gguf.h"
#include "support/tiny_model.h"
#include "tokenizer/tokenizer.h"

enum { IDS_MAX = 256 };

/* What was told of a reply. */
struct told {
	struct buf text, reasoning, asides;
	int32_t ids[IDS_MAX];
	size_t n_ids, n_reasoning_ids;
	struct { /* of each token: what else might have been said */
		size_t n;
		struct token_candidate first;
		float probability;
	} candidates[IDS_MAX];
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct model_info info;
static struct backend_result result;
static struct sampler_params sampler;
static struct error err;
static enum backend_mode mode = BACKEND_REPLY;
static int32_t first = TOKEN_NONE; /* what the next turn begins with, if the user chooses that */

static bool host_cancelled(void *ctx)
{
	(void)ctx;
	return false;
}

static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)n;
	(void)ctx;
	*out = sampler;
}

static void take_token(struct told *told, const struct token *token)
{
	cr_assert_lt(told->n_ids, IDS_MAX);
	if (!token->rest && token->n_candidates) {
		told->candidates[told->n_ids].n = token->n_candidates;
		told->candidates[told->n_ids].first = token->candidates[0];
		told->candidates[told->n_ids].probability = token->probability;
	}
	if (!token->rest)
		told->ids[told->n_ids++] = token->id;
	if (token->reasoning)
		told->n_reasoning_ids = told->n_ids;
	buf_append(token->reasoning ? &told->reasoning : &told->text, token->bytes, token->len);
}

static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	struct told *told = ctx;

	(void)error;
	if (event->kind == EVENT_PREFILLING)
		cr_assert(event->u.prefilling.cached <= event->u.prefilling.done &&
		          event->u.prefilling.done <= event->u.prefilling.total);
	else if (event->kind == EVENT_ASIDE)
		buf_printf(&told->asides, "<%s>%s", event->u.aside.recipient, event->u.aside.text);
	else if (event->kind == EVENT_TOKEN)
		take_token(told, &event->u.token);
	return STATUS_OK;
}

static void init(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	sampler = sampler_params_default();
	sampler.temp = 0;
}

static void fini(void)
{
	backend_close(backend);
	unlink(path);
	rmdir(dir);
}

TestSuite(continued, .init = init, .fini = fini, .timeout = 120);

static void told_init(struct told *told)
{
	buf_init(&told->text, MIB(1));
	buf_init(&told->reasoning, MIB(1));
	buf_init(&told->asides, MIB(1));
	told->n_ids = told->n_reasoning_ids = 0;
}

static void told_free(struct told *told)
{
	buf_free(&told->text);
	buf_free(&told->reasoning);
	buf_free(&told->asides);
}

static void load(int32_t n_ctx)
{
	struct backend_host host = {.cancelled = host_cancelled, .event = host_event};
	struct engine_params params = engine_params_default();

	backend_close(backend);
	backend = NULL;
	params.model = path;
	params.n_ctx = n_ctx;
	params.n_threads = 1;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
}

static void save_tiny(enum tiny_vocab vocab)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.vocab = vocab;
	tiny.n_ctx = 256;
	cr_assert_eq(tiny_model_save(&tiny, path, &err), STATUS_OK, "%s", err.text);
}

static struct message message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

/* Asks for a reply of at most n tokens to the messages; or, `continues`, goes on with what has been
 * told, as a chat does. */
static enum status ask(struct message *messages, size_t n_messages, int32_t n, bool continues,
                       struct told *told)
{
	const struct backend_host host = {
		.ctx = told, .cancelled = host_cancelled, .params = host_params, .event = host_event};
	struct turn turn = {.messages = messages, .n_messages = n_messages + continues, .n_predict = n,
	                    .n_candidates = 20, .continued = continues, .has_first = first != TOKEN_NONE, .first = first};
	struct told before = *told; /* the message is not to move while the reply grows */
	struct buf text = {.max = MIB(1)}, reasoning = {.max = MIB(1)};
	enum status status;

	buf_append(&text, buf_text(&told->text), told->text.len);
	buf_append(&reasoning, buf_text(&told->reasoning), told->reasoning.len);
	messages[n_messages] = (struct message){
		.role = ROLE_ASSISTANT, .text = buf_text(&text), .len = text.len, .ids = before.ids,
		.n_ids = before.n_ids, .reasoning = buf_text(&reasoning), .reasoning_len = reasoning.len,
		.n_reasoning_ids = before.n_reasoning_ids};
	status = backend_run(backend, &turn, mode, &host, &result, &err);
	buf_free(&text);
	buf_free(&reasoning);
	return status;
}

/* These messages, in the mode that is set. */
static enum status ask_as_it_is(const struct message *messages, size_t n_messages, struct told *told)
{
	const struct backend_host host = {
		.ctx = told, .cancelled = host_cancelled, .params = host_params, .event = host_event};
	const struct turn turn = {.messages = messages, .n_messages = n_messages, .n_predict = -1, .n_candidates = 20,
	                          .sampler = sampler};

	return backend_run(backend, &turn, mode, &host, &result, &err);
}

static void assert_same(const struct told *a, const struct told *b, size_t cut)
{
	cr_assert_str_eq(buf_text(&a->text), buf_text(&b->text), "cut at %zu: \"%s\", in whole \"%s\"", cut,
	                 buf_text(&a->text), buf_text(&b->text));
	cr_assert_str_eq(buf_text(&a->reasoning), buf_text(&b->reasoning), "cut at %zu", cut);
	cr_assert_eq(a->n_ids, b->n_ids, "cut at %zu: %zu tokens of %zu", cut, a->n_ids, b->n_ids);
	cr_assert_eq(memcmp(a->ids, b->ids, a->n_ids * sizeof *a->ids), 0, "cut at %zu", cut);
	cr_assert_eq(a->n_reasoning_ids, b->n_reasoning_ids, "cut at %zu", cut);
}

/* Cut after each number of tokens, and continued to the length of the whole. */
static void cut_everywhere(const char *text, int32_t n)
{
	struct message messages[2] = {message(ROLE_USER, text)};
	struct told whole, parts;

	told_init(&whole);
	cr_assert_eq(ask(messages, 1, n, false, &whole), STATUS_OK, "%s", err.text);
	cr_assert_gt(whole.n_ids, 8);
	for (size_t cut = 1; cut < whole.n_ids; cut++) {
		told_init(&parts);
		cr_assert_eq(ask(messages, 1, (int32_t)cut, false, &parts), STATUS_OK, "%s", err.text);
		cr_assert_eq(parts.n_ids, cut);
		cr_assert_eq(ask(messages, 1, n - (int32_t)cut, true, &parts), STATUS_OK, "%s", err.text);
		cr_assert_eq(result.stats.n_evaluated, 1, "cut at %zu: %u evaluated", cut,
		             result.stats.n_evaluated);
		assert_same(&parts, &whole, cut);
		told_free(&parts);
	}
	told_free(&whole);
}

Test(continued, a_reply_cut_anywhere_becomes_the_whole_one)
{
	static const enum tiny_vocab vocabs[] = {TINY_SPM, TINY_BPE};

	for (size_t i = 0; i < sizeof vocabs / sizeof vocabs[0]; i++) {
		save_tiny(vocabs[i]);
		load(0);
		cut_everywhere("the hen", 40);
		cut_everywhere("the end and the den", 40);
	}
}

/* The id after the one that the reply has there, which is no end and no part of a character. */
static int32_t other_than(int32_t id)
{
	return id + 1;
}

/* Begins after `cut` tokens of `whole` with another token; in one turn, or in two, so that it is evaluated as a part
 * of the reply. */
static void branch(struct message *messages, const struct told *whole, size_t cut, int32_t n, bool at_once,
                   struct told *out)
{
	told_init(out);
	cr_assert_eq(ask(messages, 1, (int32_t)cut, false, out), STATUS_OK, "%s", err.text);
	first = other_than(whole->ids[cut]);
	cr_assert_eq(ask(messages, 1, at_once ? n : 1, true, out), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.stats.n_evaluated, 1, "nothing else again");
	cr_assert_eq(out->ids[cut], first);
	first = TOKEN_NONE;
	if (at_once)
		return;
	load(0); /* nothing is in the cache */
	cr_assert_eq(ask(messages, 1, n - 1, true, out), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.stats.n_cached, 0);
}

Test(continued, another_token_goes_on_as_if_it_had_been_sampled)
{
	struct message messages[2] = {message(ROLE_USER, "the end and the den")};
	struct told whole, once, twice;

	save_tiny(TINY_BPE);
	load(0);
	told_init(&whole);
	cr_assert_eq(ask(messages, 1, 40, false, &whole), STATUS_OK, "%s", err.text);
	for (size_t cut = 1; cut + 1 < whole.n_ids; cut++) {
		branch(messages, &whole, cut, 10, true, &once);
		branch(messages, &whole, cut, 10, false, &twice);
		assert_same(&once, &twice, cut);
		told_free(&once);
		told_free(&twice);
	}
	told_free(&whole);
}

/* The reply that was told is gone through once more: the same is told, with the same candidates. */
static void examine(struct message *messages, const struct told *whole, struct told *out)
{
	struct told again;

	told_init(out);
	told_init(&again);
	again.n_ids = whole->n_ids;
	again.n_reasoning_ids = whole->n_reasoning_ids;
	memcpy(again.ids, whole->ids, sizeof again.ids);
	buf_append(&again.text, buf_text((struct buf *)&whole->text), whole->text.len);
	buf_append(&again.reasoning, buf_text((struct buf *)&whole->reasoning), whole->reasoning.len);
	mode = BACKEND_EXAMINE;
	messages[1] = (struct message){.role = ROLE_ASSISTANT, .text = buf_text(&again.text), .len = again.text.len,
	                               .ids = again.ids, .n_ids = again.n_ids, .reasoning = buf_text(&again.reasoning),
	                               .reasoning_len = again.reasoning.len, .n_reasoning_ids = again.n_reasoning_ids};
	cr_assert_eq(ask_as_it_is(messages, 2, out), STATUS_OK, "%s", err.text);
	mode = BACKEND_REPLY;
	told_free(&again);
}

Test(continued, a_reply_is_examined)
{
	struct message messages[3] = {message(ROLE_USER, "the end and the den")};
	static struct told whole, again;

	save_tiny(TINY_BPE);
	load(0);
	told_init(&whole);
	cr_assert_eq(ask(messages, 1, 70, false, &whole), STATUS_OK, "%s", err.text);
	load(0); /* nothing is in the cache */
	examine(messages, &whole, &again);
	assert_same(&again, &whole, 0);
	for (size_t i = 0; i < whole.n_ids; i++) {
		cr_assert_eq(again.candidates[i].n, whole.candidates[i].n);
		cr_assert_eq(memcmp(&again.candidates[i].first, &whole.candidates[i].first, sizeof again.candidates[i].first), 0,
		             "token %zu", i);
		cr_assert_eq(again.candidates[i].probability, whole.candidates[i].probability, "token %zu", i);
	}
	cr_expect_eq(result.reason, DONE_END);
	told_free(&whole);
	told_free(&again);
}

Test(continued, a_token_of_another_vocabulary_is_refused)
{
	struct message messages[2] = {message(ROLE_USER, "the hen")};
	struct told told;

	save_tiny(TINY_BPE);
	load(0);
	told_init(&told);
	first = 1 << 20;
	cr_expect_eq(ask(messages, 1, 4, false, &told), STATUS_USAGE);
	cr_expect(strstr(err.text, "load the model that made the reply"), "%s", err.text);
	told_free(&told);
}

/* Within the thoughts, within a header between two channels, within the answer. */
Test(continued, so_does_one_in_channels)
{
	static const char *const asked[] = {"Hi", "Hi!", "Hi@"};

	cr_assert_eq(harmony_model_save(path, &err), STATUS_OK, "%s", err.text);
	load(0);
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		cut_everywhere(asked[i], 40);
}

/* ---- branches: the beginning of a reply as far as its tokens had completed it, and another token ---- */

static const char thinking_template[] =
	"{% for m in messages %}<{{ m.role }}>"
	"{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}"
	"{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

static void save_thinking(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;

	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 256;
	w = tiny_model_writer(&tiny);
	gguf_writer_set_string(w, "tokenizer.chat_template", thinking_template, strlen(thinking_template));
	cr_assert_eq(gguf_writer_save(w, path, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
}

/* A reply whose tokens are bytes, mostly, told token by token. */
struct spelled {
	struct buf text, reasoning;
	struct token_list ids;
	size_t text_before[IDS_MAX], reasoning_before[IDS_MAX]; /* bytes of each before a token */
	size_t n;
};

static enum status take_spelled(void *ctx, const struct event *event, struct error *error)
{
	struct spelled *spelled = ctx;
	const struct token *token = &event->u.token;

	(void)error;
	if (event->kind != EVENT_TOKEN)
		return STATUS_OK;
	if (!token->rest) {
		spelled->text_before[spelled->n] = spelled->text.len;
		spelled->reasoning_before[spelled->n++] = spelled->reasoning.len;
	}
	buf_append(token->reasoning ? &spelled->reasoning : &spelled->text, token->bytes, token->len);
	return STATUS_OK;
}

/* All of `text` as a reply. */
static void spell(struct spelled *spelled, const char *text, const char *reasoning, const char *answer)
{
	const struct engine *engine = (const struct engine *)backend;
	const struct backend_host host = {
		.ctx = spelled, .cancelled = host_cancelled, .params = host_params, .event = take_spelled};
	struct message messages[] = {message(ROLE_USER, "hi"), message(ROLE_ASSISTANT, answer)};

	buf_init(&spelled->text, MIB(1));
	buf_init(&spelled->reasoning, MIB(1));
	spelled->ids = (struct token_list){0};
	spelled->n = 0;
	cr_assert_eq(tokenizer_encode(engine->tokenizer, text, strlen(text), ENCODE_CONTINUE, &spelled->ids, &err), STATUS_OK);
	messages[1].ids = spelled->ids.ids;
	messages[1].n_ids = spelled->ids.n;
	messages[1].reasoning = reasoning;
	messages[1].reasoning_len = strlen(reasoning);
	messages[1].n_reasoning_ids = 1;
	cr_assert_eq(backend_run(backend, &(struct turn){.messages = messages, .n_messages = 2}, BACKEND_EXAMINE, &host,
	                         &result, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(spelled->n, spelled->ids.n, "%zu tokens, not %zu", spelled->n, spelled->ids.n);
	cr_assert_str_eq(buf_text(&spelled->reasoning), reasoning);
	cr_assert_str_eq(buf_text(&spelled->text), answer);
}

/* Into "what is thought|answer". */
static void divide(struct buf *out, const char *text)
{
	const char *open = "<think>", *close, *end;

	if (strncmp(text, open, strlen(open)) != 0) {
		buf_printf(out, "|%s", text);
		return;
	}
	text += strlen(open);
	text += strspn(text, "\n");
	close = strstr(text, "</think>");
	for (end = close ? close : text + strlen(text); end > text && end[-1] == '\n';)
		end--;
	buf_append(out, text, (size_t)(end - text));
	close = close ? close + strlen("</think>") : "";
	buf_printf(out, "|%s", close + strspn(close, "\n"));
}

/* Goes on at token k with a letter. */
static void branch_at(const struct spelled *spelled, size_t k, uint32_t n_prompt)
{
	const struct engine *engine = (const struct engine *)backend;
	struct message messages[] = {message(ROLE_USER, "hi"), message(ROLE_ASSISTANT, buf_text(&spelled->text))};
	struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = 1, .continued = true, .has_first = true};
	struct told told;
	const struct backend_host host = {
		.ctx = &told, .cancelled = host_cancelled, .params = host_params, .event = host_event};
	struct token_list letter = {0};
	struct buf all = {.max = MIB(1)}, whole = {.max = MIB(1)}, parts = {.max = MIB(1)};

	cr_assert_eq(tokenizer_encode(engine->tokenizer, "x", 1, ENCODE_CONTINUE, &letter, &err), STATUS_OK);
	turn.first = letter.ids[0];
	messages[1].len = spelled->text_before[k];
	messages[1].ids = spelled->ids.ids;
	messages[1].n_ids = k;
	messages[1].reasoning = buf_text(&spelled->reasoning);
	messages[1].reasoning_len = spelled->reasoning_before[k];
	messages[1].n_reasoning_ids = 1;
	told_init(&told);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &host, &result, &err), STATUS_OK, "at %zu: %s", k,
	             err.text);
	cr_assert_eq(result.stats.n_prompt, n_prompt + k, "at %zu: %u tokens of prompt, not %u", k, result.stats.n_prompt,
	             n_prompt + (uint32_t)k);
	cr_assert_eq(told.n_ids, 1, "at %zu: %zu tokens", k, told.n_ids);
	/* What the reply had and what was told are together what the tokens spell. */
	buf_append(&all, spelled->reasoning.data, spelled->reasoning_before[k]);
	buf_printf(&all, "%s|", buf_text(&told.reasoning));
	buf_append(&all, buf_text(&spelled->text), spelled->text_before[k]);
	buf_append(&all, buf_text(&told.text), told.text.len);
	for (size_t i = 0; i < k; i++)
		cr_assert_eq(tokenizer_piece(engine->tokenizer, spelled->ids.ids[i], &whole), STATUS_OK);
	buf_append(&whole, "x", 1);
	divide(&parts, buf_text(&whole));
	cr_assert_str_eq(buf_text(&all), buf_text(&parts), "at %zu: %s, not %s", k, buf_text(&all), buf_text(&parts));
	buf_free(&parts);
	buf_free(&all);
	buf_free(&whole);
	token_list_free(&letter);
	told_free(&told);
}

Test(continued, at_any_token_of_what_was_thought)
{
	struct spelled spelled;
	uint32_t n_prompt;

	save_thinking();
	load(0);
	spell(&spelled, "<think>\nhm\n\nwell\n\n</think>\n\nyes <b", "hm\n\nwell", "yes <b");
	n_prompt = result.stats.n_prompt;
	for (size_t k = 1; k < spelled.n; k++)
		branch_at(&spelled, k, n_prompt);
	token_list_free(&spelled.ids);
	buf_free(&spelled.text);
	buf_free(&spelled.reasoning);
}

Test(continued, a_reply_without_its_tokens_goes_on_by_its_text)
{
	struct message messages[2] = {message(ROLE_USER, "the hen")};
	struct told told;

	save_tiny(TINY_SPM);
	load(0);
	told_init(&told);
	buf_puts(&told.text, "and the end");
	cr_assert_eq(ask(messages, 1, 4, true, &told), STATUS_OK, "%s", err.text);
	cr_assert_eq(told.n_ids, 4);
	cr_assert_eq(strncmp(buf_text(&told.text), "and the end", 11), 0);
	told_free(&told);
	/* So does one whose tokens are another vocabulary's. */
	told_init(&told);
	buf_puts(&told.text, "and the end");
	told.ids[0] = 1 << 20;
	told.ids[1] = 2; /* ends a reply */
	told.n_ids = 2;
	cr_assert_eq(ask(messages, 1, 4, true, &told), STATUS_OK, "%s", err.text);
	cr_assert_eq(told.n_ids, 6);
	told_free(&told);
	/* But not a thought alone. */
	told_init(&told);
	buf_puts(&told.reasoning, "hm");
	cr_assert_eq(ask(messages, 1, 4, true, &told), STATUS_USAGE);
	cr_assert(strstr(err.text, "cannot go on"), "%s", err.text);
	told_free(&told);
	/* Nor one that follows nothing. */
	told_init(&told);
	buf_puts(&told.text, "and the end");
	cr_assert_eq(ask(messages, 0, 4, true, &told), STATUS_USAGE, "%s", err.text);
	told_free(&told);
}

/* Where the context was full, the oldest turns are left out, and the reply goes on. */
Test(continued, a_full_context_makes_room)
{
	struct message messages[4] = {message(ROLE_USER, "the hen and the end and the den"),
	                              message(ROLE_ASSISTANT, "in the end"), message(ROLE_USER, "and")};
	struct told told;
	size_t n;

	save_tiny(TINY_BPE);
	load(96);
	sampler.temp = 1;
	for (sampler.seed = 0; sampler.seed < 100; sampler.seed++) {
		told_init(&told);
		cr_assert_eq(ask(messages, 3, -1, false, &told), STATUS_OK, "%s", err.text);
		if (result.reason == DONE_CONTEXT)
			break;
		told_free(&told);
	}
	cr_assert_eq(result.reason, DONE_CONTEXT);
	n = told.n_ids;
	cr_assert_eq(ask(messages, 3, 3, true, &told), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.stats.n_dropped, 2);
	cr_assert_gt(told.n_ids, n);
	told_free(&told);
}
