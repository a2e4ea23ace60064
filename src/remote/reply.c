#include "remote/reply_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/fields.h"

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

/* The next token of the turn. */
static struct token next_token(struct reply *reply, const struct chunk *chunk)
{
	uint32_t n = ++reply->stats->n_generated;

	reply->stats->n_ctx_used = reply->request->n_prompt + n;
	reply->last = (struct token){.id = TOKEN_NONE, .probability = chunk->probability, .raw_p = chunk->probability,
	                             .log_sum = NAN, .entropy = NAN, .bytes = "",
	                             .n_generated = n, .n_ctx_used = reply->stats->n_ctx_used};
	return reply->last;
}

/* Those of the chunk's first token. Servers tell logarithms of probabilities of the whole distribution. */
static void put_candidates(struct token *token, const struct chunk *chunk)
{
	token->candidates = chunk->candidates;
	token->n_candidates = chunk->n_candidates;
	if (!chunk->n_candidates)
		return;
	token->log_sum = 0;
	for (size_t i = 0; i < chunk->n_candidates && token->raw_p <= 0; i++) {
		const struct token_candidate *candidate = &chunk->candidates[i];

		if (token->id != TOKEN_NONE ? candidate->id == token->id
		                            : candidate->len == token->len && candidate->len < sizeof candidate->text &&
		                              memcmp(candidate->text, token->bytes, token->len) == 0)
			token->raw_p = candidate->probability;
	}
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
	characters_push(&reply->text_tail, buf_text(text), text->len, &reply->text);
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
	put_candidates(&token, chunk);
	if (!reply->is_divided && may_think_inline(reply))
		return reply_open(reply, &token, err);
	if (!reply->is_divided)
		status = reply_divide_by(reply, known_markers(reply), err);
	return status ? status : reply_push(reply, &token, err);
}

/* Ids are spelled here. */
static enum status take_ids(struct reply *reply, const struct chunk *chunk, struct error *err)
{
	enum status status = STATUS_OK;

	if (!reply->is_divided)
		status = reply_divide_by(reply, known_markers(reply), err);
	for (size_t i = 0; i < chunk->n_ids && !status && !reply->splitter.stopped; i++) {
		struct token token = next_token(reply, chunk);

		token.id = reply->last.id = chunk->ids[i];
		if (i == 0)
			put_candidates(&token, chunk);
		else
			token.probability = token.raw_p = 0;
		reply->was_told = false;
		status = splitter_push_id(&reply->splitter, &reply->detokenizer, &token, err);
		if (!status && !reply->was_told && !reply->splitter.stopped)
			status = reply_tell_empty(reply, false, err);
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
		status = reply_divide_by(reply, NULL, err);
		if (!status)
			status = reply_push_opening(reply, err);
	}
	buf_clear(&reply->text);
	characters_push(&reply->reasoning_tail, buf_text(&chunk->reasoning), chunk->reasoning.len, &reply->text);
	if (!status && buf_status(&reply->text))
		status = error_no_memory(err, "for the reply");
	if (status || !reply->text.len)
		return status;
	token = next_token(reply, chunk);
	token.bytes = buf_text(&reply->text);
	token.len = reply->text.len;
	token.reasoning = reply->is_thinking = true;
	return reply_tell(reply, &token, err);
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

	reply_take_usage(&reply->usage, &chunk->usage);
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
	if (is_whole)
		characters_flush(&reply->text_tail, &reply->text);
	if (buf_status(&reply->text))
		return error_no_memory(err, "for the reply");
	if (!reply->is_divided && (reply->opening.len || reply->text.len)) {
		status = reply_divide_by(reply, NULL, err);
		if (!status)
			status = reply_push_opening(reply, err);
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

	reply_tell_aside(reply);
	if (!status && reply->is_divided && reply->splitter.stopped)
		reply->end = CHUNK_STOP;
	*in_character = reply->remote->tokenizer && reply->detokenizer.utf8.n_held > 0;
	if (reply->request)
		reply_count(reply, now_ms);
	return status;
}
