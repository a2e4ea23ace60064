/* The thread pool and what runs on it, for ThreadSanitizer: many short tasks
 * in a row (threads spinning), tasks far apart (threads asleep), and a tiny
 * model evaluated on four threads and on one, which must agree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "engine/options.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/model.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "support/tiny_model.h"

enum { ITEMS = 257, N_IDS = 40 };

static int failures;

static void fail(const char *what, size_t n)
{
	printf("FAIL: %s (%zu)\n", what, n);
	failures++;
}

struct shell_job {
	unsigned values[ITEMS]; /* plain memory: each item belongs to one thread */
};

static void work(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct shell_job *job = ctx;

	(void)thread;
	for (size_t i = begin; i < end; i++)
		job->values[i] += (unsigned)i;
}

static void test_tasks(void)
{
	for (size_t threads = 1; threads <= 8; threads++) {
		struct threadpool *pool;
		struct shell_job job = {0};
		unsigned rounds = 0;

		if (threadpool_create(&pool, threads, NULL)) {
			fail("no pool", threads);
			return;
		}
		for (; rounds < 400; rounds++) {
			threadpool_run(pool, ITEMS, 1 + rounds % 40, work, &job);
			if (rounds % 100 == 0) /* long enough for everyone to fall asleep */
				nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
		}
		for (size_t i = 0; i < ITEMS; i++)
			if (job.values[i] != rounds * (unsigned)i)
				fail("an item was not done once a round", i);
		threadpool_free(pool);
	}
}

struct asked {
	unsigned n, stop_at;
};

static bool ask(void *ctx)
{
	struct asked *asked = ctx;

	return ++asked->n >= asked->stop_at;
}

/* After a stop nothing is begun, until it is set anew. */
static void test_stop(void)
{
	for (size_t threads = 1; threads <= 8; threads++) {
		struct threadpool *pool;

		if (threadpool_create(&pool, threads, NULL)) {
			fail("no pool", threads);
			return;
		}
		for (unsigned at = 1; at < 40; at++) {
			struct asked asked = {.stop_at = at};
			struct shell_job job = {0};
			unsigned done = 0;

			threadpool_set_stop(pool, ask, &asked);
			while (!threadpool_was_stopped(pool))
				threadpool_run(pool, ITEMS, 100, work, &job);
			memset(&job, 0, sizeof job);
			threadpool_run(pool, ITEMS, 1, work, &job);
			threadpool_run(pool, ITEMS, ITEMS, work, &job);
			for (size_t i = 0; i < ITEMS; i++)
				done += job.values[i];
			if (done || asked.n != at)
				fail("something was begun after the stop", at);
			threadpool_set_stop(pool, NULL, NULL);
			threadpool_run(pool, ITEMS, 1, work, &job);
			for (size_t i = 0; i < ITEMS; i++)
				if (job.values[i] != (unsigned)i)
					fail("an item was left out", i);
		}
		threadpool_free(pool);
	}
}

/* The logits of the last of N_IDS tokens. */
static void evaluate(const struct model *model, size_t threads, size_t batch, float *out)
{
	size_t n_vocab = model_plan(model)->n_vocab;
	struct engine_params params = engine_params_default();
	struct threadpool *pool = NULL;
	struct session *session = NULL;
	int32_t ids[N_IDS];

	params.n_batch = (int32_t)batch;
	for (size_t i = 0; i < N_IDS; i++)
		ids[i] = (int32_t)(i * 7 % n_vocab);
	if (threadpool_create(&pool, threads, NULL) ||
	    session_create(&session, model, &(struct compute){pool, isa_generic()}, &params, NULL) ||
	    session_eval(session, ids, N_IDS, 0, NULL, NULL))
		fail("no evaluation", threads);
	else
		memcpy(out, session_logits(session), n_vocab * sizeof *out);
	session_free(session);
	threadpool_free(pool);
}

static void test_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf *gguf;
	struct model *model;
	struct buf file = {.max = MIB(16)};
	float *one, *four;
	size_t bytes;

	tiny.n_embd = 128;
	tiny.n_ff = 192;
	if (tiny_model_write(&tiny, &file, NULL) ||
	    gguf_open_memory(&gguf, file.data, file.len, NULL) ||
	    model_open(&model, gguf, NULL, NULL)) {
		fail("no model", 0);
		return;
	}
	bytes = model_plan(model)->n_vocab * sizeof(float);
	one = calloc(1, bytes);
	four = calloc(1, bytes);
	if (one && four) {
		evaluate(model, 1, 64, one);
		for (size_t batch = 1; batch <= 16; batch += 5) {
			evaluate(model, 4, batch, four);
			if (memcmp(one, four, bytes) != 0)
				fail("logits on four threads differ, batch", batch);
		}
	}
	free(one);
	free(four);
	model_close(model);
	buf_free(&file);
}

int main(void)
{
	test_tasks();
	test_stop();
	test_model();
	printf("%d failed\n", failures);
	return failures != 0;
}
