#include "engine/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "engine/backend.h"
#include "engine/prompt.h"

/* How much of a reply its ids spell: *n_used of them are *len bytes of its
 * text, whole characters both. White space before the first word is not part
 * of a text, but may be in the ids. */
static enum status match_ids(const struct tokenizer *tokenizer,
                             const struct worker_message *message, size_t *n_used, size_t *len,
                             struct error *err)
{
	struct detokenizer detokenizer;
	enum status status = STATUS_OK;
	size_t start = 0, at;
	struct buf text;

	*n_used = *len = 0;
	while (start < message->len && prompt_is_blank(message->text[start]))
		start++;
	at = start;
	buf_init(&text, LIMIT_MESSAGE);
	detokenizer_init(&detokenizer, tokenizer, false);
	for (size_t i = 0; i < message->n_ids; i++) {
		const char *bytes;
		size_t n;

		/* Ids of another model may be none of this one's. */
		if (message->ids[i] < 0 ||
		    (size_t)message->ids[i] >= tokenizer_n_vocab(tokenizer))
			break;
		buf_clear(&text);
		status = detokenizer_push(&detokenizer, message->ids[i], &text);
		if (status) {
			error_set(err, status, "not enough memory for the reply's text");
			break;
		}
		bytes = buf_text(&text);
		n = text.len;
		for (; at == start && n && prompt_is_blank(*bytes); n--)
			bytes++;
		if (n > message->len - at || memcmp(bytes, message->text + at, n) != 0)
			break;
		at += n;
		if (detokenizer.utf8.n_held == 0) {
			*n_used = i + 1;
			*len = at;
		}
	}
	buf_free(&text);
	/* Nothing but blanks: better tokenised with what follows. */
	if (*len <= start)
		*n_used = 0;
	return status;
}

static enum status push_ids(struct token_list *out, const int32_t *ids, size_t n,
                            struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (token_list_push(out, ids[i]))
			return error_set(err, STATUS_NOMEM, "not enough memory for the prompt");
	return STATUS_OK;
}

/* Pieces that are tokenised together. */
static enum status encode_part(struct token_list *out, const struct tokenizer *tokenizer,
                               const struct worker_turn *turn, const struct prompt_piece *pieces,
                               size_t n, unsigned flags, struct error *err)
{
	struct text_span *spans = alloc_array(n, sizeof *spans);
	const struct prompt_piece *last = &pieces[n - 1];
	const struct worker_message *message = &turn->messages[last->message];
	size_t n_used = 0, len = 0;
	enum status status = STATUS_OK;

	if (!spans)
		return error_set(err, STATUS_NOMEM, "not enough memory for the prompt");
	for (size_t i = 0; i < n; i++)
		spans[i] = pieces[i].span;
	if (last->is_reply && message->n_ids)
		status = match_ids(tokenizer, message, &n_used, &len, err);
	if (status)
		goto out;
	if (n_used == 0) {
		status = tokenizer_encode_spans(tokenizer, spans, n, flags, out, err);
		goto out;
	}
	if (n > 1)
		status = tokenizer_encode_spans(tokenizer, spans, n - 1, flags, out, err);
	if (!status)
		status = push_ids(out, message->ids, n_used, err);
	if (!status && len < message->len)
		status = tokenizer_encode(tokenizer, message->text + len, message->len - len,
		                          ENCODE_CONTINUE, out, err);
out:
	free(spans);
	return status;
}

/* Appends the ids of the kept messages and adds up message_tokens. */
static enum status encode_kept(struct token_list *out, uint32_t *message_tokens,
                               const struct tokenizer *tokenizer, const struct worker_turn *turn,
                               const bool *keep, struct error *err)
{
	struct prompt prompt;
	enum status status = prompt_render(&prompt, turn, keep, err);
	unsigned flags = ENCODE_BOS;

	for (size_t i = 0, end; !status && i < prompt.n; i = end) {
		size_t before = out->n;

		end = i + 1;
		while (end < prompt.n && !prompt.pieces[end].starts_part)
			end++;
		status = encode_part(out, tokenizer, turn, &prompt.pieces[i], end - i, flags, err);
		flags = ENCODE_CONTINUE;
		message_tokens[prompt.pieces[i].message] += (uint32_t)(out->n - before);
	}
	prompt_free(&prompt);
	return status;
}

enum status encode_turn(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct worker_turn *turn, size_t room, struct error *err)
{
	bool *keep = alloc_array(turn->n_messages, sizeof *keep);
	uint32_t *scratch = alloc_array(turn->n_messages, sizeof *scratch);
	enum status status;

	*out = (struct encoded){.message_tokens = alloc_array(turn->n_messages, sizeof(uint32_t))};
	if (!keep || !scratch || !out->message_tokens) {
		status = error_set(err, STATUS_NOMEM, "not enough memory for the prompt");
		goto out;
	}
	memset(keep, true, turn->n_messages);
	status = encode_kept(&out->ids, out->message_tokens, tokenizer, turn, keep, err);
	if (!status)
		status = backend_fit(turn, out->message_tokens, 0, room, keep, &out->n_dropped, err);
	if (status || !out->n_dropped)
		goto out;
	/* What is left begins anew, with its own beginning of text. */
	out->ids.n = 0;
	status = encode_kept(&out->ids, scratch, tokenizer, turn, keep, err);
out:
	free(keep);
	free(scratch);
	return status;
}

void encoded_free(struct encoded *encoded)
{
	token_list_free(&encoded->ids);
	free(encoded->message_tokens);
	encoded->message_tokens = NULL;
}
