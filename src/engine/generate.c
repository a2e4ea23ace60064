#include "engine/generate.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/sys.h"
#include "engine/biases.h"
#include "engine/breakers.h"
#include "engine/generate_internal.h"
#include "engine/turn_log.h"

static bool ends_turn(const struct generation *g, int32_t id)
{
	return tokenizer_is_eog(g->engine->tokenizer, id) ||
	       (!g->turn->raw && id == g->engine->tmpl->end_id);
}

/* Has the choice lead to one of turn.answers, if there are any; false: the reply ends. */
static bool choose_answer(struct generation *g, const float *logits, struct sampler_choice *choice)
{
	const int32_t sampled = choice->id;
	const bool goes_on = answers_choose(&g->answers, logits, ends_turn(g, sampled), choice);

	if (choice->id != sampled)
		choice->raw_p = (float)sampler_raw_probability(g->engine->sampler, logits, &choice->top, choice->id);
	return goes_on;
}

/* Samples, emits and evaluates until the reply ends. */
static enum status decode(struct generation *g, struct error *err)
{
	struct session *session = g->engine->session;
	struct backend_result *result = g->result;
	size_t n_top = g->turn->n_candidates < TOKEN_CANDIDATES_MAX ? g->turn->n_candidates
	                                                             : TOKEN_CANDIDATES_MAX;

	for (;;) {
		struct sampler_params params;
		struct sampler_choice choice;
		enum status status;

		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict) {
			result->reason = DONE_LENGTH;
			return STATUS_OK;
		}
		if (g->host->cancelled(g->host->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		g->host->params(g->host->ctx, result->stats.n_generated, &params);
		status = dry_reach(&params, SIZE_MAX) ? breakers_use(g->engine, g->turn->dry_breakers, err)
		                                      : STATUS_OK;
		if (status)
			return status;
		status = sampler_pick(g->engine->sampler, session_logits(session),
		                      session_tokens(session), session_n_past(session), &params,
		                      &g->sampling, n_top, &choice, err);
		if (status)
			return status;
		if (g->turn->has_first && !result->stats.n_generated)
			generation_choose(g, session_logits(session), &choice, g->turn->first);
		if (!choose_answer(g, session_logits(session), &choice)) {
			result->reason = DONE_END;
			return STATUS_OK;
		}
		turn_log_choice(g->host->log, &choice, result->stats.n_generated++);
		status = generation_emit(g, &choice, err);
		if (status)
			return status;
		if (g->splitter.stopped) {
			result->reason = DONE_STOP;
			return STATUS_OK;
		}
		if (g->turn->n_predict >= 0 &&
		    result->stats.n_generated >= (uint32_t)g->turn->n_predict)
			continue; /* its logits will not be used */
		if (session_n_past(session) >= session_n_ctx(session)) {
			result->reason = DONE_CONTEXT;
			return STATUS_OK;
		}
		status = session_eval(session, &choice.id, 1, session_n_past(session), NULL, err);
		if (status)
			return status;
		result->stats.n_ctx_used = (uint32_t)session_n_past(session);
	}
}

static enum status set_order(const struct generation *g, struct error *err)
{
	struct sampler_order order = sampler_order_default();
	enum status status = g->turn->samplers ? sampler_order_parse(&order, g->turn->samplers, err)
	                                       : STATUS_OK;

	if (status)
		error_prefix(err, "samplers");
	else
		sampler_set_order(g->engine->sampler, &order);
	return status;
}

/* If the reply is cut inside a character, nothing of that is told, but its tokens are kept: when it
 * goes on, the character is told whole. */
static enum status reply(struct generation *g, struct error *err)
{
	uint64_t start = sys_now_us();
	struct sampler_params params;
	struct error flush_error;
	enum status status = set_order(g, err), flushed;

	if (!status && g->turn->has_first &&
	    (g->turn->first < 0 || (size_t)g->turn->first >= sampler_n_vocab(g->engine->sampler)))
		status = error_set(err, STATUS_USAGE, "the vocabulary of this model has no token %d: load the model that made "
		                   "the reply", (int)g->turn->first);
	if (!status)
		status = biases_use(g->engine, g->turn->logit_bias, err);
	if (!status)
		status = answers_make(&g->answers, g->engine->tokenizer, g->turn, err);
	if (!status)
		status = generation_begin_text(g, err);
	if (status)
		return status;
	g->host->params(g->host->ctx, 0, &params);
	g->begin.params = params;
	g->begin.seed = params.seed < 0 ? (int64_t)(rng_fresh_seed() >> 1) : params.seed;
	sampler_state_init(&g->sampling, (uint64_t)g->begin.seed);
	backend_tell(g->host, &(struct event){.kind = EVENT_BEGIN, .u.begin = g->begin});
	turn_log_reply(g->host->log, g->turn, &g->begin);
	status = generation_replay(g, err);
	if (!status)
		status = g->examines ? examine_tokens(g, err) : decode(g, err);
	flushed = generation_flush(g, !status && g->result->reason == DONE_END, &flush_error);
	if (!status && flushed) {
		status = flushed;
		if (err)
			*err = flush_error;
	}
	generation_end_text(g);
	g->result->stats.decode_ms = (double)(sys_now_us() - start) / 1000.0;
	return status;
}

enum status generate_turn(struct backend *backend, const struct turn *turn,
                          enum backend_mode mode, const struct backend_host *host,
                          struct backend_result *result, struct error *err)
{
	struct engine *engine = (struct engine *)backend;
	struct turn examined = *turn;
	struct generation g = {.engine = engine, .turn = turn, .host = host, .result = result,
	                       .examines = mode == BACKEND_EXAMINE, .aside = {.max = LIMIT_MESSAGE}};
	enum status status = gguf_check_unchanged(engine->gguf, err);

	if (status)
		return status;
	if (g.examines) { /* the tokens that it was made of, whatever ended it */
		examined.continued = examined.answered = true;
		examined.n_stops = 0;
		g.turn = &examined;
	}
	session_set_progress(engine->session, generation_poll, &g);
	status = generation_prefill(&g, err);
	if (!status) {
		result->reason = DONE_END;
		if (mode == BACKEND_REPLY || mode == BACKEND_EXAMINE)
			status = reply(&g, err);
		answers_free(&g.answers);
	}
	free(g.examined);
	session_set_progress(engine->session, NULL, NULL);
	/* If the file was cut within its last page there was no fault: weights just became zeros. */
	if (!status)
		status = gguf_check_unchanged(engine->gguf, err);
	if (status == STATUS_CANCELLED) {
		result->reason = DONE_CANCELLED;
		status = STATUS_OK;
	}
	result->stats.n_ctx_used = (uint32_t)session_n_past(engine->session);
	return status;
}
