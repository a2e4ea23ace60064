/* The mean of many numbers and how far it may be from the true one, as llama-perplexity reckons it. Plain data. */
#ifndef SOTTO_COMPARE_MOMENTS_H
#define SOTTO_COMPARE_MOMENTS_H

#include <stddef.h>

struct moments {
	double sum, squares;
	size_t n;
};

void moments_add(struct moments *moments, double value);
double moments_mean(const struct moments *moments);  /* 0 of no numbers */
/* The standard error of the mean; 0 where there are too few numbers to tell. */
double moments_error(const struct moments *moments);
/* The covariance of two means of `n` pairs each, from the sum of the pairs' products. */
double moments_covariance(const struct moments *a, const struct moments *b, double products);

#endif
