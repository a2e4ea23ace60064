#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "engine/options.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/model.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "support/random_blocks.h"
#include "support/reference.h"
#include "support/tiny_model.h"

enum { N = 24 };

struct fixture {
	struct tiny_model tiny;
	struct buf file;
	struct model *model;
	size_t n_vocab;
	int32_t ids[N];
};

static void open_model(struct fixture *f, const struct tiny_model *tiny)
{
	struct test_random random = {99};
	struct gguf *gguf;
	struct error err = {0};

	f->tiny = *tiny;
	buf_init(&f->file, MIB(64));
	cr_assert_eq(tiny_model_write(tiny, &f->file, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, f->file.data, f->file.len, &err), STATUS_OK, "%s",
	             err.text);
	cr_assert_eq(model_open(&f->model, gguf, NULL, &err), STATUS_OK, "%s", err.text);
	f->n_vocab = model_plan(f->model)->n_vocab;
	for (size_t i = 0; i < N; i++)
		f->ids[i] = (int32_t)test_random_below(&random, f->n_vocab);
}

static void close_model(struct fixture *f)
{
	model_close(f->model);
	buf_free(&f->file);
}

/* Types of keys and values: each type for both, by enum kv_type, and some pairs. */
static const struct {
	int k, v;
} cache_types[] = {
	[KV_F16] = {KV_F16, KV_F16}, [KV_F32] = {KV_F32, KV_F32}, [KV_Q8_0] = {KV_Q8_0, KV_Q8_0},
	{KV_F16, KV_Q8_0}, {KV_Q8_0, KV_F32},
};
enum { N_CACHE_TYPES = sizeof cache_types / sizeof cache_types[0] };

static struct engine_params small_params(int kv_type, size_t n_batch, bool kv_cache)
{
	struct engine_params params = engine_params_default();

	params.n_ctx = 2 * N;
	params.n_batch = (int32_t)n_batch;
	params.kv_type_k = cache_types[kv_type].k;
	params.kv_type_v = cache_types[kv_type].v;
	params.kv_cache = kv_cache;
	return params;
}

static struct session *make_session(const struct fixture *f, struct threadpool *pool, int kv_type,
                                    size_t n_batch, bool kv_cache)
{
	struct engine_params params = small_params(kv_type, n_batch, kv_cache);
	struct session *session;
	struct error err = {0};

	cr_assert_eq(session_create(&session, f->model, &(struct compute){pool, isa_generic()},
	                            &params, &err),
	             STATUS_OK, "%s", err.text);
	return session;
}

/* The largest difference of our logits from the reference, in units of the
 * reference's root mean square. */
static double compare(const struct tiny_model *tiny, int kv_type)
{
	struct fixture f;
	struct session *session;
	double *expected, worst = 0, square = 0;
	float *logits;

	open_model(&f, tiny);
	expected = alloc_array(N * f.n_vocab, sizeof *expected);
	logits = alloc_array(N * f.n_vocab, sizeof *logits);
	cr_assert(expected && logits);
	reference_logits(tiny, model_gguf(f.model), f.ids, N, expected);
	session = make_session(&f, NULL, kv_type, 7, true);
	cr_assert_eq(session_eval(session, f.ids, N, 0, logits, NULL), STATUS_OK);
	for (size_t i = 0; i < N * f.n_vocab; i++) {
		worst = fmax(worst, fabs((double)logits[i] - expected[i]));
		square += expected[i] * expected[i] / (double)(N * f.n_vocab);
		cr_assert(isfinite(logits[i]));
	}
	session_free(session);
	free(expected);
	free(logits);
	close_model(&f);
	return worst / sqrt(square);
}

static void check_against_reference(const char *name, const struct tiny_model *tiny)
{
	double f32 = compare(tiny, KV_F32), f16 = compare(tiny, KV_F16);
	bool quants = block_info(tiny->type)->n_elements > 1;

	/* Quants are multiplied by activations of 8 bits, which changes the worst of these logits
	 * by three to seven hundredths; test_matmul.c checks the products closely. */
	cr_expect(f32 < (quants ? 1e-1 : 2e-5), "%s, f32 cache: off by %g", name, f32);
	cr_expect(f16 < (quants ? 1e-1 : 2e-2), "%s, f16 cache: off by %g", name, f16);
	cr_expect(f16 != f32, "%s: the caches do not differ", name);
}

Test(session, agrees_with_the_reference_in_every_configuration)
{
	static const struct {
		const char *name;
		struct tiny_model with; /* n_embd 0 = the default */
	} cases[] = {
		{"GQA", {.n_embd = 0}},
		{"MHA", {.n_head_kv = 4}},
		{"one KV head", {.n_head_kv = 1}},
		{"tied output", {.tied = true}},
		{"biases", {.biases = true}},
		{"linear rope scaling", {.rope_factor = 2.5f}},
		{"rope_freqs", {.rope_freqs = true}},
		{"rope_freqs and scaling", {.rope_freqs = true, .rope_factor = 4}},
		{"partial rotary", {.rope_dim = 2}},
		{"sliding window", {.window = 5}},
		{"window of one", {.window = 1}},
		{"window longer than the text", {.window = 1000}},
		{"long heads", {.key_length = 10, .value_length = 10}},
		{"V unlike K", {.key_length = 6, .value_length = 3}},
		{"odd sizes", {.n_embd = 60, .n_head = 5, .n_head_kv = 1, .n_ff = 37}},
		{"head of 80", {.n_embd = 160, .n_head = 2, .n_head_kv = 1, .n_ff = 96}},
		{"everything", {.biases = true, .rope_freqs = true, .window = 9, .rope_dim = 6,
		                .key_length = 8, .value_length = 5, .rope_factor = 2, .tied = true}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tiny_model tiny = tiny_model_default();
		const struct tiny_model *with = &cases[i].with;

		if (with->n_embd) {
			tiny.n_embd = with->n_embd;
			tiny.n_head = with->n_head;
			tiny.n_ff = with->n_ff;
		}
		if (with->n_head_kv)
			tiny.n_head_kv = with->n_head_kv;
		tiny.tied = with->tied;
		tiny.biases = with->biases;
		tiny.rope_freqs = with->rope_freqs;
		tiny.key_length = with->key_length;
		tiny.value_length = with->value_length;
		tiny.rope_dim = with->rope_dim;
		tiny.window = with->window;
		tiny.rope_factor = with->rope_factor;
		check_against_reference(cases[i].name, &tiny);
	}
}

Test(session, agrees_with_the_reference_for_every_block_type)
{
	for (size_t i = 0; i < random_n_block_types; i++) {
		struct tiny_model tiny = tiny_model_default();
		const struct block_info *info = block_info(random_block_types[i]);

		tiny.type = random_block_types[i];
		tiny.n_layer = 1;
		tiny.n_embd = info->n_elements > 32 ? 256 : 96;
		tiny.n_ff = info->n_elements > 32 ? 256 : 160;
		check_against_reference(info->name, &tiny);
	}
}

/* Token by token, in micro-batches, in several calls, with the cache or
 * without, on any number of threads: the same bits. */
Test(session, gives_the_same_bits_in_every_split)
{
	struct tiny_model tiny = tiny_model_default();
	struct fixture f;
	float *expected, *logits;
	size_t bytes;

	tiny.window = 11;
	tiny.n_embd = 64; /* enough for the pool's threads to be woken */
	tiny.n_ff = 96;
	open_model(&f, &tiny);
	bytes = N * f.n_vocab * sizeof(float);
	expected = alloc_array(1, bytes);
	logits = alloc_array(1, bytes);
	cr_assert(expected && logits);
	for (int kv_type = 0; kv_type < N_CACHE_TYPES; kv_type++) {
		struct session *session = make_session(&f, NULL, kv_type, N, true);

		cr_assert_eq(session_eval(session, f.ids, N, 0, expected, NULL), STATUS_OK);
		session_free(session);
		for (size_t threads = 1; threads <= 4; threads++) {
			struct threadpool *pool;

			cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
			for (size_t batch = 1; batch <= 9; batch += 2)
				for (size_t step = 1; step <= N; step += 5)
					for (int cache = 0; cache < 2; cache++) {
						session = make_session(&f, pool, kv_type, batch, cache);
						memset(logits, 0, bytes);
						for (size_t at = 0; at < N; at += step) {
							size_t n = N - at < step ? N - at : step;

							cr_assert_eq(session_eval(session, f.ids + at, n, at,
							                          logits + at * f.n_vocab, NULL),
							             STATUS_OK);
						}
						cr_assert_eq(memcmp(logits, expected, bytes), 0,
						             "%zu threads, batch %zu, step %zu, cache %d",
						             threads, batch, step, cache);
						cr_assert_eq(memcmp(session_logits(session),
						                    expected + (N - 1) * f.n_vocab,
						                    f.n_vocab * sizeof(float)), 0);
						session_free(session);
					}
			threadpool_free(pool);
		}
	}
	free(expected);
	free(logits);
	close_model(&f);
}

/* Tokens that were evaluated and dropped leave no trace. */
Test(session, forgets_what_is_dropped)
{
	struct tiny_model tiny = tiny_model_default();
	struct fixture f;
	struct session *session;
	int32_t other[N];
	float *expected;

	open_model(&f, &tiny);
	expected = alloc_array(f.n_vocab, sizeof *expected);
	cr_assert_not_null(expected);
	session = make_session(&f, NULL, KV_F16, 4, true);
	cr_assert_eq(session_eval(session, f.ids, N, 0, NULL, NULL), STATUS_OK);
	memcpy(expected, session_logits(session), f.n_vocab * sizeof *expected);
	for (size_t i = 0; i < N; i++)
		other[i] = f.ids[N - 1 - i];

	cr_assert_eq(session_eval(session, other, N, 10, NULL, NULL), STATUS_OK);
	cr_assert_eq(session_n_past(session), 10 + N);
	cr_assert_eq(session_eval(session, f.ids + 10, N - 10, 10, NULL, NULL), STATUS_OK);
	cr_assert_eq(session_n_past(session), N);
	cr_assert_eq(memcmp(session_tokens(session), f.ids, sizeof f.ids), 0);
	cr_assert_eq(memcmp(session_logits(session), expected, f.n_vocab * sizeof *expected), 0);
	session_free(session);
	free(expected);
	close_model(&f);
}

/* Returns how many tokens were in the cache. */
static size_t sync(struct session *session, const int32_t *ids, size_t n)
{
	size_t n_cached = session_reach(session, session_count_common(session, ids, n - 1));

	cr_assert_eq(session_sync(session, ids, n, NULL, NULL), STATUS_OK);
	return n_cached;
}

Test(session, sync_keeps_the_longest_common_prefix)
{
	struct tiny_model tiny = tiny_model_default();
	struct fixture f;
	struct session *session, *fresh;
	int32_t ids[N];

	open_model(&f, &tiny);
	session = make_session(&f, NULL, KV_F16, 8, true);
	cr_assert_eq(sync(session, f.ids, 12), 0);
	cr_assert_eq(sync(session, f.ids, N), 12);
	cr_assert_eq(sync(session, f.ids, N), N - 1, "the last token is evaluated always");
	cr_assert_eq(sync(session, f.ids, 5), 4);
	cr_assert_eq(session_n_past(session), 5);

	memcpy(ids, f.ids, sizeof ids);
	ids[3] = (ids[3] + 1) % (int32_t)f.n_vocab;
	cr_assert_eq(sync(session, ids, N), 3);
	fresh = make_session(&f, NULL, KV_F16, 8, true);
	cr_assert_eq(session_eval(fresh, ids, N, 0, NULL, NULL), STATUS_OK);
	cr_assert_eq(memcmp(session_logits(session), session_logits(fresh),
	                    f.n_vocab * sizeof(float)), 0);
	session_free(session);
	session_free(fresh);
	close_model(&f);
}

struct stop {
	size_t polls, stop_at; /* the poll that says stop */
	size_t done, total;
};

static bool stop_at(void *ctx, size_t done, size_t total)
{
	struct stop *stop = ctx;

	stop->done = done;
	stop->total = total;
	return ++stop->polls < stop->stop_at;
}

Test(session, stops_within_a_layer_and_goes_on_from_there)
{
	struct tiny_model tiny = tiny_model_default(); /* 2 layers: 2 polls a micro-batch, in the last 3 */
	struct fixture f;
	struct session *session, *fresh;

	open_model(&f, &tiny);
	fresh = make_session(&f, NULL, KV_F16, 8, true);
	cr_assert_eq(session_eval(fresh, f.ids, N, 0, NULL, NULL), STATUS_OK);
	for (size_t poll = 1; poll <= 7; poll++) {
		struct stop stop = {.stop_at = poll};
		struct error err = {0};
		size_t batch = poll < 5 ? (poll - 1) / 2 : 2, done = 8 * batch;

		session = make_session(&f, NULL, KV_F16, 8, true);
		session_set_progress(session, stop_at, &stop);
		cr_assert_eq(session_eval(session, f.ids, N, 0, NULL, &err), STATUS_CANCELLED);
		cr_assert_eq(stop.polls, poll, "nothing is computed after the stop");
		cr_assert_eq(stop.total, N);
		cr_assert_eq(stop.done, done + 8 * (poll - 2 * batch) / 3, "a layer is its share");
		cr_assert_eq(session_n_past(session), done);
		session_set_progress(session, NULL, NULL);
		cr_assert_eq(session_sync(session, f.ids, N, NULL, NULL), STATUS_OK);
		cr_assert_eq(memcmp(session_logits(session), session_logits(fresh),
		                    f.n_vocab * sizeof(float)), 0);
		session_free(session);
	}
	session_free(fresh);
	close_model(&f);
}

/* With threads a stop is noticed during a product, too: whenever it comes, evaluation can
 * continue from what is finished. */
Test(session, stops_in_the_middle_of_a_product)
{
	struct tiny_model tiny = tiny_model_default();
	struct fixture f;
	struct session *session, *fresh;
	size_t in_batch = 0;
	bool ended = false;

	tiny.n_embd = 128; /* enough for the pool */
	tiny.n_ff = 384;
	open_model(&f, &tiny);
	fresh = make_session(&f, NULL, KV_F16, 8, true);
	cr_assert_eq(session_eval(fresh, f.ids, N, 0, NULL, NULL), STATUS_OK);
	for (size_t threads = 1; threads <= 3; threads++) {
		struct threadpool *pool;

		cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
		session = make_session(&f, pool, KV_F16, 8, true);
		ended = false;
		for (size_t poll = 1; !ended; poll++) {
			struct stop stop = {.stop_at = poll};
			struct error err = {0};
			enum status status;

			session_set_progress(session, stop_at, &stop);
			status = session_eval(session, f.ids, N, 0, NULL, &err);
			ended = status == STATUS_OK;
			cr_assert(ended || status == STATUS_CANCELLED);
			cr_assert_eq(session_n_past(session) % 8, 0, "whole micro-batches");
			cr_assert_leq(session_n_past(session), stop.done);
			cr_assert_leq(stop.done, session_n_past(session) + 8);
			in_batch += stop.done % 8 != 0;
			session_set_progress(session, NULL, NULL);
			cr_assert_eq(session_sync(session, f.ids, N, NULL, NULL), STATUS_OK);
			cr_assert_eq(memcmp(session_logits(session), session_logits(fresh),
			                    f.n_vocab * sizeof(float)), 0);
		}
		session_free(session);
		threadpool_free(pool);
	}
	cr_assert_gt(in_batch, 20);
	session_free(fresh);
	close_model(&f);
}

Test(session, refuses_bad_arguments)
{
	struct tiny_model tiny = tiny_model_default();
	struct engine_params params;
	struct fixture f;
	struct session *session;
	struct error err = {0};
	int32_t bad;

	open_model(&f, &tiny);
	session = make_session(&f, NULL, KV_F16, 8, true);
	cr_assert_eq(session_n_ctx(session), 2 * N);
	cr_assert_eq(session_eval(session, f.ids, 0, 0, NULL, &err), STATUS_USAGE);
	cr_assert_eq(session_eval(session, f.ids, 1, 1, NULL, &err), STATUS_USAGE,
	             "beyond the history");
	bad = (int32_t)f.n_vocab;
	cr_assert_eq(session_eval(session, &bad, 1, 0, NULL, &err), STATUS_USAGE);
	bad = -1;
	cr_assert_eq(session_eval(session, &bad, 1, 0, NULL, &err), STATUS_USAGE);
	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(session_eval(session, f.ids, N, i * N, NULL, &err), STATUS_OK);
	cr_assert_eq(session_eval(session, f.ids, 1, 2 * N, NULL, &err), STATUS_CONTEXT);
	cr_assert_eq(session_eval(session, f.ids, N + 1, N, NULL, &err), STATUS_CONTEXT);
	cr_assert_eq(session_n_past(session), 2 * N, "a refused evaluation changes nothing");
	session_free(session);

	params = small_params(KV_F32, 64, true);
	params.n_ctx = INT32_MAX; /* 2^31 positions of 128 bytes: more than any machine has */
	cr_assert_eq(session_create(&session, f.model, &(struct compute){NULL, isa_generic()}, &params, &err), STATUS_NOMEM);
	cr_assert(strstr(err.text, "ctx-size"), "%s", err.text);
	close_model(&f);
}

Test(session, chooses_a_context_by_itself)
{
	struct tiny_model tiny = tiny_model_default();
	struct engine_params params = engine_params_default();

	for (uint32_t trained = 64; trained <= 65536; trained *= 32) {
		struct fixture f;
		struct session *session;

		tiny.n_ctx = trained;
		open_model(&f, &tiny);
		cr_assert_eq(session_create(&session, f.model, &(struct compute){NULL, isa_generic()}, &params, NULL), STATUS_OK);
		cr_assert_eq(session_n_ctx(session), trained < 8192 ? trained : 8192);
		session_free(session);
		close_model(&f);
	}
}

struct traced {
	size_t calls, last_layer, n;
};

static void note(void *ctx, size_t layer, const float *x, size_t n)
{
	struct traced *traced = ctx;

	cr_assert_eq(layer, traced->calls % 3);
	cr_assert(isfinite(x[0]));
	traced->calls++;
	traced->last_layer = layer;
	traced->n += n;
}

Test(session, traces_every_layer_and_the_final_norm)
{
	struct tiny_model tiny = tiny_model_default();
	struct traced traced = {0};
	struct fixture f;
	struct session *session;

	open_model(&f, &tiny);
	session = make_session(&f, NULL, KV_F16, 10, true);
	session_set_trace(session, note, &traced);
	cr_assert_eq(session_eval(session, f.ids, N, 0, NULL, NULL), STATUS_OK);
	cr_assert_eq(traced.calls, 9);
	cr_assert_eq(traced.n, 3 * N);
	session_free(session);
	close_model(&f);
}
