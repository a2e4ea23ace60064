#include "cli/bench_limits.h"

#include <math.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"

bool samples_add(struct samples *samples, double value)
{
	if (!alloc_grow(&samples->values, &samples->cap, samples->n + 1, sizeof *samples->values,
	                SIZE_MAX))
		return false;
	samples->values[samples->n++] = value;
	return true;
}

void samples_free(struct samples *samples)
{
	free(samples->values);
	*samples = (struct samples){0};
}

double samples_mean(const struct samples *samples)
{
	double sum = 0;

	for (size_t i = 0; i < samples->n; i++)
		sum += samples->values[i];
	return samples->n ? sum / (double)samples->n : 0;
}

double samples_deviation(const struct samples *samples)
{
	double mean = samples_mean(samples), sum = 0;

	for (size_t i = 0; i < samples->n; i++)
		sum += (samples->values[i] - mean) * (samples->values[i] - mean);
	return samples->n > 1 ? sqrt(sum / (double)(samples->n - 1)) : 0;
}

/* The value at position `rank` of the sorted ones. */
static double value_of_rank(const struct samples *samples, size_t rank)
{
	for (size_t i = 0; i < samples->n; i++) {
		size_t before = 0;

		for (size_t j = 0; j < samples->n; j++)
			before += samples->values[j] < samples->values[i] ||
			          (samples->values[j] == samples->values[i] && j < i);
		if (before == rank)
			return samples->values[i];
	}
	return 0;
}

double samples_median(const struct samples *samples)
{
	if (samples->n == 0)
		return 0;
	return (value_of_rank(samples, (samples->n - 1) / 2) + value_of_rank(samples, samples->n / 2)) / 2;
}

double samples_min(const struct samples *samples)
{
	return value_of_rank(samples, 0);
}

double samples_max(const struct samples *samples)
{
	return samples->n ? value_of_rank(samples, samples->n - 1) : 0;
}

/* ---- limits ---- */

enum status bench_limits_open(struct bench_limits *limits, const struct compute *compute,
                              struct error *err)
{
	*limits = (struct bench_limits){.compute = compute, .cache = 2 * sys_cache_bytes()};
	return peak_memory_create(&limits->memory, peak_memory_size(MIB(1024)), compute, err);
}

void bench_limits_close(struct bench_limits *limits)
{
	samples_free(&limits->int8);
	samples_free(&limits->f32);
	samples_free(&limits->bf16);
	samples_free(&limits->read);
	peak_memory_free(limits->memory);
	*limits = (struct bench_limits){0};
}

enum status bench_limits_measure(struct bench_limits *limits, struct error *err)
{
	enum status status = STATUS_OK;
	double best = 0;

	if (!samples_add(&limits->int8, peak_int8(limits->compute)) ||
	    !samples_add(&limits->f32, peak_f32(limits->compute)) ||
	    !samples_add(&limits->bf16, peak_bf16(limits->compute)))
		return error_no_memory(err, "for the figures");
	for (size_t i = 0; i < PEAK_WAYS && !status; i++)
		status = bench_limits_read(limits, &best, err);
	return status;
}

enum status bench_limits_read(struct bench_limits *limits, double *best, struct error *err)
{
	double rate = peak_read(limits->memory, limits->compute);

	if (!samples_add(&limits->read, rate))
		return error_no_memory(err, "for the figures");
	*best = rate > *best ? rate : *best;
	return STATUS_OK;
}

/* The least time that it can take, by the medians. */
static double compute_time(const struct bench_limits *limits, const struct work *work)
{
	double int8 = samples_median(&limits->int8), f32 = samples_median(&limits->f32);
	double bf16 = samples_median(&limits->bf16);

	/* Without instructions for bytes or bf16, floats may be faster. */
	return (double)work->int8_macs / (int8 > f32 ? int8 : f32) +
	       (double)work->bf16_macs / (bf16 > f32 ? bf16 : f32) + (double)work->f32_macs / f32;
}

/* No test can be that much faster than its limit, unless the limit is wrong. */
static const double most_share = 1.05;

struct bench_limit bench_limits_of(const struct bench_limits *limits, const struct bench_test *test)
{
	double seconds, n = (double)test->n;
	struct bench_limit limit = {0};

	if (test->kind == BENCH_PROMPT) {
		seconds = compute_time(limits, &test->work);
	} else if (test->work.bytes / test->n < limits->cache) {
		limit.fault = "the caches may hold what is read";
		return limit;
	} else {
		seconds = (double)test->work.bytes / test->read;
	}
	if (samples_median(&test->rates) * seconds > n * most_share)
		limit.fault = "the limit was measured wrong: the test was faster";
	else
		limit.rate = n / seconds;
	return limit;
}
