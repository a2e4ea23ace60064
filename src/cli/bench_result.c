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

static void put_samples(struct buf *out, const char *name, const struct samples *samples)
{
	buf_printf(out, "\"%s\": {\"median\": %.6g, \"mean\": %.6g, \"deviation\": %.6g, "
	           "\"samples\": [", name, samples_median(samples), samples_mean(samples),
	           samples_deviation(samples));
	for (size_t i = 0; i < samples->n; i++)
		buf_printf(out, "%s%.6g", i ? ", " : "", samples->values[i]);
	buf_puts(out, "]}");
}

static void put_json_model(const struct bench_result *result, struct buf *out)
{
	const struct model *model = result->evaluation->model;
	const struct gguf *gguf = model_gguf(model);
	struct gguf_string name = describe_name(gguf);

	buf_puts(out, "{\"model\": ");
	json_put_text(out, name.data, name.len);
	buf_printf(out, ", \"type\": \"%s\", \"bytes\": %" PRIu64 ", \"parameters\": %" PRIu64
	           ", \"in_file\": %" PRIu64 ", \"threads\": %zu, \"isa\": \"%s\", \"batch\": %zu,\n", describe_type(gguf),
	           model_weight_bytes(model), model_n_params(model), model_memory(model).in_file,
	           threadpool_n_threads(result->evaluation->compute.pool),
	           result->evaluation->compute.isa->name,
	           memory_micro_batch(model_plan(model), result->params));
}

static void put_json_test(const struct bench_result *result, const struct bench_test *test,
                          struct buf *out)
{
	struct bench_limit limit = bench_limits_of(result->limits, test);
	char name[NAME_MAX_LEN];

	print_name(test, name);
	buf_printf(out, "  {\"test\": \"%s\", \"n_prompt\": %zu, \"n_gen\": %zu, \"depth\": %zu, ", name,
	           test->kind == BENCH_PROMPT ? test->n : 0, test->kind == BENCH_PROMPT ? 0 : test->n,
	           test->depth);
	put_samples(out, "tokens_per_second", &test->rates);
	if (limit.fault)
		buf_printf(out, ", \"limit\": null, \"share\": null, \"no_limit\": \"%s\"}",
		           limit.fault);
	else
		buf_printf(out, ", \"limit\": %.6g, \"share\": %.4g}", limit.rate,
		           samples_median(&test->rates) / limit.rate);
}

void bench_result_json_tests(const struct bench_result *result, struct buf *out)
{
	buf_puts(out, "\"tests\": [\n");
	for (size_t i = 0; i < result->n_tests; i++) {
		put_json_test(result, &result->tests[i], out);
		buf_puts(out, i + 1 < result->n_tests ? ",\n" : "]");
	}
}

void bench_result_json(const struct bench_result *result, struct buf *out)
{
	put_json_model(result, out);
	buf_puts(out, " \"limits\": {");
	put_samples(out, "int8_macs_per_second", &result->limits->int8);
	buf_puts(out, ",\n  ");
	put_samples(out, "f32_macs_per_second", &result->limits->f32);
	buf_puts(out, ",\n  ");
	put_samples(out, "bf16_macs_per_second", &result->limits->bf16);
	buf_puts(out, ",\n  ");
	put_samples(out, "bytes_read_per_second", &result->limits->read);
	buf_puts(out, "},\n ");
	bench_result_json_tests(result, out);
	buf_puts(out, "}\n");
}
