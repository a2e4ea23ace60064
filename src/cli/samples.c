#include "cli/samples.h"

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"

bool samples_add(struct samples *samples, double value)
{
	if (!alloc_grow(&samples->values, &samples->cap, samples->n + 1, sizeof *samples->values,
	                SIZE_MAX))
		return false;
	samples->values[samples->n++] = value;
	return true;
}

void samples_free(struct samples *samples)
{
	free(samples->values);
	*samples = (struct samples){0};
}

double samples_mean(const struct samples *samples)
{
	double sum = 0;

	for (size_t i = 0; i < samples->n; i++)
		sum += samples->values[i];
	return samples->n ? sum / (double)samples->n : 0;
}

double samples_deviation(const struct samples *samples)
{
	double mean = samples_mean(samples), sum = 0;

	for (size_t i = 0; i < samples->n; i++)
		sum += (samples->values[i] - mean) * (samples->values[i] - mean);
	return samples->n > 1 ? sqrt(sum / (double)(samples->n - 1)) : 0;
}

/* The value at position `rank` of the sorted ones. */
static double value_of_rank(const struct samples *samples, size_t rank)
{
	for (size_t i = 0; i < samples->n; i++) {
		size_t before = 0;

		for (size_t j = 0; j < samples->n; j++)
			before += samples->values[j] < samples->values[i] ||
			          (samples->values[j] == samples->values[i] && j < i);
		if (before == rank)
			return samples->values[i];
	}
	return 0;
}

double samples_median(const struct samples *samples)
{
	if (samples->n == 0)
		return 0;
	return (value_of_rank(samples, (samples->n - 1) / 2) + value_of_rank(samples, samples->n / 2)) / 2;
}

double samples_min(const struct samples *samples)
{
	return value_of_rank(samples, 0);
}

double samples_max(const struct samples *samples)
{
	return samples->n ? value_of_rank(samples, samples->n - 1) : 0;
}
