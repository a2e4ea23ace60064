#include "sampler/temperature.h"

#include "sampler/exact.h"

/* x^y for 0 <= x, 0 <= y. */
static double power(double x, double y)
{
	if (y <= 0)
		return 1;
	return x > 0 ? exact_exp(y * exact_log(x)) : 0;
}

/* Dynamic temperature (Kalomaze, 2023, llama.cpp pull request 4972): the entropy as a part of what
 * it could be at most, to a power, says where in the range. */
double temperature_of(struct candidates *c, const struct sampler_params *params)
{
	double temp = params->temp, range = params->dynatemp_range, low, most;

	if (!(range > 0) || c->n < 2)
		return temp;
	low = temp > range ? temp - range : 0;
	most = exact_log((double)c->n);
	candidates_softmax(c, 1);
	return low + (temp + range - low) *
	                     power(candidates_entropy(c) / most, params->dynatemp_exp);
}
