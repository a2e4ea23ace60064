/* Rungs about what comes out: how well plain English is predicted, and what the model goes on with. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/rung.h"
#include "sampler/chain.h"
#include "sampler/params.h"

enum { MOST_TOKENS = 160, NEW_TOKENS = 32, SAME = 12 };
/* A model that predicts the text this many times better than by chance has learnt something. */
static const double learnt = 8;
/* How much better the text must be with BOS than without, for a file that wants none. */
static const double bos_matters = 3;

/* ln of a token's probability. */
static double log_p(const float *logits, size_t n, int32_t id)
{
	double most = (double)logits[0], sum = 0;

	for (size_t i = 1; i < n; i++)
		most = fmax(most, (double)logits[i]);
	for (size_t i = 0; i < n; i++)
		sum += exp((double)logits[i] - most);
	return (double)logits[id] - most - log(sum);
}

/* Of the built-in text, behind BOS or not; 0: the text is too short in this vocabulary. Its ids go to *list. */
static enum status perplexity(struct patient *p, bool bos, double *out, struct token_list *list, struct error *err)
{
	size_t n_vocab = p->plan->n_vocab, most;
	float *logits = NULL;
	double sum = 0;
	enum status status = STATUS_OK;

	*out = 0;
	if (bos)
		status = token_list_push(list, tokenizer_bos(p->tokenizer)) ? error_no_memory(err, NULL) : STATUS_OK;
	if (!status)
		status = patient_encode(p, 0, list, err);
	most = session_n_ctx(p->session) < MOST_TOKENS ? session_n_ctx(p->session) : MOST_TOKENS;
	if (list->n > most)
		list->n = most;
	for (size_t i = 0; i < list->n && !status; i++)
		if ((size_t)list->ids[i] >= n_vocab)
			return STATUS_OK;
	if (status || list->n < 16)
		return status;
	logits = alloc_array(list->n, n_vocab * sizeof *logits);
	if (!logits)
		return error_no_memory(err, NULL);
	status = session_eval(p->session, list->ids, list->n, 0, logits, err);
	for (size_t i = 8; i + 1 < list->n && !status; i++)
		sum += log_p(logits + i * n_vocab, n_vocab, list->ids[i + 1]);
	*out = exp(-sum / (double)(list->n - 9));
	free(logits);
	return status;
}

static void tell(const struct patient *p, double without, double with, bool adds, struct diagnosis *out)
{
	double chance = (double)p->plan->n_vocab;

	if (!adds && with > 0 && with < chance / learnt && without > bos_matters * with) {
		diagnose_finding(out, "BOS is missing: prompts do not begin with it, and this model needs it.",
		                 "Without it the text has a perplexity of %.4g, with it %.4g; the file says that none is added.",
		                 without, with);
		diagnose_show(out, "sotto info %s", p->params.model);
	} else if (!isfinite(p->perplexity)) {
		diagnose_finding(out, "The logits are not numbers.", "The perplexity of plain English is %.3g.", p->perplexity);
		diagnose_show(out, "sotto trace -m %s -p Hello --layers", p->params.model);
	} else if (p->perplexity > chance / learnt) {
		diagnose_remark(out, "It knows nothing of plain English (by chance it would be %.4g): it was not trained, or not "
		                "on that, or its weights are damaged.", chance);
	} else {
		diagnose_fine(out, "By chance it would be %.4g.", chance);
	}
}

enum status check_perplexity(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct token_list with = {0}, without = {0};
	bool adds, has_bos;
	double of_with = 0, of_without = 0;
	enum status status;

	if (!p->tokenizer) {
		diagnose_skipped(out, "The file has no vocabulary that can be read.");
		return STATUS_OK;
	}
	adds = tokenizer_adds_bos(p->tokenizer);
	has_bos = tokenizer_bos(p->tokenizer) != TOKEN_NONE && (size_t)tokenizer_bos(p->tokenizer) < p->plan->n_vocab;
	status = perplexity(p, false, &of_without, &without, err);
	if (!status && has_bos)
		status = perplexity(p, true, &of_with, &with, err);
	p->perplexity = adds && has_bos ? of_with : of_without;
	token_list_free(&with);
	token_list_free(&without);
	if (status)
		return status;
	if (!(p->perplexity > 0) && !isnan(p->perplexity)) {
		diagnose_skipped(out, "The built-in text is too short for it in this vocabulary.");
		return STATUS_OK;
	}
	diagnose_number(out, p->perplexity, "perplexity of the built-in text");
	tell(p, of_without, of_with, adds, out);
	return STATUS_OK;
}

/* ---- repetition ---- */

/* How often a token comes in a row, at most, in a continuation of the text's beginning. */
static enum status longest_run(struct patient *p, struct sampler *sampler, const struct sampler_params *params,
                               const struct token_list *prompt, size_t *longest, struct error *err)
{
	int32_t ids[64 + NEW_TOKENS];
	size_t n = prompt->n < 48 ? prompt->n : 48, run = 1, n_prompt = n;
	struct sampler_state state;
	enum status status;

	memcpy(ids, prompt->ids, n * sizeof *ids);
	sampler_state_init(&state, 1);
	*longest = 1;
	status = session_eval(p->session, ids, n, 0, NULL, err);
	while (!status && n < n_prompt + NEW_TOKENS && n + 1 < session_n_ctx(p->session)) {
		struct sampler_choice choice = {0};

		status = sampler_pick(sampler, session_logits(p->session), ids, n, params, &state, 0, &choice, err);
		if (status || tokenizer_is_eog(p->tokenizer, choice.id))
			break;
		run = n > n_prompt && ids[n - 1] == choice.id ? run + 1 : 1;
		*longest = run > *longest ? run : *longest;
		ids[n] = choice.id;
		status = session_eval(p->session, ids + n, 1, n, NULL, err);
		n++;
	}
	return status;
}

static void judge_runs(const struct patient *p, size_t greedy, size_t sampled, struct diagnosis *out)
{
	diagnose_number(out, (double)(greedy > sampled ? greedy : sampled), "times that a token came in a row");
	diagnose_fine(out, "At temperature 0 %zu, with sampling %zu.", greedy, sampled);
	if (sampled < SAME && greedy < NEW_TOKENS - 2)
		return;
	diagnose_finding(out, "The model says the same token again and again.",
	                 "At temperature 0 one came %zu times in a row, with sampling %zu times, of %d. If no other rung found "
	                 "anything, the file's weights are at fault.", greedy, sampled, NEW_TOKENS);
	diagnose_show(out, "sotto run -m %s --raw --temp 0 \"The house stood\"", p->params.model);
}

enum status check_repetition(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct sampler_params usual = sampler_params_default(), greedy = usual;
	struct token_list prompt = {0};
	struct sampler *sampler = NULL;
	size_t run = 0, run_greedy = 0;
	enum status status;

	if (!p->tokenizer || !(p->perplexity > 0) || !(p->perplexity <= (double)p->plan->n_vocab / learnt)) {
		diagnose_skipped(out, "A model that knows nothing of English may go on with anything.");
		return STATUS_OK;
	}
	greedy.temp = 0;
	status = sampler_create(&sampler, p->plan->n_vocab, err);
	if (!status)
		status = patient_encode(p, ENCODE_BOS, &prompt, err);
	if (!status)
		status = longest_run(p, sampler, &greedy, &prompt, &run_greedy, err);
	if (!status)
		status = longest_run(p, sampler, &usual, &prompt, &run, err);
	if (!status)
		judge_runs(p, run_greedy, run, out);
	token_list_free(&prompt);
	sampler_free(sampler);
	return status;
}
