/* How a reply's text is divided into thoughts and answer, and told. */
#include <string.h>

#include "encode/shape.h"
#include "remote/raw.h"
#include "remote/reply_internal.h"
#include "remote/thoughts.h"

enum status reply_tell(struct reply *reply, const struct token *token, struct error *err)
{
	if (token->recants) {
		reply->n_thought += reply->n_bytes;
		reply->n_bytes = 0;
	}
	*(token->reasoning ? &reply->n_thought : &reply->n_bytes) += token->len;
	return reply->host->event(reply->host->ctx, &(struct event){.kind = EVENT_TOKEN, .u.token = *token}, err);
}

void reply_tell_aside(struct reply *reply)
{
	const char *text = buf_text(&reply->aside);

	if (!reply->aside.len)
		return;
	while (prompt_is_blank(*text))
		text++;
	backend_tell(reply->host, &(struct event){.kind = EVENT_ASIDE, .u.aside = {reply->aside_to, text}});
	buf_clear(&reply->aside);
}

enum status reply_tell_empty(struct reply *reply, bool recants, struct error *err)
{
	struct token token = reply->last;

	token.bytes = "";
	token.rest = true;
	token.reasoning = token.recants = recants;
	return reply_tell(reply, &token, err);
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
		return token->recants && !reply->is_replayed ? reply_tell_empty(reply, true, err) : STATUS_OK;
	reply->was_told = true;
	reply->is_thinking = token->reasoning;
	if (!token->aside)
		reply_tell_aside(reply);
	else if (!reply->aside.len)
		memcpy(reply->aside_to, reply->splitter.recipient, sizeof reply->aside_to);
	if (token->aside && buf_append(&reply->aside, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	return reply_tell(reply, token, err);
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

enum status reply_divide_by(struct reply *reply, const struct reasoning_markers *markers, struct error *err)
{
	const struct turn *turn = reply->ask->turn;
	bool trims = !turn->raw && (!turn->continued || reply->request->begun.n);
	size_t n_stops;
	enum status status = raw_stops(turn, reply->remote->tmpl, &reply->stops, &n_stops, err);

	if (status)
		return status;
	splitter_init(&reply->splitter, markers, reply->request->start, reply->stops, trims, take_split, reply);
	reply->is_divided = true;
	if (reply->remote->tokenizer)
		detokenizer_init(&reply->detokenizer, reply->remote->tokenizer, false);
	return replay(reply, err);
}

enum status reply_push(struct reply *reply, const struct token *token, struct error *err)
{
	enum { HELD_TOKENS_MAX = 1 << 14 };
	enum status status;

	if (reply->splitter.held.n >= HELD_TOKENS_MAX) /* blanks, as a rule, that may be trimmed */
		return error_set(err, STATUS_LIMIT, "the reply has more than %d pieces without a word", HELD_TOKENS_MAX);
	reply->was_told = false;
	status = splitter_push(&reply->splitter, token, NULL, 0, err);
	if (!status && !reply->was_told && !reply->splitter.stopped)
		status = reply_tell_empty(reply, false, err);
	return status;
}

enum status reply_push_opening(struct reply *reply, struct error *err)
{
	struct token token = reply->opening_token;

	token.bytes = buf_text(&reply->opening);
	token.len = reply->opening.len;
	return token.len ? reply_push(reply, &token, err) : STATUS_OK;
}

enum status reply_open(struct reply *reply, const struct token *token, struct error *err)
{
	const struct reasoning_markers *markers;
	bool is_alone = !reply->opening.len, is_known;
	enum status status;

	if (buf_append(&reply->opening, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	reply->opening_token = *token;
	is_known = thoughts_find(buf_text(&reply->opening), reply->opening.len, &markers);
	if (!is_known || !is_alone) { /* they are borrowed, and of one token only */
		reply->opening_token.candidates = NULL;
		reply->opening_token.n_candidates = 0;
	}
	if (!is_known)
		return reply_tell_empty(reply, false, err);
	status = reply_divide_by(reply, markers, err);
	return status ? status : reply_push_opening(reply, err);
}
