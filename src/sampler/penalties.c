#include "sampler/penalties.h"

#include <math.h>

float penalties_lower(float logit, uint32_t count, const struct sampler_params *params)
{
	/* Dividing a negative logit would make the token more probable. */
	if (logit <= 0)
		logit *= params->repeat_penalty;
	else
		logit /= params->repeat_penalty;
	logit -= (float)count * params->frequency_penalty + params->presence_penalty;
	return isfinite(logit) ? logit : -INFINITY;
}

size_t penalties_reach(const struct sampler_params *params, size_t n_history)
{
	/* The option is positive; anything else counts as no penalty. */
	if (params->repeat_last_n == 0 || !(params->repeat_penalty > 0))
		return 0;
	if (params->repeat_penalty == 1 && params->frequency_penalty == 0 &&
	    params->presence_penalty == 0)
		return 0;
	if (params->repeat_last_n > 0 && (size_t)params->repeat_last_n < n_history)
		return (size_t)params->repeat_last_n;
	return n_history;
}

void penalties_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history,
                     const struct sampler_params *params, uint32_t *counts)
{
	size_t n = penalties_reach(params, n_history);

	history += n_history - n;
	for (size_t i = 0; i < n; i++)
		if (history[i] >= 0 && (size_t)history[i] < n_vocab)
			counts[history[i]]++;
	for (size_t i = 0; i < n; i++) {
		float *logit;

		if (history[i] < 0 || (size_t)history[i] >= n_vocab || !counts[history[i]])
			continue;
		logit = &logits[history[i]];
		*logit = penalties_lower(*logit, counts[history[i]], params);
		counts[history[i]] = 0;
	}
}
