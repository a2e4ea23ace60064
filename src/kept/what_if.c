#include "kept/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char nothing_kept[] = "nothing was kept of this token";

/* The tokens before the first `n` of a reply, and those. */
struct past {
	int32_t *ids; /* owned; [n_tail + n] */
	size_t n_tail;
	bool is_whole;
};

static enum status make_past(struct past *past, const struct kept_reply *reply, size_t n, struct error *err)
{
	const int32_t *tail = kept_tail(reply, &past->n_tail, &past->is_whole);

	past->ids = alloc_array(past->n_tail + n + 1, sizeof *past->ids);
	if (!past->ids)
		return error_no_memory(err, "for the candidates of a reply");
	if (past->n_tail)
		memcpy(past->ids, tail, past->n_tail * sizeof *tail);
	for (size_t i = 0; i < n; i++)
		past->ids[past->n_tail + i] = kept_token(reply, i)->id;
	return STATUS_OK;
}

/* False: nothing is kept of the token. */
static bool pick_again(const struct past *past, const struct kept_reply *reply, size_t i,
                       const struct sampler_order *order, const struct sampler_params *params,
                       struct sampler_state *state, struct again *out)
{
	const struct kept_token *token = kept_token(reply, i);
	int32_t ids[AGAIN_MAX];
	float logits[AGAIN_MAX];
	struct again_source source = {.ids = ids, .logits = logits, .n_vocab = kept_n_vocab(reply),
	                              .log_sum = token->log_sum, .history = past->ids,
	                              .n_history = past->n_tail + i, .has_all = past->is_whole, .order = order};

	for (; source.n < token->n_candidates && source.n < AGAIN_MAX; source.n++) {
		ids[source.n] = token->candidates[source.n].id;
		logits[source.n] = token->candidates[source.n].logit;
	}
	if (source.n == 0)
		return false;
	if (source.n_vocab && source.n_vocab < source.n)
		source.n_vocab = source.n;
	sampler_again(&source, params, state, out);
	return true;
}

enum status kept_again(const struct kept_reply *reply, size_t i, const struct sampler_order *order,
                       const struct sampler_params *params, struct sampler_state *state, struct again *out,
                       struct error *err)
{
	struct past past;
	enum status status = make_past(&past, reply, i, err);

	if (!status && !pick_again(&past, reply, i, order, params, state, out))
		status = error_set(err, STATUS_UNSUPPORTED, "%s", nothing_kept);
	free(past.ids);
	return status;
}

/* Goes through the tokens of a run. True: it has come to an end. */
static bool follow(const struct past *past, const struct kept_reply *reply, const struct what_if_run *run, size_t end,
                   const struct sampler_order *order, const struct sampler_params *params, struct what_if *out)
{
	struct again *again = &out->again;
	struct sampler_state state;

	sampler_state_init(&state, (uint64_t)run->seed);
	for (size_t i = run->from; i < end; i++) {
		bool is_put = i == run->from && run->first_is_put;

		out->at = i;
		if (!pick_again(past, reply, i, order, params, &state, again)) {
			out->end = WHAT_IF_UNKNOWN;
			out->lacks = nothing_kept;
			*again = (struct again){.lacks = nothing_kept};
			return true;
		}
		out->lacks = again->lacks;
		out->id = again->id;
		out->probability = again->probability;
		out->end = again->lacks ? WHAT_IF_UNKNOWN : WHAT_IF_OTHER;
		if (again->lacks || (again->id != kept_token(reply, i)->id && !is_put))
			return true;
	}
	return false;
}

enum status kept_what_if(const struct kept_reply *reply, const struct what_if_run *runs, size_t n_runs,
                         const struct sampler_order *order, const struct sampler_params *params,
                         struct what_if *out, struct error *err)
{
	struct past past;
	size_t n = kept_n(reply);
	enum status status = make_past(&past, reply, n, err);

	*out = (struct what_if){.end = WHAT_IF_SAME, .at = n, .from = n_runs ? runs[0].from : n};
	for (size_t r = 0; r < n_runs && !status; r++) {
		size_t end = r + 1 < n_runs && runs[r + 1].from < n ? runs[r + 1].from : n;

		if (follow(&past, reply, &runs[r], end, order, params, out))
			break;
		*out = (struct what_if){.end = WHAT_IF_SAME, .at = n, .from = runs[0].from};
	}
	free(past.ids);
	return status;
}
