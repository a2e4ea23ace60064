#include "remote/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "encode/builtin_templates.h"
#include "encode/shape.h"
#include "remote/fields.h"
#include "remote/request.h"
#include "remote/thoughts.h"

void reply_init(struct reply *reply, struct remote *remote, const struct remote_ask *ask,
                const struct backend_host *host, struct turn_stats *stats)
{
	*reply = (struct reply){.remote = remote, .ask = ask, .host = host, .stats = stats,
	                        .opening = {.max = LIMIT_MESSAGE}, .text = {.max = LIMIT_STREAM_LINE * 3},
	                        .aside = {.max = LIMIT_MESSAGE}};
}

void reply_free(struct reply *reply)
{
	if (reply->is_divided)
		splitter_deinit(&reply->splitter);
	free(reply->stops);
	buf_free(&reply->opening);
	buf_free(&reply->text);
	buf_free(&reply->aside);
}

void reply_send(struct reply *reply, const struct remote_request *request, uint64_t now_ms)
{
	const struct turn *turn = reply->ask->turn;

	reply->request = request;
	if (reply->has_begun)
		return;
	reply->sent_ms = now_ms;
	if (request->echoes)
		reply->echo = (struct echo){.text = turn->messages[turn->n_messages - 1].text,
		                            .len = turn->messages[turn->n_messages - 1].len};
}

/* What decides the reply, before its first token. */
static void begin(struct reply *reply, uint64_t now_ms)
{
	const struct remote_request *request = reply->request;

	if (reply->has_begun)
		return;
	reply->has_begun = true;
	reply->begun_ms = now_ms;
	backend_tell(reply->host, &(struct event){
		.kind = EVENT_BEGIN, .u.begin = {.params = reply->ask->params, .seed = reply->ask->seed,
		                                 .n_prompt = request->n_prompt, .prompt_hash = request->prompt_hash}});
}

static enum status tell_token(struct reply *reply, const struct token *token, struct error *err)
{
	if (token->recants) {
		reply->n_thought += reply->n_bytes;
		reply->n_bytes = 0;
	}
	*(token->reasoning ? &reply->n_thought : &reply->n_bytes) += token->len;
	return reply->host->event(reply->host->ctx, &(struct event){.kind = EVENT_TOKEN, .u.token = *token}, err);
}

/* Passes on the message besides the answer once it has ended. */
static void tell_aside(struct reply *reply)
{
	const char *text = buf_text(&reply->aside);

	if (!reply->aside.len)
		return;
	while (prompt_is_blank(*text))
		text++;
	backend_tell(reply->host, &(struct event){.kind = EVENT_ASIDE, .u.aside = {reply->aside_to, text}});
	buf_clear(&reply->aside);
}

/* Tells the token that was pushed last without text: nothing is known yet but that the model writes. */
static enum status tell_empty(struct reply *reply, bool recants, struct error *err)
{
	struct token token = reply->last;

	token.bytes = "";
	token.rest = true;
	token.reasoning = token.recants = recants;
	return tell_token(reply, &token, err);
}

/* Whether a token that the splitter passes on, or a piece of one, was told when the reply was cut. */
static bool was_told_before(struct reply *reply, const struct token *token)
{
	if (!token->rest) {
		reply->skips = reply->n_held > 0;
		reply->n_held -= reply->skips;
	}
	return reply->skips;
}

/* Receives tokens from the splitter. */
static enum status take_split(void *ctx, const struct token *token, struct error *err)
{
	struct reply *reply = ctx;

	if (reply->is_replayed || was_told_before(reply, token))
		return token->recants && !reply->is_replayed ? tell_empty(reply, true, err) : STATUS_OK;
	reply->was_told = true;
	reply->is_thinking = token->reasoning;
	if (!token->aside)
		tell_aside(reply);
	else if (!reply->aside.len)
		memcpy(reply->aside_to, reply->splitter.recipient, sizeof reply->aside_to);
	if (token->aside && buf_append(&reply->aside, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	return tell_token(reply, token, err);
}

/* All strings that end the reply: the turn's, and those of a template that is known here. */
static enum status collect_stops(struct reply *reply, struct error *err)
{
	const struct chat_template *tmpl = reply->remote->tmpl;
	const struct turn *turn = reply->ask->turn;
	size_t room, n = 0;

	if (add_overflows(turn->n_stops, BUILTIN_STOPS_MAX + 2, &room) ||
	    !(reply->stops = alloc_array(room, sizeof *reply->stops)))
		return error_no_memory(err, "for the reply");
	for (size_t i = 0; i < turn->n_stops; i++)
		reply->stops[n++] = turn->stops[i];
	if (turn->raw || !tmpl)
		return STATUS_OK;
	for (const char *const *stop = tmpl->stops; *stop; stop++)
		reply->stops[n++] = *stop;
	reply->stops[n] = tmpl->end_marker;
	return STATUS_OK;
}

/* Brings the detokenizer and the splitter to where a continued reply was cut. */
static enum status replay(struct reply *reply, struct error *err)
{
	const struct token_list *begun = &reply->request->begun;
	enum status status = STATUS_OK;

	if (!begun->n || !reply->remote->tokenizer)
		return STATUS_OK;
	reply->is_replayed = true;
	for (size_t i = 0; i < begun->n && !status; i++)
		status = splitter_push_id(&reply->splitter, &reply->detokenizer, &(struct token){.id = begun->ids[i]}, err);
	reply->is_replayed = false;
	reply->n_held = reply->splitter.held.n;
	reply->skips = reply->n_held && reply->splitter.held.tokens[0].token.rest;
	reply->n_held -= reply->skips;
	return status;
}

/* It is known by which markers its text is divided; NULL: by none. */
static enum status divide_by(struct reply *reply, const struct reasoning_markers *markers, struct error *err)
{
	const struct turn *turn = reply->ask->turn;
	bool trims = !turn->raw && (!turn->continued || reply->request->begun.n);
	enum status status = collect_stops(reply, err);

	if (status)
		return status;
	splitter_init(&reply->splitter, markers, reply->request->start, reply->stops, trims, take_split, reply);
	reply->is_divided = true;
	if (reply->remote->tokenizer)
		detokenizer_init(&reply->detokenizer, reply->remote->tokenizer, false);
	return replay(reply, err);
}

/* The next token of the turn. */
static struct token next_token(struct reply *reply, const struct chunk *chunk)
{
	uint32_t n = ++reply->stats->n_generated;

	reply->stats->n_ctx_used = reply->request->n_prompt + n;
	reply->last = (struct token){.id = TOKEN_NONE, .probability = chunk->probability, .bytes = "",
	                             .n_generated = n, .n_ctx_used = reply->stats->n_ctx_used};
	return reply->last;
}

static enum status push(struct reply *reply, const struct token *token, struct error *err)
{
	enum status status;

	reply->was_told = false;
	status = splitter_push(&reply->splitter, token, NULL, 0, err);
	if (!status && !reply->was_told && !reply->splitter.stopped)
		status = tell_empty(reply, false, err);
	return status;
}

/* The text before it was known how to divide it, as one token. */
static enum status push_opening(struct reply *reply, struct error *err)
{
	struct token token = reply->opening_token;

	token.bytes = buf_text(&reply->opening);
	token.len = reply->opening.len;
	return token.len ? push(reply, &token, err) : STATUS_OK;
}

/* How the text begins decides how it is divided; more of it may have to come. */
static enum status open_text(struct reply *reply, const struct token *token, struct error *err)
{
	const struct reasoning_markers *markers;
	enum status status;

	if (buf_append(&reply->opening, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	reply->opening_token = *token;
	reply->opening_token.candidates = NULL;
	reply->opening_token.n_candidates = 0;
	if (!thoughts_find(buf_text(&reply->opening), reply->opening.len, &markers))
		return tell_empty(reply, false, err);
	status = divide_by(reply, markers, err);
	return status ? status : push_opening(reply, err);
}

/* By the template that is known here; NULL: none. */
static const struct reasoning_markers *known_markers(const struct reply *reply)
{
	const struct chat_template *tmpl = reply->remote->tmpl;

	return tmpl && !reply->ask->turn->raw ? tmpl->reasoning : NULL;
}

static bool may_think_inline(const struct reply *reply)
{
	const struct remote *remote = reply->remote;
	const struct turn *turn = reply->ask->turn;

	return remote->has_inline_thoughts && !remote->tmpl && !remote->has_reasoned && !turn->raw && !turn->continued;
}

/* reply->text becomes what is new of a text and whole characters. */
static enum status take_characters(struct reply *reply, const struct buf *text, struct error *err)
{
	struct buf fresh = {.max = LIMIT_STREAM_LINE * 2};
	bool may_echo = reply->echo.at < reply->echo.len;

	buf_clear(&reply->text);
	if (may_echo && echo_take(&reply->echo, buf_text(text), text->len, &fresh) == STATUS_OK)
		text = &fresh;
	(void)utf8_stream_push(&reply->text_tail, buf_text(text), text->len, &reply->text);
	buf_free(&fresh);
	return buf_status(&reply->text) ? error_no_memory(err, "for the reply") : STATUS_OK;
}

static enum status take_text(struct reply *reply, const struct chunk *chunk, struct error *err)
{
	struct token token;
	enum status status;

	status = take_characters(reply, &chunk->text, err);
	if (status)
		return status;
	if (!reply->text.len)
		return STATUS_OK; /* half a character */
	token = next_token(reply, chunk);
	token.bytes = buf_text(&reply->text);
	token.len = reply->text.len;
	token.candidates = chunk->candidates;
	token.n_candidates = chunk->n_candidates;
	if (!reply->is_divided && may_think_inline(reply))
		return open_text(reply, &token, err);
	if (!reply->is_divided)
		status = divide_by(reply, known_markers(reply), err);
	return status ? status : push(reply, &token, err);
}

/* Ids are spelled here. */
static enum status take_ids(struct reply *reply, const struct chunk *chunk, struct error *err)
{
	enum status status = STATUS_OK;

	if (!reply->is_divided)
		status = divide_by(reply, known_markers(reply), err);
	for (size_t i = 0; i < chunk->n_ids && !status && !reply->splitter.stopped; i++) {
		struct token token = next_token(reply, chunk);

		token.id = reply->last.id = chunk->ids[i];
		if (i == 0) {
			token.candidates = chunk->candidates;
			token.n_candidates = chunk->n_candidates;
		}
		reply->was_told = false;
		status = splitter_push_id(&reply->splitter, &reply->detokenizer, &token, err);
		if (!status && !reply->was_told && !reply->splitter.stopped)
			status = tell_empty(reply, false, err);
	}
	return status;
}

/* Thoughts in a field of their own. */
static enum status take_reasoning(struct reply *reply, const struct chunk *chunk, struct error *err)
{
	struct token token;
	enum status status = STATUS_OK;

	reply->remote->has_reasoned = true;
	if (!reply->is_divided && reply->opening.len) {
		status = divide_by(reply, NULL, err);
		if (!status)
			status = push_opening(reply, err);
	}
	buf_clear(&reply->text);
	if (!status && utf8_stream_push(&reply->reasoning_tail, buf_text(&chunk->reasoning), chunk->reasoning.len,
	                                &reply->text))
		status = error_no_memory(err, "for the reply");
	if (status || !reply->text.len)
		return status;
	token = next_token(reply, chunk);
	token.bytes = buf_text(&reply->text);
	token.len = reply->text.len;
	token.reasoning = reply->is_thinking = true;
	return tell_token(reply, &token, err);
}

/* What a later chunk does not say, an earlier one has said. */
static void take_usage(struct chunk_usage *usage, const struct chunk_usage *more)
{
	if (more->is_known) {
		usage->is_known = true;
		usage->n_prompt = more->n_prompt;
		usage->n_generated = more->n_generated;
		usage->n_reasoning = more->n_reasoning;
	}
	if (more->knows_cached) {
		usage->knows_cached = true;
		usage->n_cached = more->n_cached;
	}
	if (more->knows_cost) {
		usage->knows_cost = true;
		usage->cost = more->cost;
	}
	usage->prefill_ms = more->prefill_ms > 0 ? more->prefill_ms : usage->prefill_ms;
	usage->decode_ms = more->decode_ms > 0 ? more->decode_ms : usage->decode_ms;
}

static void take_progress(const struct reply *reply, const struct chunk *chunk)
{
	if (chunk->progress.is_known && !reply->has_begun)
		backend_tell(reply->host, &(struct event){
			.kind = EVENT_PREFILLING, .u.prefilling = {
				.done = chunk->progress.done, .total = chunk->progress.total,
				.cached = chunk->progress.cached, .n_dropped = reply->request->n_dropped}});
}

/* A server that is not told the most tokens is stopped. */
static bool has_enough(const struct reply *reply)
{
	const struct turn *turn = reply->ask->turn;

	return turn->n_predict >= 0 && reply->stats->n_generated >= (uint32_t)turn->n_predict &&
	       !fields_find(reply->remote, "predict");
}

enum status reply_take(struct reply *reply, const struct chunk *chunk, uint64_t now_ms, struct error *err)
{
	bool has_ids = chunk->n_ids && reply->remote->tokenizer;
	enum status status = STATUS_OK;

	take_usage(&reply->usage, &chunk->usage);
	take_progress(reply, chunk);
	if (chunk->id[0])
		memcpy(reply->id, chunk->id, sizeof reply->id);
	if (chunk->reasoning.len || chunk->text.len || has_ids)
		begin(reply, now_ms);
	if (chunk->reasoning.len)
		status = take_reasoning(reply, chunk, err);
	if (!status && has_ids)
		status = take_ids(reply, chunk, err);
	else if (!status && chunk->text.len)
		status = take_text(reply, chunk, err);
	if (status)
		return status;
	if (chunk->end)
		reply->end = chunk->end;
	if (reply->is_divided && reply->splitter.stopped) {
		reply->end = CHUNK_STOP;
		reply->is_over = true;
	} else if (!reply->end && has_enough(reply)) {
		reply->end = CHUNK_LENGTH;
		reply->is_over = true;
	}
	return STATUS_OK;
}

/* Half a character at the end, and what the splitter holds back. */
static enum status flush(struct reply *reply, bool is_whole, struct error *err)
{
	enum status status = STATUS_OK;

	buf_clear(&reply->text);
	if (is_whole && reply->text_tail.n_held && utf8_stream_flush(&reply->text_tail, &reply->text))
		return error_no_memory(err, "for the reply");
	if (!reply->is_divided && (reply->opening.len || reply->text.len)) {
		status = divide_by(reply, NULL, err);
		if (!status)
			status = push_opening(reply, err);
	}
	if (status || !reply->is_divided || reply->splitter.stopped)
		return status;
	if (reply->text.len) {
		struct token token = reply->last;

		token.bytes = buf_text(&reply->text);
		token.len = reply->text.len;
		token.rest = true;
		status = splitter_push(&reply->splitter, &token, NULL, 0, err);
	}
	if (!status && is_whole && reply->remote->tokenizer)
		status = splitter_end_text(&reply->splitter, &reply->detokenizer, err);
	return status ? status : splitter_flush(&reply->splitter, err);
}

enum status reply_end(struct reply *reply, bool is_whole, uint64_t now_ms, bool *in_character, struct error *err)
{
	enum status status = flush(reply, is_whole, err);

	tell_aside(reply);
	if (!status && reply->is_divided && reply->splitter.stopped)
		reply->end = CHUNK_STOP;
	*in_character = reply->remote->tokenizer && reply->detokenizer.utf8.n_held > 0;
	if (reply->request)
		reply_count(reply, now_ms);
	return status;
}
