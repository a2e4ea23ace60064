#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { MAX_PLACES = 1 << 26 };

static void add_next(struct comparison *comparison, struct compared_place *place,
                     const struct distribution *const sides[N_SIDES], int32_t next)
{
	double surprise[N_SIDES], change;

	for (size_t side = 0; side < N_SIDES; side++) {
		surprise[side] = -distribution_log_p(sides[side], next);
		place->next_p[side] = (float)exp(-surprise[side]);
		moments_add(&comparison->surprise[side], surprise[side]);
	}
	comparison->surprise_products += surprise[SIDE_JUDGED] * surprise[SIDE_REFERENCE];
	change = exp(-surprise[SIDE_JUDGED]) - exp(-surprise[SIDE_REFERENCE]);
	moments_add(&comparison->p_difference, change);
	moments_add(&comparison->p_squared, change * change);
}

enum status comparison_add(struct comparison *comparison, size_t at, const struct distribution *judged,
                           const struct distribution *reference, double floor, int32_t next, struct error *err)
{
	const struct distribution *const sides[N_SIDES] = {judged, reference};
	struct compared_place place = {.at = at, .next_p = {NAN, NAN}};

	if (!alloc_grow(&comparison->places, &comparison->cap, comparison->n + 1, sizeof *comparison->places, MAX_PLACES))
		return error_no_memory(err, "for the figures");
	place.divergence = distribution_divergence(reference, judged, floor);
	for (size_t side = 0; side < N_SIDES; side++) {
		place.top[side] = sides[side]->top;
		place.top_p[side] = (float)exp(distribution_log_p(sides[side], place.top[side]));
		place.other_p[side] = (float)exp(distribution_log_p(sides[!side], place.top[side]));
	}
	moments_add(&comparison->divergence, place.divergence);
	comparison->n_same += judged->top == reference->top;
	if (next >= 0)
		add_next(comparison, &place, sides, next);
	comparison->places[comparison->n++] = place;
	return STATUS_OK;
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->places);
	*comparison = (struct comparison){0};
}

/* ---- what comes of it ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Between the two values next to it, as llama-perplexity takes it; the median is that of 0.5. */
static double quantile(const double *sorted, size_t n, double share)
{
	double at = share * (double)(n - 1);
	size_t below = (size_t)at;

	return below + 1 < n ? sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]) : sorted[n - 1];
}

static enum status put_quantiles(const struct comparison *comparison, struct comparison_summary *out, struct error *err)
{
	double *sorted = alloc_array(comparison->n, sizeof *sorted);

	if (!sorted)
		return error_no_memory(err, "for the figures");
	for (size_t i = 0; i < comparison->n; i++)
		sorted[i] = comparison->places[i].divergence;
	qsort(sorted, comparison->n, sizeof *sorted, by_value);
	out->least = sorted[0];
	out->median = quantile(sorted, comparison->n, 0.5);
	out->p90 = quantile(sorted, comparison->n, 0.9);
	out->p99 = quantile(sorted, comparison->n, 0.99);
	out->p999 = quantile(sorted, comparison->n, 0.999);
	out->most = sorted[comparison->n - 1];
	free(sorted);
	return STATUS_OK;
}

static void put_perplexities(const struct comparison *comparison, struct comparison_summary *out)
{
	double mean[N_SIDES], error[N_SIDES], covariance;

	out->ratio = out->ratio_error = out->p_rms = out->p_rms_error = (double)NAN;
	for (size_t side = 0; side < N_SIDES; side++) {
		mean[side] = comparison->surprise[side].n ? moments_mean(&comparison->surprise[side]) : (double)NAN;
		error[side] = moments_error(&comparison->surprise[side]);
		out->perplexity[side] = exp(mean[side]);
		out->perplexity_error[side] = out->perplexity[side] * error[side];
	}
	if (!comparison->surprise[SIDE_JUDGED].n)
		return;
	covariance = moments_covariance(&comparison->surprise[SIDE_JUDGED], &comparison->surprise[SIDE_REFERENCE],
	                                comparison->surprise_products);
	out->ratio = exp(mean[SIDE_JUDGED] - mean[SIDE_REFERENCE]);
	out->ratio_error = out->ratio * sqrt(fmax(0, error[SIDE_JUDGED] * error[SIDE_JUDGED] +
	                                             error[SIDE_REFERENCE] * error[SIDE_REFERENCE] - 2 * covariance));
	out->p_rms = sqrt(moments_mean(&comparison->p_squared));
	out->p_rms_error = out->p_rms > 0 ? 0.5 / out->p_rms * moments_error(&comparison->p_squared) : 0;
}

/* Puts a place among the worst, which are sorted. */
static void offer(struct comparison_summary *out, const struct compared_place *place)
{
	size_t at = out->n_worst;

	while (at > 0 && out->worst[at - 1]->divergence < place->divergence)
		at--;
	if (at == WORST_PLACES)
		return;
	if (out->n_worst < WORST_PLACES)
		out->n_worst++;
	for (size_t i = out->n_worst - 1; i > at; i--)
		out->worst[i] = out->worst[i - 1];
	out->worst[at] = place;
}

static void put_places(const struct comparison *comparison, struct comparison_summary *out)
{
	for (size_t i = 0; i < comparison->n; i++) {
		const struct compared_place *place = &comparison->places[i];

		if (!out->first && place->top[SIDE_JUDGED] != place->top[SIDE_REFERENCE])
			out->first = place;
		if (place->divergence > 0)
			offer(out, place);
	}
}

enum status comparison_summarise(const struct comparison *comparison, struct comparison_summary *out, struct error *err)
{
	size_t n = comparison->n, n_other = n - comparison->n_same;

	*out = (struct comparison_summary){.n = n};
	if (!n)
		return error_set(err, STATUS_USAGE, "the text is too short to compare anything");
	out->mean = moments_mean(&comparison->divergence);
	out->mean_error = moments_error(&comparison->divergence);
	out->same = (double)comparison->n_same / (double)n;
	out->same_error = n > 1 ? sqrt(out->same * (1 - out->same) / (double)(n - 1)) : 0;
	out->each = n_other ? (double)n / (double)n_other : (double)INFINITY;
	put_perplexities(comparison, out);
	put_places(comparison, out);
	return put_quantiles(comparison, out, err);
}

const char *comparison_verdict(const struct comparison_summary *summary)
{
	static const struct {
		double below;
		const char *words;
	} verdicts[] = {
		{0.001, "hardly any difference"},
		{0.01, "a small difference, seldom noticed"},
		{0.05, "a difference that is noticed now and then"},
		{0.2, "a large difference"},
	};

	if (summary->most == 0)
		return "no difference at all";
	for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
		if (summary->mean < verdicts[i].below)
			return verdicts[i].words;
	return "two models that expect different things";
}
