/* The searches against the best that can be found by trying very many scales. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "quantize/fit.h"
#include "support/random.h"

static const int8_t uneven[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                  1,    13,   25,  38,  53,  69,  89,  113};

static double scale_error(const float *x, const float *w, const float *q, double d, size_t n)
{
	double error = 0;

	for (size_t i = 0; i < n; i++) {
		double rest = (double)x[i] - d * (double)q[i];

		error += (double)w[i] * rest * rest;
	}
	return error;
}

/* The error that is left with the best of 4000 scales, each solved exactly. */
static double best_scale_error(const struct levels *levels, const float *x, const float *w, size_t n)
{
	float largest = 0, q[FIT_MAX];
	double best = INFINITY;

	for (size_t i = 0; i < n; i++)
		largest = fmaxf(largest, fabsf(x[i]));
	for (int k = -2000; k <= 2000; k++) {
		double xq = 0, qq = 0;

		levels_nearest(levels, x, (float)k / 2000 * 1.5f * -levels->low / largest, n, q);
		for (size_t i = 0; i < n; i++) {
			xq += (double)w[i] * (double)x[i] * (double)q[i];
			qq += (double)w[i] * (double)q[i] * (double)q[i];
		}
		if (qq > 0)
			best = fmin(best, scale_error(x, w, q, xq / qq, n));
	}
	return best;
}

/* About normal: the sum of a few uniform ones. */
static void fill(struct test_random *random, float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		x[i] = 0;
		for (int k = 0; k < 6; k++)
			x[i] += test_random_float(random);
	}
}

Test(quantize_fit, a_scale_is_nearly_the_best_there_is)
{
	static const struct {
		struct levels levels;
		size_t n;
		double worse; /* than the best, on the average */
	} rows[] = {
		{{.low = -8, .high = 7}, 32, 1.01},   {{.low = -16, .high = 15}, 32, 1.01},
		{{.low = -4, .high = 3}, 16, 1.01},   {{.low = -32, .high = 31}, 16, 1.03},
		{{.low = -127, .high = 127}, 32, 1.12},
		{{.low = -127, .high = 113, .values = uneven}, 32, 1.01},
	};

	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct test_random random = {r};
		float x[FIT_MAX], w[FIT_MAX], q[FIT_MAX];
		double found = 0, best = 0;

		for (int round = 0; round < 200; round++) {
			float d;

			fill(&random, x, rows[r].n);
			fit_importance(x, rows[r].n, w);
			d = fit_scale(&rows[r].levels, x, w, rows[r].n, q);
			found += scale_error(x, w, q, (double)d, rows[r].n);
			best += best_scale_error(&rows[r].levels, x, w, rows[r].n);
		}
		cr_expect(found <= rows[r].worse * best, "row %zu: %g, best %g", r, found, best);
	}
}

Test(quantize_fit, levels_are_the_nearest_and_in_range)
{
	const struct levels whole = {.low = -8, .high = 7};
	const struct levels values = {.low = -127, .high = 113, .values = uneven};
	const float x[] = {-1000, -8.6f, -0.4f, 0.6f, 6.4f, 7.4f, 9, 1e30f};
	const float at_whole[] = {-8, -8, 0, 1, 6, 7, 7, 7};
	const float at_values[] = {-127, -10, 1, 1, 1, 13, 13, 113};
	float q[8];

	levels_nearest(&whole, x, 1, 8, q);
	cr_assert_arr_eq(q, at_whole, sizeof q);
	levels_nearest(&values, x, 1, 8, q);
	cr_assert_arr_eq(q, at_values, sizeof q);
}

static double affine_error(const float *x, const float *w, const float *q, double d, double m,
                           size_t n)
{
	double error = 0;

	for (size_t i = 0; i < n; i++) {
		double rest = (double)x[i] + m - d * (double)q[i];

		error += (double)w[i] * rest * rest;
	}
	return error;
}

/* Of a grid over both ends of the range, not solved. */
static double best_affine_error(float q_max, const float *x, const float *w, size_t n)
{
	float low = x[0], high = x[0], q[FIT_MAX];
	double best = INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = fminf(low, x[i]);
		high = fmaxf(high, x[i]);
	}
	for (int i = -15; i <= 15; i++)
		for (int j = -15; j <= 15; j++) {
			float d = (high - low) / (q_max + 0.1f * (float)(i + j));
			float m = -low - 0.1f * (float)i * d;

			affine_nearest(q_max, x, 1 / d, m, n, q);
			best = fmin(best, affine_error(x, w, q, (double)d, (double)m, n));
		}
	return best;
}

Test(quantize_fit, a_scale_with_offset_is_better_than_a_fine_grid)
{
	static const float q_max[] = {3, 15, 31};

	for (size_t r = 0; r < 3; r++) {
		struct test_random random = {r};
		float x[FIT_MAX], w[FIT_MAX], q[FIT_MAX];
		double found = 0, best = 0;

		for (int round = 0; round < 100; round++) {
			struct affine fit;

			fill(&random, x, 32);
			fit_importance(x, 32, w);
			fit = fit_affine(q_max[r], false, x, w, 32, q);
			found += affine_error(x, w, q, (double)fit.d, (double)fit.m, 32);
			best += best_affine_error(q_max[r], x, w, 32);
		}
		cr_expect(found <= 1.01 * best, "%g levels: %g, grid %g", (double)q_max[r], found, best);
	}
}

Test(quantize_fit, an_offset_below_is_never_negative)
{
	struct test_random random = {1};
	float x[FIT_MAX], w[FIT_MAX], q[FIT_MAX];

	for (int round = 0; round < 200; round++) {
		struct affine fit;
		float up = test_random_float(&random) * 3;

		test_random_floats(&random, x, 16, 1);
		for (size_t i = 0; i < 16; i++)
			x[i] += up;
		fit_importance(x, 16, w);
		fit = fit_affine(3, true, x, w, 16, q);
		cr_assert(fit.m >= 0 && fit.d >= 0);
		for (size_t i = 0; i < 16; i++)
			cr_assert(q[i] >= 0 && q[i] <= 3 && q[i] == floorf(q[i]));
	}
}

Test(quantize_fit, groups_of_one_value_keep_it)
{
	static const float values[] = {0, 1, -1, 1e-3f, 3000, -3000};
	const struct levels levels = {.low = -8, .high = 7};
	float x[FIT_MAX], w[FIT_MAX], q[FIT_MAX];

	for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
		struct affine fit;
		float d;

		for (size_t i = 0; i < 32; i++)
			x[i] = values[v];
		fit_importance(x, 32, w);
		d = fit_scale(&levels, x, w, 32, q);
		cr_expect_float_eq(d * q[31], values[v], 1e-6 * fabs((double)values[v]));
		for (int below = 0; below < 2; below++) {
			fit = fit_affine(15, below, x, w, 32, q);
			cr_expect_float_eq(fit.d * q[31] - fit.m, values[v],
			                   1e-6 * fabs((double)values[v]), "%g", (double)values[v]);
			cr_expect(!below || fit.m >= 0);
		}
	}
}
