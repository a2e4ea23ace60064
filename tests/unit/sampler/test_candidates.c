#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

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
		for (size_t k = 0; k <= sizes[s]; k = k < 5 ? k + 1 : k * 3) {
			struct candidates c;

			random_logits(sizes[s], s * 1000 + k);
			candidates_load(&c, sorted, logits, sizes[s]);
			qsort(sorted, sizes[s], sizeof sorted[0], by_logit);
			candidates_load(&c, items, logits, sizes[s]);
			candidates_sort_best(&c, k);
			cr_assert_eq(c.n, sizes[s]);
			for (size_t i = 0; i < k; i++)
				cr_assert_eq(items[i].id, sorted[i].id, "n %zu k %zu", c.n, k);
		}
}

Test(candidates, no_number_is_an_impossible_token)
{
	const float bad[] = {1, NAN, INFINITY, -INFINITY, 2, -3e38f, 3e38f};
	struct candidates c;
	int32_t left[] = {0, 2, 4, 5, 6};

	candidates_load(&c, items, bad, 7);
	cr_assert(isfinite(items[2].logit) && isfinite(items[6].logit));
	candidates_drop_impossible(&c);
	cr_assert_eq(c.n, 5);
	for (size_t i = 0; i < 5; i++)
		cr_assert_eq(items[i].id, left[i]);
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
