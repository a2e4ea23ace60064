/* The chain over what is kept of a token, against the chain over the whole vocabulary. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/again.h"
#include "sampler/filters.h"

enum { MOST = 400, KEPT = 48, HISTORY = 80, CASES = 100000 };

static struct sampler *samplers[MOST + 1];
static float logits[MOST];
static int32_t order_of[MOST], history[HISTORY];
static int32_t ids[KEPT];
static float best[KEPT];
static struct rng rng;
static struct error err;

static double uniform(double low, double high)
{
	return low + rng_uniform(&rng) * (high - low);
}

static size_t below(size_t n)
{
	return rng_next(&rng) % n;
}

static bool chance(double p)
{
	return rng_uniform(&rng) < p;
}

static int by_logit(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	if (logits[*x] != logits[*y])
		return logits[*x] < logits[*y] ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Some flat, some with a few that stand out, some with many equals, as F16 models have. */
static void make_logits(size_t n)
{
	double width = uniform(0.1, 6), steps = chance(0.3) ? 4 : 0;

	for (size_t i = 0; i < n; i++) {
		double x = uniform(-1, 1) + uniform(-1, 1) + uniform(-1, 1);

		x = x * width + (chance(0.03) ? uniform(0, 12) : 0);
		logits[i] = (float)(steps > 0 ? round(x * steps) / steps : x);
	}
}

/* What is kept of them. */
static struct again_source keep(size_t n, size_t n_kept, const struct sampler_order *order)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		order_of[i] = (int32_t)i;
		sum += exp(logits[i]);
	}
	qsort(order_of, n, sizeof *order_of, by_logit);
	for (size_t i = 0; i < n_kept; i++) {
		ids[i] = order_of[i];
		best[i] = logits[ids[i]];
	}
	return (struct again_source){.ids = ids, .logits = best, .n = n_kept, .n_vocab = n,
	                             .log_sum = chance(0.9) ? (float)log(sum) : NAN, .order = order};
}

static struct sampler_params make_params(void)
{
	struct sampler_params p = sampler_params_default();

	p.temp = chance(0.1) ? 0 : chance(0.5) ? 1 : (float)uniform(0.05, 3);
	p.top_k = chance(0.4) ? 0 : (int32_t)below(70);
	p.top_p = chance(0.5) ? 1 : (float)uniform(0, 1);
	p.min_p = chance(0.5) ? 0 : (float)(uniform(0, 1) * uniform(0, 1));
	p.typical = chance(0.9) ? 1 : (float)uniform(0, 1);
	p.top_n_sigma = chance(0.9) ? 0 : (float)uniform(0.2, 3);
	p.xtc_probability = chance(0.7) ? 0 : (float)uniform(0, 1);
	p.xtc_threshold = (float)uniform(0, 0.6);
	if (chance(0.4)) {
		p.repeat_penalty = (float)uniform(0.9, 1.5);
		p.presence_penalty = (float)uniform(-0.1, 0.5);
		p.frequency_penalty = (float)uniform(-0.1, 0.5);
		p.repeat_last_n = (int32_t)below(HISTORY + 10) - 1;
	}
	if (chance(0.2)) {
		p.dry_multiplier = (float)uniform(0, 1);
		p.dry_allowed_length = (int32_t)below(5);
		p.dry_penalty_last_n = (int32_t)below(HISTORY + 10) - 1;
	}
	p.dynatemp_range = chance(0.8) ? 0 : (float)uniform(0, 1);
	p.mirostat = chance(0.85) ? 0 : 1 + (int32_t)below(2);
	p.mirostat_ent = (float)uniform(0.5, 6);
	return p;
}

/* Mostly the usual order; otherwise any, with some left out. */
static struct sampler_order make_order(void)
{
	struct sampler_order order = sampler_order_default();

	if (chance(0.6))
		return order;
	for (size_t i = order.n; i > 1; i--) {
		size_t at = below(i);
		unsigned step = order.steps[at];

		order.steps[at] = order.steps[i - 1];
		order.steps[i - 1] = step;
	}
	order.n -= below(4);
	return order;
}

static struct sampler *sampler_of(size_t n)
{
	if (!samplers[n])
		cr_assert_eq(sampler_create(&samplers[n], n, &err), STATUS_OK);
	return samplers[n];
}

/* Whether it is not known which sampler took out one that penalties have made worse. */
static bool may_be_later(const struct sampler_params *params, const char *given, const char *expected)
{
	return (params->repeat_penalty != 1 || params->temp != 1) && given && expected &&
	       (strcmp(given, "top-k") == 0 || strcmp(given, "top-p") == 0);
}

/* One case. False: what is kept is not enough. */
static bool compare(const struct again_source *source, const struct sampler_params *params)
{
	struct sampler *sampler = sampler_of(source->n_vocab);
	struct sampler_state whole, part;
	struct sampler_choice choice;
	struct again again;

	sampler_state_init(&whole, rng_next(&rng));
	if (chance(0.5))
		whole.mirostat = (struct mirostat){.mu = uniform(0.1, 12), .is_begun = true};
	part = whole;
	sampler_set_order(sampler, source->order);
	cr_assert_eq(sampler_pick(sampler, logits, history, HISTORY, params, &whole, SAMPLER_TOP_MAX, &choice, &err),
	             STATUS_OK);
	cr_assert(isnan(source->log_sum) || fabs(source->log_sum - choice.top.log_sum) < 1e-4);
	sampler_again(source, params, &part, &again);
	if (again.lacks)
		return false;
	cr_assert_eq(again.id, choice.id);
	cr_assert_eq(again.probability, choice.probability);
	cr_assert_eq(part.rng.state, whole.rng.state);
	cr_assert_eq(part.mirostat.mu, whole.mirostat.mu);
	for (size_t i = 0; i < choice.top.n && i < source->n; i++) {
		const char *expected = choice.top.items[i].cut_by, *given = again.fates[i].cut_by;

		cr_assert_eq(choice.top.items[i].id, source->ids[i]);
		cr_assert_eq(again.fates[i].chosen_p, choice.top.items[i].chosen_p);
		cr_assert(expected == given || (expected && given && strcmp(expected, given) == 0) ||
		          may_be_later(params, given, expected), "%s, not %s",
		          given ? given : "nothing", expected ? expected : "nothing");
	}
	return true;
}

Test(again, is_the_chain_in_any_order_with_any_parameters)
{
	size_t n_enough = 0;

	rng_init(&rng, 38);
	for (size_t i = 0; i < CASES; i++) {
		size_t n = 50 + below(8) * 50, n_kept = chance(0.8) ? KEPT : 1 + below(KEPT);
		struct sampler_order order = make_order();
		struct sampler_params params = make_params();
		struct again_source source;

		make_logits(n);
		for (size_t h = 0; h < HISTORY; h++)
			history[h] = (int32_t)(chance(0.5) ? below(n) : below(9));
		source = keep(n, n_kept, &order);
		source.history = history;
		source.n_history = HISTORY;
		source.has_all = true;
		if (chance(0.5)) { /* only the last ones are known */
			source.n_history = below(HISTORY);
			source.history += HISTORY - source.n_history;
			source.has_all = false;
		}
		n_enough += compare(&source, &params);
	}
	/* Most refusals are of samplers that need the whole vocabulary, in orders that nobody uses. */
	cr_assert_gt(n_enough, CASES * 2 / 5);
	for (size_t n = 0; n <= MOST; n++)
		sampler_free(samplers[n]);
}

Test(again, is_enough_for_what_people_use)
{
	/* Whatever the distribution is, from flat to peaked. */
	static const struct {
		int32_t top_k;
		float top_p, min_p;
	} rows[] = {{40, 0.95f, 0.05f}, {40, 1, 0}, {20, 0.8f, 0}, {48, 1, 0.1f}, {1, 1, 0}};
	struct sampler_order order = sampler_order_default();

	rng_init(&rng, 5);
	for (size_t i = 0; i < 2000; i++) {
		struct sampler_params params = sampler_params_default();
		struct again_source source;

		params.temp = (float)uniform(0, 3);
		params.top_k = rows[i % 5].top_k;
		params.top_p = rows[i % 5].top_p;
		params.min_p = rows[i % 5].min_p;
		make_logits(MOST);
		source = keep(MOST, KEPT, &order);
		source.has_all = true;
		cr_assert(compare(&source, &params), "case %zu", i);
	}
}

Test(again, is_mostly_enough_with_penalties)
{
	struct sampler_order order = sampler_order_default();
	size_t n_enough = 0;

	rng_init(&rng, 9);
	for (size_t i = 0; i < 2000; i++) {
		struct sampler_params params = sampler_params_default();
		struct again_source source;

		params.repeat_penalty = 1.1f;
		make_logits(MOST);
		source = keep(MOST, KEPT, &order);
		for (size_t h = 0; h < HISTORY; h++) /* mostly of the likely ones */
			history[h] = chance(0.7) ? ids[below(20)] : (int32_t)below(MOST);
		source.history = history;
		source.n_history = HISTORY;
		source.has_all = true;
		n_enough += compare(&source, &params);
	}
	cr_assert_gt(n_enough, 1500, "%zu", n_enough);
}

static const char *lacks_with(const struct sampler_params *params)
{
	struct sampler_order order = sampler_order_default();
	struct sampler_state state;
	struct again_source source;
	struct again again;

	rng_init(&rng, 6);
	for (size_t i = 0; i < MOST; i++)
		logits[i] = (float)uniform(0, 1);
	source = keep(MOST, KEPT, &order);
	source.has_all = true;
	sampler_state_init(&state, 1);
	sampler_again(&source, params, &state, &again);
	return again.lacks;
}

Test(again, says_what_it_would_need)
{
	struct sampler_params params = {.top_p = 1, .typical = 1, .repeat_penalty = 1, .temp = 1};

	cr_assert_str_eq(lacks_with(&params), "no sampler cuts the tokens of which nothing was kept");
	params.typical = 0.5f;
	cr_assert_str_eq(lacks_with(&params),
	                 "typical needs the whole vocabulary, of which the best tokens were kept");
	params.typical = 1;
	params.top_n_sigma = 1;
	cr_assert_str_eq(lacks_with(&params),
	                 "top-nsigma needs the whole vocabulary, of which the best tokens were kept");
	params.top_n_sigma = 0;
	params.mirostat = 1;
	cr_assert_str_eq(lacks_with(&params), "mirostat 1 looks at 100 tokens, of which fewer were kept");
	params.mirostat = 0;
	params.top_k = 40;
	cr_assert_null(lacks_with(&params));
}

Test(again, tells_how_many_each_sampler_leaves)
{
	struct sampler_order order = sampler_order_default();
	struct sampler_params params = {.top_p = 1, .typical = 1, .repeat_penalty = 1, .temp = 1, .top_k = 4,
	                                .min_p = 0.5f};
	struct sampler_state state;
	struct again_source source;
	struct again again;

	rng_init(&rng, 6);
	for (size_t i = 0; i < 8; i++)
		logits[i] = (float)log((double)(8 - i));
	source = keep(8, 6, &order);
	sampler_state_init(&state, 1);
	sampler_again(&source, &params, &state, &again);
	cr_assert_null(again.lacks);
	cr_assert_eq(again.n_steps, 3);
	cr_assert_str_eq(again.steps[0].name, "top-k");
	cr_assert_eq(again.steps[0].n, 4);
	cr_assert_str_eq(again.steps[1].name, "min-p");
	cr_assert_eq(again.steps[1].n, 4);
	cr_assert_str_eq(again.steps[2].name, "temp");
	cr_assert_str_eq(again.fates[5].cut_by, "top-k");
	cr_assert_float_eq(again.fates[0].chosen_p, 8.0 / 26, 1e-6);
	cr_assert(!again.steps[0].has_more);
}
