#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sampler/exact.h"

Test(exact, exp_agrees_with_the_library)
{
	for (double x = -700; x < 20; x += 0.0137) {
		double expected = exp(x);

		cr_assert(fabs(exact_exp(x) - expected) <= 2e-15 * expected, "exp(%g)", x);
	}
	cr_assert_eq(exact_exp(0), 1);
	cr_assert_eq(exact_exp(-1e9), 0);
	cr_assert_eq(exact_exp(-INFINITY), 0);
}

Test(exact, log_agrees_with_the_library)
{
	for (double x = 1e-300; x < 1e300; x *= 1.0371) {
		double expected = log(x);

		cr_assert(fabs(exact_log(x) - expected) <= 1e-15 * (1 + fabs(expected)),
		          "log(%g)", x);
	}
	cr_assert_eq(exact_log(1), 0);
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

Test(exact, several_at_a_time_give_the_same_bits)
{
	static double x[100000], y[100000];
	size_t n = 0;

	for (double at = -760; at < 20; at += 0.0137)
		x[n++] = at;
	x[n++] = -INFINITY;
	x[n++] = -1e300;
	x[n++] = -745;
	x[n++] = -745.0000001;
	x[n++] = 709;
	x[n++] = -0.0;
	memcpy(y, x, n * sizeof *x);
	exact_exp_all(y, n);
	for (size_t i = 0; i < n; i++)
		cr_assert(same_bits(y[i], exact_exp(x[i])), "exp(%g)", x[i]);
	n = 0;
	for (double at = 0x1p-1074; at < 1e300; at *= 1.0371 + 0x1p-1074 / at)
		x[n++] = at;
	for (double at = 0.5; at < 2; at += 0.0003)
		x[n++] = at;
	memcpy(y, x, n * sizeof *x);
	exact_log_all(y, n);
	for (size_t i = 0; i < n; i++)
		cr_assert(same_bits(y[i], exact_log(x[i])), "log(%g)", x[i]);
	for (n = 0; n < 70; n++) { /* nothing beyond the end is touched */
		memcpy(y, x, sizeof y);
		exact_log_all(y, n);
		cr_assert(same_bits(y[n], x[n]));
	}
}
