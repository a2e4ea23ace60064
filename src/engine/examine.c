/* Goes through a reply once more: its tokens are evaluated, and told as if they were sampled now. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/breakers.h"
#include "engine/generate_internal.h"
#include "model/model.h"

enum { ROWS = 16 }; /* positions whose logits are there at once */

enum status examine_take(struct generation *g, struct encoded *prompt, struct error *err)
{
	const size_t n = g->n_begun;

	if (prompt->ids.n == n)
		return error_set(err, STATUS_USAGE, "the prompt has no tokens");
	g->examined = alloc_array(n, sizeof *g->examined);
	if (!g->examined)
		return error_no_memory(err, "for the reply");
	prompt->ids.n -= n;
	prompt->counts[g->turn->n_messages - 1].tokens = 0;
	if (n)
		memcpy(g->examined, prompt->ids.ids + prompt->ids.n, n * sizeof *g->examined);
	g->n_examined = n;
	g->n_begun = 0;
	return STATUS_OK;
}

enum status examine_tell(struct generation *g, const struct token *token, struct error *err)
{
	const struct message *reply = &g->turn->messages[g->turn->n_messages - 1];
	const size_t all = token->reasoning ? reply->reasoning_len : reply->len;
	size_t *n = token->reasoning ? &g->n_reasoning : &g->n_text;
	struct event event = {.kind = EVENT_TOKEN, .u.token = *token};
	size_t left;

	if (token->recants) {
		g->n_reasoning += g->n_text;
		g->n_text = 0;
	}
	left = *n < all ? all - *n : 0;
	if (token->len > left)
		event.u.token.len = left;
	*n += event.u.token.len;
	return g->host->event(g->host->ctx, &event, err);
}

/* The parameters of the next token. */
static void take_parts(struct generation *g)
{
	const struct turn *turn = g->turn;

	if (!g->result->stats.n_generated)
		g->examined_params = turn->sampler;
	for (; g->n_parts < turn->n_parts && turn->parts[g->n_parts].from <= g->result->stats.n_generated; g->n_parts++) {
		const struct turn_part *part = &turn->parts[g->n_parts];

		g->examined_params = part->params;
		if (part->begins)
			sampler_state_init(&g->sampling, (uint64_t)part->params.seed);
	}
}

/* One of them, where these were the logits behind `n_past` tokens. */
static enum status look(struct generation *g, int32_t id, const float *logits, size_t n_past, struct error *err)
{
	struct sampler_choice choice;
	const size_t n_top = g->turn->n_candidates < TOKEN_CANDIDATES_MAX ? g->turn->n_candidates : TOKEN_CANDIDATES_MAX;
	enum status status;

	if (g->host->cancelled(g->host->ctx))
		return error_set(err, STATUS_CANCELLED, "cancelled");
	take_parts(g);
	status = dry_reach(&g->examined_params, SIZE_MAX) ? breakers_use(g->engine, g->turn->dry_breakers, err)
	                                                  : STATUS_OK;
	if (!status)
		status = sampler_pick(g->engine->sampler, logits, session_tokens(g->engine->session), n_past,
		                      &g->examined_params, &g->sampling, n_top, &choice, err);
	if (status)
		return status;
	generation_choose(g, logits, &choice, id);
	g->result->stats.n_generated++;
	return generation_emit(g, &choice, err);
}

/* The tokens from `first` on, of which the logits of the first one are known; *last are then those behind them. The
 * reply's very last one is not evaluated: nothing is asked of what follows it. */
static enum status look_at_some(struct generation *g, size_t first, size_t n, float *rows, const float **last,
                                struct error *err)
{
	struct session *session = g->engine->session;
	const size_t n_vocab = model_plan(g->engine->model)->n_vocab, n_past = session_n_past(session);
	const size_t n_eval = first + n == g->n_examined ? n - 1 : n;
	enum status status = look(g, g->examined[first], *last, n_past, err);

	if (!status && n_eval)
		status = session_eval(session, g->examined + first, n_eval, n_past, rows, err);
	for (size_t i = 1; i < n && !status; i++)
		status = look(g, g->examined[first + i], rows + (i - 1) * n_vocab, n_past + i, err);
	*last = rows + (n - 1) * n_vocab;
	return status;
}

enum status examine_tokens(struct generation *g, struct error *err)
{
	const size_t n_vocab = model_plan(g->engine->model)->n_vocab;
	const size_t n_rows = g->n_examined < ROWS ? g->n_examined : ROWS;
	const float *logits = session_logits(g->engine->session);
	float *rows;
	enum status status = STATUS_OK;
	size_t size;

	if (!g->n_examined)
		return STATUS_OK;
	rows = mul_overflows(n_rows, n_vocab, &size) ? NULL : alloc_array(size, sizeof *rows);
	if (!rows)
		return error_no_memory(err, "for the logits");
	for (size_t i = 0, n; i < g->n_examined && !status; i += n) {
		n = g->n_examined - i < n_rows ? g->n_examined - i : n_rows;
		status = look_at_some(g, i, n, rows, &logits, err);
	}
	free(rows);
	g->result->reason = DONE_END;
	return status;
}
