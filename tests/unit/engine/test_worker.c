/* The worker's contract, with the test backend. */
#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "engine/options.h"
#include "engine/worker.h"
#include "support/fake_server.h"

enum { LIMIT_MS = 120000 };

static struct worker *worker;
static struct event *taken; /* that were not looked at yet */
static struct buf text; /* of the TOKEN events */
static size_t n_done, n_token, n_reasoning, n_prefill, n_load;
static struct event last; /* the one that ended the last wait, and what it pointed to */
static struct error last_error;
static struct model_info last_model;
static char last_text[128];

static unsigned n_of[EVENT_DONE + 1]; /* events of each kind so far */
static int32_t last_id;               /* of a token */

static void init(void)
{
	struct error err;

	cr_assert_eq(worker_create(&worker, NULL, fake_servers, &err), STATUS_OK);
	buf_init(&text, 1 << 20);
}

static void end_worker(void)
{
	worker_destroy(worker);
	worker_events_free(taken);
	taken = NULL;
}

static void fini(void)
{
	end_worker();
	buf_free(&text);
}

TestSuite(worker, .init = init, .fini = fini, .timeout = 600);

static const char *text_of(const struct event *event)
{
	return event->kind == EVENT_WAITING ? event->u.waiting.text : event->kind == EVENT_SENT ? event->u.sent : "";
}

/* The next event, which the caller frees. */
static struct event *next_event(enum event_kind wanted)
{
	uint64_t limit = sys_now_ms() + LIMIT_MS;
	struct event *event;

	while (!taken) {
		struct pollfd pollfd = {.fd = worker_fd(worker), .events = POLLIN};

		cr_assert(sys_now_ms() < limit, "no event of kind %d", (int)wanted);
		poll(&pollfd, 1, 100);
		taken = worker_take_events(worker);
	}
	event = taken;
	taken = event->next;
	event->next = NULL;
	return event;
}

static void remember(const struct event *event)
{
	last = *event;
	if (event->error)
		last_error = *event->error;
	last.error = &last_error;
	snprintf(last_text, sizeof last_text, "%s", text_of(event));
	if (event->kind == EVENT_MODEL || event->kind == EVENT_LOAD_FAILED || event->kind == EVENT_LEARNT)
		last_model = *event->u.model, last.u.model = &last_model;
}

/* Takes events up to the nth of `kind`. */
static void wait_for(enum event_kind kind, size_t nth)
{
	for (size_t seen = 0; seen < nth;) {
		struct event *e = next_event(kind);

		n_of[e->kind]++;
		n_done += e->kind == EVENT_DONE;
		n_prefill += e->kind == EVENT_PREFILLING;
		n_load += e->kind == EVENT_LOADING;
		if (e->kind == EVENT_TOKEN) {
			n_token++;
			last_id = e->u.token.id;
			n_reasoning += e->u.token.reasoning;
			buf_append(&text, e->u.token.bytes, e->u.token.len);
		}
		if (e->kind == kind && ++seen == nth)
			remember(e);
		worker_events_free(e);
	}
}

/* Waits for one INSPECT and hands it over; the caller frees it. */
static struct event *wait_for_inspection(void)
{
	for (;;) {
		struct event *e = next_event(EVENT_INSPECTED);

		if (e->kind == EVENT_INSPECTED)
			return e;
		worker_events_free(e);
	}
}

static void load(const char *model)
{
	struct engine_params params = engine_params_default();
	char copy[256];
	struct error err;

	snprintf(copy, sizeof copy, "%s", model);
	params.model = copy;
	cr_assert_eq(worker_post_load(worker, &params, &err), STATUS_OK);
	memset(copy, '!', sizeof copy - 1); /* what is posted is copied */
}

static uint64_t generate(const char *prompt, int32_t n_predict)
{
	struct message message = {.role = ROLE_USER, .text = prompt, .len = strlen(prompt)};
	struct turn turn = {.messages = &message, .n_messages = 1,
	                    .sampler = sampler_params_default(), .n_predict = n_predict,
	                    .n_candidates = 2};
	struct error err;
	uint64_t id = 0;

	cr_assert_eq(worker_post_generate(worker, &turn, &id, &err), STATUS_OK);
	cr_assert_neq(id, 0);
	return id;
}

Test(worker, loads_and_answers)
{
	uint64_t id;

	load("synthetic:mode=echo,load_ms=60,prefill_ms=60");
	cr_assert(worker_is_busy(worker));
	wait_for(EVENT_MODEL, 1);
	cr_assert(!worker_is_busy(worker));
	cr_assert_gt(n_load, 0);
	cr_assert_str_eq(last.u.model->name, "synthetic (echo)");
	id = generate("one two  three", -1);
	cr_assert(worker_is_busy(worker));
	wait_for(EVENT_DONE, 1);
	cr_assert(!worker_is_busy(worker));
	cr_assert_eq(last.turn, id);
	cr_assert_eq(last.u.done.reason, DONE_END);
	cr_assert_eq(last.u.done.stats.n_generated, 3);
	cr_assert_eq(n_token, 3);
	cr_assert_gt(n_prefill, 1);
	cr_assert_str_eq(buf_text(&text), "one two  three");
}

/* "Answer now" ends what it thinks, and its reply is counted as a server would. */
Test(worker, a_server_that_thinks_is_told_to_answer)
{
	uint64_t id;

	load("synthetic:remote=2,mode=think,think=1000000,rate=1000,tokens=2,cost=1500");
	wait_for(EVENT_MODEL, 1);
	cr_assert(last.u.model->capabilities & CAPABILITY_ANSWER_NOW);
	cr_assert_str_eq(last.u.model->place, "box (127.0.0.1:8080)");
	id = generate("hello", -1);
	wait_for(EVENT_TOKEN, 10);
	cr_assert_eq(n_of[EVENT_SENT], 1);
	worker_answer_now(worker, id);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_END);
	cr_assert_lt(last.u.done.stats.n_generated, 1000000);
	cr_assert_eq(last.u.done.stats.n_generated - last.u.done.stats.n_reasoning, 2);
	cr_assert(last.u.done.stats.has_cost);
}

/* What is not known, it does not say; what it learns, it tells. */
Test(worker, a_server_that_knows_little)
{
	load("synthetic:remote=1,wait_load=1,wait=1,learns=1,unknown_ctx=1,end=early");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(last.u.model->n_ctx, 0);
	cr_assert_not_null(model_info_idle(last.u.model, "top-k"));
	cr_assert_eq(n_of[EVENT_WAITING], 1);
	generate("hello", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(n_of[EVENT_WAITING], 2);
	cr_assert_eq(n_of[EVENT_LEARNT], 1);
	cr_assert_eq(last_id, -1);
	cr_assert_eq(last.u.done.reason, DONE_EARLY);
	cr_assert(last.u.done.stats.estimated && last.u.done.stats.cached_unknown);
}

Test(worker, without_a_model_a_turn_fails_and_says_so)
{
	uint64_t id = generate("hello", -1);

	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.turn, id);
	cr_assert_eq(last.u.done.reason, DONE_ERROR);
	cr_assert_neq(last.error->text[0], '\0');
}

/* How many tokens of a question are in the cache after it was answered. */
static uint32_t cached_tokens(void)
{
	generate("one two three", 1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_LENGTH);
	return last.u.done.stats.n_cached;
}

Test(worker, a_failed_load_says_why_and_leaves_the_old_model_with_its_cache)
{
	static const char *const bad[] = {"synthetic:fail=load", "synthetic:nonsense",
	                                  "synthetic:tokens=many", "synthetic:mode=none", "",
	                                  "/nowhere/at/all.gguf"};
	uint64_t generation;

	load("synthetic:n_ctx=77");
	wait_for(EVENT_MODEL, 1);
	generation = last.u.model->generation;
	cr_assert_eq(cached_tokens(), 0);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		load(bad[i]);
		wait_for(EVENT_LOAD_FAILED, 1);
		cr_assert_neq(last.error->status, STATUS_OK);
		cr_assert_neq(last.error->text[0], '\0', "%s", bad[i]);
		cr_assert_eq(last.u.model->n_ctx, 77);
		cr_assert_eq(last.u.model->generation, generation);
		cr_assert_gt(cached_tokens(), 0, "%s", bad[i]);
	}
	load("synthetic:load_ms=100000");
	wait_for(EVENT_LOADING, 1);
	worker_cancel(worker, 0);
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	cr_assert_gt(cached_tokens(), 0);
}

Test(worker, where_memory_is_too_small_for_two_the_old_model_comes_back_when_the_new_one_fails)
{
	uint64_t generation;

	load("synthetic:n_ctx=77");
	wait_for(EVENT_MODEL, 1);
	generation = last.u.model->generation;
	cr_assert_eq(cached_tokens(), 0);
	load("synthetic:fail=memory,load_ms=100000");
	wait_for(EVENT_LOADING, 1);
	worker_cancel(worker, 0);
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	cr_assert_eq(last.u.model->n_ctx, 77);
	cr_assert_neq(last.u.model->generation, generation, "its cache is empty");
	cr_assert_eq(cached_tokens(), 0);
	load("synthetic:fail=memory,n_ctx=55");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(last.u.model->n_ctx, 55);
}

Test(worker, a_first_load_that_fails_leaves_nothing)
{
	load("synthetic:fail=load");
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.u.model->n_ctx, 0);
	generate("hello", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_ERROR);
}

Test(worker, busy_is_an_answer)
{
	struct engine_params params = engine_params_default();
	struct message message = {.role = ROLE_USER, .text = "x", .len = 1};
	struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = -1};
	uint64_t id, other = 0;
	struct error err;

	load("synthetic:tokens=1000000,rate=100");
	cr_assert_eq(worker_post_generate(worker, &turn, &other, &err), STATUS_BUSY);
	cr_assert_eq(worker_post_load(worker, &params, &err), STATUS_BUSY);
	wait_for(EVENT_MODEL, 1);
	id = generate("x", -1);
	wait_for(EVENT_TOKEN, 1);
	cr_assert_eq(worker_post_generate(worker, &turn, &other, &err), STATUS_BUSY);
	cr_assert_eq(worker_post_prefill(worker, &turn, &other, &err), STATUS_BUSY);
	cr_assert_eq(worker_post_load(worker, &params, &err), STATUS_BUSY);
	cr_assert_eq(other, 0);
	worker_cancel(worker, id);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_CANCELLED);
	cr_assert_eq(last.turn, id);
	generate("x", 1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_LENGTH);
	cr_assert_eq(n_done, 2);
}

Test(worker, cancels_while_evaluating_the_prompt)
{
	uint64_t id;

	load("synthetic:prefill_ms=100000");
	wait_for(EVENT_MODEL, 1);
	id = generate("a b c d e f", -1);
	wait_for(EVENT_PREFILLING, 1);
	worker_cancel(worker, id);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_CANCELLED);
	cr_assert_eq(n_token, 0);
}

Test(worker, cancels_loading)
{
	load("synthetic:load_ms=100000");
	wait_for(EVENT_LOADING, 1);
	worker_cancel(worker, 0);
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	cr_assert(!worker_is_busy(worker));
}

Test(worker, a_late_or_foreign_cancel_hits_nothing)
{
	uint64_t first;

	load("synthetic:tokens=20");
	wait_for(EVENT_MODEL, 1);
	worker_cancel(worker, 0);
	worker_cancel(worker, 12345);
	first = generate("x", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_END);
	generate("x", -1);
	worker_cancel(worker, first);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_END);
}

Test(worker, parameters_act_in_mid_reply)
{
	struct sampler_params params = sampler_params_default();
	uint64_t id;

	load("synthetic:tokens=1000000,rate=500");
	wait_for(EVENT_MODEL, 1);
	id = generate("x", -1);
	wait_for(EVENT_TOKEN, 5);
	cr_assert_null(strstr(buf_text(&text), "cold"));
	params.temp = 0;
	worker_post_params(worker, &params);
	wait_for(EVENT_TOKEN, 50);
	cr_assert_not_null(strstr(buf_text(&text), "cold"));
	worker_cancel(worker, id);
	wait_for(EVENT_DONE, 1);
	/* A turn brings its own parameters. */
	buf_clear(&text);
	generate("x", 3);
	wait_for(EVENT_DONE, 1);
	cr_assert_str_eq(buf_text(&text), "warm 0 warm 1 warm 2 ");
}

Test(worker, a_reply_pre_empts_the_warming_up)
{
	struct message message = {.role = ROLE_USER, .text = "a b", .len = 3};
	struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = -1};
	uint64_t warm = 0, reply;
	struct error err;

	load("synthetic:prefill_ms=300,tokens=2");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(worker_post_prefill(worker, &turn, &warm, &err), STATUS_OK);
	cr_assert(worker_is_busy(worker), "which does not stand in the way of a reply");
	wait_for(EVENT_PREFILLING, 1);
	reply = generate("a b c", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.turn, warm);
	cr_assert_eq(last.u.done.reason, DONE_CANCELLED);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.turn, reply);
	cr_assert_eq(last.u.done.reason, DONE_END);
	cr_assert_eq(n_token, 2);
}

Test(worker, inspects_with_numbers_that_add_up)
{
	struct message messages[] = {
		{.role = ROLE_SYSTEM, .text = "be brief", .len = 8},
		{.role = ROLE_USER, .text = "a b c", .len = 5},
	};
	struct turn turn = {.messages = messages, .n_messages = 2};
	struct error err;
	struct event *e;

	cr_assert_eq(worker_post_inspect(worker, &turn, INSPECT_COUNTS, &err), STATUS_OK);
	wait_for(EVENT_INSPECTED, 1);
	cr_assert_eq(last.u.inspected.n_messages, 0, "no model");
	cr_assert_neq(last.error->status, STATUS_OK);
	load("synthetic:n_ctx=100");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(worker_post_inspect(worker, &turn, INSPECT_COUNTS, &err), STATUS_OK);
	e = wait_for_inspection();
	cr_assert_eq(e->u.inspected.n_messages, 2);
	cr_assert_eq(e->u.inspected.messages[0].tokens + e->u.inspected.messages[1].tokens, e->u.inspected.total);
	cr_assert_eq(e->u.inspected.n_ctx, 100);
	worker_events_free(e);
}

Test(worker, a_full_context_ends_the_reply)
{
	load("synthetic:n_ctx=20,tokens=1000");
	wait_for(EVENT_MODEL, 1);
	generate("a b c d", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_CONTEXT);
	cr_assert_eq(last.u.done.stats.n_ctx_used, 20);
	cr_assert_eq(last.u.done.stats.n_generated, 15);
}

Test(worker, an_error_in_mid_reply_keeps_what_came_before)
{
	load("synthetic:tokens=100,fail=3");
	wait_for(EVENT_MODEL, 1);
	generate("x", -1);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_ERROR);
	cr_assert_eq(last.u.done.stats.n_generated, 3);
	cr_assert_eq(n_token, 3);
	cr_assert_neq(last.error->text[0], '\0');
}

Test(worker, can_be_destroyed_at_any_moment)
{
	for (int i = 0; i < 20; i++) {
		struct error err;

		load(i % 3 == 0 ? "synthetic:load_ms=10000" : "synthetic:prefill_ms=100000");
		if (i % 3) {
			wait_for(EVENT_MODEL, 1);
			generate("x y z", -1);
			if (i % 3 == 2)
				wait_for(EVENT_PREFILLING, 1);
		}
		end_worker();
		cr_assert_eq(worker_create(&worker, NULL, fake_servers, &err), STATUS_OK);
	}
}

Test(worker, gives_the_prompt_token_by_token_when_asked)
{
	const struct message messages[] = {
		{.role = ROLE_SYSTEM, .text = "be brief", .len = 8},
		{.role = ROLE_USER, .text = " a b  c", .len = 7},
	};
	static const struct {
		const char *text;
		uint32_t flags, message;
	} expected[] = {
		{"<system>", PROMPT_TOKEN_CONTROL, 0}, {"be ", PROMPT_TOKEN_INPUT, 0},
		{"brief", PROMPT_TOKEN_INPUT, 0},      {"<user>", PROMPT_TOKEN_CONTROL, 1},
		{" a ", PROMPT_TOKEN_INPUT, 1},        {"b  ", PROMPT_TOKEN_INPUT, 1},
		{"c", PROMPT_TOKEN_INPUT, 1},
	};
	struct turn turn = {.messages = messages, .n_messages = 2};
	struct event *e;
	struct error err;
	size_t from = 0;

	load("synthetic:tokens=2");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(worker_post_inspect(worker, &turn, INSPECT_TOKENS, &err), STATUS_OK);
	e = wait_for_inspection();
	cr_assert_eq(e->u.inspected.total, 7);
	cr_assert_eq(e->u.inspected.n_past, 0);
	for (size_t i = 0; i < 7; i++) {
		const struct prompt_token *token = &e->u.inspected.tokens[i];

		cr_assert_eq(token->flags, expected[i].flags, "token %zu", i);
		cr_assert_eq(token->message, expected[i].message, "token %zu", i);
		cr_assert_eq(token->end - from, strlen(expected[i].text), "token %zu", i);
		cr_assert_eq(memcmp(e->u.inspected.text + from, expected[i].text, token->end - from), 0);
		from = token->end;
	}
	worker_events_free(e);
	cr_assert_eq(worker_post_inspect(worker, &turn, INSPECT_COUNTS, &err), STATUS_OK);
	e = wait_for_inspection();
	cr_assert_null(e->u.inspected.tokens);
	cr_assert_null(e->u.inspected.text);
	worker_events_free(e);
}

Test(worker, tells_what_is_thought_from_what_is_answered)
{
	struct message message = {.role = ROLE_USER, .text = "x", .len = 1};
	struct turn turn = {.messages = &message, .n_messages = 1,
	                    .sampler = sampler_params_default(), .n_predict = -1};
	struct error err;
	uint64_t id;

	load("synthetic:mode=think,think=2,tokens=1");
	wait_for(EVENT_MODEL, 1);
	cr_assert(last.u.model->capabilities & CAPABILITY_REASONING);
	cr_assert_eq(worker_post_generate(worker, &turn, &id, &err), STATUS_OK);
	wait_for(EVENT_DONE, 1);
	cr_assert_str_eq(buf_text(&text), "thought 0 thought 1 warm 0 ");
	cr_assert_eq(n_token, 5);
	cr_assert_eq(n_reasoning, 4, "two tokens and their two markers");
	buf_clear(&text);
	turn.reasoning.mode = REASONING_OFF;
	cr_assert_eq(worker_post_generate(worker, &turn, &id, &err), STATUS_OK);
	wait_for(EVENT_DONE, 1);
	cr_assert_str_eq(buf_text(&text), "warm 0 ");
	cr_assert_eq(n_reasoning, 4);
}

/* ---- what only servers do ---- */

static void inspect(enum inspect_purpose purpose)
{
	const struct message message = {.role = ROLE_USER, .text = "a b c", .len = 5};
	const struct turn turn = {.messages = &message, .n_messages = 1};
	struct error err;

	cr_assert_eq(worker_post_inspect(worker, &turn, purpose, &err), STATUS_OK);
}

Test(worker, others_are_looked_for_before_its_own_kinds)
{
	struct engine_params params = engine_params_default();
	struct error err;

	load("server:");
	wait_for(EVENT_MODEL, 1);
	cr_assert_str_eq(last.u.model->identity.server, "fake");
	params.model = (char *)"server:";
	cr_assert_eq(backend_check(&params, fake_servers, &err), STATUS_OK);
	cr_assert_neq(backend_check(&params, NULL, &err), STATUS_OK, "it is a file's name then");
	params.model = (char *)"/nowhere/at/all.gguf";
	cr_assert_eq(backend_check(&params, fake_servers, &err), STATUS_NOTFOUND);
}

Test(worker, says_what_a_server_is_waited_for)
{
	uint64_t id;

	load("server:load");
	wait_for(EVENT_WAITING, 1);
	cr_assert_str_eq(last_text, "fake is asked");
	cr_assert_eq(last.turn, 0, "it is no turn's");
	worker_cancel(worker, 0);
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	load("server:");
	wait_for(EVENT_MODEL, 1);
	id = generate("x", -1);
	wait_for(EVENT_WAITING, 1);
	cr_assert_str_eq(last_text, "waiting for fake");
	cr_assert_eq(last.turn, id);
	wait_for(EVENT_DONE, 1);
	cr_assert(last.u.done.stats.has_cost);
}

Test(worker, tells_what_a_server_was_sent)
{
	uint64_t id;

	load("server:");
	wait_for(EVENT_MODEL, 1);
	id = generate("x", -1);
	wait_for(EVENT_SENT, 1);
	cr_assert_str_eq(last_text, FAKE_SENT);
	cr_assert_eq(last.turn, id);
	wait_for(EVENT_DONE, 1);
	cr_assert_str_eq(buf_text(&text), "one two three");
}

/* What is learnt while a model is opened is in the answer to that: the model in memory is another one then. */
Test(worker, keeps_what_is_learnt_of_the_model_in_memory)
{
	uint64_t generation;

	load("synthetic:n_ctx=77");
	wait_for(EVENT_MODEL, 1);
	generation = last.u.model->generation;
	load("server:load");
	wait_for(EVENT_WAITING, 1);
	worker_cancel(worker, 0);
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.u.model->n_ctx, 77);
	cr_assert_eq(last.u.model->generation, generation);
	load("server:");
	wait_for(EVENT_MODEL, 1);
	cr_assert_eq(last.u.model->n_ctx, FAKE_N_CTX);
	generation = last.u.model->generation;
	generate("x", -1);
	wait_for(EVENT_LEARNT, 1);
	cr_assert_eq(last.u.model->n_ctx, FAKE_N_CTX_LEARNT);
	cr_assert_eq(last.u.model->generation, generation);
	cr_assert_str_eq(model_info_idle(last.u.model, "top-k"), FAKE_WHY);
	wait_for(EVENT_DONE, 1);
	load("synthetic:fail=load");
	wait_for(EVENT_LOAD_FAILED, 1);
	cr_assert_eq(last.u.model->n_ctx, FAKE_N_CTX_LEARNT, "what was learnt stays");
}

Test(worker, a_reply_that_thinks_answers_when_it_is_wanted)
{
	uint64_t first, second;

	load("server:think");
	wait_for(EVENT_MODEL, 1);
	first = generate("x", -1);
	wait_for(EVENT_TOKEN, 1);
	worker_answer_now(worker, first);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_END);
	cr_assert_eq(n_reasoning, 1);
	cr_assert_str_eq(buf_text(&text), "hmone two three");
	second = generate("x", -1);
	wait_for(EVENT_TOKEN, 1);
	worker_answer_now(worker, first); /* too late: it is not for this one */
	worker_cancel(worker, second);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_CANCELLED);
	cr_assert_eq(n_token, 5, "it did not answer");
}

Test(worker, an_inspection_has_no_answer_to_give)
{
	uint64_t id;

	load("server:think");
	wait_for(EVENT_MODEL, 1);
	worker_answer_now(worker, 0);
	inspect(INSPECT_GAUGE);
	wait_for(EVENT_INSPECTED, 1);
	cr_assert_eq(last.error->status, STATUS_OK);
	id = generate("x", -1);
	wait_for(EVENT_TOKEN, 1);
	worker_cancel(worker, id);
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(n_token, 1);
}

Test(worker, counting_gives_way_to_a_turn)
{
	load("server:count");
	wait_for(EVENT_MODEL, 1);
	inspect(INSPECT_GAUGE);
	wait_for(EVENT_WAITING, 1);
	cr_assert_str_eq(last_text, "fake counts");
	cr_assert_eq(last.turn, 0);
	inspect(INSPECT_COUNTS); /* does not end the first one, but the turn ends both */
	generate("x", -1);
	for (size_t i = 0; i < 2; i++) {
		wait_for(EVENT_INSPECTED, 1);
		cr_assert_eq(last.error->status, STATUS_CANCELLED);
		cr_assert_eq(last.u.inspected.purpose, i ? INSPECT_COUNTS : INSPECT_GAUGE);
		cr_assert_eq(last.u.inspected.n_messages, 0);
	}
	wait_for(EVENT_DONE, 1);
	cr_assert_eq(last.u.done.reason, DONE_END);
}

Test(worker, counting_gives_way_to_a_load_a_prefill_and_the_end)
{
	const struct message message = {.role = ROLE_USER, .text = "a b", .len = 3};
	const struct turn turn = {.messages = &message, .n_messages = 1};
	struct error err;

	load("server:count");
	wait_for(EVENT_MODEL, 1);
	inspect(INSPECT_GAUGE);
	wait_for(EVENT_WAITING, 1);
	cr_assert_eq(worker_post_prefill(worker, &turn, NULL, &err), STATUS_OK);
	wait_for(EVENT_INSPECTED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	wait_for(EVENT_DONE, 1);
	inspect(INSPECT_GAUGE);
	wait_for(EVENT_WAITING, 1);
	load("server:count");
	wait_for(EVENT_INSPECTED, 1);
	cr_assert_eq(last.error->status, STATUS_CANCELLED);
	wait_for(EVENT_MODEL, 1);
	inspect(INSPECT_GAUGE);
	wait_for(EVENT_WAITING, 1); /* and fini ends it */
}
