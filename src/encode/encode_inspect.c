#include "encode/encode_inspect.h"

#include "base/alloc.h"
#include "base/limits.h"
#include "encode/fit.h"

/* Lists the prompt's tokens; control tokens are shown by name. */
static enum status list_tokens(const struct tokenizer *tokenizer, const struct encoded *encoded,
                               struct inspection *out, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};

	out->tokens = alloc_array(encoded->ids.n, sizeof *out->tokens);
	if (!out->tokens)
		status = STATUS_NOMEM;
	for (size_t i = 0; i < encoded->ids.n && !status; i++) {
		int32_t id = encoded->ids.ids[i];
		bool control = tokenizer_is_control(tokenizer, id);
		size_t len;
		const char *bytes = control ? tokenizer_name(tokenizer, id, &len)
		                            : tokenizer_bytes(tokenizer, id, &len);

		status = buf_append(&text, bytes, len);
		out->tokens[i] = (struct prompt_token){
			.id = id, .message = encoded->origins[i].message, .end = text.len,
			.flags = (control ? PROMPT_TOKEN_CONTROL : 0) |
			         (encoded->origins[i].is_input ? PROMPT_TOKEN_INPUT : 0)};
	}
	if (!status)
		out->text = buf_take(&text, NULL);
	buf_free(&text);
	return status || !out->text ? error_no_memory(err, "to show the prompt") : STATUS_OK;
}

static void fill_counts(struct inspection *out, const struct encoded *encoded, const struct turn *turn,
                        size_t n_ctx)
{
	/* If the policy refuses, nothing is left out. */
	for (size_t i = 0; i < turn->n_messages; i++) {
		out->messages[i] = encoded->counts[i];
		out->messages[i].left_out = !encoded->keep[i] && !encoded->refused;
	}
	out->total = (uint32_t)encoded->ids.n;
	out->n_dropped = out->n_next_dropped = encoded->refused ? 0 : encoded->n_dropped;
	if (turn->answered)
		out->n_next_dropped = fit_dropped_next(turn, encoded->whole_tokens, n_ctx);
}

enum status encode_inspect(struct encoded *encoded, const struct tokenizer *tokenizer,
                           const struct chat_template *tmpl, const struct turn *turn, size_t n_ctx,
                           struct inspection *out, struct error *err)
{
	struct turn plain = *turn;
	enum status status = encode_for_context(encoded, tokenizer, tmpl, turn, n_ctx, err);

	/* If the reply was made in a larger context, show what the next turn will do. */
	plain.answered = false;
	if (turn->answered &&
	    (status == STATUS_CONTEXT || (!status && encoded->ids.n > n_ctx))) {
		encoded_free(encoded);
		status = encode_for_context(encoded, tokenizer, tmpl, &plain, n_ctx, err);
	}
	out->n_ctx = (uint32_t)n_ctx;
	out->reserve = (uint32_t)(n_ctx - fit_room(turn, n_ctx));
	if (status && status != STATUS_CONTEXT)
		return status;
	fill_counts(out, encoded, turn, n_ctx);
	return out->purpose == INSPECT_TOKENS ? list_tokens(tokenizer, encoded, out, err) : STATUS_OK;
}
