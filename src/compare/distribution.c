#include "compare/distribution.h"

#include <math.h>

struct distribution distribution_of(const float *logits, size_t n)
{
	struct distribution out = {.logits = logits, .n = n};
	double sum = 0;
	float max;

	for (size_t i = 1; i < n; i++)
		if (logits[i] > logits[out.top])
			out.top = (int32_t)i;
	max = logits[out.top];
	for (size_t i = 0; i < n; i++)
		sum += (double)expf(logits[i] - max);
	out.log_sum = (double)max + log(sum);
	return out;
}

double distribution_log_p(const struct distribution *distribution, int32_t id)
{
	return (double)distribution->logits[id] - distribution->log_sum;
}

double distribution_divergence(const struct distribution *reference, const struct distribution *judged, double floor)
{
	double sum = 0;

	for (size_t i = 0; i < reference->n; i++) {
		double expected = (double)reference->logits[i] - reference->log_sum;
		double found = (double)judged->logits[i] - judged->log_sum;
		float p = expf((float)expected);

		if (p > 0 && expected > floor) /* where p is 0, a logit may be -INFINITY in both */
			sum += (double)p * (expected - found);
	}
	return sum;
}
