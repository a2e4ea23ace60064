/* The most probable tokens before all samplers, and what became of each. */
#ifndef SOTTO_SAMPLER_TOP_H
#define SOTTO_SAMPLER_TOP_H

#include <stddef.h>
#include <stdint.h>

#include "sampler/candidates.h"

struct sampler_candidate {
	int32_t id;
	float logit;       /* as the samplers get it: biases included */
	float probability; /* of the distribution before all samplers */
	float chosen_p;    /* after all samplers; 0 = it was cut */
	/* The option that took it out: a filter's, "mirostat", or "temp", when temperature 0
	 * takes the best only. NULL: it could have been chosen. */
	const char *cut_by;
};

enum { SAMPLER_TOP_MAX = 48 };

struct sampler_top {
	struct sampler_candidate items[SAMPLER_TOP_MAX]; /* [n]: by falling logit, ties by rising id */
	size_t n;
	/* Of the whole distribution: ln of the sum of exp(logit), and the entropy in nats; both NAN without
	 * any possible token. */
	double log_sum, entropy;
};

/* Of `n` clean logits (candidates_clean), the best n_top, and the figures of all; with n_top = 0 nothing. `places`, zeros
 * for all n, gets each one's place, from 1 on. */
void sampler_top_find(struct sampler_top *top, const float *logits, size_t n, size_t n_top, uint8_t *places);
/* Records what became of these candidates: cut, or with NULL, what p they have at last. */
void sampler_top_record(struct sampler_top *top, const uint8_t *places, const struct candidate *items, size_t n,
                        const char *cut_by);
/* Makes the places zeros again. */
void sampler_top_clear(const struct sampler_top *top, uint8_t *places);

#endif
