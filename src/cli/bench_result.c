#include "cli/bench_result.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/amount.h"
#include "base/json.h"
#include "base/sanitize.h"
#include "catalog/describe.h"
#include "catalog/memory.h"
#include "kernels/isa.h"
#include "kernels/threadpool.h"

enum { NAME_MAX_LEN = 64 };

static void print_name(const struct bench_test *test, char out[NAME_MAX_LEN])
{
	int n = snprintf(out, NAME_MAX_LEN, "%s%zu", test->kind == BENCH_PROMPT ? "pp" : "tg", test->n);

	if (test->depth)
		snprintf(out + n, (size_t)(NAME_MAX_LEN - n), " @ d%zu", test->depth);
}

static void put_heads(const struct bench_result *result, struct buf *out)
{
	const struct bench_limits *limits = result->limits;
	const struct model *model = result->evaluation->model;
	const struct gguf *gguf = model_gguf(model);
	struct model_memory memory = model_memory(model);
	struct gguf_string name = describe_name(gguf);
	size_t n_threads = threadpool_n_threads(result->evaluation->compute.pool);
	char size[AMOUNT_TEXT_MAX], count[AMOUNT_TEXT_MAX];

	buf_puts(out, "model    ");
	sanitize_line(out, name.data, name.len);
	buf_printf(out, ", %s, %s, %s parameters\n", describe_type(gguf),
	           amount_bytes(size, model_weight_bytes(model)),
	           amount_count(count, model_n_params(model)));
	buf_printf(out, "machine  %zu thread%s, %s, batches of %zu\n", n_threads,
	           n_threads == 1 ? "" : "s", result->evaluation->compute.isa->name,
	           memory_micro_batch(model_plan(model), result->params));
	if (memory.in_file)
		buf_printf(out, "memory   %s of weights repacked, %s read from the file\n",
		           amount_bytes(size, memory.packed), amount_bytes(count, memory.in_file));
	buf_printf(out, "limits   %.1f GMAC/s int8, %.1f GMAC/s f32, ",
	           samples_median(&limits->int8) / 1e9, samples_median(&limits->f32) / 1e9);
	if (samples_median(&limits->bf16) > 0)
		buf_printf(out, "%.1f GMAC/s bf16, ", samples_median(&limits->bf16) / 1e9);
	buf_printf(out, "%.1f GB/s read\n\n", samples_max(&limits->read) / 1e9);
}

static void put_row(const struct bench_result *result, const struct bench_test *test,
                    struct buf *out)
{
	double median = samples_median(&test->rates);
	struct bench_limit limit = bench_limits_of(result->limits, test);
	char name[NAME_MAX_LEN];

	print_name(test, name);
	buf_printf(out, "%-16s %10.2f %10.2f %10.2f ", name, median, samples_min(&test->rates),
	           samples_max(&test->rates));
	if (limit.fault)
		buf_printf(out, "%10s %8s  %s\n", "-", "-", limit.fault);
	else
		buf_printf(out, "%10.2f %6.1f %%  of %s\n", limit.rate, 100 * median / limit.rate,
		           test->kind == BENCH_PROMPT ? "the peak" : "the reading");
}

void bench_result_rows(const struct bench_result *result, struct buf *out)
{
	buf_printf(out, "%-16s %10s %10s %10s %10s %8s\n", "test", "tokens/s", "least", "most",
	           "limit", "share");
	for (size_t i = 0; i < result->n_tests; i++)
		put_row(result, &result->tests[i], out);
}

void bench_result_table(const struct bench_result *result, struct buf *out)
{
	put_heads(result, out);
	bench_result_rows(result, out);
}

static void put_samples(struct json_writer *json, const char *key, const struct samples *samples)
{
	json_put_begin(json, key, '{');
	json_put_number(json, "median", "%.6g", samples_median(samples));
	json_put_number(json, "mean", "%.6g", samples_mean(samples));
	json_put_number(json, "deviation", "%.6g", samples_deviation(samples));
	json_put_begin(json, "samples", '[');
	for (size_t i = 0; i < samples->n; i++)
		json_put_number(json, NULL, "%.6g", samples->values[i]);
	json_put_end(json, ']');
	json_put_end(json, '}');
}

static void put_json_model(const struct bench_result *result, struct json_writer *json)
{
	const struct model *model = result->evaluation->model;
	const struct gguf *gguf = model_gguf(model);
	struct gguf_string name = describe_name(gguf);

	json_put_text(json, "model", name.data, name.len);
	json_put_string(json, "type", describe_type(gguf));
	json_put_number(json, "bytes", "%" PRIu64, model_weight_bytes(model));
	json_put_number(json, "parameters", "%" PRIu64, model_n_params(model));
	json_put_number(json, "in_file", "%" PRIu64, model_memory(model).in_file);
	json_put_number(json, "threads", "%zu", threadpool_n_threads(result->evaluation->compute.pool));
	json_put_string(json, "isa", result->evaluation->compute.isa->name);
	json_put_number(json, "batch", "%zu", memory_micro_batch(model_plan(model), result->params));
}

static void put_json_test(const struct bench_result *result, const struct bench_test *test,
                          struct json_writer *json)
{
	struct bench_limit limit = bench_limits_of(result->limits, test);
	char name[NAME_MAX_LEN];

	print_name(test, name);
	json_put_begin(json, NULL, '{');
	json_put_string(json, "test", name);
	json_put_number(json, "n_prompt", "%zu", test->kind == BENCH_PROMPT ? test->n : 0);
	json_put_number(json, "n_gen", "%zu", test->kind == BENCH_PROMPT ? 0 : test->n);
	json_put_number(json, "depth", "%zu", test->depth);
	put_samples(json, "tokens_per_second", &test->rates);
	if (limit.fault) {
		json_put_null(json, "limit");
		json_put_null(json, "share");
		json_put_string(json, "no_limit", limit.fault);
	} else {
		json_put_number(json, "limit", "%.6g", limit.rate);
		json_put_number(json, "share", "%.4g", samples_median(&test->rates) / limit.rate);
	}
	json_put_end(json, '}');
}

void bench_result_json_tests(const struct bench_result *result, struct json_writer *json)
{
	json_put_begin(json, "tests", '[');
	for (size_t i = 0; i < result->n_tests; i++) {
		json_put_line(json, "\n  ");
		put_json_test(result, &result->tests[i], json);
	}
	json_put_end(json, ']');
}

void bench_result_json(const struct bench_result *result, struct buf *out)
{
	const struct bench_limits *limits = result->limits;
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	put_json_model(result, &json);
	json_put_line(&json, "\n ");
	json_put_begin(&json, "limits", '{');
	put_samples(&json, "int8_macs_per_second", &limits->int8);
	json_put_line(&json, "\n  ");
	put_samples(&json, "f32_macs_per_second", &limits->f32);
	json_put_line(&json, "\n  ");
	put_samples(&json, "bf16_macs_per_second", &limits->bf16);
	json_put_line(&json, "\n  ");
	put_samples(&json, "bytes_read_per_second", &limits->read);
	json_put_end(&json, '}');
	json_put_line(&json, "\n ");
	bench_result_json_tests(result, &json);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}
