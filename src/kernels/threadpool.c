/* A task is published by raising `generation`. Threads spin on it for a
 * little while (tasks follow each other within microseconds while tokens are
 * computed) and then sleep on a condition variable; so does the caller when
 * it waits for the last ones. `busy` is the only hand-over back: the task's
 * fields are written before `generation` is released and not again before
 * `busy` has reached zero. `stopped` alone may be raised in mid-task. */
#include "kernels/threadpool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/alloc.h"

enum { SPINS = 2000 };

struct worker_slot {
	struct threadpool *pool;
	size_t index; /* 1 .. n_threads - 1; the caller is 0 */
	pthread_t thread;
};

struct threadpool {
	size_t n_threads;
	size_t n_started; /* pool threads running */
	struct worker_slot *slots;

	pthread_mutex_t mutex; /* guards sleeping: nothing else */
	pthread_cond_t wake, done;
	bool stop; /* under mutex, or before generation is raised */

	atomic_uint generation;
	atomic_size_t next; /* first item not yet taken */
	atomic_size_t busy; /* pool threads that have not finished the task */

	threadpool_task task;
	void *ctx;
	size_t n_items, grain;

	threadpool_stop must_stop; /* the caller's thread only */
	void *must_stop_ctx;
	atomic_bool stopped;
};

static void spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

/* The caller asks, the others see what it was told. */
static bool is_stopped(struct threadpool *pool, size_t thread)
{
	if (thread == 0 && pool->must_stop && pool->must_stop(pool->must_stop_ctx))
		atomic_store_explicit(&pool->stopped, true, memory_order_relaxed);
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

static void work(struct threadpool *pool, size_t thread)
{
	while (!is_stopped(pool, thread)) {
		size_t begin = atomic_fetch_add_explicit(&pool->next, pool->grain,
		                                         memory_order_relaxed);
		size_t left;

		if (begin >= pool->n_items)
			return;
		left = pool->n_items - begin;
		pool->task(pool->ctx, begin, begin + (left < pool->grain ? left : pool->grain),
		           thread);
	}
}

/* Waits until the generation is no longer `seen`. */
static unsigned wait_for_task(struct threadpool *pool, unsigned seen)
{
	unsigned generation;

	for (int i = 0; i < SPINS; i++) {
		generation = atomic_load_explicit(&pool->generation, memory_order_acquire);
		if (generation != seen)
			return generation;
		spin_pause();
	}
	pthread_mutex_lock(&pool->mutex);
	while ((generation = atomic_load(&pool->generation)) == seen)
		pthread_cond_wait(&pool->wake, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
	return generation;
}

static void *run_thread(void *arg)
{
	struct worker_slot *slot = arg;
	struct threadpool *pool = slot->pool;
	unsigned seen = 0;

	for (;;) {
		seen = wait_for_task(pool, seen);
		if (pool->stop)
			return NULL;
		work(pool, slot->index);
		if (atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_acq_rel) == 1) {
			pthread_mutex_lock(&pool->mutex);
			pthread_cond_signal(&pool->done);
			pthread_mutex_unlock(&pool->mutex);
		}
	}
}

static void publish(struct threadpool *pool)
{
	/* Under the mutex, so that a thread about to sleep does not miss it. */
	pthread_mutex_lock(&pool->mutex);
	atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->mutex);
}

static void wait_for_threads(struct threadpool *pool)
{
	for (int i = 0; i < SPINS; i++) {
		if (atomic_load_explicit(&pool->busy, memory_order_acquire) == 0)
			return;
		spin_pause();
	}
	pthread_mutex_lock(&pool->mutex);
	while (atomic_load(&pool->busy) != 0)
		pthread_cond_wait(&pool->done, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
}

void threadpool_run(struct threadpool *pool, size_t n_items, size_t grain,
                    threadpool_task task, void *ctx)
{
	if (n_items == 0)
		return;
	if (!pool) {
		task(ctx, 0, n_items, 0);
		return;
	}
	if (threadpool_was_stopped(pool))
		return;
	if (n_items <= grain) {
		task(ctx, 0, n_items, 0);
		return;
	}
	pool->task = task;
	pool->ctx = ctx;
	pool->n_items = n_items;
	pool->grain = grain ? grain : 1;
	atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
	atomic_store_explicit(&pool->busy, pool->n_started, memory_order_relaxed);
	if (pool->n_started)
		publish(pool);
	work(pool, 0);
	wait_for_threads(pool);
}

void threadpool_set_stop(struct threadpool *pool, threadpool_stop stop, void *ctx)
{
	if (!pool)
		return;
	pool->must_stop = stop;
	pool->must_stop_ctx = ctx;
	atomic_store_explicit(&pool->stopped, false, memory_order_relaxed);
}

bool threadpool_was_stopped(const struct threadpool *pool)
{
	return pool && atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

size_t threadpool_n_threads(const struct threadpool *pool)
{
	return pool ? pool->n_threads : 1;
}

enum status threadpool_create(struct threadpool **out, size_t n_threads, struct error *err)
{
	struct threadpool *pool;
	sigset_t all, old;
	enum status status = STATUS_OK;
	int errnum;

	if (n_threads < 1 || n_threads > THREADPOOL_MAX)
		return error_set(err, STATUS_USAGE, "%zu threads: expected 1 to %d", n_threads,
		                 THREADPOOL_MAX);
	pool = alloc_array(1, sizeof *pool);
	if (!pool)
		return error_set(err, STATUS_NOMEM, "not enough memory for the thread pool");
	pool->n_threads = n_threads;
	pool->slots = alloc_array(n_threads, sizeof *pool->slots);
	if (!pool->slots) {
		free(pool);
		return error_set(err, STATUS_NOMEM, "not enough memory for the thread pool");
	}
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->wake, NULL);
	pthread_cond_init(&pool->done, NULL);

	/* Threads inherit the mask of their creator. Faults stay open: SIGBUS
	 * has a handler that saves us when the model file is cut short. */
	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (size_t i = 1; i < n_threads; i++) {
		struct worker_slot *slot = &pool->slots[i];

		slot->pool = pool;
		slot->index = i;
		errnum = pthread_create(&slot->thread, NULL, run_thread, slot);
		if (errnum) {
			status = error_errno(err, errnum, "cannot start thread %zu of %zu", i,
			                     n_threads);
			if (errnum == EAGAIN) { /* no room for its stack, or too many */
				status = STATUS_NOMEM;
				if (err)
					err->status = status;
			}
			break;
		}
		pool->n_started++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (status) {
		threadpool_free(pool);
		return status;
	}
	*out = pool;
	return STATUS_OK;
}

void threadpool_free(struct threadpool *pool)
{
	if (!pool)
		return;
	pool->stop = true;
	publish(pool);
	for (size_t i = 1; i <= pool->n_started; i++)
		pthread_join(pool->slots[i].thread, NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->wake);
	pthread_mutex_destroy(&pool->mutex);
	free(pool->slots);
	free(pool);
}
