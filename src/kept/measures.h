/* How sure a model was of a reply, in figures and bands. */
#ifndef SOTTO_KEPT_MEASURES_H
#define SOTTO_KEPT_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include "kept/kept.h"

/* What a reply is shaded by. */
enum kept_shade { SHADE_NONE, SHADE_PROBABILITY, SHADE_ENTROPY };
/* "off", "probability", "entropy", NULL. */
extern const char *const kept_shade_names[];
/* Four bands, from what was as good as certain to what was a guess. */
enum kept_band { BAND_SURE, BAND_LIKELY, BAND_OPEN, BAND_GUESS, BAND_UNKNOWN };

/* By raw_p: above 0.95, 0.70, 0.30, below; by entropy in bits: below 0.25, 1, 2.5, above. */
enum kept_band kept_band_of(const struct kept_token *token, enum kept_shade shade);
/* Of the whole distribution before all samplers, in bits; NAN: not known. */
double kept_entropy_bits(const struct kept_token *token);
/* Probabilities before all samplers, of a token and of its candidate of that logit; NAN: not known. */
double kept_p(const struct kept_token *token);
double kept_candidate_p(const struct kept_token *token, float logit);
/* The next token after `i` (step 1; SIZE_MAX: the first one) or the one before it (-1; kept_n: the last one) that was
 * open or a guess by its probability, where the one before it was surer: each stretch of them is stopped at
 * once. kept_n: there is none. */
size_t kept_next_unsure(const struct kept_reply *reply, size_t i, int step);

struct kept_summary {
	size_t n;           /* tokens of which the probability is known */
	double perplexity;  /* exp of the mean of -ln raw_p over them */
	double entropy;     /* the mean over the tokens that have one, in bits; NAN: none has */
	size_t surprising;  /* the token whose raw_p is least */
};
bool kept_summarise(const struct kept_reply *reply, struct kept_summary *out); /* false: nothing is known */

#endif
