/* What of a turn is encoded: as many of its messages as there is room for, and a reply to them. */
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "encode/encode.h"
#include "encode/fit.h"
#include "encode/splitter.h"

/* How many tokens the kept messages had before any were left out; they may have more now. */
static size_t count_kept(const struct turn *turn, const uint32_t *tokens, const bool *keep)
{
	size_t sum = 0;

	for (size_t i = 0; i < turn->n_messages; i++)
		sum += keep[i] ? tokens[i] : 0;
	return sum;
}

enum status encode_turn(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        size_t room, struct error *err)
{
	size_t fixed, step = fit_step(room);
	enum status status = encoded_init(out, turn, err);

	if (status)
		return status;
	memset(out->keep, true, turn->n_messages);
	status = encode_kept(out, tokenizer, tmpl, turn, err);
	if (status)
		return status;
	for (size_t i = 0; i < turn->n_messages; i++)
		out->whole_tokens[i] = out->counts[i].tokens;
	status = fit_messages(turn, out->whole_tokens, 0, room, step, out->keep, &out->n_dropped, err);
	if (!status) {
		status = fit_permit(turn, out->n_dropped, out->ids.n, room, err);
		out->refused = status != STATUS_OK;
	}
	/* The rest is a prompt of its own, with a beginning of its own, and may take
	 * more tokens than it did. */
	while (!status && out->n_dropped) {
		status = encode_kept(out, tokenizer, tmpl, turn, err);
		if (status || out->ids.n <= room)
			break;
		fixed = out->ids.n - count_kept(turn, out->whole_tokens, out->keep);
		status = fit_messages(turn, out->whole_tokens, fixed, room, step, out->keep,
		                      &out->n_dropped, err);
	}
	return status;
}

/* The same for an answered turn: the messages that were sent to get the reply, and the reply,
 * however long it is. */
static enum status encode_answered(struct encoded *out, const struct tokenizer *tokenizer,
                                   const struct chat_template *tmpl, const struct turn *turn,
                                   size_t room, struct error *err)
{
	struct turn asked = *turn;
	size_t reply = turn->n_messages - 1;
	enum status status;

	asked.answered = false;
	asked.n_messages = reply;
	status = encode_turn(out, tokenizer, tmpl, &asked, room, err);
	if (status)
		return status;
	out->keep[reply] = true;
	status = encode_kept(out, tokenizer, tmpl, turn, err);
	out->whole_tokens[reply] = out->counts[reply].tokens;
	return status;
}

/* What a reply's ids spell. */
struct spelling {
	const struct tokenizer *tokenizer;
	struct buf text, reasoning;
	bool has_control; /* in the answer, where the template would have none */
	size_t n_open;    /* bytes at the end that may belong to a marker */
};

static enum status take(void *ctx, const struct token *token, struct error *err)
{
	struct spelling *s = ctx;
	enum status status = STATUS_OK;

	s->has_control |= !token->reasoning && tokenizer_is_control(s->tokenizer, token->id);
	if (token->recants) {
		status = buf_append(&s->reasoning, buf_text(&s->text), s->text.len);
		buf_clear(&s->text);
	}
	if (status || buf_append(token->reasoning ? &s->reasoning : &s->text, token->bytes, token->len))
		return error_no_memory(err, "for the reply");
	return STATUS_OK;
}

static enum status spell(struct spelling *s, const struct message *reply, bool has_ended,
                         struct splitter *splitter, struct error *err)
{
	enum status status = STATUS_OK;
	struct detokenizer detokenizer;

	detokenizer_init(&detokenizer, s->tokenizer, false);
	for (size_t i = 0; i < reply->n_ids && !status; i++)
		status = splitter_push_id(splitter, &detokenizer, &(struct token){.id = reply->ids[i]}, err);
	if (!status && has_ended)
		status = splitter_end_text(splitter, &detokenizer, err);
	s->n_open = splitter->held.text.len;
	return status ? status : splitter_flush(splitter, err);
}

/* Whether a text is all of what was spelled, or that without *left of its last bytes, of which *left then has less. */
static bool begins(const struct buf *spelled, const char *text, size_t len, size_t *left)
{
	if (spelled->len < len || spelled->len - len > *left || (len && memcmp(spelled->data, text, len) != 0))
		return false;
	*left -= spelled->len - len;
	return true;
}

/* What the last token may have more than the reply, whose end a stop string or half a character was. */
static enum status count_last(size_t *out, const struct tokenizer *tokenizer, const struct message *reply,
                              struct error *err)
{
	struct buf piece = {.max = LIMIT_MESSAGE};
	enum status status = tokenizer_piece(tokenizer, reply->ids[reply->n_ids - 1], &piece);

	*out = piece.len + strlen("\xEF\xBF\xBD");
	buf_free(&piece);
	return status ? error_no_memory(err, "for the reply") : STATUS_OK;
}

/* Tokens that end a reply, or that this vocabulary lacks. */
static bool has_foreign(const struct message *reply, const struct tokenizer *tokenizer)
{
	for (size_t i = 0; i < reply->n_ids; i++) {
		int32_t id = reply->ids[i];

		if (id < 0 || (size_t)id >= tokenizer_n_vocab(tokenizer) || tokenizer_is_eog(tokenizer, id))
			return true;
	}
	return false;
}

/* Whether a reply's ids still spell it, behind a prompt that ends inside the reasoning or not. They
 * do not if a model with another vocabulary made it. They may spell more than it shows, at its end: of one that has
 * ended its last token, of a branch what may still become a marker. */
static enum status spells(bool *out, const struct message *reply, bool has_ended,
                          const struct tokenizer *tokenizer, const struct chat_template *tmpl,
                          enum reasoning_start start, struct error *err)
{
	static const char *const no_stops[] = {NULL};
	struct spelling s = {.tokenizer = tokenizer, .text = {.max = LIMIT_MESSAGE},
	                     .reasoning = {.max = LIMIT_MESSAGE}};
	struct splitter splitter;
	size_t left = 0;
	enum status status;

	*out = false;
	if (!reply->n_ids || has_foreign(reply, tokenizer))
		return STATUS_OK;
	status = tokenizer_prepare(tokenizer, reply->ids, reply->n_ids, err);
	if (!status && has_ended)
		status = count_last(&left, tokenizer, reply, err);
	if (status)
		return status;
	splitter_init(&splitter, tmpl->reasoning, start, no_stops, true, take, &s);
	status = spell(&s, reply, has_ended, &splitter, err);
	splitter_deinit(&splitter);
	left += s.n_open;
	*out = !status && !s.has_control && begins(&s.text, reply->text, reply->len, &left) &&
	       begins(&s.reasoning, reply->reasoning, reply->reasoning_len, &left);
	buf_free(&s.text);
	buf_free(&s.reasoning);
	return status;
}

/* The reply's text alone, as it is given to a model that did not make it. */
static enum status tokenize(struct token_list *out, const struct message *reply,
                            const struct tokenizer *tokenizer, const struct chat_template *tmpl,
                            struct error *err)
{
	const struct text_span spans[] = {{tmpl->lead, strlen(tmpl->lead), false},
	                                  {reply->text, reply->len, true}};

	if (!reply->len)
		return error_set(err, STATUS_USAGE,
		                 "this model cannot go on with what another one has begun to think");
	return tokenizer_encode_spans(tokenizer, spans, 2, ENCODE_CONTINUE, out, err);
}

/* The messages before the reply, with room for `n` tokens of it. */
static enum status encode_before(struct encoded *out, const struct tokenizer *tokenizer,
                                 const struct chat_template *tmpl, const struct turn *asked,
                                 size_t room, size_t n, struct error *err)
{
	enum status status = STATUS_CONTEXT;

	*out = (struct encoded){0};
	if (n < room)
		status = encode_turn(out, tokenizer, tmpl, asked, room - n, err);
	if (status == STATUS_CONTEXT)
		error_set(err, status, "the reply fills the context with its %zu tokens: there is no room to go on (the option ctx-size makes it larger)",
		          n);
	return status;
}

/* Adds the reply's ids behind those of the messages before it. */
static enum status append(struct encoded *out, size_t reply, const int32_t *ids, size_t n, struct error *err)
{
	out->keep[reply] = true;
	out->counts[reply].tokens = out->whole_tokens[reply] = (uint32_t)n;
	if (!alloc_grow(&out->origins, &out->origins_cap, out->ids.n + n, sizeof *out->origins,
	                SIZE_MAX / sizeof *out->origins))
		return error_no_memory(err, "for the prompt");
	for (size_t i = 0; i < n; i++) {
		out->origins[out->ids.n] = (struct token_origin){(uint32_t)reply, true};
		if (token_list_push(&out->ids, ids[i]))
			return error_no_memory(err, "for the prompt");
	}
	return STATUS_OK;
}

/* The same for a continued turn: the messages that were sent to get the reply, and its tokens as they
 * were sampled; those of its text if another model made it. So no template has to render half a message.
 * If the turn is answered, too, what was sent is what was sent for it, however long it is.
 * STATUS_USAGE if that cannot be done. */
static enum status encode_continued(struct encoded *out, const struct tokenizer *tokenizer,
                                    const struct chat_template *tmpl, const struct turn *turn,
                                    size_t room, struct error *err)
{
	const struct message *reply = &turn->messages[turn->n_messages - 1];
	const enum reasoning_mode modes[] = {turn->reasoning.mode, REASONING_AUTO, REASONING_OFF};
	struct turn asked = *turn;
	struct token_list ids = {0};
	struct encoded before = {0};
	enum status status = STATUS_OK;
	bool fits = false;

	*out = (struct encoded){0};
	asked.continued = asked.answered = false;
	asked.n_messages--;
	/* It may have been begun with another setting of the reasoning. */
	for (size_t i = 0; i < sizeof modes / sizeof modes[0] && !status && !fits; i++) {
		encoded_free(&before);
		asked.reasoning.mode = modes[i];
		status = encode_before(&before, tokenizer, tmpl, &asked, room, turn->answered ? 0 : reply->n_ids, err);
		if (!status)
			status = spells(&fits, reply, turn->answered, tokenizer, tmpl, before.start, err);
	}
	if (!status && !fits) { /* the last mode is OFF: the answer follows at once */
		encoded_free(&before);
		status = tokenize(&ids, reply, tokenizer, tmpl, err);
		if (!status)
			status = encode_before(&before, tokenizer, tmpl, &asked, room, turn->answered ? 0 : ids.n, err);
	}
	if (status) {
		encoded_free(&before);
	} else {
		*out = before;
		status = append(out, asked.n_messages, fits ? reply->ids : ids.ids,
		                fits ? reply->n_ids : ids.n, err);
	}
	token_list_free(&ids);
	return status;
}

enum status encode_for_context(struct encoded *out, const struct tokenizer *tokenizer,
                               const struct chat_template *tmpl, const struct turn *turn,
                               size_t n_ctx, struct error *err)
{
	enum status (*encode)(struct encoded *, const struct tokenizer *, const struct chat_template *,
	                      const struct turn *, size_t, struct error *) =
		turn->continued ? encode_continued : turn->answered ? encode_answered : encode_turn;
	struct turn branch = *turn;
	enum status status;

	/* A branch of a reply follows what was sent for that, as long as there is any room. */
	branch.answered = true;
	if (turn->continued && turn->has_first) {
		status = encode(out, tokenizer, tmpl, &branch, fit_room(turn, n_ctx), err);
		if (!status && out->ids.n <= n_ctx)
			return STATUS_OK;
		encoded_free(out);
	}
	status = encode(out, tokenizer, tmpl, turn, fit_room(turn, n_ctx), err);
	if (status == STATUS_CONTEXT && !out->refused) {
		encoded_free(out);
		status = encode(out, tokenizer, tmpl, turn, n_ctx, err);
	}
	return status;
}
