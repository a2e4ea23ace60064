/* How much of the context a conversation takes, without running it. */
#include "base/alloc.h"
#include "base/limits.h"
#include "encode/encode.h"
#include "encode/fit.h"
#include "engine/engine.h"

/* Lists the prompt's tokens; control tokens are shown by name. */
static enum status list_tokens(const struct engine *engine, const struct encoded *encoded,
                               struct inspection *out, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};

	out->tokens = alloc_array(encoded->ids.n, sizeof *out->tokens);
	if (!out->tokens)
		status = STATUS_NOMEM;
	for (size_t i = 0; i < encoded->ids.n && !status; i++) {
		int32_t id = encoded->ids.ids[i];
		bool control = tokenizer_is_control(engine->tokenizer, id);
		size_t len;
		const char *bytes = control ? tokenizer_name(engine->tokenizer, id, &len)
		                            : tokenizer_bytes(engine->tokenizer, id, &len);

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

enum status engine_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                           struct inspection *out, struct error *err)
{
	const struct engine *engine = (const struct engine *)backend;
	const struct session *session = engine->session;
	struct turn plain = *turn;
	struct encoded encoded;
	size_t n_ctx = session_n_ctx(session);
	enum status status = encode_for_context(&encoded, engine->tokenizer, engine->tmpl, turn, n_ctx,
	                                        err);

	(void)host; /* it is quick */
	/* If the reply was made in a larger context, show what the next turn will do. */
	plain.answered = false;
	if (turn->answered &&
	    (status == STATUS_CONTEXT || (!status && encoded.ids.n > n_ctx))) {
		encoded_free(&encoded);
		status = encode_for_context(&encoded, engine->tokenizer, engine->tmpl, &plain, n_ctx, err);
	}
	out->n_ctx = (uint32_t)n_ctx;
	out->n_past = (uint32_t)session_n_past(session);
	out->reserve = (uint32_t)(n_ctx - fit_room(turn, n_ctx));
	if (status == STATUS_CONTEXT)
		status = STATUS_OK; /* the numbers show that */
	if (!status) {
		/* If the policy refuses, nothing is left out. */
		for (size_t i = 0; i < turn->n_messages; i++) {
			out->messages[i] = encoded.counts[i];
			out->messages[i].left_out = !encoded.keep[i] && !encoded.refused;
		}
		out->total = (uint32_t)encoded.ids.n;
		out->cached = (uint32_t)session_reach(
			session, session_count_common(session, encoded.ids.ids, encoded.ids.n));
		out->n_dropped = out->n_next_dropped = encoded.refused ? 0 : encoded.n_dropped;
		if (turn->answered)
			out->n_next_dropped = fit_dropped_next(turn, encoded.whole_tokens, n_ctx);
		if (out->purpose == INSPECT_TOKENS)
			status = list_tokens(engine, &encoded, out, err);
	}
	encoded_free(&encoded);
	return status;
}
