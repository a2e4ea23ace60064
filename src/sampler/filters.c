#include "sampler/filters.h"

#include <math.h>

#include "sampler/exact.h"

static bool has_top_n_sigma(const struct sampler_params *params)
{
	return params->top_n_sigma > 0;
}

/* Top-n-sigma (Tang et al., 2024, arXiv:2411.07641): the logits of words that make no sense lie
 * like noise around their mean; keeps those at most n standard deviations below the best. */
static void apply_top_n_sigma(struct candidates *c, const struct sampler_params *params,
                              struct rng *rng)
{
	double n = params->top_n_sigma, max = c->items[candidates_best(c)].logit, sum = 0, squares = 0;

	(void)rng;
	for (size_t i = 0; i < c->n; i++)
		sum += c->items[i].logit;
	for (size_t i = 0; i < c->n; i++) {
		double off = c->items[i].logit - sum / (double)c->n;

		squares += off * off;
	}
	candidates_keep_from(c, max - n * sqrt(squares / (double)c->n));
}

static bool has_top_k(const struct sampler_params *params)
{
	return params->top_k > 0;
}

static void apply_top_k(struct candidates *c, const struct sampler_params *params, struct rng *rng)
{
	(void)rng;
	candidates_keep_best(c, (size_t)params->top_k);
}

static bool has_typical(const struct sampler_params *params)
{
	return params->typical < 1;
}

/* Locally typical sampling (Meister et al., 2022, arXiv:2202.00666): keeps
 * those whose surprise is nearest to the entropy, up to mass p. */
static void apply_typical(struct candidates *c, const struct sampler_params *params,
                          struct rng *rng)
{
	double entropy;

	(void)rng;
	candidates_softmax(c, 1);
	entropy = candidates_entropy(c);
	for (size_t i = 0; i < c->n; i++)
		c->items[i].key = fabs(c->items[i].key - entropy);
	c->sorted = false;
	/* "Up to" as llama.cpp has it: the one that passes p is kept. */
	candidates_take(c, params->typical, true);
}

static bool has_top_p(const struct sampler_params *params)
{
	return params->top_p < 1;
}

/* Nucleus sampling (Holtzman et al., 2020, arXiv:1904.09751): keeps the best
 * until their mass reaches p. */
static void apply_top_p(struct candidates *c, const struct sampler_params *params, struct rng *rng)
{
	(void)rng;
	candidates_softmax(c, 1);
	for (size_t i = 0; i < c->n; i++)
		c->items[i].key = -(double)c->items[i].logit;
	candidates_take(c, params->top_p, false);
	c->sorted = true;
}

static bool has_min_p(const struct sampler_params *params)
{
	return params->min_p > 0;
}

/* Keeps those at least p times as probable as the best (Nguyen et al., 2024, arXiv:2407.01082). */
static void apply_min_p(struct candidates *c, const struct sampler_params *params, struct rng *rng)
{
	double p = params->min_p;

	(void)rng;
	candidates_keep_from(c, c->items[candidates_best(c)].logit + exact_log(p < 1 ? p : 1));
}

static bool has_xtc(const struct sampler_params *params)
{
	return params->xtc_probability > 0 && params->xtc_threshold <= 0.5f;
}

void filter_xtc(struct candidates *c, const struct sampler_params *params, double chance)
{
	double threshold = params->xtc_threshold;
	size_t n_likely = 0, last = 0;
	int32_t kept;

	if (c->n < 2 || chance > params->xtc_probability)
		return;
	candidates_softmax(c, 1);
	for (size_t i = 0; i < c->n; i++) {
		if (c->items[i].p < threshold)
			continue;
		if (n_likely++ == 0 || candidate_is_better(&c->items[last], &c->items[i]))
			last = i;
	}
	if (n_likely < 2)
		return;
	kept = c->items[last].id;
	for (size_t i = 0; i < c->n;) {
		struct candidate item = c->items[i];

		if (item.p < threshold || item.id == kept) {
			i++;
			continue;
		}
		c->items[i] = c->items[--c->n];
		c->items[c->n] = item;
	}
	c->sorted = false;
}

static void apply_xtc(struct candidates *c, const struct sampler_params *params, struct rng *rng)
{
	if (c->n >= 2)
		filter_xtc(c, params, rng_uniform(rng));
}

const struct filter sampler_filters[] = {
	{"top-nsigma", "top_n_sigma", false, has_top_n_sigma, apply_top_n_sigma},
	{"top-k", "top_k", true, has_top_k, apply_top_k},
	{"typical", "typ_p", false, has_typical, apply_typical},
	{"top-p", "top_p", false, has_top_p, apply_top_p},
	{"min-p", "min_p", false, has_min_p, apply_min_p},
	{"xtc-probability", "xtc", false, has_xtc, apply_xtc},
};
const size_t sampler_n_filters = sizeof sampler_filters / sizeof sampler_filters[0];
