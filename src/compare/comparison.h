/* How far a model (the judged one) is from another (the reference) over a text: figures as `llama-perplexity
 * --kl-divergence` has them, and each place of the text that they come from. Natural logarithms. One thread. */
#ifndef SOTTO_COMPARE_COMPARISON_H
#define SOTTO_COMPARE_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compare/distribution.h"
#include "compare/moments.h"

enum compared_side { SIDE_JUDGED, SIDE_REFERENCE, N_SIDES };

/* What the two expect behind one token of the text. */
struct compared_place {
	size_t at;        /* that token: its index in the text's ids */
	double divergence; /* in nats */
	float next_p[N_SIDES];  /* of the token that does follow; NAN: none does */
	int32_t top[N_SIDES];   /* the first choice of each, ... */
	float top_p[N_SIDES];   /* how probable it is to whose choice it is, ... */
	float other_p[N_SIDES]; /* ... and to the other */
};

struct comparison {
	struct compared_place *places; /* owned, [n], in the order of the text */
	size_t n, cap;
	struct moments divergence;
	struct moments surprise[N_SIDES]; /* -ln p of the token that follows */
	double surprise_products;
	struct moments p_difference, p_squared; /* of that token: judged - reference, and its square */
	size_t n_same; /* places with the same first choice */
};

/* `next` is negative where no token follows. */
enum status comparison_add(struct comparison *comparison, size_t at, const struct distribution *judged,
                           const struct distribution *reference, double floor, int32_t next,
                           struct error *err) MUST_CHECK;
void comparison_free(struct comparison *comparison);

enum { WORST_PLACES = 3 };

struct comparison_summary {
	size_t n;
	double mean, mean_error, median, p90, p99, p999, most, least; /* of the divergence */
	double same, same_error;    /* the share of places with the same first choice, 0 .. 1 */
	double each;                /* one place in so many has another first choice; INFINITY: none has */
	double perplexity[N_SIDES], perplexity_error[N_SIDES]; /* NAN: no token follows anywhere */
	double ratio, ratio_error;  /* of the perplexities, judged / reference */
	double p_rms, p_rms_error;  /* root mean square of how much the probability of the text's tokens changed */
	const struct compared_place *first; /* where the first choices part first; NULL: nowhere */
	const struct compared_place *worst[WORST_PLACES]; /* [n_worst]: of the greatest divergence, falling */
	size_t n_worst;
};

/* Borrows the comparison. STATUS_USAGE: it has no place. */
enum status comparison_summarise(const struct comparison *comparison, struct comparison_summary *out,
                                 struct error *err) MUST_CHECK;

/* What the mean divergence comes to, in a few words for people: by what users of quantised models report, from
 * "hardly any difference" (as between Q8_0 and F16) on. */
const char *comparison_verdict(const struct comparison_summary *summary);

#endif
