/* What is told of a turn's tokens: their text in whole characters, thoughts apart from the answer, candidates. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "encode/builtin_templates.h"
#include "encode/shape.h"
#include "engine/generate_internal.h"

static void describe_candidate(const struct engine *engine, const struct sampler_candidate *from,
                               struct token_candidate *out)
{
	size_t len;
	const char *text = tokenizer_shown(engine->tokenizer, from->id, &len);

	*out = (struct token_candidate){.id = from->id, .logit = from->logit,
	                                .probability = from->probability,
	                                .chosen_p = from->chosen_p, .cut_by = from->cut_by,
	                                .len = (uint8_t)(len < sizeof out->text ? len : sizeof out->text)};
	memcpy(out->text, text, out->len);
}

/* Passes on the message besides the answer once it has ended. */
static void report_aside(struct generation *g)
{
	const char *text = buf_text(&g->aside);

	if (!g->aside.len)
		return;
	while (prompt_is_blank(*text))
		text++;
	backend_tell(g->host, &(struct event){.kind = EVENT_ASIDE, .u.aside = {g->aside_to, text}});
	buf_clear(&g->aside);
}

/* Whether a token that the splitter passes on, or a piece of one, was reported when the reply was cut. */
static bool was_reported(struct generation *g, const struct token *token)
{
	if (!token->rest) {
		g->skips = g->n_held > 0;
		g->n_held -= g->skips;
	}
	return g->skips;
}

static enum status tell_token(struct generation *g, const struct token *token, struct error *err)
{
	if (g->examines)
		return examine_tell(g, token, err);
	return g->host->event(g->host->ctx, &(struct event){.kind = EVENT_TOKEN, .u.token = *token}, err);
}

/* Reports the token that was sampled last without text. */
static enum status report_empty(struct generation *g, bool recants, struct error *err)
{
	struct token token = g->splitter.token;

	token.bytes = "";
	token.len = 0;
	token.rest = true;
	token.reasoning = token.recants = recants;
	return tell_token(g, &token, err);
}

/* Receives tokens from the splitter. */
static enum status take_split(void *ctx, const struct token *token, struct error *err)
{
	struct generation *g = ctx;
	struct token rest = *token;

	if (g->replaying) {
		g->n_replayed += token->len;
		return STATUS_OK;
	}
	if (was_reported(g, token)) {
		if (!g->untold || !token->len)
			return token->recants ? report_empty(g, true, err) : STATUS_OK;
		rest.rest = true; /* its id is known */
		token = &rest;
	}
	g->reported = true;
	if (!token->aside)
		report_aside(g);
	else if (!g->aside.len)
		memcpy(g->aside_to, g->splitter.recipient, sizeof g->aside_to);
	if (token->aside && buf_append(&g->aside, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	return tell_token(g, token, err);
}

void generation_choose(const struct generation *g, const float *logits, struct sampler_choice *choice, int32_t id)
{
	if (choice->id != id)
		choice->probability = 0;
	choice->id = id;
	choice->raw_p = (float)sampler_raw_probability(g->engine->sampler, logits, &choice->top, id);
	for (size_t i = 0; i < choice->top.n; i++)
		if (choice->top.items[i].id == id)
			choice->probability = choice->top.items[i].chosen_p;
}

enum status generation_emit(struct generation *g, const struct sampler_choice *choice, struct error *err)
{
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	struct token token = {.id = choice->id, .probability = choice->probability,
	                      .candidates = candidates, .n_candidates = choice->top.n,
	                      .raw_p = choice->raw_p, .log_sum = (float)choice->top.log_sum,
	                      .entropy = (float)choice->top.entropy,
	                      .n_generated = g->result->stats.n_generated,
	                      .put = !g->examines && g->turn->has_first && g->result->stats.n_generated == 1,
	                      .n_ctx_used = (uint32_t)session_n_past(g->engine->session)};
	enum status status;

	for (size_t i = 0; i < choice->top.n; i++)
		describe_candidate(g->engine, &choice->top.items[i], &candidates[i]);
	g->reported = false;
	status = splitter_push_id(&g->splitter, &g->detokenizer, &token, err);
	if (!status && !g->reported && !g->splitter.stopped)
		status = report_empty(g, false, err); /* nothing is known yet but that the model writes */
	return status;
}

enum status generation_replay(struct generation *g, struct error *err)
{
	const struct session *session = g->engine->session;
	const int32_t *begun = session_tokens(session) + session_n_past(session) - g->n_begun;
	const struct message *reply = &g->turn->messages[g->turn->n_messages - 1];
	enum status status = STATUS_OK;

	if (!g->n_begun)
		return STATUS_OK;
	g->replaying = true;
	for (size_t i = 0; i < g->n_begun && !status; i++)
		status = splitter_push_id(&g->splitter, &g->detokenizer, &(struct token){.id = begun[i]}, err);
	g->replaying = false;
	g->n_held = g->splitter.held.n;
	g->skips = g->n_held && g->splitter.held.tokens[0].token.rest;
	g->n_held -= g->skips;
	g->untold = g->n_replayed == reply->len + reply->reasoning_len;
	return status;
}

/* All strings that end the reply: the turn's, those that come beside the model, and the template's. */
static enum status collect_stops(struct generation *g, struct error *err)
{
	const struct chat_template *tmpl = g->engine->tmpl;
	const struct beside *beside = &g->engine->beside;
	const struct turn *turn = g->turn;
	size_t room, n = 0;

	if (add_overflows(turn->n_stops, BUILTIN_STOPS_MAX + 2 + beside->n_stops, &room) ||
	    !(g->stops = alloc_array(room, sizeof *g->stops)))
		return error_no_memory(err, "for the reply");
	for (size_t i = 0; i < turn->n_stops; i++)
		g->stops[n++] = turn->stops[i];
	if (turn->raw || g->examines)
		return STATUS_OK;
	for (size_t i = 0; i < beside->n_stops; i++)
		g->stops[n++] = beside->stops[i];
	for (const char *const *stop = tmpl->stops; *stop; stop++)
		g->stops[n++] = *stop;
	g->stops[n] = tmpl->end_marker;
	return STATUS_OK;
}

enum status generation_begin_text(struct generation *g, struct error *err)
{
	bool raw = g->turn->raw;
	enum status status = collect_stops(g, err);

	if (status)
		return status;
	detokenizer_init(&g->detokenizer, g->engine->tokenizer, false);
	splitter_init(&g->splitter, raw ? NULL : g->engine->tmpl->reasoning, g->start, g->stops, !raw,
	              take_split, g);
	return STATUS_OK;
}

enum status generation_flush(struct generation *g, bool ended, struct error *err)
{
	enum status status = STATUS_OK;

	if (g->splitter.stopped)
		return STATUS_OK;
	if (ended)
		status = splitter_end_text(&g->splitter, &g->detokenizer, err);
	if (!status)
		status = splitter_flush(&g->splitter, err);
	g->result->in_character = g->detokenizer.utf8.n_held > 0;
	report_aside(g);
	if (!status && g->splitter.stopped)
		g->result->reason = DONE_STOP;
	return status;
}

void generation_end_text(struct generation *g)
{
	splitter_deinit(&g->splitter);
	buf_free(&g->aside);
	free(g->stops);
}
