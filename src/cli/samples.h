/* A figure that is measured several times. */
#ifndef SOTTO_CLI_SAMPLES_H
#define SOTTO_CLI_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

struct samples {
	double *values; /* owned; in the order of their arrival */
	size_t n, cap;
};

bool samples_add(struct samples *samples, double value); /* false: no memory */
void samples_free(struct samples *samples);

/* 0 if there are none. */
double samples_mean(const struct samples *samples);
double samples_deviation(const struct samples *samples); /* of the sample: over n - 1 */
double samples_median(const struct samples *samples);
double samples_min(const struct samples *samples);
double samples_max(const struct samples *samples);

#endif
