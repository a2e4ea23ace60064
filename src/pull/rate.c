#include "pull/rate.h"

enum { LEAST_MS = 1000, LEAST_LEFT_MS = 3000 };

static const struct rate_sample *newest(const struct rate *rate)
{
	return &rate->samples[(rate->next + RATE_SAMPLES - 1) % RATE_SAMPLES];
}

void rate_add(struct rate *rate, uint64_t now_ms, uint64_t n_bytes)
{
	if (rate->n && (now_ms < newest(rate)->ms || n_bytes < newest(rate)->n_bytes))
		*rate = (struct rate){0};
	if (rate->n && now_ms - newest(rate)->ms < RATE_STEP_MS)
		return;
	if (!rate->n)
		rate->began = now_ms;
	rate->samples[rate->next] = (struct rate_sample){now_ms, n_bytes};
	rate->next = (rate->next + 1) % RATE_SAMPLES;
	rate->n += rate->n < RATE_SAMPLES;
}

/* The oldest sample of the window. */
static const struct rate_sample *oldest(const struct rate *rate)
{
	const struct rate_sample *last = newest(rate), *first = last;

	for (size_t i = 1; i < rate->n; i++) {
		const struct rate_sample *sample = &rate->samples[(rate->next + RATE_SAMPLES - 1 - i) % RATE_SAMPLES];

		if (last->ms - sample->ms > RATE_WINDOW_MS)
			break;
		first = sample;
	}
	return first;
}

double rate_value(const struct rate *rate)
{
	const struct rate_sample *last, *first;

	if (rate->n < 2)
		return 0;
	last = newest(rate);
	first = oldest(rate);
	if (last->ms - first->ms < LEAST_MS)
		return 0;
	return (double)(last->n_bytes - first->n_bytes) * 1000 / (double)(last->ms - first->ms);
}

double rate_left(const struct rate *rate, uint64_t n_bytes)
{
	double value = rate_value(rate);

	if (!(value > 0) || newest(rate)->ms - rate->began < LEAST_LEFT_MS)
		return -1;
	return (double)n_bytes / value;
}
