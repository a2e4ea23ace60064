#include "cli/served_reply.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/backends.h"
#include "cli/print.h"
#include "cli/status_line.h"
#include "cli/stop.h"
#include "engine/backend.h"

enum { MAX_TOKENS = 1 << 20 };

struct listener {
	struct served_reply *reply;
	const struct turn *turn;
	struct status_line waits;
};

static bool cancelled(void *ctx)
{
	(void)ctx;
	return stop_signal() != 0;
}

static void params(void *ctx, uint32_t n, struct sampler_params *out)
{
	const struct listener *l = ctx;

	(void)n;
	*out = l->turn->sampler;
}

static struct candidate text_of(const char *bytes, size_t len, double log_p)
{
	struct candidate out = {.len = len < CANDIDATE_TEXT ? len : CANDIDATE_TEXT, .log_p = log_p};

	memcpy(out.text, bytes, out.len);
	return out;
}

static void take_told(struct served_token *out, const struct token *token)
{
	for (size_t i = 0; i < token->n_candidates && out->told.n < CANDIDATES_TOLD; i++) {
		const struct token_candidate *candidate = &token->candidates[i];

		out->told.best[out->told.n++] = text_of(candidate->text, candidate->len, (double)candidate->logit);
	}
}

static enum status take_token(struct served_reply *reply, const struct token *token, struct error *err)
{
	struct served_token *out;

	if (token->rest)
		return STATUS_OK;
	if (!alloc_grow(&reply->tokens, &reply->cap, reply->n + 1, sizeof *reply->tokens, MAX_TOKENS))
		return error_no_memory(err, "for the reply");
	out = &reply->tokens[reply->n++];
	*out = (struct served_token){.id = token->id, .text = text_of(token->bytes ? token->bytes : "", token->len, 0)};
	take_told(out, token);
	/* A part of a character has no bytes yet: at temperature 0 the token is the first candidate. */
	if (!out->text.len && out->told.n)
		out->text = out->told.best[0];
	return STATUS_OK;
}

static enum status on_event(void *ctx, const struct event *event, struct error *err)
{
	struct listener *l = ctx;

	status_line_clear(&l->waits);
	if (event->kind == EVENT_WAITING)
		status_line_show(&l->waits, event->u.waiting.text);
	return event->kind == EVENT_TOKEN ? take_token(l->reply, &event->u.token, err) : STATUS_OK;
}

static bool has_told(const struct served_reply *reply)
{
	for (size_t i = 0; i < reply->n; i++)
		if (reply->tokens[i].told.n)
			return true;
	return false;
}

static enum status ask(struct served_reply *reply, struct backend *backend, const struct backend_host *host,
                       const struct turn *turn, struct error *err)
{
	struct backend_result result;
	enum status status;

	if (!(reply->info.capabilities & CAPABILITY_LOGITS))
		return error_set(err, STATUS_DECLINED, "%s tells no candidates of its tokens: there is nothing to compare",
		                 reply->info.identity.server);
	status = backend_run(backend, turn, BACKEND_REPLY, host, &result, err);
	if (!status && stop_signal())
		return error_set(err, STATUS_CANCELLED, "stopped");
	if (!status && !has_told(reply))
		return error_set(err, STATUS_DECLINED, "%s told no candidates of its tokens: there is nothing to compare",
		                 reply->info.identity.server);
	return status;
}

enum status served_reply_get(struct served_reply *out, char *model, const struct engine_params *engine,
                             const struct turn *turn, struct error *err)
{
	struct engine_params own = *engine;
	struct listener listener = {.reply = out, .turn = turn, .waits = status_line_begin()};
	const struct backend_host host = {.ctx = &listener, .others = cli_backends, .cancelled = cancelled,
	                                  .params = params, .event = on_event};
	struct backend *backend;
	enum status status;

	own.model = model;
	status = backend_open(&backend, &own, &host, &out->info, err);
	if (!status) {
		status = ask(out, backend, &host, turn, err);
		backend_close(backend);
	}
	status_line_clear(&listener.waits);
	return status;
}

void served_reply_free(struct served_reply *reply)
{
	free(reply->tokens);
	*reply = (struct served_reply){.n = 0};
}

/* ---- in another vocabulary ---- */

struct candidate served_candidate(const struct tokenizer *tokenizer, int32_t id, double log_p)
{
	size_t len;
	const char *text = tokenizer_is_control(tokenizer, id) ? tokenizer_name(tokenizer, id, &len)
	                                                       : tokenizer_bytes(tokenizer, id, &len);

	return text_of(text, len, log_p);
}

static bool is_token(const struct tokenizer *tokenizer, int32_t id, const struct candidate *text)
{
	struct candidate own = served_candidate(tokenizer, id, 0);

	return candidate_same(&own, text);
}

/* The server's id, if it stands for the same here, else the token of that text; TOKEN_NONE: there is none. */
static int32_t find_token(const struct tokenizer *tokenizer, const struct served_token *token)
{
	size_t n = tokenizer_n_vocab(tokenizer);

	if (token->id >= 0 && (size_t)token->id < n && is_token(tokenizer, token->id, &token->text))
		return token->id;
	for (size_t i = 0; i < n && token->text.len; i++)
		if (is_token(tokenizer, (int32_t)i, &token->text))
			return (int32_t)i;
	return TOKEN_NONE;
}

enum status served_reply_ids(const struct served_reply *reply, const struct tokenizer *tokenizer,
                             struct token_list *out, struct error *err)
{
	for (size_t i = 0; i < reply->n; i++) {
		int32_t id = find_token(tokenizer, &reply->tokens[i]);

		if (id == TOKEN_NONE)
			break;
		if (token_list_push(out, id))
			return error_no_memory(err, "for the reply");
	}
	return STATUS_OK;
}
