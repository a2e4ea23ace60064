/* The models of ../shared/testdata against their float64 reference: logits
 * (mean KL divergence, beside llama.cpp's own), traces of the residual stream,
 * the greedy continuation; and the same bits for every batch split, number of
 * threads, with and without the cache.
 *
 * SOTTO_TEST_LONG tries every batch size and number of threads on every model,
 * otherwise a sample of them. Single tokens, which take the most time, are left out where
 * two things that do not touch each other would only meet: without the cache, which changes
 * where an evaluation starts, on several threads; and with generic kernels on an even number
 * of threads, which share out panels as they do for the other instruction sets. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "support/isas.h"
#include "support/logits.h"
#include "support/testdata.h"

enum { N_IDS = 64, N_GREEDY_MAX = 512, MAX_LAYERS = 16 };

static int failures;

static void fail(const char *model, const char *what, double found, double expected)
{
	printf("FAIL %s: %s: found %.9g, expected %.9g\n", model, what, found, expected);
	failures++;
}

/* The bytes of a file of testdata; ends the program if there is none. */
static char *slurp(const char *dir, const char *name, size_t *len)
{
	struct error err;
	char path[1024], *data;
	size_t n;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	if (sys_read_file(path, (size_t)1 << 28, &data, &n, &err)) {
		printf("FAIL %s\n", err.text);
		exit(1);
	}
	if (len)
		*len = n;
	return data;
}

static size_t read_ids(const char *dir, const char *name, int32_t *ids, size_t max)
{
	char *text = slurp(dir, name, NULL), *at = text, *end;
	size_t n = 0;

	for (; n < max; at = end) {
		long id = strtol(at, &end, 10);

		if (end == at)
			break;
		ids[n++] = (int32_t)id;
	}
	free(text);
	return n;
}

struct sums {
	size_t n_embd;
	double square[MAX_LAYERS + 1], sum[MAX_LAYERS + 1];
	size_t count[MAX_LAYERS + 1];
};

static void add_trace(void *ctx, size_t layer, const float *x, size_t n)
{
	struct sums *sums = ctx;

	for (size_t i = 0; i < n * sums->n_embd; i++) {
		sums->square[layer] += (double)x[i] * (double)x[i];
		sums->sum[layer] += (double)x[i];
	}
	sums->count[layer] += n * sums->n_embd;
}

static void check_trace(const char *logits_dir, const char *name, const struct sums *sums,
                        size_t n_layer)
{
	char file[1200], *text, *line, *rest;
	/* If the file has half or full precision, only our own rounding and that of the f16 cache
	 * separate the two. */
	double tolerance = strstr(name, "f32") || strstr(name, "f16") ? 1e-3 : 1e-2;
	size_t layer = 0;

	snprintf(file, sizeof file, "%s/%s.trace", logits_dir, name);
	if (access(file, R_OK) != 0) /* the types of blocks-next.tsv */
		return;
	snprintf(file, sizeof file, "%s.trace", name);
	text = slurp(logits_dir, file, NULL);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		double rms, mean, count = (double)sums->count[layer];

		if (layer > n_layer || sscanf(line, "%*s %lf %lf", &rms, &mean) != 2) {
			fail(name, "lines of the trace", (double)layer, (double)n_layer);
			break;
		}
		if (!(fabs(sqrt(sums->square[layer] / count) - rms) <= tolerance))
			fail(name, line, sqrt(sums->square[layer] / count), rms);
		if (!(fabs(sums->sum[layer] / count - mean) <= tolerance))
			fail(name, line, sums->sum[layer] / count, mean);
		layer++;
	}
	if (layer != n_layer + 1)
		fail(name, "lines of the trace", (double)layer, (double)n_layer + 1);
	free(text);
}

static const struct isa *isa;

static struct session *make_session(const struct model *model, struct threadpool *pool,
                                    size_t n_batch, bool kv_cache)
{
	struct logits_options options = {
		.n_ctx = 256, .n_batch = (int32_t)n_batch, .no_cache = !kv_cache, .pool = pool,
		.isa = isa};

	return logits_open_session(model, &options);
}

static void check_splits(const char *name, const struct model *model, const int32_t *ids,
                         const float *expected)
{
	size_t n_vocab = model_plan(model)->n_vocab, bytes = N_IDS * n_vocab * sizeof(float);
	bool thorough = getenv("SOTTO_TEST_LONG") != NULL;
	float *out = malloc(bytes);

	for (size_t threads = 1; threads <= 4; threads++) {
		struct threadpool *pool;

		if (!out || threadpool_create(&pool, threads, NULL))
			exit(1);
		for (size_t batch = 1; batch <= N_IDS; batch += thorough ? 1 : 21 * threads + 10)
			for (int cache = 0; cache < 2; cache++) {
				struct session *session;

				if (!thorough && batch == 1 && threads > 1 &&
				    (!cache || (isa == isa_generic() && threads % 2 == 0)))
					continue;
				session = make_session(model, pool, batch, cache);
				memset(out, 0, bytes);
				logits_evaluate(session, ids, N_IDS, batch * 5 % 41, n_vocab, out);
				if (memcmp(out, expected, bytes) != 0)
					fail(name, cache ? "logits of a batch split"
					                 : "logits without the cache",
					     (double)batch, (double)threads);
				session_free(session);
			}
		threadpool_free(pool);
	}
	free(out);
}

static void check_greedy(const char *logits_dir, const char *name, const struct model *model)
{
	size_t n_vocab = model_plan(model)->n_vocab, n, n_prompt = 4;
	int32_t expected[N_GREEDY_MAX], next;
	char file[1200];
	struct stat st;

	snprintf(file, sizeof file, "%s/%s.greedy.ids", logits_dir, name);
	if (stat(file, &st) != 0)
		return;
	snprintf(file, sizeof file, "%s.greedy.ids", name);
	n = read_ids(logits_dir, file, expected, N_GREEDY_MAX);
	for (int cache = 0; cache < 2; cache++) {
		struct session *session = make_session(model, NULL, 64, cache);
		struct error err;
		size_t count = n_prompt;

		for (size_t at = 0; at + count < n; at += count, count = cache ? 1 : 10) {
			must(session_eval(session, expected + at, count, at, NULL, &err), &err);
			next = logits_best(session_logits(session), n_vocab);
			if (next != expected[at + count]) {
				fail(name, "greedy token", next, expected[at + count]);
				break;
			}
		}
		session_free(session);
	}
	printf("%s: greedy continuation of %zu tokens compared\n", name, n);
}

/* A cache in 8 bits, beside the default. What is lost is the type's rounding: a
 * bit more or less changes it fourfold, and a round trip in double precision
 * loses as much. Keys of a trained model have outliers, and scores feel them;
 * the tiny models' weights are random. Measured: 3.8e-3 and 4.7e-5; where weights
 * have quants, activations are rounded the other way here and there: 6.1e-3 and
 * 3.9e-4. */
static void check_q8_0_cache(const char *name, const struct model *model, const int32_t *ids,
                             const float *expected)
{
	struct logits_options options = {.n_ctx = 256, .kv_type = KV_Q8_0};
	size_t n_vocab = model_plan(model)->n_vocab;
	float *logits = logits_of_model(model, &options, ids, N_IDS);
	bool floats = strstr(name, "f16") || strstr(name, "f32");
	double bound = strstr(name, "stories") ? (floats ? 6e-3 : 9e-3) : floats ? 1e-4 : 6e-4;
	double kl = logits_mean_kl(expected, logits, N_IDS, n_vocab);

	printf("%-20s %10.3e   q8_0 cache\n", name, kl);
	if (!(kl <= bound))
		fail(name, "mean KL divergence of a q8_0 cache from f16", kl, bound);
	free(logits);
}

/* Returns our figure divided by llama.cpp's. */
static double check_model(const char *testdata, const char *name, double llama_cpp)
{
	char dir[1024], file[1200];
	struct sums sums = {0};
	struct model *model;
	struct session *session;
	int32_t ids[N_IDS];
	size_t n_vocab, n_layer, len;
	float *reference, *logits;
	double kl;

	snprintf(dir, sizeof dir, "%s/logits", testdata);
	snprintf(file, sizeof file, "%s/models/%s.gguf", testdata, name);
	model = logits_open_model(file);
	n_vocab = model_plan(model)->n_vocab;
	n_layer = model_plan(model)->n_layer;
	snprintf(file, sizeof file, "%s.ids", name);
	if (read_ids(dir, file, ids, N_IDS) != N_IDS)
		fail(name, "ids in the file", 0, N_IDS);
	snprintf(file, sizeof file, "%s.f32", name);
	reference = (float *)(void *)slurp(dir, file, &len);
	logits = malloc(N_IDS * n_vocab * sizeof *logits);
	if (!logits || len != N_IDS * n_vocab * sizeof *logits || n_layer > MAX_LAYERS) {
		fail(name, "bytes of reference logits", (double)len, (double)N_IDS * 4.0 * (double)n_vocab);
		exit(1);
	}

	session = make_session(model, NULL, N_IDS, true);
	sums.n_embd = model_plan(model)->n_embd;
	session_set_trace(session, add_trace, &sums);
	logits_evaluate(session, ids, N_IDS, 0, n_vocab, logits);
	session_free(session);
	kl = logits_mean_kl(reference, logits, N_IDS, n_vocab);
	printf("%-20s %10.3e %10.3e %8.4f\n", name, kl, llama_cpp, kl / llama_cpp);
	if (!(kl <= 1.1 * llama_cpp))
		fail(name, "mean KL divergence", kl, 1.1 * llama_cpp);

	check_trace(dir, name, &sums, n_layer);
	check_q8_0_cache(name, model, ids, logits);
	check_splits(name, model, ids, logits);
	check_greedy(dir, name, model);
	free(reference);
	free(logits);
	model_close(model);
	return fmax(kl, 1e-12) / llama_cpp;
}

/* The models of a table, or those with `only` in their names: how many there are, and the sum
 * of the logarithms of our figures divided by llama.cpp's. */
static size_t check_table(const char *testdata, const char *file, const char *only, double *log_sum)
{
	char *table = slurp(testdata, file, NULL), *line, *rest;
	size_t n = 0;

	*log_sum = 0;
	for (line = strtok_r(table, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char name[64];
		double kl;

		if (sscanf(line, "%63s %lf", name, &kl) != 2) /* the heading */
			continue;
		if (only && !strstr(name, only))
			continue;
		*log_sum += log(check_model(testdata, name, kl));
		n++;
	}
	free(table);
	printf("geometric mean of %zu ratios: %.4f\n", n, exp(*log_sum / (double)n));
	return n;
}

/* All models, or those with `only` in their names. Returns false if there are no data. */
static bool check_models(const char *only)
{
	const char *testdata = testdata_root();
	char path[1024];
	double log_sum;
	size_t n;

	snprintf(path, sizeof path, "%s/logits/llama.cpp.tsv", testdata);
	if (access(path, R_OK) != 0) {
		printf("skipped: looked for %s\n", path);
		return false;
	}
	printf("\n%-20s %10s %10s %8s   (mean KL divergence from float64; %s)\n", "model", "ours",
	       "llama.cpp", "ratio", isa->name);
	n = check_table(testdata, "logits/llama.cpp.tsv", only, &log_sum);
	/* measured: 0.48, owing to activations with a scale per 32; 0.68 where those
	 * that meet BF16 are rounded as llama.cpp rounds them */
	if (n == 0 || (!only && !(exp(log_sum / (double)n) <= (isa->bf16 ? 0.75 : 0.55))))
		fail("all", "geometric mean", exp(log_sum / (double)n), isa->bf16 ? 0.75 : 0.55);
	if (only)
		return true;
	n = check_table(testdata, "logits/blocks-next.tsv", only, &log_sum);
	if (n == 0 || !(exp(log_sum / (double)n) <= 0.6)) /* measured: 0.54 */
		fail("types of few bits", "geometric mean", exp(log_sum / (double)n), 0.6);
	return true;
}

int main(void)
{
	struct error err = {0};

	must(isa_find(&isa, NULL, &err), &err);
	if (!check_models(NULL))
		return 77;
	isa = isa_generic();
	check_models(NULL);
	for (isa = NULL; (isa = next_isa(isa));)
		if (isa->bf16)
			check_models("bf16");
	return failures != 0;
}
