#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "turn/event.h"

/* What a backend's events point to, and what a copy of them then has. */
static bool left_out[] = {true, false, true};
static char bytes[] = "bytes", recipient[] = "tool", text[] = "text";
static struct model_info model = {.name = "big", .n_ctx = 4096, .idle = {{"top-k", "why"}}, .n_idle = 1};
static struct token_candidate candidates[] = {{.id = 7, .text = "seven"}, {.id = 8, .text = "eight"}};

static bool is_fitted(const struct event *e)
{
	return e->u.fitted.n == 3 && e->u.fitted.left_out[0] && !e->u.fitted.left_out[1] && e->u.fitted.left_out[2];
}

static bool is_token(const struct event *e)
{
	const struct token *token = &e->u.token;

	return token->id == 9 && token->recants && token->len == 5 && memcmp(token->bytes, "bytes", 5) == 0 &&
	       token->n_candidates == 2 && token->candidates[1].id == 8 &&
	       strcmp(token->candidates[1].text, "eight") == 0;
}

static bool is_bare_token(const struct event *e)
{
	return e->u.token.id == 9 && e->u.token.len == 0 && e->u.token.n_candidates == 0;
}

static bool is_note(const struct event *e)
{
	return strcmp(e->u.note, "text") == 0;
}

static bool is_aside(const struct event *e)
{
	return strcmp(e->u.aside.recipient, "tool") == 0 && strcmp(e->u.aside.text, "text") == 0;
}

static bool is_learnt(const struct event *e)
{
	return e->u.model->n_ctx == 4096 && strcmp(e->u.model->name, "big") == 0 && e->u.model->n_idle == 1 &&
	       strcmp(e->u.model->idle[0].why, "why") == 0;
}

static bool is_waiting(const struct event *e)
{
	return strcmp(e->u.waiting.text, "text") == 0 && e->u.waiting.is_retry;
}

static bool is_sent(const struct event *e)
{
	return strcmp(e->u.sent, "text") == 0;
}

static bool is_params(const struct event *e)
{
	return e->u.params.at == 3 && e->u.params.params.seed == 4;
}

Test(event, a_copy_outlives_what_it_was_made_from)
{
	const struct {
		struct event event;
		bool (*is_right)(const struct event *event);
	} rows[] = {
		{{.kind = EVENT_FITTED, .u.fitted = {left_out, 3}}, is_fitted},
		{{.kind = EVENT_TOKEN, .u.token = {.id = 9, .bytes = bytes, .len = 5, .candidates = candidates,
		                                   .n_candidates = 2, .recants = true}}, is_token},
		{{.kind = EVENT_TOKEN, .u.token = {.id = 9}}, is_bare_token},
		{{.kind = EVENT_NOTE, .u.note = text}, is_note},
		{{.kind = EVENT_ASIDE, .u.aside = {recipient, text}}, is_aside},
		{{.kind = EVENT_LEARNT, .u.model = &model}, is_learnt},
		{{.kind = EVENT_WAITING, .u.waiting = {text, true}}, is_waiting},
		{{.kind = EVENT_SENT, .u.sent = text}, is_sent},
		{{.kind = EVENT_PARAMS, .u.params = {3, {.seed = 4}}}, is_params},
	};
	struct event *copies[sizeof rows / sizeof rows[0]];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		copies[i] = event_copy(&rows[i].event);
	memset(left_out, 0, sizeof left_out);
	memset(candidates, 0, sizeof candidates);
	memset(bytes, '!', 5);
	memset(&model, 0, sizeof model);
	memset(recipient, '!', 4);
	memset(text, '!', 4);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cr_assert_not_null(copies[i]);
		cr_expect_eq(copies[i]->kind, rows[i].event.kind);
		cr_expect(rows[i].is_right(copies[i]), "row %zu", i);
		free(copies[i]);
	}
}

/* Thousands of them may wait for a screen that is slow. */
Test(event, is_small)
{
	cr_assert_leq(sizeof(struct event), 200);
}
