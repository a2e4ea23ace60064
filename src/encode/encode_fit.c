/* Chooses the messages to encode: as many whole turns as there is room for. */
#include <string.h>

#include "encode/encode.h"
#include "encode/fit.h"

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

enum status encode_for_context(struct encoded *out, const struct tokenizer *tokenizer,
                               const struct chat_template *tmpl, const struct turn *turn,
                               size_t n_ctx, struct error *err)
{
	enum status (*encode)(struct encoded *, const struct tokenizer *, const struct chat_template *,
	                      const struct turn *, size_t, struct error *) =
		turn->continued ? encode_continued : turn->answered ? encode_answered : encode_turn;
	enum status status = encode(out, tokenizer, tmpl, turn, fit_room(turn, n_ctx), err);

	if (status == STATUS_CONTEXT && !out->refused) {
		encoded_free(out);
		status = encode(out, tokenizer, tmpl, turn, n_ctx, err);
	}
	return status;
}
