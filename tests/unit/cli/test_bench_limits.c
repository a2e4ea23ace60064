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
