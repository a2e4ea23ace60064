#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/candidates.h"
#include "sampler/rng.h"

enum { N = 5000 };

static float logits[N];
static struct candidate items[N];

/* Few distinct values, so that ties are many. */
static void random_logits(size_t n, uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < n; i++)
		logits[i] = (float)(rng_next(&rng) % 50) - 25;
}

static int by_logit(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->logit != y->logit)
		return x->logit > y->logit ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

Test(candidates, the_best_k_are_those_of_a_full_sort)
{
	static struct candidate sorted[N];
	static const size_t sizes[] = {1, 2, 3, 40, 127, N};

	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (size_t k = 1; k <= sizes[s] + 1; k = k < 5 ? k + 1 : k * 3) {
			struct candidates c;

			random_logits(sizes[s], s * 1000 + k);
			candidates_load(&c, sorted, logits, sizes[s]);
			qsort(sorted, sizes[s], sizeof sorted[0], by_logit);
			candidates_load_best(&c, items, logits, sizes[s], k);
			cr_assert_eq(c.n, k < sizes[s] ? k : sizes[s]);
			cr_assert(c.sorted);
			for (size_t i = 0; i < c.n; i++)
				cr_assert_eq(items[i].id, sorted[i].id, "n %zu k %zu", c.n, k);
		}
}

Test(candidates, no_number_is_an_impossible_token)
{
	const float bad[] = {1, NAN, INFINITY, -INFINITY, 2, -3e38f, 3e38f};
	struct candidates c;
	int32_t left[] = {0, 2, 4, 5, 6};
	float clean[7];

	candidates_clean(clean, bad, 7);
	candidates_load(&c, items, clean, 7);
	cr_assert_eq(c.n, 5);
	for (size_t i = 0; i < 5; i++) {
		cr_assert_eq(items[i].id, left[i]);
		cr_assert(isfinite(items[i].logit));
	}
	candidates_load_best(&c, items, clean, 7, 6);
	cr_assert_eq(c.n, 5);
	cr_assert_eq(items[0].id, 2);
	candidates_load(&c, items, clean, 7);
	cr_assert_eq(items[candidates_best(&c)].id, 2, "the lower id of two equals");
	candidates_softmax(&c, 1);
	for (size_t i = 0; i < 5; i++)
		cr_assert(items[i].p >= 0 && items[i].p <= 1);
}

Test(candidates, softmax_adds_up_to_one)
{
	struct candidates c;
	static const double temps[] = {0.01, 0.5, 1, 5};

	for (size_t t = 0; t < 4; t++) {
		double sum = 0;

		random_logits(N, t);
		candidates_load(&c, items, logits, N);
		candidates_softmax(&c, temps[t]);
		for (size_t i = 0; i < N; i++)
			sum += items[i].p;
		cr_assert(fabs(sum - 1) < 1e-12);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

/* Keys with ties, far ones, infinite ones, all equal ones. */
static double random_key(struct rng *rng, int kind)
{
	double u = rng_uniform(rng);

	switch (kind) {
	case 0: return u;
	case 1: return floor(u * 20);
	case 2: return u < 0.3 ? INFINITY : u;
	case 3: return u < 0.001 ? 1e30 : u;
	case 4: return INFINITY;
	case 5: return u < 0.5 ? 1e-320 : 0;
	default: return 7;
	}
}

Test(candidates, what_is_taken_is_the_front_of_a_full_sort)
{
	static struct candidate sorted[N];
	static const size_t sizes[] = {1, 2, 63, 64, 65, 700, N};
	static const double masses[] = {0, 0.01, 0.3, 0.7, 0.999, 1.5};
	struct rng rng;

	rng_init(&rng, 17);
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (int kind = 0; kind < 7; kind++)
			for (size_t m = 0; m < 12; m++) {
				struct candidates c = {.items = items, .n = sizes[s]};
				double sum = 0, mass = masses[m / 2];
				bool past = m % 2;
				size_t kept = 0;

				for (size_t i = 0; i < c.n; i++)
					items[i] = (struct candidate){.id = (int32_t)i, .p = 1.0 / (double)c.n,
					                              .key = random_key(&rng, kind)};
				memcpy(sorted, items, c.n * sizeof sorted[0]);
				qsort(sorted, c.n, sizeof sorted[0], by_key);
				while (kept < c.n && (kept == 0 || (past ? sum <= mass : sum < mass)))
					sum += sorted[kept++].p;
				candidates_take(&c, mass, past);
				cr_assert_eq(c.n, kept, "size %zu kind %d mass %g", sizes[s], kind, mass);
				for (size_t i = 0; i < kept; i++)
					cr_assert_eq(items[i].id, sorted[i].id);
			}
}
