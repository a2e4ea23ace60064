#include "cli/bench_limits.h"

enum status bench_limits_open(struct bench_limits *limits, const struct compute *compute,
                              struct error *err)
{
	*limits = (struct bench_limits){.compute = compute};
	return peak_memory_create(&limits->memory, peak_memory_size(), compute, err);
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
	if (samples_add(&limits->int8, peak_int8(limits->compute)) &&
	    samples_add(&limits->f32, peak_f32(limits->compute)) &&
	    samples_add(&limits->bf16, peak_bf16(limits->compute)) &&
	    samples_add(&limits->read, peak_read(limits->memory, limits->compute)))
		return STATUS_OK;
	return error_set(err, STATUS_NOMEM, "not enough memory for the figures");
}

double bench_limits_compute_time(const struct bench_limits *limits, const struct work *work)
{
	double int8 = samples_median(&limits->int8), f32 = samples_median(&limits->f32);
	double bf16 = samples_median(&limits->bf16);

	/* Without instructions for bytes or bf16, floats may be the faster way. */
	return (double)work->int8_macs / (int8 > f32 ? int8 : f32) +
	       (double)work->bf16_macs / (bf16 > f32 ? bf16 : f32) + (double)work->f32_macs / f32;
}

double bench_limits_read_time(const struct bench_limits *limits, uint64_t bytes)
{
	return (double)bytes / samples_median(&limits->read);
}
