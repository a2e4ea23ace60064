#include <criterion/criterion.h>
#include <math.h>

#include "compare/comparison.h"
#include "support/random.h"

enum { N_VOCAB = 37, N_ROWS = 200 };

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-5 * fmax(fabs(a), fabs(b)) + 1e-12;
}

static void fill(struct test_random *random, float *row, double width)
{
	for (size_t i = 0; i < N_VOCAB; i++)
		row[i] = (float)(width * ((double)test_random_below(random, 1u << 20) / (1 << 19) - 1));
}

static void softmax(const float *row, double *p)
{
	double sum = 0;

	for (size_t i = 0; i < N_VOCAB; i++)
		sum += p[i] = exp((double)row[i]);
	for (size_t i = 0; i < N_VOCAB; i++)
		p[i] /= sum;
}

/* Everything once more from the definitions. */
struct check {
	double kl[N_ROWS], p[N_ROWS][N_SIDES];
	size_t same, first;
};

static size_t best(const double *p)
{
	size_t best = 0;

	for (size_t i = 1; i < N_VOCAB; i++)
		best = p[i] > p[best] ? i : best;
	return best;
}

static void compare_row(struct comparison *comparison, struct check *check, size_t i, struct test_random *random)
{
	float judged[N_VOCAB], reference[N_VOCAB];
	double p[N_VOCAB], q[N_VOCAB];
	int32_t next = (int32_t)test_random_below(random, N_VOCAB);
	struct distribution a, b;

	fill(random, reference, 4);
	fill(random, judged, 1);
	for (size_t k = 0; k < N_VOCAB; k++)
		judged[k] += reference[k] + 3;
	softmax(reference, p);
	softmax(judged, q);
	for (size_t k = 0; k < N_VOCAB; k++)
		check->kl[i] += p[k] * log(p[k] / q[k]);
	check->p[i][SIDE_JUDGED] = q[next];
	check->p[i][SIDE_REFERENCE] = p[next];
	if (best(p) != best(q) && check->first == N_ROWS)
		check->first = i;
	check->same += best(p) == best(q);
	a = distribution_of(judged, N_VOCAB);
	b = distribution_of(reference, N_VOCAB);
	cr_assert_eq(a.top, (int32_t)best(q));
	cr_assert(near(exp(distribution_log_p(&a, next)), q[next]));
	cr_assert_eq(comparison_add(comparison, i, &a, &b, -INFINITY, next, NULL), STATUS_OK);
}

static double mean_of(const double *values, double *error)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < N_ROWS; i++)
		sum += values[i];
	for (size_t i = 0; i < N_ROWS; i++)
		squares += pow(values[i] - sum / N_ROWS, 2);
	*error = sqrt(squares / N_ROWS / (N_ROWS - 1));
	return sum / N_ROWS;
}

static void check_perplexities(const struct comparison_summary *got, const struct check *check)
{
	double surprise[N_SIDES][N_ROWS], ratio[N_ROWS], change = 0, error, mean;

	for (size_t i = 0; i < N_ROWS; i++) {
		for (size_t side = 0; side < N_SIDES; side++)
			surprise[side][i] = -log(check->p[i][side]);
		ratio[i] = surprise[SIDE_JUDGED][i] - surprise[SIDE_REFERENCE][i];
		change += pow(check->p[i][SIDE_JUDGED] - check->p[i][SIDE_REFERENCE], 2);
	}
	for (size_t side = 0; side < N_SIDES; side++) {
		mean = exp(mean_of(surprise[side], &error));
		cr_assert(near(got->perplexity[side], mean));
		cr_assert(near(got->perplexity_error[side], mean * error));
	}
	mean = exp(mean_of(ratio, &error));
	cr_assert(near(got->ratio, mean));
	cr_assert(near(got->ratio_error, mean * error), "%g is not %g", got->ratio_error, mean * error);
	cr_assert(near(got->p_rms, sqrt(change / N_ROWS)));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

Test(comparison, figures)
{
	struct test_random random = {7};
	struct comparison comparison = {0};
	struct comparison_summary got;
	struct check check = {.first = N_ROWS};
	double error;

	for (size_t i = 0; i < N_ROWS; i++)
		compare_row(&comparison, &check, i, &random);
	cr_assert_eq(comparison_summarise(&comparison, &got, NULL), STATUS_OK);
	cr_assert(near(got.mean, mean_of(check.kl, &error)));
	cr_assert(near(got.mean_error, error));
	cr_assert(near(got.same, (double)check.same / N_ROWS));
	cr_assert(near(got.each, N_ROWS / (double)(N_ROWS - check.same)));
	cr_assert_eq(got.first->at, check.first);
	check_perplexities(&got, &check);
	cr_assert(near(got.worst[0]->divergence, got.most));
	for (size_t i = 0; i < WORST_PLACES; i++)
		cr_assert(near(check.kl[got.worst[i]->at], got.worst[i]->divergence));
	qsort(check.kl, N_ROWS, sizeof check.kl[0], by_value);
	cr_assert(near(got.worst[1]->divergence, check.kl[N_ROWS - 2]));
	cr_assert(near(got.worst[2]->divergence, check.kl[N_ROWS - 3]));
	cr_assert(near(got.median, (check.kl[N_ROWS / 2] + check.kl[N_ROWS / 2 - 1]) / 2));
	cr_assert(near(got.p99, check.kl[197] + 0.01 * (check.kl[198] - check.kl[197])));
	comparison_free(&comparison);
}

Test(comparison, of_one_and_the_same)
{
	struct test_random random = {3};
	struct comparison comparison = {0};
	struct comparison_summary got;
	float row[N_VOCAB];

	for (size_t i = 0; i < 20; i++) {
		struct distribution a;

		fill(&random, row, 20);
		a = distribution_of(row, N_VOCAB);
		cr_assert_eq(comparison_add(&comparison, i, &a, &a, -INFINITY, i < 10 ? 1 : -1, NULL), STATUS_OK);
	}
	cr_assert_eq(comparison_summarise(&comparison, &got, NULL), STATUS_OK);
	cr_assert_eq(got.mean, 0);
	cr_assert_eq(got.most, 0);
	cr_assert_eq(got.same, 1);
	cr_assert(isinf(got.each));
	cr_assert_eq(got.ratio, 1);
	cr_assert_null(got.first);
	cr_assert_eq(got.n_worst, 0);
	comparison_free(&comparison);
}

/* What nothing follows has no perplexity, and what is nowhere has no figures. */
Test(comparison, without_next)
{
	struct comparison comparison = {0};
	struct comparison_summary got;
	struct error err;
	const float row[] = {1, 2, -INFINITY};
	struct distribution a = distribution_of(row, 3);

	cr_assert_eq(comparison_summarise(&comparison, &got, &err), STATUS_USAGE);
	cr_assert_eq(comparison_add(&comparison, 0, &a, &a, -INFINITY, -1, NULL), STATUS_OK);
	cr_assert_eq(comparison_summarise(&comparison, &got, NULL), STATUS_OK);
	cr_assert(isnan(got.perplexity[SIDE_JUDGED]) && isnan(got.ratio));
	cr_assert_eq(got.mean, 0);
	comparison_free(&comparison);
}

/* What a reference does not know better than "at most this" is left out. */
Test(comparison, floor)
{
	const float expected[] = {0, -20}, found[] = {0, -10};
	struct distribution reference = distribution_of(expected, 2), judged = distribution_of(found, 2);

	cr_assert_lt(distribution_divergence(&reference, &judged, -INFINITY), 4.6e-5);
	cr_assert_gt(distribution_divergence(&reference, &judged, -16),
	             distribution_divergence(&reference, &judged, -INFINITY));
}

Test(comparison, verdict)
{
	static const struct {
		double mean;
		const char *words;
	} cases[] = {
		{0.0005, "hardly any difference"}, {0.005, "a small difference, seldom noticed"},
		{0.03, "a difference that is noticed now and then"}, {0.1, "a large difference"},
		{0.2, "two models that expect different things"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct comparison_summary summary = {.mean = cases[i].mean, .most = 1};

		cr_assert_str_eq(comparison_verdict(&summary), cases[i].words);
	}
	cr_assert_str_eq(comparison_verdict(&(struct comparison_summary){.mean = 0}), "no difference at all");
}
