/* The tokens that are not kept: how good one of them may be at most, and how much they may weigh together. What each
 * sampler does to that, and whether it can be told from it what the sampler leaves. */
#ifndef SOTTO_SAMPLER_AGAIN_REST_H
#define SOTTO_SAMPLER_AGAIN_REST_H

#include <stdbool.h>
#include <stddef.h>

#include "sampler/candidates.h"
#include "sampler/params.h"

struct rest {
	bool is_in;        /* some of them may still be chosen */
	bool may_be_equal; /* one may be as good as `most`, with a lower id; otherwise all kept ones are better */
	float most;        /* no logit of theirs is above that */
	double ref;        /* weights are exp(logit - ref) */
	double low, high;  /* of all their weights together */
	double n;          /* how many they are at most; INFINITY: not known */
};

/* Of the vocabulary `n` tokens that are not among the candidates (not empty, by falling logit); log_sum as in struct
 * again_source. */
void rest_init(struct rest *rest, const struct candidates *c, double n, float log_sum);
/* Whether a kept candidate is better than all that are not kept. */
bool rest_is_below(const struct rest *rest, const struct candidate *item);
/* Whether the best of the kept ones is the best of all. */
bool rest_leaves_best(const struct rest *rest, const struct candidates *c);
/* The weight of the candidates, of logits divided by a temperature if the rest was. */
double rest_weigh(const struct rest *rest, const struct candidates *c);
/* `n` of them may have been made less probable. */
void rest_lower(struct rest *rest, size_t n);
/* All logits were divided by it. */
void rest_heat(struct rest *rest, double temp);

/* What a sampler that is on does with them, before it cuts the candidates. NULL: it is known which candidates it
 * leaves, and whether more; else why it is not. Candidates that penalties have made no better than those that are not
 * kept count as such from then on. */
const char *rest_top_k(struct rest *rest, struct candidates *c, const struct sampler_params *params);
const char *rest_top_p(struct rest *rest, struct candidates *c, const struct sampler_params *params);
const char *rest_min_p(struct rest *rest, struct candidates *c, const struct sampler_params *params);
/* Whether XTC finds at most one token that is probable enough, and so takes none. */
bool rest_xtc_is_idle(const struct rest *rest, const struct candidates *c, const struct sampler_params *params);

#endif
