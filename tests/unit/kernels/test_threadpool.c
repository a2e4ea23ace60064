#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

#include "base/limits.h"
#include "base/sys.h"
#include "kernels/threadpool.h"

enum { ITEMS = 1000 };

struct job {
	atomic_int done[ITEMS];
	atomic_size_t per_thread[8];
	atomic_int wrong_masks;
};

static void count(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct job *job = ctx;
	sigset_t mask;

	for (size_t i = begin; i < end; i++)
		atomic_fetch_add(&job->done[i], 1);
	atomic_fetch_add(&job->per_thread[thread], 1);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	if (thread != 0 && (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGTERM) ||
	                    sigismember(&mask, SIGBUS)))
		atomic_fetch_add(&job->wrong_masks, 1);
}

Test(threadpool, does_every_item_once)
{
	for (size_t threads = 1; threads <= 5; threads++) {
		struct threadpool *pool;

		cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
		cr_assert_eq(threadpool_n_threads(pool), threads);
		for (int round = 0; round < 300; round++) {
			size_t n = (size_t)(round * 37 % ITEMS), grain = (size_t)(round % 13);
			struct job job = {0};

			threadpool_run(pool, n, grain, count, &job);
			for (size_t i = 0; i < ITEMS; i++)
				cr_assert_eq(atomic_load(&job.done[i]), i < n, "item %zu of %zu", i, n);
			cr_assert_eq(atomic_load(&job.wrong_masks), 0);
		}
		threadpool_free(pool);
	}
}

Test(threadpool, no_pool_runs_in_the_caller)
{
	struct job job = {0};

	threadpool_run(NULL, 10, 3, count, &job);
	cr_assert_eq(atomic_load(&job.per_thread[0]), 1);
	cr_assert_eq(threadpool_n_threads(NULL), 1);
	threadpool_free(NULL);
}

Test(threadpool, refuses_numbers_out_of_range)
{
	struct threadpool *pool;
	struct error err;

	cr_assert_eq(threadpool_create(&pool, 0, &err), STATUS_USAGE);
	cr_assert_eq(threadpool_create(&pool, THREADPOOL_MAX + 1, &err), STATUS_USAGE);
}

Test(threadpool, leaves_the_signal_mask_of_its_creator_alone)
{
	struct threadpool *pool;
	sigset_t before, after;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	cr_assert_eq(threadpool_create(&pool, 3, NULL), STATUS_OK);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int sig = 1; sig < 32; sig++)
		cr_assert_eq(sigismember(&before, sig), sigismember(&after, sig));
	threadpool_free(pool);
}

/* Room for a few stacks: those that were started end again. */
Test(threadpool, says_when_a_thread_cannot_be_started)
{
	struct rlimit limit = {(rlim_t)1 << 46, RLIM_INFINITY};
	struct threadpool *pool;
	struct error err;

	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	limit.rlim_cur -= (rlim_t)sys_address_space_left() - MIB(40);
	cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
	cr_assert_eq(threadpool_create(&pool, 100, &err), STATUS_NOMEM);
	cr_assert_not_null(strstr(err.text, "cannot start thread"), "%s", err.text);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &limit);
	cr_assert_eq(threadpool_create(&pool, 3, &err), STATUS_OK);
	cr_assert_eq(threadpool_n_threads(pool), 3);
	threadpool_free(pool);
}

/* All items but a few are one thread's share, which the others take over. */
static void wait_in_the_first(void *ctx, size_t begin, size_t end, size_t thread)
{
	struct job *job = ctx;

	count(ctx, begin, end, thread);
	if (begin == 0)
		while (atomic_load(&job->done[ITEMS / 2 - 1]) == 0) /* of the same share */
			sched_yield();
}

Test(threadpool, takes_over_what_a_slow_thread_has_left)
{
	struct threadpool *pool;

	cr_assert_eq(threadpool_create(&pool, 2, NULL), STATUS_OK);
	for (int round = 0; round < 20; round++) {
		struct job job = {0};

		threadpool_run(pool, ITEMS, 1, wait_in_the_first, &job);
		for (size_t i = 0; i < ITEMS; i++)
			cr_assert_eq(atomic_load(&job.done[i]), 1);
	}
	threadpool_free(pool);
}
