#include "compare/moments.h"

#include <math.h>

enum { FEWEST = 10 };

void moments_add(struct moments *moments, double value)
{
	moments->sum += value;
	moments->squares += value * value;
	moments->n++;
}

double moments_mean(const struct moments *moments)
{
	return moments->n ? moments->sum / (double)moments->n : 0;
}

double moments_error(const struct moments *moments)
{
	double n = (double)moments->n, mean = moments_mean(moments), variance;

	if (moments->n <= FEWEST)
		return 0;
	variance = moments->squares / n - mean * mean;
	return variance > 0 ? sqrt(variance / (n - 1)) : 0;
}

double moments_covariance(const struct moments *a, const struct moments *b, double products)
{
	double n = (double)a->n;

	return a->n <= FEWEST ? 0 : (products / n - moments_mean(a) * moments_mean(b)) / (n - 1);
}
