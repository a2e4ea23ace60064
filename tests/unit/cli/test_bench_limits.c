#include <criterion/criterion.h>

#include "base/limits.h"
#include "cli/bench_limits.h"

enum { MACS = 1000, BYTES = MIB(100) };

/* A limit of 10 tokens a second. */
static struct bench_limit limit(enum bench_kind kind, double reached, uint64_t cache)
{
	struct bench_limits limits = {.cache = cache};
	struct bench_test test = {.kind = kind, .n = 4, .read = 10.0 * BYTES,
	                          .work = {.int8_macs = 4 * MACS, .bytes = 4 * (uint64_t)BYTES}};
	struct bench_limit limit;

	cr_assert(samples_add(&limits.int8, 10 * MACS));
	cr_assert(samples_add(&limits.f32, MACS));
	cr_assert(samples_add(&limits.bf16, 0));
	cr_assert(samples_add(&test.rates, reached));
	limit = bench_limits_of(&limits, &test);
	samples_free(&limits.int8);
	samples_free(&limits.f32);
	samples_free(&limits.bf16);
	samples_free(&test.rates);
	return limit;
}

Test(bench_limits, a_limit_that_was_passed_is_none)
{
	static const enum bench_kind kinds[] = {BENCH_PROMPT, BENCH_GENERATE};

	for (size_t i = 0; i < 2; i++) {
		cr_assert_float_eq(limit(kinds[i], 7, 0).rate, 10, 1e-9, "kind %zu", i);
		cr_assert_null(limit(kinds[i], 10.4, 0).fault, "kind %zu", i);
		cr_assert_not_null(limit(kinds[i], 10.6, 0).fault, "kind %zu", i);
		cr_assert_eq(limit(kinds[i], 10.6, 0).rate, 0, "kind %zu", i);
	}
}

Test(bench_limits, nothing_is_said_of_what_caches_may_hold)
{
	cr_assert_null(limit(BENCH_GENERATE, 7, BYTES).fault);
	cr_assert_not_null(limit(BENCH_GENERATE, 7, BYTES + 1).fault);
	cr_assert_null(limit(BENCH_PROMPT, 7, BYTES + 1).fault);
}

/* ---- samples ---- */

/* Values, then mean, deviation, median, least and most of them. */
static const struct {
	double values[5];
	size_t n;
	double mean, deviation, median, min, max;
} cases[] = {
	{{0}, 0, 0, 0, 0, 0, 0},
	{{7}, 1, 7, 0, 7, 7, 7},
	{{3, 1}, 2, 2, 1.4142135623730951, 2, 1, 3},
	{{5, 5, 5}, 3, 5, 0, 5, 5, 5},
	{{9, 1, 2}, 3, 4, 4.358898943540674, 2, 1, 9},
	{{4, 2, 4, 2, 8}, 5, 4, 2.449489742783178, 4, 2, 8},
};

Test(samples, are_summed_up)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct samples samples = {0};

		for (size_t j = 0; j < cases[i].n; j++)
			cr_assert(samples_add(&samples, cases[i].values[j]));
		cr_assert_float_eq(samples_mean(&samples), cases[i].mean, 1e-12, "case %zu", i);
		cr_assert_float_eq(samples_deviation(&samples), cases[i].deviation, 1e-12, "case %zu", i);
		cr_assert_float_eq(samples_median(&samples), cases[i].median, 1e-12, "case %zu", i);
		cr_assert_float_eq(samples_min(&samples), cases[i].min, 1e-12, "case %zu", i);
		cr_assert_float_eq(samples_max(&samples), cases[i].max, 1e-12, "case %zu", i);
		samples_free(&samples);
	}
}
