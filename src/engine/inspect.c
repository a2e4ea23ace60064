/* How much of the context a conversation takes, without running it. */
#include "encode/encode_inspect.h"
#include "engine/engine.h"

enum status engine_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                           struct inspection *out, struct error *err)
{
	const struct engine *engine = (const struct engine *)backend;
	const struct session *session = engine->session;
	struct encoded encoded;
	enum status status = encode_inspect(&encoded, engine->tokenizer, engine->tmpl, turn,
	                                    session_n_ctx(session), out, err);

	(void)host; /* it is quick */
	out->n_past = (uint32_t)session_n_past(session);
	if (!status) {
		const struct cached_view view = {engine->tokenizer, engine->tmpl, turn, &encoded};

		out->cached = (uint32_t)session_reach(
			session, session_count_common(session, encoded.ids.ids, encoded.ids.n));
		if (out->difference && out->purpose == INSPECT_TOKENS)
			*out->difference = cached_prompt_compare(&engine->cached, session, &view);
	}
	encoded_free(&encoded);
	return status;
}
