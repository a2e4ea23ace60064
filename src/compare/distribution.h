/* The distribution that a row of logits is, and how far two of them are apart. Natural logarithms; sums in double
 * precision. Plain data. */
#ifndef SOTTO_COMPARE_DISTRIBUTION_H
#define SOTTO_COMPARE_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

struct distribution {
	const float *logits; /* [n]; borrowed */
	size_t n;
	double log_sum; /* ln of the sum of exp(logit) */
	int32_t top;    /* the most probable token; of several the first */
};

struct distribution distribution_of(const float *logits, size_t n);
/* ln of the probability of a token. */
double distribution_log_p(const struct distribution *distribution, int32_t id);
/* The Kullback-Leibler divergence: what is lost, in nats a token, where `judged` stands for `reference`. Both are
 * over the same tokens. Those whose ln p in the reference is `floor` or less are left out, as it does not know them
 * (logits_source.floor); -INFINITY: all are known. */
double distribution_divergence(const struct distribution *reference, const struct distribution *judged, double floor);

#endif
