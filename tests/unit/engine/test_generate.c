/* Turns of the real engine with a tiny model of random weights, which always says the same
 * nonsense. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "support/family_model.h"
#include "support/harmony_model.h"
#include "support/tiny_model.h"

enum { IDS_MAX = 4096 };

/* A host that records what it is told. */
struct record {
	struct sampler_params sampler;
	struct buf text;
	int32_t ids[IDS_MAX];
	size_t n_ids;
	size_t n_prefill;
	uint32_t last_done, last_total;
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	size_t n_candidates;
	char note[512];
	size_t n_notes, n_reasoning;
	struct buf reasoning, asides; /* "<recipient>text" */
	/* What to do during the turn. */
	size_t cancel_at_poll, n_polls;   /* 0 = never */
	size_t truncate_at_token;         /* 0 = never */
	off_t truncate_to;
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct model_info info;
static struct record record;
static struct backend_result result;
static struct error err;

static bool host_cancelled(void *ctx)
{
	struct record *r = ctx;

	return r->cancel_at_poll && ++r->n_polls >= r->cancel_at_poll;
}

static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)n;
	*out = ((struct record *)ctx)->sampler;
}

static void take_progress(struct record *r, uint32_t done, uint32_t total, uint32_t cached)
{
	cr_assert(cached <= done && done <= total, "%u %u %u", cached, done, total);
	cr_assert(r->n_prefill == 0 || done >= r->last_done);
	r->n_prefill++;
	r->last_done = done;
	r->last_total = total;
}

static void take_token(struct record *r, const struct token *token)
{
	cr_assert_lt(r->n_ids, IDS_MAX);
	cr_assert(utf8_valid(token->bytes, token->len));
	cr_assert(token->n_generated >= r->n_ids + !token->rest, "each counts");
	if (!token->rest) {
		r->n_reasoning += token->reasoning;
		r->ids[r->n_ids++] = token->id;
	}
	buf_append(token->reasoning ? &r->reasoning : &r->text, token->bytes, token->len);
	r->n_candidates = token->n_candidates;
	if (token->n_candidates)
		memcpy(r->candidates, token->candidates,
		       token->n_candidates * sizeof *token->candidates);
	if (!token->rest && r->n_ids == r->truncate_at_token)
		cr_assert_eq(truncate(path, r->truncate_to), 0);
}

static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	struct record *r = ctx;

	(void)error;
	switch (event->kind) {
	case EVENT_LOADING:
		cr_assert(event->u.loading >= 0 && event->u.loading <= 1);
		break;
	case EVENT_PREFILLING:
		take_progress(r, event->u.prefilling.done, event->u.prefilling.total,
		              event->u.prefilling.cached);
		break;
	case EVENT_NOTE:
		snprintf(r->note, sizeof r->note, "%s", event->u.note);
		r->n_notes++;
		break;
	case EVENT_ASIDE:
		buf_printf(&r->asides, "<%s>%s", event->u.aside.recipient, event->u.aside.text);
		break;
	case EVENT_TOKEN: take_token(r, &event->u.token); break;
	default: break;
	}
	return STATUS_OK;
}

static const struct backend_host host = {
	.ctx = &record, .cancelled = host_cancelled, .params = host_params, .event = host_event};

static void init(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	buf_init(&record.text, MIB(1));
	buf_init(&record.reasoning, MIB(1));
	buf_init(&record.asides, MIB(1));
	record.sampler = sampler_params_default();
	record.sampler.temp = 0;
}

static void fini(void)
{
	backend_close(backend);
	buf_free(&record.text);
	buf_free(&record.reasoning);
	buf_free(&record.asides);
	unlink(path);
	rmdir(dir);
}

TestSuite(generate, .init = init, .fini = fini, .timeout = 600);

static void save_model(enum tiny_vocab vocab, uint32_t n_ctx)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.vocab = vocab;
	tiny.n_ctx = n_ctx;
	cr_assert_eq(tiny_model_save(&tiny, path, &err), STATUS_OK, "%s", err.text);
}

static void save_with_template(const char *template)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;

	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 512;
	w = tiny_model_writer(&tiny);
	gguf_writer_set_string(w, "tokenizer.chat_template", template, strlen(template));
	cr_assert_eq(gguf_writer_save(w, path, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
}

static void save_family(const char *name, const char *template)
{
	struct family_model made = family_model_of(name);
	struct family_file family;

	made.vocabulary = FAMILY_ALL_BYTES;
	made.sizes.n_ctx = 1024;
	family_file_init(&family, &made);
	gguf_writer_set_string(family.w, "tokenizer.chat_template", template, strlen(template));
	cr_assert_eq(gguf_writer_save(family.w, path, &err), STATUS_OK, "%s", err.text);
	family_file_free(&family);
}

static void load(int32_t n_ctx, int32_t n_batch, int32_t n_threads, bool kv_cache)
{
	struct engine_params params = engine_params_default();

	backend_close(backend);
	backend = NULL;
	params.model = path;
	params.n_ctx = n_ctx;
	params.n_batch = n_batch;
	params.n_threads = n_threads;
	params.kv_cache = kv_cache;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
}

static void load_tiny(enum tiny_vocab vocab, uint32_t n_ctx, int32_t n_batch)
{
	save_model(vocab, n_ctx);
	load(0, n_batch, 1, true);
}

static struct message message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

/* Forgets what was recorded of the turn before. */
static enum status run_turn(const struct turn *turn, enum backend_mode mode)
{
	buf_clear(&record.text);
	buf_clear(&record.reasoning);
	buf_clear(&record.asides);
	record.n_ids = record.n_prefill = record.n_polls = record.n_reasoning = 0;
	return backend_run(backend, turn, mode, &host, &result, &err);
}

static void reply_to(const struct turn *turn)
{
	cr_assert_eq(run_turn(turn, BACKEND_REPLY), STATUS_OK, "%s", err.text);
}

static enum status run(const struct message *messages, size_t n, int32_t n_predict,
                       bool raw, enum backend_mode mode)
{
	struct turn turn = {.messages = messages, .n_messages = n, .raw = raw,
	                    .n_predict = n_predict, .n_candidates = 5};

	return run_turn(&turn, mode);
}

static void reply(const struct message *messages, size_t n, int32_t n_predict)
{
	cr_assert_eq(run(messages, n, n_predict, false, BACKEND_REPLY), STATUS_OK, "%s", err.text);
}

Test(generate, describes_the_model)
{
	load_tiny(TINY_SPM, 128, 64);
	cr_assert_eq(info.n_ctx, 128);
	cr_assert_str_eq(info.name, "tiny");
	cr_assert_str_eq(info.template_name, "plain");
}

Test(generate, knows_the_guide_in_any_type)
{
	struct tiny_model tiny = tiny_model_smallest(TINY_SPM);

	tiny.guide = true;
	cr_assert_eq(tiny_model_save(&tiny, path, &err), STATUS_OK, "%s", err.text);
	load(0, 64, 1, true);
	cr_assert(info.capabilities & CAPABILITY_HELP);
	load_tiny(TINY_SPM, 128, 64);
	cr_assert(!(info.capabilities & CAPABILITY_HELP));
}

Test(generate, says_the_same_however_it_computes)
{
	static const struct {
		int32_t n_batch, n_threads;
		bool kv_cache;
	} ways[] = {{64, 1, true}, {1, 1, true}, {3, 2, true}, {7, 4, true}, {64, 2, false}};
	struct message messages[] = {message(ROLE_USER, "the end and the hen in the den")};
	char *first = NULL;

	save_model(TINY_SPM, 256);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		load(0, ways[i].n_batch, ways[i].n_threads, ways[i].kv_cache);
		reply(messages, 1, 60);
		cr_assert(result.reason == DONE_LENGTH || result.reason == DONE_END);
		cr_assert_gt(record.n_ids, 5);
		if (!first)
			first = alloc_strndup(buf_text(&record.text), record.text.len);
		cr_assert_str_eq(buf_text(&record.text), first, "way %zu", i);
	}
	free(first);
}

/* Replies to which the answers are known: whatever the model would say, however it is sampled, it is
 * one of them, to the end of it or to the maximum length. */
Test(generate, says_one_of_the_answers_word_for_word)
{
	static const struct {
		const char *answers[3];
		size_t n;
		int32_t n_predict;
		const char *begun; /* of a reply that is continued */
	} rows[] = {
		{{"The hen sits in the den."}, 1, -1, NULL},
		{{"the hen", "the den", "a \xC3\xA9 \xF0\x9F\x98\x80"}, 3, -1, NULL},
		{{"the hen", "the hen in the den"}, 2, -1, NULL}, /* one begins the other */
		{{" sits in the den."}, 1, -1, "The hen"},
		{{"the end of it"}, 1, 2, NULL},
		{{""}, 1, -1, NULL},
	};

	load_tiny(TINY_BPE, 256, 64);
	for (size_t i = 0; i < 8 * sizeof rows / sizeof rows[0]; i++) {
		const size_t row = i / 8;
		const char *begun = rows[row].begun;
		struct message messages[] = {message(ROLE_USER, "so?"), message(ROLE_ASSISTANT, begun ? begun : "")};
		struct turn turn = {.messages = messages, .n_messages = begun ? 2 : 1, .continued = begun,
		                    .answers = rows[row].answers, .n_answers = rows[row].n,
		                    .n_predict = rows[row].n_predict, .n_candidates = 5};
		bool found = false;

		record.sampler.temp = (float)(i % 4);
		record.sampler.seed = (int64_t)i;
		record.sampler.min_p = i % 8 < 4 ? 0 : 0.9F;
		reply_to(&turn);
		for (size_t j = 0; j < rows[row].n; j++)
			found |= rows[row].n_predict < 0
			                 ? strcmp(buf_text(&record.text), rows[row].answers[j]) == 0
			                 : strncmp(buf_text(&record.text), rows[row].answers[j], record.text.len) == 0;
		cr_expect(found, "row %zu: %s", row, buf_text(&record.text));
		cr_expect_eq(result.reason, rows[row].n_predict < 0 ? DONE_END : DONE_LENGTH);
		cr_expect_leq(result.stats.n_generated, (uint32_t)rows[row].n_predict);
	}
}

/* The reply to what repeats itself, with these breakers. */
static enum status reply_dry(const char *breakers)
{
	struct message messages[] = {message(ROLE_USER, "abcabcabcabcabc")};
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 24,
	                    .dry_breakers = breakers};

	return run_turn(&turn, BACKEND_REPLY);
}

/* A reply of a tiny model soon goes round in circles, at temperature 0. */
Test(generate, dry_ends_repetitions_but_at_breakers)
{
	int32_t plain[IDS_MAX], dry[IDS_MAX];

	load_tiny(TINY_BPE, 128, 64);
	record.sampler.temp = 0;
	cr_assert_eq(reply_dry("''"), STATUS_OK, "not asked for them");
	memcpy(plain, record.ids, sizeof plain);
	record.sampler.dry_multiplier = 5;
	record.sampler.dry_base = 4;
	record.sampler.dry_penalty_last_n = -1;
	cr_assert_eq(reply_dry("none"), STATUS_OK, "%s", err.text);
	memcpy(dry, record.ids, sizeof dry);
	cr_expect_neq(memcmp(plain, dry, 24 * sizeof *dry), 0, "nothing was repeated");
	for (size_t i = 0; i + 8 < record.n_ids; i++) /* no four tokens twice */
		for (size_t j = i + 1; j + 4 <= record.n_ids; j++)
			cr_expect_neq(memcmp(dry + i, dry + j, 4 * sizeof *dry), 0, "%zu %zu", i, j);
	cr_expect_eq(reply_dry("''"), STATUS_USAGE);
	cr_assert_eq(reply_dry("none"), STATUS_OK, "%s", err.text);
	cr_expect_eq(memcmp(record.ids, dry, 24 * sizeof *dry), 0);
	/* where letters are breakers, many more repetitions are free */
	cr_assert_eq(reply_dry("a b c d e f g h i j k l m n o p q r s t u v w x y z ' ' "
	                       "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z \\n"), STATUS_OK,
	             "%s", err.text);
	cr_expect_neq(memcmp(record.ids, dry, 24 * sizeof *dry), 0);
}

Test(generate, a_second_turn_evaluates_only_what_is_new)
{
	struct message messages[3] = {message(ROLE_USER, "the hen")};
	int32_t ids[IDS_MAX];
	struct buf text = {.max = MIB(1)};
	uint32_t used;

	load_tiny(TINY_BPE, 512, 64);
	record.sampler.temp = 1;
	record.sampler.seed = 4;
	reply(messages, 1, 40);
	cr_assert_eq(result.stats.n_cached, 0);
	cr_assert_eq(result.stats.n_evaluated, result.stats.n_prompt);
	cr_assert_eq(record.last_done, result.stats.n_prompt);
	used = result.stats.n_ctx_used;
	memcpy(ids, record.ids, record.n_ids * sizeof *ids);
	buf_append(&text, buf_text(&record.text), record.text.len);
	messages[1] = message(ROLE_ASSISTANT, buf_text(&text));
	messages[1].ids = ids;
	messages[1].n_ids = record.n_ids;
	messages[2] = message(ROLE_USER, "and then?");
	reply(messages, 3, 5);
	/* Random bytes are rarely valid UTF-8: ids can be reused up to the first that was
	 * repaired. The prompt itself is always still in the cache. */
	cr_assert_geq(result.stats.n_cached, used - 40);
	cr_assert_eq(result.stats.n_cached + result.stats.n_evaluated, result.stats.n_prompt);
	/* The same again: all but the last token are in the cache. */
	reply(messages, 3, 5);
	cr_assert_eq(result.stats.n_evaluated, 1);
	buf_free(&text);
}

Test(generate, without_a_cache_nothing_is_called_cached)
{
	struct message messages[] = {message(ROLE_USER, "the hen and the end")};

	save_model(TINY_SPM, 256);
	load(0, 8, 1, false);
	for (int i = 0; i < 2; i++) {
		reply(messages, 1, 3); /* the progress stays within the total */
		cr_assert_eq(result.stats.n_cached, 0);
		cr_assert_eq(result.stats.n_evaluated, result.stats.n_prompt);
	}
}

Test(generate, warming_up_leaves_one_token_to_evaluate)
{
	struct message messages[] = {message(ROLE_USER, "the hen and the end")};

	load_tiny(TINY_SPM, 256, 8);
	cr_assert_eq(run(messages, 1, -1, false, BACKEND_WARM), STATUS_OK);
	cr_assert_eq(record.n_ids, 0);
	cr_assert_gt(record.n_prefill, 2);
	reply(messages, 1, 3);
	cr_assert_eq(result.stats.n_evaluated, 1);
	cr_assert_eq(record.n_ids, 3);
}

/* Turns of a chat: asked again, edited, and with other system messages. */
Test(generate, only_what_differs_is_evaluated)
{
	struct message messages[] = {
		message(ROLE_SYSTEM, "in the den"), message(ROLE_USER, "the hen and the end"),
		message(ROLE_ASSISTANT, "the end"), message(ROLE_USER, "and then?")};
	uint32_t first, all;

	load_tiny(TINY_SPM, 256, 16);
	reply(messages, 2, 1);
	first = result.stats.n_prompt;
	cr_assert_eq(result.stats.n_evaluated, first);
	reply(messages, 2, 1); /* asked again */
	cr_assert_eq(result.stats.n_evaluated, 1);
	reply(messages, 4, 1); /* a new turn */
	all = result.stats.n_prompt;
	cr_assert_geq(result.stats.n_cached, first);
	messages[3].text = "and them?"; /* the last message edited */
	reply(messages, 4, 1);
	cr_assert_gt(result.stats.n_cached, first);
	cr_assert_lt(result.stats.n_evaluated, all - first);
	messages[0].text = "at the den"; /* another system message: only what precedes it is kept */
	reply(messages, 4, 1);
	cr_assert_lt(result.stats.n_cached, 5);
	messages[0].text = "in the den"; /* and back: there is one timeline */
	reply(messages, 4, 1);
	cr_assert_lt(result.stats.n_cached, 5);
	/* A prompt that cannot be rendered leaves the cache as it is. */
	messages[3].len = 0;
	cr_assert_eq(run(messages, 0, 1, false, BACKEND_REPLY), STATUS_USAGE);
	messages[3].len = strlen(messages[3].text);
	reply(messages, 4, 1);
	cr_assert_eq(result.stats.n_evaluated, 1);
}

/* Recurrent models can only go back to states they have kept: there must be some where the
 * next turn, another reply and an edited message begin, even if the template opens the
 * reasoning and leaves it out later, or closes it for a reply without any. */
Test(generate, recurrent_models_go_on_where_conversations_part)
{
	static const char template[] =
		"{% for m in messages %}[{{ m.role }}]{{ m.content }}[/]{% endfor %}[assistant]"
		"{% if enable_thinking is defined and not enable_thinking %}<think></think>"
		"{% else %}<think>\n{% endif %}";
	struct message messages[] = {
		message(ROLE_USER, "the hen and the end"), message(ROLE_ASSISTANT, "the end"),
		message(ROLE_USER, "and then the hen went to the den")};
	static const char *const names[] = {"qwen35", "granitehybrid", "lfm2"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		uint32_t first, all, before_last;

		save_family(names[i], template);
		load(0, 64, 1, true);
		for (int mode = 0; mode < REASONING_COUNT; mode++) {
			struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 8,
			                    .reasoning = {.mode = (enum reasoning_mode)mode}};

			messages[0].text = mode == REASONING_OFF ? "The hen and the end" : "the hen and the end";
			messages[2].text = "and then the hen went to the den";
			reply_to(&turn);
			first = result.stats.n_prompt;
			turn.n_messages = 3;
			reply_to(&turn);
			all = result.stats.n_prompt;
			/* all but what opens or closes the reasoning, and one token */
			cr_expect_geq(result.stats.n_cached + strlen("<think></think>") + 1, first, "%s, mode %d: %u",
			              names[i], mode, result.stats.n_cached);
			reply_to(&turn);
			cr_expect_leq(result.stats.n_evaluated, strlen("<think></think>") + 1,
			              "%s, mode %d: another reply", names[i], mode);
			before_last = all - first + (uint32_t)messages[0].len - (uint32_t)messages[2].len;
			messages[2].text = "And then the hen went to the den";
			reply_to(&turn);
			cr_expect_geq(result.stats.n_cached + 16, before_last, "%s, mode %d: edited: %u of %u", names[i],
			              mode, result.stats.n_cached, before_last);
		}
	}
}

/* When the context is full, most turns still find the previous one in the cache. */
Test(generate, a_full_context_is_not_evaluated_anew_every_turn)
{
	enum { TURNS = 60 };
	struct message messages[2 * TURNS];
	unsigned n_full = 0, n_anew = 0;
	uint32_t before = 0;

	load_tiny(TINY_SPM, 256, 16);
	for (size_t i = 0; i < TURNS; i++) {
		messages[2 * i] = message(ROLE_USER, "the hen");
		messages[2 * i + 1] = message(ROLE_ASSISTANT, "the end");
		reply(messages, 2 * i + 1, 1);
		if (result.stats.n_dropped) {
			n_full++;
			n_anew += result.stats.n_cached < before;
		} else {
			cr_assert_geq(result.stats.n_cached, before);
		}
		before = result.stats.n_prompt;
	}
	cr_assert_gt(n_full, TURNS / 2);
	cr_assert_gt(n_anew, 0);
	cr_assert_leq(2 * n_anew, n_full, "%u of %u", n_anew, n_full);
}

/* The finished part of a cancelled prompt is not evaluated again. */
Test(generate, a_cancelled_prompt_is_taken_up_where_it_stopped)
{
	struct message messages[] = {message(ROLE_USER, "the hen and the end and the den")};
	uint32_t finished = 0, n_prompt;

	load_tiny(TINY_SPM, 256, 4);
	for (record.cancel_at_poll = 2; finished < 8; record.cancel_at_poll += 5) {
		uint32_t evaluated;

		cr_assert_eq(run(messages, 1, 3, false, BACKEND_REPLY), STATUS_OK);
		cr_assert_eq(result.reason, DONE_CANCELLED);
		cr_assert_eq(result.stats.n_cached, finished);
		evaluated = result.stats.n_evaluated;
		cr_assert_eq(evaluated % 4, 0, "whole micro-batches, not those that were planned");
		finished += evaluated;
		cr_assert_eq(result.stats.n_ctx_used, finished);
	}
	record.cancel_at_poll = 0;
	reply(messages, 1, 3);
	n_prompt = result.stats.n_prompt;
	cr_assert_eq(result.stats.n_cached, finished);
	cr_assert_eq(result.stats.n_evaluated, n_prompt - finished);
}

Test(generate, seeds_repeat_and_differ)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	char first[4096];

	load_tiny(TINY_BPE, 256, 64);
	record.sampler.temp = 1.5f;
	record.sampler.seed = 7;
	reply(messages, 1, 30);
	snprintf(first, sizeof first, "%s", buf_text(&record.text));
	reply(messages, 1, 30);
	cr_assert_str_eq(buf_text(&record.text), first);
	record.sampler.seed = 8;
	reply(messages, 1, 30);
	cr_assert_str_neq(buf_text(&record.text), first);
}

Test(generate, a_full_context_ends_the_reply_and_the_next_turn_drops_the_oldest)
{
	struct message messages[] = {
		message(ROLE_USER, "the hen"), message(ROLE_ASSISTANT, "in the end, in the end"),
		message(ROLE_USER, "and"),     message(ROLE_ASSISTANT, "the end"),
		message(ROLE_USER, "then"),
	};

	save_model(TINY_BPE, 128);
	load(64, 16, 1, true);
	cr_assert_eq(info.n_ctx, 64);
	record.sampler.temp = 1;
	record.sampler.seed = 0;
	do /* most of these nonsense replies do not end by themselves */
		reply(messages, 1, -1);
	while (result.reason == DONE_END && ++record.sampler.seed < 100);
	cr_assert_eq(result.reason, DONE_CONTEXT, "%d", (int)result.reason);
	cr_assert_eq(result.stats.n_ctx_used, 64);
	reply(messages, 5, 3);
	cr_assert_geq(result.stats.n_dropped, 2);
	cr_assert_lt(result.stats.n_prompt, 64);
	cr_assert_eq(record.n_ids, 3);
}

Test(generate, a_prompt_that_cannot_fit_is_an_error)
{
	char text[2000];
	struct message messages[] = {message(ROLE_USER, text)};

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	messages[0].len = sizeof text - 1;
	load_tiny(TINY_SPM, 256, 64);
	cr_assert_eq(run(messages, 1, -1, false, BACKEND_REPLY), STATUS_CONTEXT);
	cr_assert_eq(run(messages, 1, -1, true, BACKEND_REPLY), STATUS_CONTEXT);
	messages[0] = message(ROLE_USER, "hen");
	reply(messages, 1, 2);
	cr_assert_eq(record.n_ids, 2, "and the next turn is well");
}

Test(generate, raw_text_is_continued_as_it_is)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};

	load_tiny(TINY_SPM, 256, 64);
	cr_assert_eq(run(messages, 1, 4, true, BACKEND_REPLY), STATUS_OK);
	/* BOS, and "the hen" with its blank, without User: and Assistant:. */
	cr_assert_leq(result.stats.n_prompt, 9);
	cr_assert_eq(record.n_ids, 4);
	cr_assert_eq(run(messages, 1, 0, true, BACKEND_REPLY), STATUS_OK);
	cr_assert_eq(result.reason, DONE_LENGTH);
	cr_assert_eq(record.n_ids, 0);
}

Test(generate, cancels_wherever_it_is_and_goes_on_from_there)
{
	struct message messages[] = {
		message(ROLE_USER, "the hen and the end and the den and the hen in the end")};
	char expected[4096];

	load_tiny(TINY_SPM, 256, 4);
	reply(messages, 1, 20);
	snprintf(expected, sizeof expected, "%s", buf_text(&record.text));
	for (size_t poll = 1; poll < 60; poll += 3) {
		load(0, 4, 1, true);
		record.cancel_at_poll = poll;
		/* Loading polls too, but it is over by now. */
		cr_assert_eq(run(messages, 1, 20, false, BACKEND_REPLY), STATUS_OK);
		cr_assert(result.reason == DONE_CANCELLED || result.reason == DONE_LENGTH ||
		          result.reason == DONE_END);
		cr_assert_eq(strncmp(expected, buf_text(&record.text), record.text.len), 0);
		record.cancel_at_poll = 0;
		reply(messages, 1, 20);
		cr_assert_str_eq(buf_text(&record.text), expected, "after poll %zu", poll);
	}
}

Test(generate, reports_candidates_in_order)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	float chosen = 0;

	load_tiny(TINY_SPM, 256, 64);
	record.sampler.temp = 1;
	record.sampler.seed = 1;
	reply(messages, 1, 1);
	cr_assert_eq(record.n_candidates, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct token_candidate *c = &record.candidates[i];

		cr_assert(i == 0 || c->logit <= c[-1].logit);
		cr_assert(c->probability > 0 && c->probability < 1);
		cr_assert_gt(c->len, 0, "something to show");
		chosen += c->chosen_p;
	}
	cr_assert(chosen > 0 && chosen <= 1.0001f);
}

Test(generate, inspects_without_changing_anything)
{
	struct message messages[] = {message(ROLE_SYSTEM, "the den"),
	                             message(ROLE_USER, "the hen")};
	struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = -1};
	struct message_count counts[2];
	struct inspection inspection = {.messages = counts};

	load_tiny(TINY_SPM, 256, 64);
	cr_assert_eq(backend_inspect(backend, &turn, &host, &inspection, &err), STATUS_OK);
	cr_assert_eq(inspection.cached, 0);
	reply(messages, 2, 5);
	cr_assert_eq(backend_inspect(backend, &turn, &host, &inspection, &err), STATUS_OK);
	cr_assert_eq(inspection.total, result.stats.n_prompt);
	cr_assert_eq(inspection.cached, inspection.total);
	cr_assert_eq(counts[0].tokens + counts[1].tokens, inspection.total);
	cr_assert(counts[0].markup < counts[0].tokens && counts[1].markup < counts[1].tokens);
	cr_assert(!counts[0].left_out && !counts[1].left_out);
	cr_assert_eq(inspection.n_ctx, 256);
	cr_assert_eq(inspection.reserve, 64);
}

Test(generate, a_file_cut_short_in_mid_reply_ends_the_turn)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};

	save_model(TINY_BPE, 512);
	load(0, 64, 2, true);
	record.sampler.temp = 1;
	record.sampler.seed = 2;
	record.truncate_at_token = 3;
	cr_assert_eq(run(messages, 1, 200, false, BACKEND_REPLY), STATUS_FORMAT);
	cr_assert_not_null(strstr(err.text, "cut short"), "%s", err.text);
	cr_assert_not_null(strstr(err.text, path), "%s", err.text);
	cr_assert_leq(record.n_ids, 4, "what came before stands, nothing is made up");
	record.truncate_at_token = 0;
	cr_assert_eq(run(messages, 1, 5, false, BACKEND_REPLY), STATUS_FORMAT);
	/* If a good file replaces it, that can be loaded. */
	unlink(path);
	save_model(TINY_BPE, 512);
	load(0, 64, 2, true);
	reply(messages, 1, 5);
	cr_assert_eq(record.n_ids, 5);
}

/* The weights do not fault; from now on they are just zeros. */
Test(generate, a_file_cut_within_its_last_page_ends_the_turn)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	struct stat st;

	save_model(TINY_BPE, 512);
	load(0, 64, 2, true);
	cr_assert_eq(stat(path, &st), 0);
	record.truncate_at_token = 3;
	record.truncate_to = st.st_size - 1;
	cr_assert_eq(run(messages, 1, 20, false, BACKEND_REPLY), STATUS_FORMAT);
	cr_assert_not_null(strstr(err.text, "has changed"), "%s", err.text);
	cr_assert_not_null(strstr(err.text, path), "%s", err.text);
}

Test(generate, a_file_replaced_between_turns_is_noticed)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};

	load_tiny(TINY_SPM, 256, 64);
	reply(messages, 1, 5);
	unlink(path);
	save_model(TINY_BPE, 256);
	cr_assert_eq(run(messages, 1, 5, false, BACKEND_REPLY), STATUS_FORMAT);
	cr_assert_eq(record.n_ids, 0);
	cr_assert_not_null(strstr(err.text, path), "%s", err.text);
}

/* Alternating roles and no system message, like Gemma's template. */
#define STRICT \
	"{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}" \
	"{{ raise_exception('roles must alternate') }}{% endif %}" \
	"{% if m.content == 'bad' %}{{ raise_exception('no such words') }}{% endif %}" \
	"{{ '<' + m.role + '>' + m.content }}{% endfor %}<assistant>"

Test(generate, says_how_a_conversation_was_changed_for_the_template)
{
	struct message messages[] = {message(ROLE_SYSTEM, "in"), message(ROLE_USER, "the hen")};

	save_with_template(STRICT);
	load(0, 64, 1, true);
	cr_assert_str_eq(info.template_name, "model's own");
	cr_assert_not_null(strstr(info.notes[0].text, "does not support system messages"));
	reply(messages, 2, 3);
	cr_assert_eq(record.n_notes, 1);
	cr_assert_not_null(strstr(record.note, "the system message became part of the first user message"));
	reply(messages + 1, 1, 3);
	cr_assert_eq(record.n_notes, 1, "nothing to say");
}

Test(generate, a_template_that_raises_ends_the_turn)
{
	struct message messages[] = {message(ROLE_USER, "bad")};

	save_with_template(STRICT);
	load(0, 64, 1, true);
	cr_assert_eq(run(messages, 1, 5, false, BACKEND_REPLY), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "chat template: no such words");
	cr_assert_eq(record.n_ids, 0);
	messages[0] = message(ROLE_USER, "hen");
	reply(messages, 1, 2);
	cr_assert_eq(record.n_ids, 2, "and the next turn is well");
}

Test(generate, a_reply_within_opened_reasoning_is_reasoning)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 12};

	save_with_template("{% for m in messages %}{{ m.content }}{% endfor %}<think>\n{# </think> #}");
	load(0, 64, 1, true);
	cr_assert(info.capabilities & CAPABILITY_REASONING);
	cr_assert(info.capabilities & CAPABILITY_SWITCH);
	reply(messages, 1, 12);
	cr_assert_eq(record.n_reasoning, record.n_ids);
	turn.reasoning.mode = REASONING_OFF;
	record.n_reasoning = record.n_ids = 0;
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &host, &result, &err), STATUS_OK);
	cr_assert_eq(record.n_reasoning, 0, "closed by the prompt");
	cr_assert_gt(record.n_ids, 0);
}

Test(generate, stop_strings_of_the_turn_end_the_reply)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 30};
	char text[400], stop[5];
	const char *stops[] = {stop};

	load_tiny(TINY_BPE, 256, 64);
	reply(messages, 1, 30);
	snprintf(text, sizeof text, "%s", buf_text(&record.text));
	cr_assert_gt(strlen(text), 12);
	snprintf(stop, sizeof stop, "%.4s", text + 6);
	turn.stops = stops;
	turn.n_stops = 1;
	reply_to(&turn);
	cr_assert_eq(result.reason, DONE_STOP);
	cr_assert_eq(record.text.len, (size_t)(strstr(text, stop) - text));
}

Test(generate, inspects_token_by_token)
{
	struct message messages[] = {message(ROLE_USER, "the hen")};
	struct turn turn = {.messages = messages, .n_messages = 1};
	struct message_count counts[1];
	struct inspection inspection = {.messages = counts, .purpose = INSPECT_TOKENS};
	size_t from = 0, n_input = 0;

	save_with_template("{% for m in messages %}<|endoftext|>{{ m.content }}{% endfor %}:");
	load(0, 64, 1, true);
	reply(messages, 1, 5);
	cr_assert_eq(backend_inspect(backend, &turn, &host, &inspection, &err), STATUS_OK);
	cr_assert_str_eq(inspection.text, "<|endoftext|>the hen:");
	cr_assert_eq(inspection.n_past, result.stats.n_ctx_used);
	cr_assert_eq(inspection.cached, inspection.total);
	for (uint32_t i = 0; i < inspection.total; i++) {
		const struct prompt_token *token = &inspection.tokens[i];

		cr_assert(token->end >= from && token->end <= strlen(inspection.text));
		cr_assert_eq(token->message, 0);
		cr_assert_eq((token->flags & PROMPT_TOKEN_CONTROL) != 0, i == 0);
		cr_assert_eq((token->flags & PROMPT_TOKEN_INPUT) != 0, i > 0 && i + 1 < inspection.total);
		n_input += (token->flags & PROMPT_TOKEN_INPUT) != 0;
		from = token->end;
	}
	cr_assert_eq(from, strlen(inspection.text));
	cr_assert_gt(n_input, 0);
	free(inspection.tokens);
	free(inspection.text);
}

/* A reply in the harmony format, which gpt-oss uses. */
static void reply_in_channels(const struct message *messages, size_t n, int32_t n_predict,
                              enum effort effort)
{
	struct turn turn = {.messages = messages, .n_messages = n, .n_predict = n_predict,
	                    .reasoning = {.effort = effort}};

	reply_to(&turn);
}

Test(generate, replies_in_channels_are_taken_apart)
{
	static const struct {
		const char *message, *reasoning, *asides, *text;
		size_t n_ids, n_reasoning;
	} rows[] = {
		{"Hi", "We should greet them", "", "Hello there.", 16, 13},
		{"Hi!", "Look here", "<>Look here", "Hello there.", 14, 11},
		{"Hi?", "{}", "<functions.day>{}", "", 9, 9},
	};

	cr_assert_eq(harmony_model_save(path, &err), STATUS_OK, "%s", err.text);
	load(0, 64, 1, true);
	cr_assert_str_eq(info.template_name, "gpt-oss");
	cr_assert(info.capabilities & CAPABILITY_REASONING && info.capabilities & CAPABILITY_EFFORT);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct message messages[] = {message(ROLE_USER, rows[i].message)};

		reply_in_channels(messages, 1, 60, EFFORT_AUTO);
		cr_expect_eq(result.reason, DONE_END, "%s", rows[i].message);
		cr_expect_str_eq(buf_text(&record.text), rows[i].text, "%s", buf_text(&record.text));
		cr_expect_str_eq(buf_text(&record.reasoning), rows[i].reasoning, "%s",
		                 buf_text(&record.reasoning));
		cr_expect_str_eq(buf_text(&record.asides), rows[i].asides, "%s", buf_text(&record.asides));
		cr_expect_eq(record.n_ids, rows[i].n_ids, "%s: %zu", rows[i].message, record.n_ids);
		cr_expect_eq(record.n_reasoning, rows[i].n_reasoning, "%s: %zu", rows[i].message,
		             record.n_reasoning);
	}
}

/* Reasoning is not sent again, and if a reply is cut short in it, none of it becomes answer. */
Test(generate, the_next_turn_of_channels_is_without_the_thoughts)
{
	struct message messages[3] = {
		message(ROLE_USER, "Hi"), message(ROLE_ASSISTANT, "Hello there."), message(ROLE_USER, "Hi")};
	int32_t ids[64];
	struct message_count counts[3];
	struct turn turn = {.messages = messages, .n_messages = 3,
	                    .reasoning = {.effort = EFFORT_LOW}};
	struct inspection inspection = {.messages = counts, .purpose = INSPECT_TOKENS};

	cr_assert_eq(harmony_model_save(path, &err), STATUS_OK, "%s", err.text);
	load(0, 64, 1, true);
	reply_in_channels(messages, 1, 60, EFFORT_LOW);
	memcpy(ids, record.ids, record.n_ids * sizeof *ids);
	messages[1].ids = ids;
	messages[1].n_ids = record.n_ids;
	messages[1].reasoning = "We should greet them";
	messages[1].reasoning_len = strlen(messages[1].reasoning);
	messages[1].n_reasoning_ids = record.n_reasoning;
	cr_assert_eq(backend_inspect(backend, &turn, &host, &inspection, &err), STATUS_OK, "%s", err.text);
	cr_expect_null(strstr(inspection.text, "greet"), "%s", inspection.text);
	cr_expect_not_null(strstr(inspection.text, "\n\nReasoning: low\n\n# Valid channels"));
	cr_expect_not_null(strstr(inspection.text,
	                          "<|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>final"
	                          "<|message|>Hello there.<|end|><|start|>user<|message|>Hi<|end|>"
	                          "<|start|>assistant"), "%s", inspection.text);
	free(inspection.tokens);
	free(inspection.text);
	reply_in_channels(messages, 3, 60, EFFORT_LOW);
	cr_expect_str_eq(buf_text(&record.text), "Hello there.");
	cr_expect_str_eq(buf_text(&record.reasoning), "We should greet them");
	reply_in_channels(messages, 1, 5, EFFORT_LOW);
	cr_expect_eq(result.reason, DONE_LENGTH);
	cr_expect_str_eq(buf_text(&record.text), "");
	cr_expect_str_eq(buf_text(&record.reasoning), "We should");
	reply_in_channels(messages, 1, 10, EFFORT_LOW);
	cr_expect_str_eq(buf_text(&record.text), "", "a header that is not whole is nothing");
	cr_expect_str_eq(buf_text(&record.reasoning), "We should greet them");
}
