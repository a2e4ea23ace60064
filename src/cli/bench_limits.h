/* Figures that are measured several times, and what the machine could do while `sotto bench`
 * measured, with the same threads and in the same minutes. */
#ifndef SOTTO_CLI_BENCH_LIMITS_H
#define SOTTO_CLI_BENCH_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/compute.h"
#include "kernels/peak.h"
#include "model/work.h"

struct samples {
	double *values; /* owned; in the order of their arrival */
	size_t n, cap;
};

bool samples_add(struct samples *samples, double value); /* false: no memory */
void samples_free(struct samples *samples);

/* 0 if there are none. */
double samples_mean(const struct samples *samples);
double samples_deviation(const struct samples *samples); /* of the sample: over n - 1 */
double samples_median(const struct samples *samples);
double samples_min(const struct samples *samples);
double samples_max(const struct samples *samples);

struct bench_limits {
	struct samples int8, f32, bf16; /* multiply-adds a second; bf16 is 0 where there is none */
	struct samples read;            /* bytes a second, of short runs */
	uint64_t cache;                 /* bytes that the caches may hold: twice sys_cache_bytes */
	const struct compute *compute;
	struct peak_memory *memory; /* owned */
};

enum status bench_limits_open(struct bench_limits *limits, const struct compute *compute,
                              struct error *err) MUST_CHECK;
void bench_limits_close(struct bench_limits *limits);

/* Measures all of them once more; reading, in each of its ways. */
enum status bench_limits_measure(struct bench_limits *limits, struct error *err) MUST_CHECK;
/* One short run of reading; *best is the best rate so far. */
enum status bench_limits_read(struct bench_limits *limits, double *best,
                              struct error *err) MUST_CHECK;

enum bench_kind {
	BENCH_PROMPT,   /* n tokens of a prompt, the logits of the last */
	BENCH_GENERATE, /* n tokens one by one, the logits of each */
};

/* A row: llama-bench's ppN and tgN, with "@ dN" if N tokens come before. */
struct bench_test {
	enum bench_kind kind;
	size_t n, depth;
	struct work work;     /* of the whole test; bytes: weights and cache, 0 for a prompt */
	struct samples rates; /* tokens a second */
	double read;          /* bytes a second: the best of the short runs around and between */
};

/* The limit of a test: of a prompt by its arithmetic, of generated tokens by what they read. */
struct bench_limit {
	double rate;       /* tokens a second if nothing was lost; 0: not known */
	const char *fault; /* why not, or NULL */
};
struct bench_limit bench_limits_of(const struct bench_limits *limits,
                                   const struct bench_test *test);

#endif
