/* How quickly the thread pool hands out tasks: empty ones, where nothing but
 * the handing out takes time, and some as long as a small matrix product; then
 * with pauses between them, after which the threads are asleep.
 *
 * usage: bench/threadpool [THREADS]...     (2 and all cores where none is said)
 * Run it beside a busy program for each core, too. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/sys.h"
#include "kernels/threadpool.h"

enum { RUN_US = 300000, ROUNDS = 3, ITEMS = 64 };

static unsigned sinks[ITEMS][16]; /* a cache line for each item */

static void nothing(void *ctx, size_t begin, size_t end, size_t thread)
{
	(void)ctx, (void)begin, (void)end, (void)thread;
}

/* Some 50 us of arithmetic for all items together. */
static void little(void *ctx, size_t begin, size_t end, size_t thread)
{
	(void)ctx, (void)thread;
	for (size_t i = begin; i < end; i++)
		for (unsigned j = 0; j < 400; j++)
			sinks[i][0] = sinks[i][0] * 1664525u + j;
}

/* Tasks a second, in the best round: the others were disturbed. */
static double rate(struct threadpool *pool, threadpool_task task, long pause_ns)
{
	double best = 0;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t begin = sys_now_us(), us = 0, paused = 0;
		unsigned n = 0;

		for (; us < RUN_US; n++, us = sys_now_us() - begin) {
			threadpool_run(pool, ITEMS, 1, task, NULL);
			if (pause_ns) {
				uint64_t from = sys_now_us();

				nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
				paused += sys_now_us() - from;
			}
		}
		if (n / (double)(us - paused) > best)
			best = n / (double)(us - paused);
	}
	return best * 1e6;
}

static int measure(size_t n_threads)
{
	struct threadpool *pool;
	struct error err;

	if (threadpool_create(&pool, n_threads, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	printf("%3zu threads: %10.0f empty tasks/s, %8.0f small ones, %8.0f after pauses of 1 ms\n",
	       n_threads, rate(pool, nothing, 0), rate(pool, little, 0), rate(pool, little, 1000000));
	threadpool_free(pool);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= measure((size_t)strtoul(argv[i], NULL, 10));
	if (argc > 1)
		return failed;
	failed = measure(1) | measure(2);
	if (sys_cpu_count() > 2)
		failed |= measure((size_t)sys_cpu_count());
	return failed;
}
