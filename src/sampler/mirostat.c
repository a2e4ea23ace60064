#include "sampler/mirostat.h"

#include "sampler/exact.h"

enum { N_SHAPE = 100 }; /* candidates that the exponent is estimated from, as in llama.cpp */

static const double ln_2 = 0.69314718055994530942;

/* The exponent of Zipf's law that fits the sorted candidates best, by least squares. 0 where there
 * are too few of them. */
static double zipf_exponent(const struct candidates *c)
{
	double products = 0, squares = 0;

	for (size_t i = 0; i + 1 < c->n && c->items[i + 1].p > 1e-300; i++) {
		double t = exact_log((double)(i + 2) / (double)(i + 1));

		products += t * exact_log(c->items[i].p / c->items[i + 1].p);
		squares += t * t;
	}
	return squares > 0 ? products / squares : 0;
}

/* How many candidates have a mean surprise of mu, by equation 30 of the paper; at most n. */
static size_t count_for(double mu, double exponent, size_t n, size_t n_vocab)
{
	double epsilon = exponent - 1, size = exact_log((double)n_vocab), log_k;

	if (!(exponent > 0) || n_vocab < 2)
		return n;
	/* epsilon / (1 - N^-epsilon), which goes to 1 / ln N */
	if (epsilon > 1e-9 || epsilon < -1e-9) {
		double away = -epsilon * size;

		epsilon /= 1 - exact_exp(away < 700 ? away : 700);
	} else {
		epsilon = 1 / size;
	}
	log_k = (exact_log(epsilon) + mu * ln_2) / exponent;
	if (log_k >= exact_log((double)n))
		return n;
	return log_k > 0 ? (size_t)exact_exp(log_k) : 1;
}

void mirostat_cut(struct mirostat *m, struct candidates *c, const struct sampler_params *params,
                  double temp, size_t n_vocab)
{
	size_t n = c->n;

	if (!m->is_begun)
		*m = (struct mirostat){.mu = 2 * (double)params->mirostat_ent, .is_begun = true};
	candidates_softmax(c, temp);
	if (params->mirostat == 1) {
		double exponent;

		candidates_keep_best(c, N_SHAPE);
		exponent = zipf_exponent(c);
		c->sorted = c->n == n;
		c->n = n; /* the others are behind them */
		candidates_keep_best(c, count_for(m->mu, exponent, n, n_vocab));
	} else {
		size_t best = candidates_best(c);
		/* -log2 p <= mu, by logits */
		double least = c->items[best].logit -
		               temp * (m->mu * ln_2 + exact_log(c->items[best].p));

		if (least > c->items[best].logit)
			least = c->items[best].logit;
		candidates_keep_from(c, least);
		candidates_keep_best(c, c->n);
	}
}

void mirostat_learn(struct mirostat *m, const struct sampler_params *params, double p)
{
	double surprise = p > 0 ? -exact_log(p) / ln_2 : 0;

	m->mu -= params->mirostat_lr * (surprise - params->mirostat_ent);
}
