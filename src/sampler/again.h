/* The sampler chain once more, over what was kept of a token: its best candidates and how much the whole vocabulary
 * weighed. Of the others it is known that none is better than the last kept one, and what they weigh together; that is
 * enough where the chain cuts them, and then the token, its probability and what cut each candidate are those of
 * sampler_pick, to the bit. Where it is not enough, it says why. No forward pass, nothing of a vocabulary's size. */
#ifndef SOTTO_SAMPLER_AGAIN_H
#define SOTTO_SAMPLER_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/chain.h"

enum { AGAIN_MAX = 64, AGAIN_STEPS_MAX = SAMPLER_STEPS_MAX + 1 };

struct again_source {
	/* [n], 0 < n <= AGAIN_MAX: the best of the vocabulary by falling logit, ties by rising id; biases are in it. */
	const int32_t *ids;
	const float *logits;
	size_t n;
	size_t n_vocab; /* tokens in all; 0: not known, but more than n */
	float log_sum;  /* ln of the sum of exp(logit) over all of them; NAN: not known */
	const int32_t *history; /* [n_history]: the tokens before it ... */
	size_t n_history;
	bool has_all;           /* ... from the beginning on; otherwise only the last ones */
	const struct sampler_order *order;
};

/* What became of the candidate of that index. */
struct again_fate {
	float chosen_p;     /* after all samplers; 0: cut */
	/* As in struct sampler_candidate; of one that penalties have made no better than some that are not kept, it may
	 * have been a later sampler in the place of top-k or top-p. */
	const char *cut_by;
};

/* A sampler that acted, in its turn. */
struct again_step {
	const char *name; /* of its option; static */
	size_t n;         /* candidates that it left; ... */
	bool has_more;    /* ... and maybe some of those that are not kept */
};

struct again {
	const char *lacks; /* why what is kept is not enough; static; NULL: it is. Otherwise all below is what it would be
	                    * if nothing more could have been chosen */
	int32_t id;        /* the token */
	float probability;
	double entropy;    /* of what could be chosen, in nats */
	struct again_fate fates[AGAIN_MAX]; /* [n] */
	struct again_step steps[AGAIN_STEPS_MAX];
	size_t n_steps;
};

/* `state` goes on as sampler_pick's does, if it is enough. */
void sampler_again(const struct again_source *source, const struct sampler_params *params,
                   struct sampler_state *state, struct again *out);

#endif
