/* Rungs about what a session remembers: however tokens are given to it, logits must be the same, bit for bit, and other
 * words before must make others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/rung.h"

enum { TOKENS = 20, SPLITS = 4 };

/* How many of them are evaluated: without a cache, all are for each step. */
static size_t n_tokens(const struct patient *p)
{
	return p->n_ids < TOKENS ? p->n_ids : TOKENS;
}

/* The largest difference, relative to the largest logit; infinity where one is not a number. */
static double difference(const float *a, const float *b, size_t n)
{
	double most = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(a[i]) || !isfinite(b[i]))
			return isfinite(a[i]) == isfinite(b[i]) ? most : (double)INFINITY;
		most = fmax(most, fabs((double)a[i] - (double)b[i]));
		largest = fmax(largest, fabs((double)a[i]));
	}
	return largest > 0 ? most / largest : most;
}

/* Evaluates ids in steps of `step` tokens after `first` at once, and compares each last row with those expected. */
static enum status compare_steps(struct session *s, const int32_t *ids, size_t n, size_t first, size_t step,
                                 const float *want, size_t n_vocab, double *most, size_t *where, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t at = 0; at < n && !status;) {
		size_t count = at == 0 ? first : step;
		double d;

		if (count > n - at)
			count = n - at;
		status = session_eval(s, ids + at, count, at, NULL, err);
		at += count;
		if (status)
			break;
		d = difference(session_logits(s), want + (at - 1) * n_vocab, n_vocab);
		if (d > *most)
			*where = at - 1;
		*most = fmax(*most, d);
	}
	return status;
}

/* The logits of all positions, in one go. */
static enum status all_logits(struct patient *p, float **out, struct error *err)
{
	*out = alloc_array(n_tokens(p), p->plan->n_vocab * sizeof **out);
	if (!*out)
		return error_no_memory(err, NULL);
	return session_eval(p->session, p->ids, n_tokens(p), 0, *out, err);
}

enum status check_cache(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct session *without = NULL;
	float *want = NULL;
	double tokens = 0, none = 0;
	size_t where = 0, n = n_tokens(p);
	enum status status = all_logits(p, &want, err);

	if (!status)
		status = compare_steps(p->session, p->ids, n, 1, 1, want, p->plan->n_vocab, &tokens, &where, err);
	if (!status)
		status = patient_session(p, false, &p->compute, &without, err);
	if (!status)
		status = compare_steps(without, p->ids, n, n - 3, 1, want, p->plan->n_vocab, &none, &where, err);
	diagnose_number(out, fmax(tokens, none), "largest difference of the logits, relative");
	if (!(tokens > 0) && !(none > 0)) {
		diagnose_fine(out, "%zu tokens: the same bits.", n);
	} else {
		diagnose_finding(out, none > 0 ? "The cache is wrong: without it the logits are others."
		                               : "The cache is wrong: token by token the logits are others than at once.",
		                 "They begin to differ by %.2g at token %zu.", fmax(tokens, none), where);
		diagnose_show(out, "sotto logits -m %s --no-kv-cache --ids \"1 2 3\" -o without.f32", p->params.model);
	}
	session_free(without);
	free(want);
	return status;
}

enum status check_batches(struct patient *p, struct diagnosis *out, struct error *err)
{
	static const size_t firsts[SPLITS] = {1, 2, 5, 9}, steps[SPLITS] = {SIZE_MAX, 3, 4, 2};
	float *want = NULL;
	double most = 0;
	size_t where = 0;
	enum status status = all_logits(p, &want, err);

	for (size_t i = 0; i < SPLITS && !status; i++)
		status = compare_steps(p->session, p->ids, n_tokens(p), firsts[i], steps[i], want, p->plan->n_vocab, &most,
		                       &where, err);
	diagnose_number(out, most, "largest difference of the logits, relative");
	if (!(most > 0)) {
		diagnose_fine(out, "%d splits: the same bits.", SPLITS);
	} else {
		diagnose_finding(out, "How a prompt is split into batches changes the logits.",
		                 "They differ by %.2g at token %zu.", most, where);
		diagnose_show(out, "sotto logits -m %s --batch-size 1 --ids \"1 2 3\" -o single.f32", p->params.model);
	}
	free(want);
	return status;
}

/* Where a window has no more than the token itself, nothing before it is seen. */
static bool looks_back(const struct plan *plan)
{
	bool any = plan_is_recurrent(plan);

	for (size_t i = 0; i < plan->n_layer; i++)
		any |= (plan->layers[i].mixers & MIXER_ATTENTION) && plan->layers[i].window != 1;
	return any;
}

/* The same last words behind others in another order: a model that does not know positions cannot tell. */
enum status check_order(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n = n_tokens(p), n_vocab = p->plan->n_vocab;
	float *want = NULL;
	int32_t ids[TOKENS];
	double changed;
	bool comparable;
	enum status status = all_logits(p, &want, err);

	for (size_t i = 0; i < n; i++)
		ids[i] = i + 1 < n ? p->ids[n - 2 - i] : p->ids[i];
	comparable = looks_back(p->plan) && memcmp(ids, p->ids, n * sizeof *ids) != 0;
	if (!status && comparable)
		status = session_eval(p->session, ids, n, 0, NULL, err);
	if (status || !comparable) {
		free(want);
		diagnose_skipped(out, "No token looks back, or the tokens are the same in another order.");
		return status;
	}
	changed = difference(session_logits(p->session), want + (n - 1) * n_vocab, n_vocab);
	diagnose_number(out, changed, "change of the logits, relative");
	if (changed > 0) {
		diagnose_fine(out, "%s", "");
	} else {
		diagnose_finding(out, "The model does not see what stands before a token, or not where.",
		                 "The %zu tokens before the last one in another order change nothing.", n - 1);
		diagnose_show(out, "sotto trace -m %s -p Hello --rope 7", p->params.model);
	}
	free(want);
	return STATUS_OK;
}

/* ---- states ---- */

/* Two conversations that part: going back from one to the other must give what a fresh evaluation gives. */
enum status check_states(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n = n_tokens(p), parting = n / 2;
	int32_t ids[TOKENS];
	float *fresh = NULL;
	double changed = 0;
	enum status status = STATUS_OK;

	if (!plan_is_recurrent(p->plan) || n < 8) {
		diagnose_skipped(out, "No layer is recurrent.");
		return STATUS_OK;
	}
	for (size_t i = 0; i < n; i++)
		ids[i] = i < parting ? p->ids[i] : p->ids[n - 1 - (i - parting)] ^ 1;
	for (size_t i = 0; i < n; i++)
		ids[i] = (uint32_t)ids[i] < p->plan->n_vocab ? ids[i] : 0;
	fresh = alloc_array(p->plan->n_vocab, sizeof *fresh);
	if (!fresh)
		return error_no_memory(err, NULL);
	status = session_eval(p->session, ids, n, 0, NULL, err);
	if (!status)
		memcpy(fresh, session_logits(p->session), p->plan->n_vocab * sizeof *fresh);
	if (!status)
		status = session_eval(p->session, p->ids, 1, 0, NULL, err); /* begins another history */
	if (!status)
		status = session_sync(p->session, p->ids, n, &(struct session_marks){.at = {parting}, .n = 1}, err);
	if (!status)
		status = session_sync(p->session, ids, n, NULL, err);
	if (!status)
		changed = difference(session_logits(p->session), fresh, p->plan->n_vocab);
	diagnose_number(out, changed, "difference of the logits behind it, relative");
	if (!(changed > 0)) {
		diagnose_fine(out, "Back from token %zu to %zu: the same bits.", n, parting);
	} else {
		diagnose_finding(out, "The state is not restored: a conversation that goes back keeps what came later.",
		                 "Behind token %zu the logits differ by %.2g from a fresh evaluation.", parting, changed);
		diagnose_show(out, "sotto trace -m %s -p Hello --state", p->params.model);
	}
	free(fresh);
	return status;
}

/* ---- growth ---- */

/* From one layer to the next; the largest that are known, of single tokens in trained models, are some hundreds. */
static const double most_growth = 1e5;

static double rms_of(const struct patient *p, size_t layer)
{
	double square = 0;
	size_t n = 0;

	for (size_t pos = 0; pos < p->n_ids; pos++) {
		const float *x = record_row(&p->record, PROBE_STREAM, layer, pos);

		for (size_t i = 0; x && i < p->plan->n_embd; i++, n++)
			square += (double)x[i] * (double)x[i];
	}
	return n ? sqrt(square / (double)n) : 1;
}

enum status check_growth(struct patient *p, struct diagnosis *out, struct error *err)
{
	double first = rms_of(p, 0), before = first, most = 1;
	size_t where = 0;

	(void)err;
	for (size_t i = 0; i < p->plan->n_layer; i++) {
		double rms = rms_of(p, i);

		if (!isfinite(rms) || !(rms > 0) || rms / before > most_growth) {
			diagnose_number(out, rms, "root mean square of the stream");
			diagnose_finding(out, isfinite(rms) && !(rms > 0) ? "The stream vanishes on its way through the layers."
			                                                 : "The stream explodes on its way through the layers.",
			                 "Behind layer %zu it is %.3g, before it %.3g.", i, rms, before);
			diagnose_show(out, "sotto trace -m %s -p Hello --layers", p->params.model);
			return STATUS_OK;
		}
		if (rms / before > most) {
			most = rms / before;
			where = i;
		}
		before = rms;
	}
	diagnose_number(out, most, "largest growth from one layer to the next");
	diagnose_fine(out, "At layer %zu; from %.3g to %.3g in all.", where, first, before);
	return STATUS_OK;
}
