#include "sampler/filters.h"

#include <math.h>

#include "sampler/exact.h"

void filter_top_k(struct candidates *c, int32_t k)
{
	if (k <= 0)
		return;
	candidates_sort_best(c, (size_t)k);
	if ((size_t)k < c->n)
		c->n = (size_t)k;
	c->sorted = true;
}

void filter_typical(struct candidates *c, double p)
{
	double entropy = 0, mass = 0;
	size_t kept = 0;

	if (p >= 1 || c->n == 0)
		return;
	candidates_softmax(c, 1);
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].p > 0)
			entropy -= c->items[i].p * exact_log(c->items[i].p);
	for (size_t i = 0; i < c->n; i++)
		c->items[i].key = c->items[i].p > 0
		                          ? fabs(-exact_log(c->items[i].p) - entropy)
		                          : INFINITY;
	candidates_sort_key(c);
	/* "Up to" as llama.cpp has it: the one that passes p is kept. */
	while (kept < c->n && mass <= p)
		mass += c->items[kept++].p;
	c->n = kept;
}

void filter_top_p(struct candidates *c, double p)
{
	double mass = 0;
	size_t kept = 0, n_sorted = c->sorted ? c->n : 0;

	if (p >= 1 || c->n == 0)
		return;
	candidates_softmax(c, 1);
	/* The mass is mostly in a few: sort no more than it takes. */
	for (;;) {
		while (kept < n_sorted && (kept == 0 || mass < p))
			mass += c->items[kept++].p;
		if (n_sorted == c->n || (kept && mass >= p))
			break;
		n_sorted = n_sorted ? n_sorted * 8 : 64;
		if (n_sorted > c->n)
			n_sorted = c->n;
		candidates_sort_best(c, n_sorted);
	}
	c->n = kept;
	c->sorted = true;
}

void filter_min_p(struct candidates *c, double p)
{
	double least;
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
