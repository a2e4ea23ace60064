/* What the machine could do while `sotto bench` measured: the same threads,
 * the same minutes. */
#ifndef SOTTO_CLI_BENCH_LIMITS_H
#define SOTTO_CLI_BENCH_LIMITS_H

#include "base/error.h"
#include "cli/samples.h"
#include "kernels/compute.h"
#include "kernels/peak.h"
#include "model/work.h"

struct bench_limits {
	struct samples int8, f32, bf16; /* multiply-adds a second; no bf16: 0 */
	struct samples read;            /* bytes a second */
	const struct compute *compute;
	struct peak_memory *memory; /* owned */
};

enum status bench_limits_open(struct bench_limits *limits, const struct compute *compute,
                              struct error *err) MUST_CHECK;
void bench_limits_close(struct bench_limits *limits);

/* Measures them all once more. */
enum status bench_limits_measure(struct bench_limits *limits, struct error *err) MUST_CHECK;

/* The fewest seconds that so much work can take, by the medians: the arithmetic
 * alone, and the reading alone. */
double bench_limits_compute_time(const struct bench_limits *limits, const struct work *work);
double bench_limits_read_time(const struct bench_limits *limits, uint64_t bytes);

#endif
