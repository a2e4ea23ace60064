#include "engine/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/answers.h"
#include "engine/engine.h"
#include "engine/generate.h"

enum { ROWS = 8 }; /* tokens of an answer that are evaluated at once: each has a row of logits */

struct scoring {
	struct engine *engine;
	const struct backend_host *host;
	size_t n_rows;         /* logits of a token */
	size_t n_vocab;        /* of these, tokens that there are */
	float *logits;         /* owned, [ROWS][n_rows] */
	struct token_list before, prompt; /* owned; histories of the session */
	struct answers answers;
};

static bool poll(void *ctx, size_t done, size_t total)
{
	const struct scoring *s = ctx;

	(void)done, (void)total;
	return !s->host->cancelled(s->host->ctx);
}

static enum status copy_history(const struct session *session, struct token_list *out, struct error *err)
{
	size_t n = session_n_past(session);

	*out = (struct token_list){.n = n};
	if (!n)
		return STATUS_OK;
	out->ids = alloc_array(n, sizeof *out->ids);
	if (!out->ids) {
		out->n = 0;
		return error_no_memory(err, "for the texts' scores");
	}
	memcpy(out->ids, session_tokens(session), n * sizeof *out->ids);
	return STATUS_OK;
}

/* ln of the probability of a token. */
static double log_p(const struct scoring *s, const float *logits, int32_t id)
{
	double sum = 0, most = -INFINITY;

	for (size_t i = 0; i < s->n_vocab; i++)
		if ((double)logits[i] > most && !tokenizer_is_suppressed(s->engine->tokenizer, (int32_t)i))
			most = (double)logits[i];
	for (size_t i = 0; i < s->n_vocab; i++)
		if (!tokenizer_is_suppressed(s->engine->tokenizer, (int32_t)i))
			sum += exp((double)logits[i] - most);
	return (double)logits[id] - most - log(sum);
}

/* The history is the prompt, or that and another answer. */
static enum status score(struct scoring *s, const struct token_list *answer, double *out, struct error *err)
{
	struct session *session = s->engine->session;
	enum status status = session_sync(session, s->prompt.ids, s->prompt.n, NULL, err);

	*out = !status && answer->n ? log_p(s, session_logits(session), answer->ids[0]) : 0;
	for (size_t i = 0; i + 1 < answer->n && !status;) {
		size_t n = answer->n - 1 - i < ROWS ? answer->n - 1 - i : ROWS;

		status = session_eval(session, answer->ids + i, n, session_n_past(session), s->logits, err);
		for (size_t row = 0; row < n && !status; row++, i++)
			*out += log_p(s, s->logits + row * s->n_rows, answer->ids[i + 1]);
	}
	return status;
}

/* Evaluates again what had to go. */
static enum status go_back(const struct scoring *s, struct error *err)
{
	bool is_longer = s->before.n > s->prompt.n &&
	                 memcmp(s->before.ids, s->prompt.ids, s->prompt.n * sizeof *s->prompt.ids) == 0;
	const struct token_list *to = is_longer ? &s->before : &s->prompt;
	const struct session_marks marks = {.at = {s->prompt.n}, .n = 1};

	return session_sync(s->engine->session, to->ids, to->n, is_longer ? &marks : NULL, err);
}

static enum status score_answers(struct scoring *s, const struct turn *turn, struct backend_result *result,
                                 struct error *err)
{
	enum status status = answers_make(&s->answers, s->engine->tokenizer, turn, err);

	for (size_t i = 0; i < s->answers.n && !status; i++) {
		struct event event = {.kind = EVENT_SCORED, .u.scored = {.answer = (uint32_t)i,
		                                                         .n = (uint32_t)s->answers.items[i].n}};

		status = score(s, &s->answers.items[i], &event.u.scored.log_p, err);
		if (status)
			break;
		result->stats.n_evaluated += event.u.scored.n ? event.u.scored.n - 1 : 0;
		backend_tell(s->host, &event);
	}
	if (!status)
		return go_back(s, err);
	if (status != STATUS_CANCELLED) /* a text that does not fit is no reason to lose the cache */
		(void)!go_back(s, NULL);
	return status;
}

static void scoring_free(struct scoring *s)
{
	answers_free(&s->answers);
	token_list_free(&s->before);
	token_list_free(&s->prompt);
	free(s->logits);
}

/* The prompt is evaluated as for a reply; what that tells holds here, too. */
enum status score_turn(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                       struct backend_result *result, struct error *err)
{
	struct engine *engine = (struct engine *)backend;
	struct scoring s = {.engine = engine, .host = host, .n_rows = model_plan(engine->model)->n_vocab};
	enum status status = copy_history(engine->session, &s.before, err);

	s.n_vocab = tokenizer_n_vocab(engine->tokenizer) < s.n_rows ? tokenizer_n_vocab(engine->tokenizer) : s.n_rows;
	if (!status && !(s.logits = alloc_array(ROWS * s.n_rows, sizeof *s.logits)))
		status = error_no_memory(err, "for the texts' scores");
	if (!status)
		status = generate_turn(backend, turn, BACKEND_WARM, host, result, err);
	if (!status && result->reason == DONE_END) {
		session_set_progress(engine->session, poll, &s);
		status = copy_history(engine->session, &s.prompt, err);
		if (!status)
			status = score_answers(&s, turn, result, err);
		session_set_progress(engine->session, NULL, NULL);
	}
	if (status == STATUS_CANCELLED) {
		result->reason = DONE_CANCELLED;
		status = STATUS_OK;
	}
	result->stats.n_ctx_used = (uint32_t)session_n_past(engine->session);
	scoring_free(&s);
	return status;
}
