#include "prompt/stop.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

enum { HELD_MAX = 1 << 20 };

void held_token_init(struct held_token *held, const struct token *token)
{
	held->id = token->id;
	held->probability = token->probability;
	held->n_ctx_used = token->n_ctx_used;
	held->n_bytes = token->len;
	held->is_control = false;
	held->n_candidates = token->n_candidates;
	if (token->n_candidates)
		memcpy(held->candidates, token->candidates,
		       token->n_candidates * sizeof *held->candidates);
}

struct token held_token_show(const struct held_token *held, const char *bytes, size_t n)
{
	return (struct token){.id = held->id, .probability = held->probability,
	                      .bytes = bytes, .len = n, .n_ctx_used = held->n_ctx_used,
	                      .candidates = held->candidates,
	                      .n_candidates = held->n_candidates};
}

void stop_init(struct stop_filter *filter, const char *const *stops, bool skip_blanks)
{
	*filter = (struct stop_filter){.stops = stops, .skip_blanks = skip_blanks};
	buf_init(&filter->text, LIMIT_MESSAGE);
}

void stop_deinit(struct stop_filter *filter)
{
	free(filter->tokens);
	buf_free(&filter->text);
	*filter = (struct stop_filter){.stops = filter->stops};
}

/* Where the first stop string begins; the text's length when there is none. */
static size_t find_stop(const struct stop_filter *filter)
{
	const char *text = buf_text(&filter->text);
	size_t first = filter->text.len;

	for (const char *const *stop = filter->stops; *stop; stop++) {
		const char *hit = **stop ? memmem(text, filter->text.len, *stop, strlen(*stop)) : NULL;

		if (hit && (size_t)(hit - text) < first)
			first = (size_t)(hit - text);
	}
	return first;
}

/* How many bytes at the end may begin a stop string. */
static size_t open_end(const struct stop_filter *filter)
{
	size_t longest = 0, len = filter->text.len;

	for (const char *const *stop = filter->stops; *stop; stop++) {
		size_t n = **stop ? strlen(*stop) - 1 : 0;

		for (n = n < len ? n : len; n > longest; n--)
			if (memcmp(buf_text(&filter->text) + len - n, *stop, n) == 0)
				longest = n;
	}
	return longest;
}

/* Passes the oldest token on with the first n of its bytes. */
static enum status let_through(struct stop_filter *filter, const struct held_token *held,
                               const char *bytes, size_t n, stop_sink sink, void *ctx,
                               struct error *err)
{
	struct token token;

	while (filter->skip_blanks && n > 0 && stop_is_blank(*bytes)) {
		bytes++;
		n--;
	}
	if (n > 0)
		filter->skip_blanks = false;
	token = held_token_show(held, bytes, n);
	return sink(ctx, &token, err);
}

/* Lets through whole tokens among the first `safe` bytes; with `cut`, also the
 * beginning of the one that reaches beyond. */
static enum status release(struct stop_filter *filter, size_t safe, bool cut, stop_sink sink,
                           void *ctx, struct error *err)
{
	enum status status = STATUS_OK;
	size_t n = 0, at = 0;

	while (!status && n < filter->n) {
		const struct held_token *held = &filter->tokens[n];
		size_t take = held->n_bytes;

		if (take > safe - at) {
			if (!cut || at == safe)
				break;
			take = safe - at;
		} else if (cut && at == safe) {
			break; /* an empty token behind the end is of no use */
		}
		status = let_through(filter, held, buf_text(&filter->text) + at, take, sink, ctx,
		                     err);
		at += take;
		n++;
	}
	buf_remove(&filter->text, 0, at);
	filter->n -= n;
	if (n && filter->n)
		memmove(filter->tokens, filter->tokens + n, filter->n * sizeof *filter->tokens);
	return status;
}

enum status stop_push(struct stop_filter *filter, const struct token *token,
                      stop_sink sink, void *ctx, bool *stopped, struct error *err)
{
	size_t at;

	*stopped = false;
	if (!alloc_grow(&filter->tokens, &filter->cap, filter->n + 1, sizeof *filter->tokens,
	                HELD_MAX) ||
	    buf_append(&filter->text, token->bytes, token->len))
		return error_set(err, STATUS_NOMEM, "not enough memory for the reply");
	held_token_init(&filter->tokens[filter->n++], token);
	at = find_stop(filter);
	if (at < filter->text.len) {
		*stopped = true;
		return release(filter, at, true, sink, ctx, err);
	}
	return release(filter, filter->text.len - open_end(filter), false, sink, ctx, err);
}

enum status stop_flush(struct stop_filter *filter, stop_sink sink, void *ctx, struct error *err)
{
	return release(filter, filter->text.len, false, sink, ctx, err);
}
