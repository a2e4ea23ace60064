#include <criterion/criterion.h>
#include <math.h>

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
