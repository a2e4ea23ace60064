/* Each filter against a table of its own and against a naive version. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/filters.h"
#include "sampler/rng.h"

enum { MAX = 3000 };

static struct candidate items[MAX];
static float logits[MAX];

enum which { TYPICAL, TOP_P, MIN_P };

/* Through the table, with an option's value of x. */
static void apply(enum which which, struct candidates *c, double x)
{
	static const char *const names[] = {"typical", "top-p", "min-p"};
	struct sampler_params params = {.typical = (float)x, .top_p = (float)x, .min_p = (float)x};
	struct rng rng;
	size_t f = 0;

	while (strcmp(sampler_filters[f].name, names[which]) != 0)
		cr_assert_lt(++f, sampler_n_filters);
	rng_init(&rng, 1);
	if (sampler_filters[f].is_on(&params))
		sampler_filters[f].apply(c, &params, &rng);
}

Test(filters, keep_what_their_definition_says)
{
	/* The ids that stay, as a sum of powers of two. Logits are the
	 * logarithms of the probabilities, as llama.cpp's tests have them. */
	static const struct {
		enum which which;
		double x;
		double p[5];
		unsigned kept;
	} rows[] = {
		{TOP_P, 0, {.1, .2, .3, .4}, 1 << 3},
		{TOP_P, .7, {.099, .2, .3, .4}, 1 << 3 | 1 << 2},
		{TOP_P, .8, {.1, .2, .3, .4}, 1 << 3 | 1 << 2 | 1 << 1},
		{TOP_P, 1, {.1, .2, .3, .4}, 15},
		{MIN_P, 0, {.1, .2, .3, .4}, 15},
		{MIN_P, .24, {.1, .2, .3, .4}, 15},
		{MIN_P, .26, {.1, .2, .3, .4}, 1 << 3 | 1 << 2 | 1 << 1},
		{MIN_P, .49, {.1, .2, .3, .4}, 1 << 3 | 1 << 2 | 1 << 1},
		{MIN_P, .51, {.1, .2, .3, .4}, 1 << 3 | 1 << 2},
		{MIN_P, .74, {.1, .2, .3, .4}, 1 << 3 | 1 << 2},
		{MIN_P, .76, {.1, .2, .3, .4}, 1 << 3},
		{MIN_P, 1, {.1, .2, .3, .4}, 1 << 3},
		{MIN_P, 2, {.1, .2, .3, .4}, 1 << 3},
		{TYPICAL, .5, {.97, .01, .01, .01}, 1},
		{TYPICAL, .5, {.4, .2, .2, .2}, 1 << 1 | 1 << 2 | 1 << 3},
		{TYPICAL, 1, {.4, .2, .2, .2}, 15},
		{TYPICAL, 0, {.97, .01, .01, .01}, 1},
	};

	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		struct candidates c;
		unsigned kept = 0;
		size_t n = 0;

		while (n < 5 && rows[r].p[n] > 0) {
			logits[n] = (float)log(rows[r].p[n]);
			n++;
		}
		candidates_load(&c, items, logits, n);
		apply(rows[r].which, &c, rows[r].x);
		for (size_t i = 0; i < c.n; i++)
			kept |= 1u << items[i].id;
		cr_assert_eq(kept, rows[r].kept, "row %zu: %#x", r, kept);
	}
}

/* The naive versions: sort everything, mark what stays. */
struct naive {
	int id;
	double logit, p, key;
};

static struct naive naive[MAX];
static bool stays[MAX];

static int naive_by_p(const void *a, const void *b)
{
	const struct naive *x = a, *y = b;

	if (x->p != y->p)
		return x->p > y->p ? -1 : 1;
	return x->id - y->id;
}

static int naive_by_key(const void *a, const void *b)
{
	const struct naive *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id - y->id;
}

static void naive_apply(enum which which, size_t n, double x)
{
	double sum = 0, mass = 0, entropy = 0;

	memset(stays, 0, sizeof stays);
	for (size_t i = 0; i < n; i++) {
		naive[i] = (struct naive){.id = (int)i, .logit = logits[i], .p = exp(logits[i])};
		sum += naive[i].p;
	}
	for (size_t i = 0; i < n; i++) {
		naive[i].p /= sum;
		entropy -= naive[i].p * log(naive[i].p);
	}
	for (size_t i = 0; i < n; i++)
		naive[i].key = fabs(-log(naive[i].p) - entropy);
	qsort(naive, n, sizeof naive[0], which == TYPICAL ? naive_by_key : naive_by_p);
	for (size_t i = 0; i < n; i++) {
		switch (which) {
		case TYPICAL:
			stays[naive[i].id] = mass <= x;
			break;
		case TOP_P:
			stays[naive[i].id] = i == 0 || mass < x;
			break;
		case MIN_P:
			stays[naive[i].id] = naive[i].p >= x * naive[0].p;
			break;
		}
		mass += naive[i].p;
	}
}

Test(filters, agree_with_naive_versions)
{
	static const struct {
		enum which which;
		double xs[6];
	} rows[] = {
		{TYPICAL, {.01, .2, .5, .9, .99, .999}},
		{TOP_P, {0, .1, .5, .9, .95, .9999}},
		{MIN_P, {.001, .01, .05, .1, .5, 1}},
	};
	static const size_t sizes[] = {1, 2, 10, 500, MAX};
	static const double spreads[] = {0.1, 2, 8};
	struct rng rng;

	rng_init(&rng, 99);
	for (size_t s = 0; s < 5; s++)
		for (size_t w = 0; w < 3; w++)
			for (size_t r = 0; r < 3; r++)
				for (size_t x = 0; x < 6; x++) {
					size_t n = sizes[s];
					struct candidates c;

					for (size_t i = 0; i < n; i++)
						logits[i] = (float)((rng_uniform(&rng) - 0.5) *
						                    spreads[w]);
					candidates_load(&c, items, logits, n);
					apply(rows[r].which, &c, rows[r].xs[x]);
					naive_apply(rows[r].which, n, rows[r].xs[x]);
					cr_assert_gt(c.n, 0);
					for (size_t i = 0; i < n; i++)
						cr_assert_eq(stays[items[i].id], i < c.n,
						             "filter %zu x %g n %zu spread %g", r,
						             rows[r].xs[x], n, spreads[w]);
				}
}

Test(filters, chain_of_filters_keeps_the_sorted_promise)
{
	struct candidates c;
	struct rng rng;

	rng_init(&rng, 5);
	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < MAX; i++)
			logits[i] = (float)(rng_uniform(&rng) * 10);
		candidates_load_best(&c, items, logits, MAX, 200);
		apply(round % 2 ? TYPICAL : TOP_P, &c, .8);
		apply(TOP_P, &c, .9);
		apply(MIN_P, &c, .1);
		cr_assert(c.sorted);
		for (size_t i = 1; i < c.n; i++)
			cr_assert(items[i - 1].logit >= items[i].logit);
	}
}

Test(filters, each_has_a_slider_in_the_table_of_options)
{
	for (size_t f = 0; f < sampler_n_filters; f++) {
		const struct option *row = sampler_options;

		while (row < sampler_options + sampler_n_options &&
		       strcmp(row->name, sampler_filters[f].name) != 0)
			row++;
		cr_assert_lt(row, sampler_options + sampler_n_options, "%s", sampler_filters[f].name);
		cr_expect(row->flags & OPTION_SLIDER, "%s", row->name);
	}
}
