/* The filters of the chain, as llama.cpp defines them (src/llama-sampling.cpp).
 * A new one is a field and a row in sampler/params, a function and a row here. */
#ifndef SOTTO_SAMPLER_FILTERS_H
#define SOTTO_SAMPLER_FILTERS_H

#include "sampler/candidates.h"
#include "sampler/params.h"

struct filter {
	const char *name; /* of its option in sampler_options */
	/* Takes candidates out of the running by moving them past c->n, where later
	 * filters leave them. At least one always stays. */
	void (*apply)(struct candidates *c, const struct sampler_params *params);
};

/* In the order in which they act. Top-k is not among them: what it cuts is not
 * even loaded (candidates_load_best). */
extern const struct filter sampler_filters[];
extern const size_t sampler_n_filters;

#endif
