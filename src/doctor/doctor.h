/* Looks whether a model's file, its template and the engine on this machine are what they should be: a ladder
 * of rungs, from the file up to what comes out. Each rung checks one relation that has to hold for any model,
 * against the file's own numbers, a formula in double precision or another way to compute the same; the first
 * one that does not hold is the likely cause of what goes wrong above it. */
#ifndef SOTTO_DOCTOR_DOCTOR_H
#define SOTTO_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "turn/engine_params.h"

enum verdict {
	VERDICT_FINE,
	VERDICT_FINDING, /* what should hold does not */
	VERDICT_REMARK,  /* worth knowing; nothing that must be wrong */
	VERDICT_SKIPPED, /* not of this model: `text` says why */
};

/* What a rung says. Texts are not sanitised. */
struct diagnosis {
	const char *rung;      /* its name: static */
	const char *looks_at;  /* what it checks: static */
	enum verdict verdict;
	char cause[256];       /* of a finding: the likely cause, a sentence */
	char text[384];        /* what was seen, sentences; may be "" */
	char show[256];        /* a command that shows it; "": none */
	double number;         /* behind the verdict; its meaning and unit: */
	const char *number_is; /* static; NULL: there is no number */
};

struct doctor {
	const struct engine_params *params; /* of the model to look at */
	/* Before each rung, and at last with done = all; may be NULL. */
	void (*progress)(void *ctx, const char *rung, size_t done, size_t all);
	void (*tell)(void *ctx, const struct diagnosis *diagnosis);
	void *ctx;
};

/* Opens the model and climbs all rungs. An error is what kept it from looking. */
enum status doctor_examine(const struct doctor *doctor, size_t *n_findings, struct error *err) MUST_CHECK;

#endif
