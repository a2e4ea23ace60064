#include <criterion/criterion.h>

#include "cli/bench_limits.h"

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
