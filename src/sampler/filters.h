/* The filters of the chain, as llama.cpp defines them (its llama-sampler.cpp).
 * A new one is a field and a row in sampler/params, two functions and a row here. */
#ifndef SOTTO_SAMPLER_FILTERS_H
#define SOTTO_SAMPLER_FILTERS_H

#include "sampler/candidates.h"
#include "sampler/params.h"
#include "sampler/rng.h"

struct filter {
	const char *name; /* of its option in sampler_options */
	const char *step; /* in --samplers: llama.cpp's name */
	bool is_top_k;    /* what it cuts need not even be loaded (candidates_load_best) */
	bool (*is_on)(const struct sampler_params *params);
	/* Called only where it is on, with candidates left. Takes some out of the running by moving
	 * them past c->n, where later filters leave them. At least one always stays. Draws random
	 * numbers only where it needs them: what a seed means must not change for those who do
	 * without this filter. */
	void (*apply)(struct candidates *c, const struct sampler_params *params, struct rng *rng);
};

/* In the order in which they act if none is said (sampler/order.h). */
extern const struct filter sampler_filters[];
extern const size_t sampler_n_filters;

/* XTC, "exclude top choices" (P. E. Weidmann, 2024, text-generation-webui pull request 6335), with
 * its random number (0 <= chance < 1): where this is at most xtc_probability, all that are at least
 * as probable as xtc_threshold go, but for the least probable of them. */
void filter_xtc(struct candidates *c, const struct sampler_params *params, double chance);

#endif
