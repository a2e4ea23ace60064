#include "engine/generate.h"

#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "engine/encode.h"
#include "engine/prompt.h"
#include "engine/stop.h"

/* A turn under way. */
struct generation {
	struct engine *engine;
	const struct worker_turn *turn;
	const struct backend_host *host;
	struct backend_result *result;
	bool prefilling;
	struct rng rng;
	struct detokenizer detokenizer;
	struct buf bytes; /* of one token */
	struct stop_filter stop;
};

/* Between layers: what is done so far, and whether to go on. */
static bool session_poll(void *ctx, size_t done, size_t total)
{
	const struct generation *g = ctx;
	const struct worker_stats *stats = &g->result->stats;

	(void)total;
	if (g->host->cancelled(g->host->ctx) || gguf_was_truncated(g->engine->gguf))
		return false;
	if (g->prefilling)
		g->host->prefilling(g->host->ctx, stats->n_cached + (uint32_t)done, stats->n_prompt,
		                    stats->n_cached, stats->n_dropped);
	return true;
}

/* The error of a model file that was cut short under us, else `status`. */
static enum status check_truncated(const struct generation *g, enum status status,
                                   struct error *err)
{
	if (!gguf_was_truncated(g->engine->gguf))
		return status;
	return error_set(err, STATUS_FORMAT, "%s: the model file was cut short while in use",
	                 gguf_path(g->engine->gguf));
}

/* How much of the prompt needs no evaluation. */
static size_t common_prefix(const struct session *session, const struct token_list *ids)
{
	const int32_t *past = session_tokens(session);
	size_t n = session_keeps_cache(session) ? session_n_past(session) : 0, i = 0;

	while (i < n && i < ids->n && past[i] == ids->ids[i])
		i++;
	return i;
}

/* The prompt's room, with a quarter of the context (or as much as the reply may
 * take) left for the reply; without that when it is the only way. */
static enum status encode_with_room(const struct engine *engine, const struct worker_turn *turn,
                                    struct encoded *out, struct error *err)
{
	size_t n_ctx = session_n_ctx(engine->session), reserve = n_ctx / 4;
	enum status status;

	if (turn->raw)
		return encode_turn(out, engine->tokenizer, turn, n_ctx, err);
	if (turn->n_predict >= 0 && (size_t)turn->n_predict < reserve)
		reserve = (size_t)turn->n_predict;
	status = encode_turn(out, engine->tokenizer, turn, n_ctx - reserve, err);
	if (status == STATUS_CONTEXT) {
		encoded_free(out);
		status = encode_turn(out, engine->tokenizer, turn, n_ctx, err);
	}
	return status;
}

/* Brings the prompt into the session. */
static enum status prefill(struct generation *g, struct error *err)
{
	struct worker_stats *stats = &g->result->stats;
	struct session *session = g->engine->session;
	uint64_t start = sys_now_us();
	struct encoded encoded;
	size_t n_cached;
	enum status status = encode_with_room(g->engine, g->turn, &encoded, err);

	if (!status && encoded.ids.n == 0)
		status = error_set(err, STATUS_USAGE, "the prompt has no tokens");
	if (status)
		goto out;
	stats->n_dropped = encoded.n_dropped;
	stats->n_prompt = (uint32_t)encoded.ids.n;
	n_cached = common_prefix(session, &encoded.ids);
	if (n_cached == encoded.ids.n)
		n_cached--; /* the last one is evaluated always */
	stats->n_cached = (uint32_t)n_cached;
	stats->n_evaluated = stats->n_prompt - stats->n_cached;
	g->prefilling = true;
	g->host->prefilling(g->host->ctx, stats->n_cached, stats->n_prompt, stats->n_cached,
	                    stats->n_dropped);
	status = session_sync(session, encoded.ids.ids, encoded.ids.n, &n_cached, err);
	g->prefilling = false;
	if (!status)
		g->host->prefilling(g->host->ctx, stats->n_prompt, stats->n_prompt, stats->n_cached,
		                    stats->n_dropped);
	stats->n_ctx_used = (uint32_t)session_n_past(session);
	stats->prefill_ms = (double)(sys_now_us() - start) / 1000.0;
out:
	encoded_free(&encoded);
	return status;
}

static void describe_candidate(const struct engine *engine, const struct sampler_candidate *from,
                               struct buf *scratch, struct worker_candidate *out)
{
	const char *text = "";
	size_t len = 0;

	buf_clear(scratch);
	if (tokenizer_piece(engine->tokenizer, from->id, scratch) == STATUS_OK && scratch->len) {
		text = buf_text(scratch);
		len = scratch->len;
	} else {
		text = tokenizer_name(engine->tokenizer, from->id, &len);
	}
	*out = (struct worker_candidate){.id = from->id, .logit = from->logit,
	                                 .probability = from->probability,
	                                 .chosen_p = from->chosen_p,
	                                 .len = (uint8_t)(len < sizeof out->text ? len : sizeof out->text)};
	memcpy(out->text, text, out->len);
}

/* Hands a sampled token to the stop filter, which hands it to the host. */
static enum status emit(struct generation *g, const struct sampler_choice *choice, bool *stopped,
                        struct error *err)
{
	struct worker_candidate candidates[WORKER_CANDIDATES_MAX];
	struct backend_token token = {.id = choice->id, .probability = choice->probability,
	                              .candidates = candidates, .n_candidates = choice->n_top};
	enum status status;

	for (size_t i = 0; i < choice->n_top; i++)
		describe_candidate(g->engine, &choice->top[i], &g->bytes, &candidates[i]);
	buf_clear(&g->bytes);
	status = detokenizer_push(&g->detokenizer, choice->id, &g->bytes);
	if (status)
		return error_set(err, status, "not enough memory for the reply");
	token.bytes = buf_text(&g->bytes);
	token.len = g->bytes.len;
	token.n_ctx_used = (uint32_t)session_n_past(g->engine->session);
	return stop_push(&g->stop, &token, g->host->token, g->host->ctx, stopped, err);
}

/* Samples, emits and evaluates until the reply ends. */
static enum status decode(struct generation *g, struct error *err)
{
	struct session *session = g->engine->session;
	struct backend_result *result = g->result;
	size_t n_top = g->turn->n_candidates < WORKER_CANDIDATES_MAX ? g->turn->n_candidates
	                                                             : WORKER_CANDIDATES_MAX;

	for (;;) {
		struct sampler_params params;
		struct sampler_choice choice;
		enum status status;
		bool stopped;

		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict) {
			result->reason = DONE_LENGTH;
			return STATUS_OK;
		}
		if (g->host->cancelled(g->host->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		g->host->params(g->host->ctx, &params);
		status = sampler_pick(g->engine->sampler, session_logits(session),
		                      session_tokens(session), session_n_past(session), &params,
		                      &g->rng, n_top, &choice, err);
		if (status)
			return status;
		if (tokenizer_is_eog(g->engine->tokenizer, choice.id)) {
			result->reason = DONE_END;
			return STATUS_OK;
		}
		result->stats.n_generated++;
		status = emit(g, &choice, &stopped, err);
		if (status)
			return status;
		if (stopped) {
			result->reason = DONE_STOP;
			return STATUS_OK;
		}
		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict)
			continue; /* nothing will be sampled from its logits */
		if (session_n_past(session) >= session_n_ctx(session)) {
			result->reason = DONE_CONTEXT;
			return STATUS_OK;
		}
		status = session_eval(session, &choice.id, 1, session_n_past(session), NULL, err);
		status = check_truncated(g, status, err);
		if (status)
			return status;
		result->stats.n_ctx_used = (uint32_t)session_n_past(session);
	}
}

/* Of a character that is not whole at the end nothing is shown; its tokens are kept. */
static enum status reply(struct generation *g, struct error *err)
{
	uint64_t start = sys_now_us();
	struct sampler_params params;
	struct error flush_error;
	enum status status, flushed = STATUS_OK;
	struct prompt_ends ends = prompt_ends(g->turn);

	g->host->params(g->host->ctx, &params);
	rng_init(&g->rng, params.seed < 0 ? rng_fresh_seed() : (uint64_t)params.seed);
	detokenizer_init(&g->detokenizer, g->engine->tokenizer, false);
	buf_init(&g->bytes, LIMIT_MESSAGE);
	stop_init(&g->stop, ends.stops, ends.skip_blanks);
	status = decode(g, err);
	if (status || g->result->reason != DONE_STOP)
		flushed = stop_flush(&g->stop, g->host->token, g->host->ctx, &flush_error);
	if (!status && flushed) {
		status = flushed;
		if (err)
			*err = flush_error;
	}
	stop_deinit(&g->stop);
	buf_free(&g->bytes);
	g->result->stats.decode_ms = (double)(sys_now_us() - start) / 1000.0;
	return status;
}

enum status generate_turn(struct engine *engine, const struct worker_turn *turn,
                          enum backend_mode mode, const struct backend_host *host,
                          struct backend_result *result, struct error *err)
{
	struct generation g = {.engine = engine, .turn = turn, .host = host, .result = result};
	enum status status = gguf_check_unchanged(engine->gguf, err);

	if (status)
		return status;
	session_set_progress(engine->session, session_poll, &g);
	status = check_truncated(&g, prefill(&g, err), err);
	if (!status) {
		result->reason = DONE_END;
		if (mode == BACKEND_REPLY)
			status = reply(&g, err);
	}
	session_set_progress(engine->session, NULL, NULL);
	if (status == STATUS_CANCELLED) {
		result->reason = DONE_CANCELLED;
		status = STATUS_OK;
	}
	result->stats.n_ctx_used = (uint32_t)session_n_past(engine->session);
	return status;
}

enum status generate_inspect(struct engine *engine, const struct worker_turn *turn,
                             struct backend_inspection *out, struct error *err)
{
	struct encoded encoded;
	enum status status = encode_with_room(engine, turn, &encoded, err);

	out->n_ctx = (uint32_t)session_n_ctx(engine->session);
	if (status == STATUS_CONTEXT)
		status = STATUS_OK; /* the numbers say it */
	if (!status) {
		memcpy(out->message_tokens, encoded.message_tokens,
		       turn->n_messages * sizeof *out->message_tokens);
		out->total = (uint32_t)encoded.ids.n;
		out->cached = (uint32_t)common_prefix(engine->session, &encoded.ids);
		out->n_dropped = encoded.n_dropped;
	}
	encoded_free(&encoded);
	return status;
}
