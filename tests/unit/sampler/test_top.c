#include <criterion/criterion.h>

#include <math.h>

#include "sampler/rng.h"
#include "sampler/top.h"

enum { N_MAX = 1000 };

/* By sorting, and in double. */
static void check(const float *logits, size_t n, size_t n_top)
{
	static uint8_t places[N_MAX];
	struct sampler_top top;
	double max = -INFINITY, sum = 0, entropy = 0;

	sampler_top_find(&top, logits, n, n_top, places);
	for (size_t i = 0; i < n; i++)
		max = fmax(max, (double)logits[i]);
	for (size_t i = 0; i < n; i++)
		sum += exp((double)logits[i] - max);
	for (size_t i = 0; i < n; i++) {
		double p = exp((double)logits[i] - max) / sum;

		entropy -= p > 0 ? p * log(p) : 0;
	}
	cr_assert_float_eq(top.log_sum, max + log(sum), 1e-5);
	cr_assert_float_eq(top.entropy, entropy, 1e-4);
	for (size_t i = 0; i < top.n; i++) {
		size_t n_better = 0;

		cr_assert_eq(places[top.items[i].id], i + 1);
		for (size_t j = 0; j < n; j++)
			n_better += logits[j] > top.items[i].logit ||
			            (logits[j] == top.items[i].logit && (int32_t)j < top.items[i].id);
		cr_assert_eq(n_better, i, "of %zu, number %zu", n, i);
		cr_assert_float_eq(top.items[i].probability, exp((double)top.items[i].logit - max) / sum, 1e-6);
	}
	sampler_top_clear(&top, places);
	for (size_t i = 0; i < N_MAX; i++)
		cr_assert_eq(places[i], 0);
}

Test(top, finds_the_best_and_measures_all)
{
	static float logits[N_MAX];
	struct rng rng;

	rng_init(&rng, 3);
	for (int round = 0; round < 2000; round++) {
		size_t n = 1 + rng_next(&rng) % (N_MAX - 1), n_top = 1 + rng_next(&rng) % SAMPLER_TOP_MAX;
		double width = 40 * rng_uniform(&rng);

		for (size_t i = 0; i < n; i++)
			logits[i] = rng_next(&rng) % 10 ? (float)floor(width * rng_uniform(&rng) * 8) / 8 : -INFINITY;
		logits[rng_next(&rng) % n] = 0;
		check(logits, n, n_top);
	}
}

Test(top, nothing_is_known_where_nothing_is_possible_or_asked)
{
	const float none[] = {-INFINITY, -INFINITY}, some[] = {1, 2};
	uint8_t places[2] = {0};
	struct sampler_top top;

	sampler_top_find(&top, none, 2, 5, places);
	cr_assert_eq(top.n, 0);
	cr_assert(isnan(top.log_sum) && isnan(top.entropy));
	sampler_top_find(&top, some, 2, 0, places);
	cr_assert_eq(top.n, 0);
}
