#include "sampler/again_rest.h"

#include <math.h>

#include "sampler/exact.h"

/* What log_sum may be off by: it is a float, of a sum of floats. */
static const double log_sum_error = 1e-5;
/* What sums of double may be off by. */
static const double sum_error = 1e-9;
static const char no_best[] = "the best token may be one of which nothing was kept";

double rest_weigh(const struct rest *rest, const struct candidates *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += exp(c->items[i].logit - rest->ref);
	return sum;
}

/* No more than that many of the best possible weigh. */
static void limit(struct rest *rest)
{
	double most = rest->n * exp(rest->most - rest->ref) * (1 + sum_error);

	rest->high = rest->high < most ? rest->high : most;
	rest->low = rest->low < rest->high ? rest->low : rest->high;
}

void rest_init(struct rest *rest, const struct candidates *c, double n, float log_sum)
{
	double known, all, off;

	*rest = (struct rest){.is_in = n > 0, .most = c->items[c->n - 1].logit, .ref = c->items[0].logit,
	                      .high = INFINITY, .n = n};
	if (isfinite(log_sum)) {
		known = rest_weigh(rest, c);
		all = exp(log_sum - rest->ref);
		off = all * (log_sum_error + 2e-7 * fabs(log_sum));
		rest->low = fmax(all - known - off, 0);
		rest->high = fmax(all - known, 0) + off;
	}
	limit(rest);
}

bool rest_is_below(const struct rest *rest, const struct candidate *item)
{
	return !rest->is_in || !rest->may_be_equal || item->logit > rest->most;
}

bool rest_leaves_best(const struct rest *rest, const struct candidates *c)
{
	return c->n && rest_is_below(rest, &c->items[candidates_best(c)]);
}

void rest_lower(struct rest *rest, size_t n)
{
	rest->may_be_equal = true;
	rest->low = fmax(rest->low - (double)n * exp(rest->most - rest->ref) * (1 + sum_error), 0);
}

/* With x = exp(logit - ref) it is the sum of x^a that is wanted, of which the sum of x is known, that no x is above
 * `most`, and that there are at most n: by the inequality of the means on one side, by x^a = x x^(a-1) on the other. */
void rest_heat(struct rest *rest, double temp)
{
	double a = 1 / temp, most = exp(rest->most - rest->ref), by_n = pow(rest->n, 1 - a);

	if (temp == 1)
		return;
	if (!(most > 0)) {
		rest->low = 0;
		rest->high = a < 1 ? INFINITY : rest->high;
	} else if (a < 1) {
		rest->high = by_n * pow(rest->high, a);
		rest->low = rest->low * pow(most, a - 1);
	} else if (a > 1) {
		rest->high = rest->high * pow(most, a - 1);
		rest->low = by_n * pow(rest->low, a);
	}
	rest->high *= 1 + sum_error;
	rest->low *= 1 - sum_error;
	if (isnan(rest->high))
		rest->high = INFINITY;
	if (isnan(rest->low))
		rest->low = 0;
	rest->ref /= temp;
	rest->most = (float)fmin(fmax(rest->most / temp, -1e30), 1e30);
	rest->may_be_equal = true; /* different logits may have become the same */
	limit(rest);
}

/* How many of the candidates are better than all that are not kept. */
static size_t count_better(const struct rest *rest, const struct candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += rest_is_below(rest, &c->items[i]);
	return n;
}

/* Only the n best of them are left. */
static void keep_best(struct rest *rest, double n)
{
	if (!(n < rest->n))
		return;
	rest->low = isfinite(rest->n) ? rest->low * (n / rest->n) : 0;
	rest->n = n;
	limit(rest);
}

/* Sorts the candidates; from now on only the first n of them are told from those that are not kept. */
static void count_among(struct rest *rest, struct candidates *c, size_t n)
{
	double weight;

	candidates_keep_best(c, c->n);
	weight = rest_weigh(rest, c);
	rest->n += (double)(c->n - n);
	c->n = n;
	weight -= rest_weigh(rest, c);
	rest->high += weight * (1 + sum_error);
	rest->low += weight * (1 - sum_error);
}

const char *rest_top_k(struct rest *rest, struct candidates *c, const struct sampler_params *params)
{
	size_t k = (size_t)params->top_k, n = count_better(rest, c);

	if (k <= n) {
		rest->is_in = false;
		return NULL;
	}
	if (!n)
		return no_best;
	count_among(rest, c, n);
	keep_best(rest, (double)(k - n));
	return NULL;
}

const char *rest_top_p(struct rest *rest, struct candidates *c, const struct sampler_params *params)
{
	double mass = params->top_p, sum = 0, known;
	size_t n = count_better(rest, c);

	if (!n)
		return no_best;
	count_among(rest, c, n);
	known = rest_weigh(rest, c);
	for (size_t i = 0; i < n; i++) {
		sum += exp(c->items[i].logit - rest->ref);
		if (sum / (known + rest->high) * (1 - sum_error) >= mass) {
			c->n = i + 1;
			rest->is_in = false;
			return NULL;
		}
		if (i + 1 < n && sum / (known + rest->low) * (1 + sum_error) >= mass)
			return "where top-p ends is not known well enough from what was kept";
	}
	/* As much of them as is needed, of which the best may be all. */
	rest->low = fmin(rest->low, fmax(mass * (known + rest->low) * (1 - sum_error) - known, 0));
	return NULL;
}

const char *rest_min_p(struct rest *rest, struct candidates *c, const struct sampler_params *params)
{
	double p = params->min_p, least;

	if (!rest_leaves_best(rest, c))
		return no_best;
	least = c->items[candidates_best(c)].logit + exact_log(p < 1 ? p : 1);
	rest->is_in = rest->most >= least;
	rest->low = 0;
	return NULL;
}

bool rest_xtc_is_idle(const struct rest *rest, const struct candidates *c, const struct sampler_params *params)
{
	size_t best = candidates_best(c);
	float second = rest->most;

	for (size_t i = 0; i < c->n; i++)
		if (i != best && c->items[i].logit > second)
			second = c->items[i].logit;
	return rest_leaves_best(rest, c) &&
	       exp(second - rest->ref) / (rest_weigh(rest, c) + rest->low) * (1 + sum_error) < params->xtc_threshold;
}
