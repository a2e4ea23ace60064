#include "sampler/filters.h"

#include <math.h>

#include "sampler/exact.h"

enum { CHUNK = 256 }; /* logarithms computed together */

/* Locally typical sampling (Meister et al., 2022, arXiv:2202.00666): keeps
 * those whose surprise is nearest to the entropy, up to mass p; p >= 1 keeps all. */
static void apply_typical(struct candidates *c, const struct sampler_params *params)
{
	double chunk[CHUNK], entropy = 0, p = params->typical;

	if (p >= 1 || c->n == 0)
		return;
	candidates_softmax(c, 1);
	/* The surprise of each, first: it is needed twice. */
	for (size_t at = 0; at < c->n; at += CHUNK) {
		size_t n = c->n - at < CHUNK ? c->n - at : CHUNK;

		for (size_t i = 0; i < n; i++)
			chunk[i] = c->items[at + i].p > 0 ? c->items[at + i].p : 1;
		exact_log_all(chunk, n);
		for (size_t i = 0; i < n; i++) {
			struct candidate *item = &c->items[at + i];

			item->key = item->p > 0 ? -chunk[i] : INFINITY;
			if (item->p > 0)
				entropy += item->p * item->key;
		}
	}
	for (size_t i = 0; i < c->n; i++)
		c->items[i].key = fabs(c->items[i].key - entropy);
	c->sorted = false;
	/* "Up to" as llama.cpp has it: the one that passes p is kept. */
	candidates_take(c, p, true);
}

/* Nucleus sampling (Holtzman et al., 2020, arXiv:1904.09751): keeps the best
 * until their mass reaches p; p >= 1 keeps all. */
static void apply_top_p(struct candidates *c, const struct sampler_params *params)
{
	double p = params->top_p;

	if (p >= 1 || c->n == 0)
		return;
	candidates_softmax(c, 1);
	for (size_t i = 0; i < c->n; i++)
		c->items[i].key = -(double)c->items[i].logit;
	candidates_take(c, p, false);
	c->sorted = true;
}

/* Keeps those at least p times as probable as the best; p <= 0 keeps all. */
static void apply_min_p(struct candidates *c, const struct sampler_params *params)
{
	double least, p = params->min_p;
	size_t kept = 0;

	if (p <= 0 || c->n == 0)
		return;
	least = c->items[candidates_best(c)].logit + exact_log(p < 1 ? p : 1);
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].logit >= least) {
			struct candidate keep = c->items[i];

			c->items[i] = c->items[kept];
			c->items[kept++] = keep;
		}
	c->n = kept;
}

const struct filter sampler_filters[] = {
	{"typical", apply_typical},
	{"top-p", apply_top_p},
	{"min-p", apply_min_p},
};
const size_t sampler_n_filters = sizeof sampler_filters / sizeof sampler_filters[0];
