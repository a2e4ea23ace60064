#include "encode/held.h"

#include <string.h>

#include "base/alloc.h"
#include "encode/shape.h"

enum { HELD_MAX = 1 << 20 };

enum status held_push(struct held *held, const struct token *token, const char *name,
                      size_t name_len, struct error *err)
{
	const char *text = name ? name : token->bytes;
	size_t len = name ? name_len : token->len;
	struct held_token *last;

	if (!alloc_grow(&held->tokens, &held->cap, held->n + 1, sizeof *held->tokens, HELD_MAX) ||
	    buf_append(&held->text, text, len))
		return error_no_memory(err, "for the reply");
	last = &held->tokens[held->n++];
	last->token = *token;
	if (token->n_candidates)
		memcpy(last->candidates, token->candidates,
		       token->n_candidates * sizeof *last->candidates);
	last->n_bytes = len;
	last->is_control = name != NULL;
	return STATUS_OK;
}

static void note_answer(struct held *held, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		held->quoted ^= bytes[i] == '`';
	held->last = bytes[n - 1];
	held->reported = true;
}

/* Reports a token with the first `n` of its bytes. */
static enum status report(struct held *held, struct held_token *from, enum held_part part,
                          const char *bytes, size_t n, struct error *err)
{
	struct token token = from->token;

	if (part == PART_MARKER || from->is_control)
		n = 0;
	if (part == PART_ANSWER && held->skip_blanks) {
		size_t blanks = prompt_count_blanks(bytes, n);

		bytes += blanks;
		n -= blanks;
		held->skip_blanks = n == 0;
	}
	if (part == PART_ANSWER && n)
		note_answer(held, bytes, n);
	token.recants = held->recant;
	if (token.rest && !n && !token.recants)
		return STATUS_OK; /* nothing is new */
	token.bytes = bytes;
	token.len = n;
	token.candidates = from->candidates;
	token.n_candidates = token.rest ? 0 : token.n_candidates;
	token.reasoning = part != PART_ANSWER;
	token.aside = part == PART_ASIDE;
	token.unsure = part == PART_ANSWER && held->unsure;
	from->token.rest = true;
	held->recant = false;
	return held->sink(held->ctx, &token, err);
}

enum status held_release(struct held *held, size_t n, enum held_part part, enum held_border border,
                         struct error *err)
{
	enum status status = STATUS_OK;
	size_t n_tokens = 0, at = 0;
	struct held_token *token;

	while (!status && n_tokens < held->n && held->tokens[n_tokens].n_bytes <= n - at) {
		token = &held->tokens[n_tokens];
		/* A token without bytes begins a character that the next one completes. */
		if (token->n_bytes == 0 && at == n && border != BORDER_END)
			break;
		n_tokens++;
		status = report(held, token, part, buf_text(&held->text) + at, token->n_bytes, err);
		at += token->n_bytes;
	}
	token = n_tokens < held->n ? &held->tokens[n_tokens] : NULL;
	if (!status && at < n && token && (border == BORDER_CUT || border == BORDER_STOP)) {
		if (part != PART_MARKER)
			status = report(held, token, part, buf_text(&held->text) + at, n - at, err);
		token->n_bytes -= n - at;
		at = n;
	}
	if (border == BORDER_STOP) {
		n_tokens = held->n;
		at = held->text.len;
	}
	buf_remove(&held->text, 0, at);
	held->n -= n_tokens;
	if (n_tokens && held->n)
		memmove(held->tokens, held->tokens + n_tokens, held->n * sizeof *held->tokens);
	return status;
}

enum status held_put_gap(struct held *held, struct error *err)
{
	static const char gap[2] = "\n\n";

	if (buf_append(&held->text, gap, sizeof gap))
		return error_no_memory(err, "for the reply");
	memmove(held->text.data + sizeof gap, held->text.data, held->text.len - sizeof gap);
	memcpy(held->text.data, gap, sizeof gap);
	held->tokens[0].n_bytes += sizeof gap;
	return STATUS_OK;
}

size_t held_drop_names(struct held *held, size_t n)
{
	size_t at = 0, dropped = 0;

	for (size_t i = 0; i < n; i++) {
		if (held->tokens[i].is_control) {
			buf_remove(&held->text, at, held->tokens[i].n_bytes);
			dropped += held->tokens[i].n_bytes;
			held->tokens[i].n_bytes = 0;
		}
		at += held->tokens[i].n_bytes;
	}
	return dropped;
}
