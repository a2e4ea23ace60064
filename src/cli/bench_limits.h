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
	struct samples read;            /* bytes a second, of short runs */
	uint64_t cache;                 /* bytes of what may lie in caches; sys_cache_bytes, twice */
	const struct compute *compute;
	struct peak_memory *memory; /* owned */
};

enum status bench_limits_open(struct bench_limits *limits, const struct compute *compute,
                              struct error *err) MUST_CHECK;
void bench_limits_close(struct bench_limits *limits);

/* Measures them all once more; the reading, each way. */
enum status bench_limits_measure(struct bench_limits *limits, struct error *err) MUST_CHECK;
/* One short run of reading, which raises *best. */
enum status bench_limits_read(struct bench_limits *limits, double *best,
                              struct error *err) MUST_CHECK;

enum bench_kind {
	BENCH_PROMPT,   /* n tokens of a prompt, the logits of the last */
	BENCH_GENERATE, /* n tokens one by one, the logits of each */
};

/* A row: llama-bench's ppN and tgN, and "@ dN" where N tokens stand before. */
struct bench_test {
	enum bench_kind kind;
	size_t n, depth;
	struct work work;     /* of the whole test; bytes: weights and cache, 0 for a prompt */
	struct samples rates; /* tokens a second */
	double read;          /* bytes a second: the best of the short runs around and between */
};

/* What the arithmetic of a prompt allows, and the reading of what each generated token needs. */
struct bench_limit {
	double rate;       /* tokens a second, were nothing lost; 0: not known */
	const char *fault; /* why not, or NULL */
};
struct bench_limit bench_limits_of(const struct bench_limits *limits,
                                   const struct bench_test *test);

#endif
