/* What `sotto bench` found, as a table for people and as JSON for programs. */
#ifndef SOTTO_CLI_BENCH_RESULT_H
#define SOTTO_CLI_BENCH_RESULT_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/bench_limits.h"
#include "cli/evaluate.h"

struct bench_result {
	const struct evaluation *evaluation;
	const struct engine_params *params;
	const struct bench_limits *limits;
	const struct bench_test *tests;
	size_t n_tests;
};

/* Each appends; an error is left in the buffer. */
void bench_result_table(const struct bench_result *result, struct buf *out);
void bench_result_json(const struct bench_result *result, struct buf *out);

/* Their parts that are about speed, for tests: no other field but limits and tests is read. */
void bench_result_rows(const struct bench_result *result, struct buf *out);
void bench_result_json_tests(const struct bench_result *result, struct json_writer *json);

#endif
