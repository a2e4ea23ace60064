/* sotto bench: how fast a model is evaluated, in llama-bench's terms, and how near that
 * is to what this machine could do. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "catalog/memory.h"
#include "cli/bench_limits.h"
#include "cli/bench_result.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "model/cache.h"

enum {
	MAX_DEPTHS = 16,
	MAX_TOKENS = 1 << 24,
	DEFAULT_GENERATED = 128,
	BETWEEN_READS_US = 50000
};

struct bench_params {
	int32_t n_prompt, repetitions;
	char *depths; /* owned */
	bool json;
};

#define ROW(field, more_flags) CLI_ROW(bench_params, field, more_flags)

static const struct option bench_options[] = {
	{"n-prompt", "p", OPTION_INT, ROW(n_prompt, 0), .min = 0, .max = MAX_TOKENS, .def = "512",
	 .arg = "N", .help = "tokens of the prompt; 0 = no such test"},
	{"repetitions", "r", OPTION_INT, ROW(repetitions, 0), .min = 1, .max = 1000, .def = "5",
	 .arg = "N", .help = "how often each test is run"},
	{"depth", "d n-depth", OPTION_STRING, ROW(depths, 0), .arg = "N,...",
	 .help = "tokens in the context before each test: a list; 0 if not given"},
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no", .help = "print a JSON object"},
};

struct bench {
	struct evaluation evaluation;
	struct engine_params params; /* strings are the setup's */
	struct bench_limits limits;
	size_t n_prompt, n_generated, repetitions;
	size_t depths[MAX_DEPTHS], n_depths;
	struct bench_test tests[2 * MAX_DEPTHS];
	size_t n_tests;
	int32_t *tokens; /* as many as any evaluation takes; owned */
	size_t n_tokens;
};

static enum status read_depths(struct bench *b, const char *text, struct error *err)
{
	for (const char *at = text ? text : "0";; at++) {
		size_t len = strcspn(at, ",");
		int64_t value = -1;
		char word[32];

		if (len < sizeof word) {
			memcpy(word, at, len);
			word[len] = '\0';
			if (!number_parse_int(word, &value))
				value = -1;
		}
		if (value < 0 || value > MAX_TOKENS)
			return error_set(err, STATUS_USAGE,
			                 "--depth: found '%.20s', expected numbers of tokens, 0 to %d, with "
			                 "commas between them", at, MAX_TOKENS);
		for (size_t i = 0; i < b->n_depths; i++)
			if (b->depths[i] == (size_t)value)
				return error_set(err, STATUS_USAGE, "--depth: %d is given twice",
				                 (int)value);
		if (b->n_depths == MAX_DEPTHS)
			return error_set(err, STATUS_USAGE, "--depth: more than %d numbers", MAX_DEPTHS);
		b->depths[b->n_depths++] = (size_t)value;
		at += len;
		if (*at == '\0')
			return STATUS_OK;
	}
}

/* Checks what is asked for, before a model is opened. */
static enum status read_params(struct bench *b, const struct bench_params *own,
                               const struct cli_setup *setup, struct error *err)
{
	size_t most, deepest = 0;

	b->params = setup->engine;
	b->n_prompt = (size_t)own->n_prompt;
	b->n_generated = b->params.n_predict < 0 ? DEFAULT_GENERATED : (size_t)b->params.n_predict;
	b->repetitions = (size_t)own->repetitions;
	if (b->n_prompt == 0 && b->n_generated == 0)
		return error_set(err, STATUS_USAGE, "nothing to measure: both -p and -n are 0");
	if (read_depths(b, own->depths, err))
		return err->status;
	for (size_t i = 0; i < b->n_depths; i++)
		deepest = b->depths[i] > deepest ? b->depths[i] : deepest;
	most = b->n_prompt > b->n_generated ? b->n_prompt : b->n_generated;
	if (b->params.n_ctx <= 0)
		b->params.n_ctx = (int32_t)(deepest + most);
	b->n_tokens = most > deepest ? most : deepest;
	b->tokens = alloc_array(b->n_tokens, sizeof *b->tokens);
	return b->tokens ? STATUS_OK : error_no_memory(err, NULL);
}

/* Any tokens will do; the same ones each time. */
static void choose_tokens(struct bench *b)
{
	uint32_t n_vocab = model_plan(b->evaluation.model)->n_vocab, state = 1;

	for (size_t i = 0; i < b->n_tokens; i++) {
		state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
		b->tokens[i] = (int32_t)((state >> 8) % n_vocab);
	}
}

/* The keys and values that are read, and the states that are read and written. */
static uint64_t read_of_cache(const struct bench *b, size_t n_positions)
{
	return cache_token_bytes(model_plan(b->evaluation.model), n_positions,
	                         memory_kv_types(&b->params));
}

static void add_test(struct bench *b, enum bench_kind kind, size_t n, size_t depth)
{
	struct model_work work = model_work_of(model_gguf(b->evaluation.model),
	                                       model_plan(b->evaluation.model));
	size_t n_logits = kind == BENCH_PROMPT ? 1 : n;
	struct bench_test *test;

	if (n == 0)
		return;
	test = &b->tests[b->n_tests++];
	*test = (struct bench_test){
		.kind = kind, .n = n, .depth = depth,
		.work = {
			.int8_macs = n * work.layers.int8_macs + n_logits * work.output.int8_macs,
			.bf16_macs = n * work.layers.bf16_macs + n_logits * work.output.bf16_macs,
			.f32_macs = n * work.layers.f32_macs + n_logits * work.output.f32_macs,
		},
	};
	if (kind == BENCH_GENERATE) /* the cache as it is half-way through */
		test->work.bytes = n * (work.layers.bytes + work.output.bytes +
		                        read_of_cache(b, depth + (n + 1) / 2));
}

/* Tokens one by one, with short runs of reading between them, since the machine's load changes
 * from one second to the next. *us leaves these runs out. */
static enum status generate(struct bench *b, struct bench_test *test, uint64_t *us,
                            struct error *err)
{
	uint64_t begin = sys_now_us(), now;
	enum status status = STATUS_OK;

	*us = 0;
	for (size_t i = 0; i < test->n && !status; i++) {
		status = session_eval(b->evaluation.session, b->tokens + i, 1, test->depth + i, NULL,
		                      err);
		now = sys_now_us();
		if (!status && (now - begin >= BETWEEN_READS_US || i + 1 == test->n)) {
			*us += now - begin;
			status = bench_limits_read(&b->limits, &test->read, err);
			begin = sys_now_us();
		}
	}
	return status;
}

static enum status run_test(struct bench *b, struct bench_test *test, struct error *err)
{
	uint64_t begin = sys_now_us(), us;

	if (test->kind == BENCH_PROMPT) {
		if (session_eval(b->evaluation.session, b->tokens, test->n, test->depth, NULL, err))
			return err->status;
		us = sys_now_us() - begin;
	} else if (generate(b, test, &us, err)) {
		return err->status;
	}
	if (!samples_add(&test->rates, (double)test->n * 1e6 / (double)(us ? us : 1)))
		return error_no_memory(err, "for the figures");
	return STATUS_OK;
}

/* All tests of one depth, alternating with the limits: when other programs take their share
 * of the machine, all figures should feel it. */
static enum status run_depth(struct bench *b, size_t depth, struct error *err)
{
	if (depth && session_eval(b->evaluation.session, b->tokens, depth, 0, NULL, err))
		return err->status;
	for (size_t r = 0; r < b->repetitions; r++) {
		if (bench_limits_measure(&b->limits, err))
			return err->status;
		for (size_t i = 0; i < b->n_tests; i++)
			if (b->tests[i].depth == depth && run_test(b, &b->tests[i], err))
				return err->status;
	}
	return STATUS_OK;
}

static enum status run_all(struct bench *b, struct error *err)
{
	struct session *session = b->evaluation.session;
	size_t n_batch = memory_micro_batch(model_plan(b->evaluation.model), &b->params);
	size_t warm = b->n_prompt ? b->n_prompt : 1;

	stop_catch_signals();
	session_set_progress(session, stop_go_on, NULL);
	/* Once without measuring: it touches the pages and wakes the threads. */
	if (warm > n_batch)
		warm = n_batch;
	if (session_eval(session, b->tokens, warm, 0, NULL, err) ||
	    session_eval(session, b->tokens, 1, 0, NULL, err))
		return err->status;
	for (size_t i = 0; i < b->n_depths; i++)
		if (run_depth(b, b->depths[i], err))
			return err->status;
	return STATUS_OK;
}

static int print(const struct bench *b, bool json)
{
	const struct bench_result result = {
		.evaluation = &b->evaluation, .params = &b->params, .limits = &b->limits,
		.tests = b->tests, .n_tests = b->n_tests};
	struct buf out = {.max = MIB(16)};

	(json ? bench_result_json : bench_result_table)(&result, &out);
	return cli_print_buf(&out, "the figures");
}

static int bench(struct bench *b, bool json)
{
	struct error err;
	int rc = evaluation_open(&b->evaluation, &b->params);

	if (rc)
		return rc;
	if (bench_limits_open(&b->limits, &b->evaluation.compute, &err))
		return cli_fail(&err);
	for (size_t i = 0; i < b->n_depths; i++) {
		add_test(b, BENCH_PROMPT, b->n_prompt, b->depths[i]);
		add_test(b, BENCH_GENERATE, b->n_generated, b->depths[i]);
	}
	choose_tokens(b);
	if (run_all(b, &err))
		return stop_or_fail(&err);
	return print(b, json);
}

static void bench_free(struct bench *b)
{
	for (size_t i = 0; i < b->n_tests; i++)
		samples_free(&b->tests[i].rates);
	bench_limits_close(&b->limits);
	evaluation_close(&b->evaluation);
	free(b->tokens);
}

static int run(struct cli_setup *setup, void *own)
{
	const struct bench_params *params = own;
	struct bench b = {0};
	struct error err;
	int rc = read_params(&b, params, setup, &err) ? cli_fail(&err) : bench(&b, params->json);

	bench_free(&b);
	return rc;
}

const struct cli_command cli_bench = {
	.synopsis = "sotto bench [-m MODEL] [-p N] [-n N] [-r N] [--depth N,...] [OPTION]...",
	.text = "Measures how many tokens a second a model reads as a prompt (pp) and generates one by\n"
	        "one (tg, by default -n 128); with --depth, also after a conversation of that many\n"
	        "tokens (@ d). Next to each median is the most that this machine could do. For prompts\n"
	        "that is the multiply-adds of the model's matrices at the peak rate of the instruction\n"
	        "set in use (int8, f32 for wider weights, bf16 for BF16 where the set has it). For\n"
	        "generated tokens it is reading the weights and the cache from memory, at the best\n"
	        "rate of many short runs between the tests. There is no limit for a model of less than\n"
	        "twice the size of the processor's caches, nor where a test was more than 5 % faster\n"
	        "than its limit, which must then have been measured wrong.",
	CLI_OWN(bench_options, bench_params),
	.acts = EVALUATION_ACTS " predict",
	.run = run,
};
