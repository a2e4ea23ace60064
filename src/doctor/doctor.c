/* The table of rungs, and climbing it. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <string.h>

#include "doctor/rung.h"

static const struct rung rungs[] = {
	{"tensors", "every weight is a number, and scales are of a size that weights have", check_tensors},
	{"copies", "no tensor is another's copy", check_copies},
	{"blocks", "blocks of weights are read as their format says", check_blocks},
	{"products", "products with the packed weights are those in double precision", check_products},
	{"isas", "all instruction sets of this machine agree with plain C", check_isas},
	{"keys", "the model is computed as the keys of its file say", check_keys},
	{"norms", "norms divide by what the formula says", check_norms},
	{"rotation", "queries and keys are turned by the angle of their position", check_rotation},
	{"attention", "heads attend as the formula says, over their own keys and values", check_attention},
	{"windows", "windows of attention end where the file says", check_windows},
	{"routes", "tokens go to the experts that the router likes best", check_routes},
	{"experts", "each expert does what its weights say", check_experts},
	{"states", "recurrent states are restored where a conversation goes back", check_states},
	{"cache", "with the cache, without it and token by token the logits are the same", check_cache},
	{"batches", "however a prompt is split, the logits are the same", check_batches},
	{"order", "logits change when the words before are in another order", check_order},
	{"growth", "the stream through the layers neither explodes nor vanishes", check_growth},
	{"tokenizer", "text comes back from its tokens, and special ids exist", check_tokenizer},
	{"template", "the chat template fits the vocabulary and asks for a reply", check_template},
	{"bos", "a prompt begins with as many BOS tokens as the vocabulary wants", check_bos},
	{"ends", "the model can end a reply", check_ends},
	{"perplexity", "plain English is not a surprise", check_perplexity},
	{"repetition", "a continuation is not one word again and again", check_repetition},
};
enum { N_RUNGS = sizeof rungs / sizeof rungs[0] };

static void tell_progress(const struct doctor *doctor, const char *rung, size_t done)
{
	if (doctor->progress)
		doctor->progress(doctor->ctx, rung, done, N_RUNGS);
}

static enum status climb(const struct doctor *doctor, struct patient *patient, size_t *n_findings, struct error *err)
{
	for (size_t i = 0; i < N_RUNGS; i++) {
		struct diagnosis said = {.rung = rungs[i].name, .looks_at = rungs[i].looks_at};
		enum status status;

		tell_progress(doctor, rungs[i].name, i);
		status = rungs[i].check(patient, &said, err);
		if (status)
			return status;
		*n_findings += said.verdict == VERDICT_FINDING;
		doctor->tell(doctor->ctx, &said);
	}
	tell_progress(doctor, "", N_RUNGS);
	return STATUS_OK;
}

enum status doctor_examine(const struct doctor *doctor, size_t *n_findings, struct error *err)
{
	struct patient patient = {0};
	enum status status;

	*n_findings = 0;
	tell_progress(doctor, "loading the model", 0);
	status = patient_open(&patient, doctor->params, err);
	if (!status)
		status = patient_record(&patient, err);
	if (!status)
		status = climb(doctor, &patient, n_findings, err);
	patient_close(&patient);
	return status;
}
