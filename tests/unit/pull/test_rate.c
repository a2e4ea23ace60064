#include <criterion/criterion.h>

#include "pull/rate.h"

Test(rate, knows_nothing_at_first)
{
	struct rate rate = {0};

	cr_expect_eq(rate_value(&rate), 0);
	cr_expect_lt(rate_left(&rate, 10), 0);
	rate_add(&rate, 1000, 0);
	rate_add(&rate, 1900, 900);
	cr_expect_eq(rate_value(&rate), 0, "less than a second");
	rate_add(&rate, 2100, 1100);
	cr_expect_eq(rate_value(&rate), 1000);
	cr_expect_lt(rate_left(&rate, 10), 0, "not in the first three seconds");
	rate_add(&rate, 4000, 3000);
	cr_expect_eq(rate_left(&rate, 500), 0.5);
}

Test(rate, is_of_the_last_five_seconds)
{
	struct rate rate = {0};
	uint64_t n = 0;

	for (uint64_t ms = 0; ms <= 60000; ms += 250)
		rate_add(&rate, ms, n += ms <= 30000 ? 1000 : 10);
	cr_expect_eq(rate_value(&rate), 40);
	for (uint64_t ms = 60250; ms <= 66000; ms += 250)
		rate_add(&rate, ms, n);
	cr_expect_eq(rate_value(&rate), 0, "it stands still");
	cr_expect_lt(rate_left(&rate, 1), 0);
}

Test(rate, many_calls_are_few_samples)
{
	struct rate rate = {0};

	for (uint64_t ms = 0; ms <= 10000; ms++)
		rate_add(&rate, ms, 2 * ms);
	cr_expect_eq(rate_value(&rate), 2000);
}

Test(rate, fewer_bytes_begin_anew)
{
	struct rate rate = {0};

	rate_add(&rate, 0, 0);
	rate_add(&rate, 4000, 4000);
	rate_add(&rate, 5000, 10);
	cr_expect_eq(rate_value(&rate), 0);
}
