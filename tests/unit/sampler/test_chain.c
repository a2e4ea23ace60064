#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/chain.h"
#include "sampler/exact.h"

enum { N = 300 };

static struct sampler *sampler;
static struct sampler_params params;
static struct sampler_choice choice;
static struct error err;
static float logits[N];

static void init(void)
{
	struct rng rng;

	cr_assert_eq(sampler_create(&sampler, N, &err), STATUS_OK);
	params = sampler_params_default();
	rng_init(&rng, 3);
	for (size_t i = 0; i < N; i++)
		logits[i] = (float)(rng_uniform(&rng) * 12 - 6);
}

static void fini(void)
{
	sampler_free(sampler);
}

TestSuite(chain, .init = init, .fini = fini);

static int32_t pick(uint64_t seed)
{
	struct sampler_state state;

	sampler_state_init(&state, seed);
	cr_assert_eq(sampler_pick(sampler, logits, NULL, 0, &params, &state, 20, &choice, &err),
	             STATUS_OK);
	return choice.id;
}

/* The whole chain in the plainest possible way. */
static void naive(double p[N])
{
	double order[N], max = -1e9, sum = 0, mass = 0, least;
	bool in[N];
	size_t n = 0;

	for (size_t i = 0; i < N; i++)
		max = logits[i] > max ? logits[i] : max;
	for (size_t i = 0; i < N; i++) { /* top-k: how many are better */
		int better = 0;

		for (size_t j = 0; j < N; j++)
			better += logits[j] > logits[i] || (logits[j] == logits[i] && j < i);
		in[i] = params.top_k == 0 || better < params.top_k;
		sum += in[i] ? exp(logits[i] - max) : 0;
		order[i] = better;
	}
	for (n = 0; n < N; n++) /* top-p */
		for (size_t i = 0; i < N; i++)
			if ((size_t)order[i] == n && in[i]) {
				in[i] = n == 0 || mass < (double)params.top_p || params.top_p >= 1;
				mass += exp(logits[i] - max) / sum;
			}
	least = max + log((double)params.min_p);
	for (size_t i = 0; i < N; i++)
		in[i] = in[i] && logits[i] >= least;
	sum = 0;
	for (size_t i = 0; i < N; i++)
		sum += in[i] ? exp((logits[i] - max) / (double)params.temp) : 0;
	for (size_t i = 0; i < N; i++)
		p[i] = in[i] ? exp((logits[i] - max) / (double)params.temp) / sum : 0;
}

Test(chain, probabilities_are_those_of_a_naive_chain)
{
	static const struct {
		float temp, top_p, min_p;
		int32_t top_k;
	} rows[] = {
		{0.8f, 0.95f, 0.05f, 40}, {1, 1, 0, 0},   {0.1f, 0.5f, 0, 10},
		{2, 0.9f, 0.01f, 0},      {1, 1, 0.2f, 0}, {5, 0.3f, 0, 3},
	};

	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		double p[N];

		params.temp = rows[r].temp;
		params.top_p = rows[r].top_p;
		params.min_p = rows[r].min_p;
		params.top_k = rows[r].top_k;
		naive(p);
		for (uint64_t seed = 0; seed < 20; seed++) {
			int32_t id = pick(seed);

			cr_assert_gt(p[id], 0, "row %zu", r);
			cr_assert_float_eq(choice.probability, p[id], 1e-6, "row %zu", r);
			for (size_t t = 0; t < choice.top.n; t++) {
				const struct sampler_candidate *top = &choice.top.items[t];

				cr_assert_float_eq(top->chosen_p, p[top->id], 1e-6);
				cr_assert_eq(top->cut_by == NULL, top->chosen_p > 0);
			}
		}
	}
}

Test(chain, choices_are_as_frequent_as_their_probability)
{
	unsigned counts[N] = {0};
	struct sampler_state state;
	double p[N];

	naive(p);
	sampler_state_init(&state, 11);
	for (int i = 0; i < 20000; i++) {
		cr_assert_eq(sampler_pick(sampler, logits, NULL, 0, &params, &state, 0, &choice, &err),
		             STATUS_OK);
		counts[choice.id]++;
	}
	for (size_t i = 0; i < N; i++) /* five standard deviations */
		cr_assert(fabs(counts[i] - 20000 * p[i]) <= 5 * sqrt(20000 * p[i] * (1 - p[i])) + 1e-9,
		          "id %zu: %u, expected %g", i, counts[i], 20000 * p[i]);
}

Test(chain, the_same_seed_gives_the_same_token)
{
	/* From a model of the chain and of PCG32 in another language, in plain
	 * double arithmetic. A change here changes what a seed means: do not. */
	static const int32_t expected[8] = {32, 83, 197, 32, 87, 137, 32, 227};
	int32_t first[8];

	for (uint64_t seed = 0; seed < 8; seed++)
		first[seed] = pick(seed);
	for (uint64_t seed = 0; seed < 8; seed++) {
		cr_assert_eq(pick(seed), first[seed]);
		cr_expect_eq(first[seed], expected[seed], "seed %d gave %d", (int)seed, first[seed]);
	}
}

Test(chain, temperature_zero_is_greedy_and_takes_the_lowest_of_equals)
{
	params.temp = 0;
	params.typical = 0.1f; /* could throw the best one out, were it asked */
	logits[7] = logits[200] = logits[100] = 50;
	cr_assert_eq(pick(1), 7);
	cr_assert_eq(choice.probability, 1);
	cr_assert_eq(choice.top.items[0].id, 7);
	cr_assert_eq(choice.top.items[0].chosen_p, 1);
	cr_assert_eq(choice.top.items[1].id, 100);
	cr_assert_str_eq(choice.top.items[1].cut_by, "temp");
	cr_assert_eq(choice.top.items[2].id, 200);
}

Test(chain, penalties_act_on_a_greedy_choice_too)
{
	const int32_t history[] = {9};
	struct sampler_state state;

	sampler_state_init(&state, 1);
	params.temp = 0;
	params.presence_penalty = 2;
	logits[9] = 20;
	logits[5] = 19;
	cr_assert_eq(sampler_pick(sampler, logits, history, 1, &params, &state, 5, &choice, &err),
	             STATUS_OK);
	cr_assert_eq(choice.id, 5);
	cr_assert_eq(choice.top.items[0].id, 9, "what is shown first is the raw distribution");
	cr_assert_eq(choice.top.items[0].logit, 20);
}

Test(chain, says_which_filter_cut_a_candidate)
{
	for (size_t i = 0; i < N; i++)
		logits[i] = -20;
	logits[0] = 10;
	logits[1] = 9.9f;
	logits[2] = 7;    /* beyond min-p 0.1 */
	logits[3] = 3;    /* beyond top-p */
	logits[4] = 2;    /* beyond top-k 4 */
	logits[5] = NAN;
	logits[6] = INFINITY;
	params.top_k = 5;
	params.top_p = 0.99999f;
	params.min_p = 0.1f;
	logits[6] = -INFINITY;
	pick(1);
	cr_assert_null(choice.top.items[0].cut_by);
	cr_assert_null(choice.top.items[1].cut_by);
	cr_assert_str_eq(choice.top.items[2].cut_by, "min-p");
	cr_assert_eq(choice.top.items[4].id, 4);
	cr_assert_str_eq(choice.top.items[5].cut_by, "top-k");
	params.top_p = 0.97f;
	pick(1);
	cr_assert_str_eq(choice.top.items[3].cut_by, "top-p");
	params.top_p = 1;
	params.typical = 0.01f;
	pick(1);
	for (size_t t = 0; t < 5; t++)
		cr_assert(choice.top.items[t].chosen_p > 0 || strcmp(choice.top.items[t].cut_by, "typical") == 0);
	for (size_t t = 0; t < choice.top.n; t++)
		cr_assert(choice.top.items[t].id != 5 && choice.top.items[t].id != 6);
}

Test(chain, never_picks_what_is_forbidden)
{
	int32_t best;

	params.temp = 0;
	best = pick(1);
	cr_assert_eq(sampler_forbid(sampler, best, &err), STATUS_OK);
	cr_assert_eq(sampler_forbid(sampler, -1, &err), STATUS_OK, "passed over");
	cr_assert_eq(sampler_forbid(sampler, N, &err), STATUS_OK);
	cr_expect_neq(pick(1), best);
	cr_expect_eq(choice.id, choice.top.items[0].id, "the next best: it is not among them");
	params.temp = 2;
	for (uint64_t seed = 0; seed < 200; seed++)
		cr_expect_neq(pick(seed), best);
	for (int32_t id = 0; id < N; id++)
		if (id != best && id != 7)
			cr_assert_eq(sampler_forbid(sampler, id, &err), STATUS_OK);
	cr_expect_eq(pick(1), best == 7 ? -1 : 7, "the only one left");
}

Test(chain, survives_what_are_no_numbers)
{
	static const float bad[] = {NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f, 0};
	struct sampler_state state;
	struct rng rng;

	rng_init(&rng, 8);
	sampler_state_init(&state, 8);
	for (int round = 0; round < 2000; round++) {
		const int32_t history[] = {round % N, 3, 3};

		for (size_t i = 0; i < N; i++)
			logits[i] = bad[rng_next(&rng) % 6];
		params.temp = round % 3 == 0 ? 0 : 0.01f;
		params.repeat_penalty = round % 2 ? 0.5f : 2;
		params.top_k = round % 5 * 20;
		params.typical = round % 7 ? 1 : 0.5f;
		params.top_n_sigma = round % 11 ? -1 : 1;
		params.xtc_probability = round % 13 ? 0 : 1;
		params.dynatemp_range = round % 4 ? 0 : 0.5f;
		params.mirostat = round % 10 < 3 ? round % 10 : 0;
		cr_assert_eq(sampler_pick(sampler, logits, history, 3, &params, &state, 20, &choice, &err),
		             STATUS_OK);
		cr_assert(choice.id >= 0 && choice.id < N);
		cr_assert(choice.probability >= 0 && choice.probability <= 1);
		cr_assert(!isnan(logits[choice.id]) && logits[choice.id] != -INFINITY);
	}
	for (size_t i = 0; i < N; i++)
		logits[i] = i % 2 ? NAN : -INFINITY;
	cr_assert_eq(sampler_pick(sampler, logits, NULL, 0, &params, &state, 20, &choice, &err),
	             STATUS_FORMAT);
}

/* The chain as its definition has it: everything is loaded, everything is sorted. */
struct plain {
	int32_t id;
	float logit;
	double p, key;
};

enum { PLAIN_MAX = 3000 };

static struct plain plain[PLAIN_MAX];
static size_t n_plain;

static int by_falling_logit(const void *a, const void *b)
{
	const struct plain *x = a, *y = b;

	if (x->logit != y->logit)
		return x->logit > y->logit ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static int by_rising_key(const void *a, const void *b)
{
	const struct plain *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static void plain_softmax(double temp)
{
	double max = -1e300, sum = 0;

	for (size_t i = 0; i < n_plain; i++)
		max = (double)plain[i].logit > max ? (double)plain[i].logit : max;
	for (size_t i = 0; i < n_plain; i++)
		sum += plain[i].p = exact_exp(((double)plain[i].logit - max) / temp);
	for (size_t i = 0; i < n_plain; i++)
		plain[i].p /= sum;
}

static void plain_take(double limit, bool past)
{
	double mass = 0;
	size_t kept = 0;

	while (kept < n_plain && (kept == 0 || (past ? mass <= limit : mass < limit)))
		mass += plain[kept++].p;
	n_plain = kept;
}

static void plain_filters(const struct sampler_params *with)
{
	if (with->top_k > 0) {
		qsort(plain, n_plain, sizeof plain[0], by_falling_logit);
		if (n_plain > (size_t)with->top_k)
			n_plain = (size_t)with->top_k;
	}
	if (with->typical < 1) {
		double entropy = 0;

		plain_softmax(1);
		for (size_t i = 0; i < n_plain; i++)
			if (plain[i].p > 0)
				entropy -= plain[i].p * exact_log(plain[i].p);
		for (size_t i = 0; i < n_plain; i++)
			plain[i].key = plain[i].p > 0 ? fabs(-exact_log(plain[i].p) - entropy)
			                              : INFINITY;
		qsort(plain, n_plain, sizeof plain[0], by_rising_key);
		plain_take((double)with->typical, true);
	}
	if (with->top_p < 1) {
		plain_softmax(1);
		qsort(plain, n_plain, sizeof plain[0], by_falling_logit);
		plain_take((double)with->top_p, false);
	}
	if (with->min_p > 0) {
		double max = -1e300, least;
		size_t kept = 0;

		for (size_t i = 0; i < n_plain; i++)
			max = (double)plain[i].logit > max ? (double)plain[i].logit : max;
		least = max + exact_log((double)with->min_p);
		for (size_t i = 0; i < n_plain; i++)
			if ((double)plain[i].logit >= least)
				plain[kept++] = plain[i];
		n_plain = kept;
	}
}

static const struct plain *plain_pick(const float *from, size_t n, const struct sampler_params *with,
                                      struct rng *rng)
{
	double r, mass = 0;
	size_t last = 0;

	n_plain = 0;
	for (size_t i = 0; i < n; i++)
		if (from[i] > -INFINITY)
			plain[n_plain++] = (struct plain){.id = (int32_t)i, .logit = from[i]};
	if (with->temp <= 0) {
		qsort(plain, n_plain, sizeof plain[0], by_falling_logit);
		n_plain = 1;
		plain[0].p = 1;
		return &plain[0];
	}
	plain_filters(with);
	plain_softmax((double)with->temp);
	r = rng_uniform(rng);
	for (size_t i = 0; i < n_plain; i++) {
		if (plain[i].p <= 0)
			continue;
		mass += plain[i].p;
		last = i;
		if (r < mass)
			break;
	}
	return &plain[last];
}

Test(chain, picks_what_a_full_sort_picks)
{
	static float from[PLAIN_MAX];
	struct sampler_state ours;
	struct rng rng, theirs;

	rng_init(&rng, 31);
	for (int round = 0; round < 4000; round++) {
		static const size_t sizes[] = {1, 40, 300, PLAIN_MAX};
		static const int32_t ks[] = {0, 0, 1, 40, 500, 100000};
		static const float ps[] = {0, 0.3f, 0.9f, 0.95f, 0.999f, 1, 1};
		static const float temps[] = {0, 0.01f, 0.8f, 1, 5};
		static const double widths[] = {0.1, 4, 30, 800, 3e9};
		size_t n = sizes[rng_next(&rng) % 4];
		double width = widths[rng_next(&rng) % 5];
		bool ties = rng_next(&rng) % 3 == 0;
		const struct plain *expected;
		struct sampler *large;

		for (size_t i = 0; i < n; i++) {
			double logit = (rng_uniform(&rng) - 0.5) * width;

			from[i] = (float)(ties ? floor(logit) : logit);
			if (i && rng_next(&rng) % 50 == 0)
				from[i] = -INFINITY;
		}
		params.top_k = ks[rng_next(&rng) % 6];
		params.top_p = ps[rng_next(&rng) % 7];
		params.typical = ps[rng_next(&rng) % 7];
		params.min_p = rng_next(&rng) % 2 ? 0.05f : 0;
		params.temp = temps[rng_next(&rng) % 5];
		sampler_state_init(&ours, (uint64_t)round);
		rng_init(&theirs, (uint64_t)round);
		expected = plain_pick(from, n, &params, &theirs);
		cr_assert_eq(sampler_create(&large, n, &err), STATUS_OK);
		cr_assert_eq(sampler_pick(large, from, NULL, 0, &params, &ours, 20, &choice, &err),
		             STATUS_OK);
		cr_assert_eq(choice.id, expected->id, "round %d", round);
		cr_assert_eq(choice.probability, (float)expected->p, "round %d: the same bits", round);
		for (size_t t = 0; t < choice.top.n; t++) {
			bool in = false;

			for (size_t i = 0; i < n_plain; i++)
				in |= plain[i].id == choice.top.items[t].id;
			cr_assert_eq(choice.top.items[t].cut_by == NULL, in, "round %d", round);
		}
		sampler_free(large);
	}
}

Test(chain, later_filters_name_themselves_too)
{
	for (size_t i = 0; i < N; i++)
		logits[i] = (float)(i % 7) / 7;
	logits[0] = 20;
	logits[1] = 19.9f;
	logits[2] = 19.8f;
	logits[3] = 11;
	params.top_k = 0;
	params.min_p = 0;
	params.top_p = 1;
	params.top_n_sigma = 1;
	pick(1);
	cr_assert_null(choice.top.items[2].cut_by);
	cr_assert_str_eq(choice.top.items[3].cut_by, "top-nsigma");
	params.xtc_probability = 1;
	for (uint64_t seed = 0; seed < 20; seed++)
		cr_assert_eq(pick(seed), 2, "the least of the likeliest");
	cr_assert_str_eq(choice.top.items[0].cut_by, "xtc-probability");
	cr_assert_str_eq(choice.top.items[3].cut_by, "top-nsigma");
	params.temp = 0;
	cr_assert_eq(pick(1), 0, "temperature 0 is the most probable token");
	params.dynatemp_range = 1;
	cr_assert_eq(pick(1), 2, "but not with a range");
	params.xtc_probability = 0;
	params.dynatemp_range = 0;
	params.temp = 1;
	params.mirostat = 2;
	params.mirostat_ent = 0.5f; /* mu is 1 bit at first: even the best of three surprises more */
	pick(1);
	cr_assert_null(choice.top.items[0].cut_by);
	cr_assert_str_eq(choice.top.items[1].cut_by, "mirostat");
}

/* What mirostat is for, on any distribution that has room for it. */
Test(chain, mirostat_comes_near_to_its_surprise)
{
	static const float wanted[] = {1, 2.5f, 4};

	for (int version = 1; version <= 2; version++)
		for (size_t w = 0; w < 3; w++) {
			const int32_t history[] = {1, 2, 3};
			struct sampler_state state;
			double sum = 0;

			sampler_state_init(&state, 5);
			params.temp = 1;
			params.mirostat = version;
			params.mirostat_ent = wanted[w];
			params.repeat_penalty = 2; /* rests */
			for (int i = 0; i < 3000; i++) {
				cr_assert_eq(sampler_pick(sampler, logits, history, 3, &params, &state, 0,
				                          &choice, &err), STATUS_OK);
				sum -= log2((double)choice.probability);
			}
			cr_assert_float_eq(sum / 3000, wanted[w], 0.1, "version %d: %g bits, not %g",
			                   version, sum / 3000, (double)wanted[w]);
		}
}
