/* Items are shared out beforehand, a stretch for each thread, so that each reads its part of
 * the weights in one stream; a thread that is done takes pieces of the others'. A thread that
 * comes late, since other programs use its processor, finds its part done, and nobody has
 * waited for it: threads may enter a task while there are pieces left, and it is over when it
 * is closed and all who entered have left.
 *
 * Threads look for the next task for some microseconds (tasks follow each other
 * closely while tokens are computed) and then sleep; so does the caller when it
 * waits for the last pieces. The task's fields are written before `inside` is
 * opened and not again before it is closed and empty; `stopped` alone may be
 * raised in mid-task. */
#include "kernels/threadpool.h"

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sys.h"
#include "base/thread.h"
#include "kernels/wait.h"

enum {
	SPIN_US = 40, /* longer than between two tasks, shorter than a time slice */
	SPINS_A_LOOK = 32, /* at the clock */
	CACHE_LINE = 64
};

/* Bits of `inside`, beside the number of threads. */
enum {
	AWAITED = 1 << 30, /* the caller sleeps until it is empty */
	OPEN = 1 << 29
};

struct worker_slot {
	struct threadpool *pool;
	size_t index; /* 1 .. n_threads - 1; the caller is 0 */
	pthread_t thread;
};

/* A thread's part of the task's items. */
struct share {
	alignas(CACHE_LINE) atomic_size_t next; /* the first not yet taken */
	size_t end;
};

struct threadpool {
	size_t n_threads;
	size_t n_started; /* pool threads running */
	struct worker_slot *slots;
	struct share *shares; /* [n_threads] */

	alignas(CACHE_LINE) atomic_uint generation; /* of tasks; raised for each */
	atomic_uint asleep; /* 1: threads may sleep and need to be woken for the next */
	atomic_bool quit;

	alignas(CACHE_LINE) atomic_uint inside;

	alignas(CACHE_LINE) threadpool_task task;
	void *ctx;
	size_t grain;

	threadpool_stop must_stop; /* the caller's thread only */
	void *must_stop_ctx;
	atomic_bool stopped;
};

/* Spinning for a while. */
struct spin {
	unsigned n;
	uint64_t end_us;
};

/* False when it has been long enough. */
static bool spin_on(struct spin *spin)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
	if (++spin->n % SPINS_A_LOOK != 0)
		return true;
	if (!spin->end_us)
		spin->end_us = sys_now_us() + SPIN_US;
	return sys_now_us() < spin->end_us;
}

/* The caller asks, the others read its answer. */
static bool is_stopped(struct threadpool *pool, size_t thread)
{
	if (thread == 0 && pool->must_stop && pool->must_stop(pool->must_stop_ctx))
		atomic_store_explicit(&pool->stopped, true, memory_order_relaxed);
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

/* Takes a share's pieces until there are none; false: stopped. */
static bool work_on(struct threadpool *pool, struct share *share, size_t thread)
{
	size_t grain = pool->grain, end = share->end;

	while (atomic_load_explicit(&share->next, memory_order_relaxed) < end) {
		size_t begin;

		if (is_stopped(pool, thread))
			return false;
		begin = atomic_fetch_add_explicit(&share->next, grain, memory_order_relaxed);
		if (begin < end)
			pool->task(pool->ctx, begin, end - begin < grain ? end : begin + grain, thread);
	}
	return true;
}

/* Its own share, then what the others have left. */
static void work(struct threadpool *pool, size_t thread)
{
	for (size_t i = 0; i < pool->n_threads; i++)
		if (!work_on(pool, &pool->shares[(thread + i) % pool->n_threads], thread))
			return;
}

static void share_out(struct threadpool *pool, size_t n_items)
{
	size_t n_pieces = n_items / pool->grain + (n_items % pool->grain != 0);
	size_t each = n_pieces / pool->n_threads, more = n_pieces % pool->n_threads, piece = 0;

	for (size_t i = 0; i < pool->n_threads; i++) {
		struct share *share = &pool->shares[i];

		atomic_store_explicit(&share->next, piece * pool->grain, memory_order_relaxed);
		piece += each + (i < more);
		share->end = piece < n_pieces ? piece * pool->grain : n_items;
	}
}

/* Waits until the generation is no longer `seen`. */
static unsigned wait_for_task(struct threadpool *pool, unsigned seen)
{
	struct spin spin = {0};
	unsigned generation;

	do {
		generation = atomic_load_explicit(&pool->generation, memory_order_acquire);
		if (generation != seen)
			return generation;
	} while (spin_on(&spin));
	for (;;) {
		/* Sets the flag first, then checks; the caller raises the generation first, then
		 * checks. */
		atomic_store(&pool->asleep, 1);
		generation = atomic_load(&pool->generation);
		if (generation != seen)
			return generation;
		wait_for_change(&pool->generation, seen);
	}
}

static void *run_thread(void *arg)
{
	struct worker_slot *slot = arg;
	struct threadpool *pool = slot->pool;
	unsigned seen = 0;

	for (;;) {
		seen = wait_for_task(pool, seen);
		if (atomic_load_explicit(&pool->quit, memory_order_acquire))
			return NULL;
		if (atomic_fetch_add_explicit(&pool->inside, 1, memory_order_acq_rel) & OPEN)
			work(pool, slot->index);
		if (atomic_fetch_sub_explicit(&pool->inside, 1, memory_order_acq_rel) == AWAITED + 1)
			wait_wake(&pool->inside);
	}
}

static void publish(struct threadpool *pool)
{
	atomic_fetch_add(&pool->generation, 1);
	if (atomic_load(&pool->asleep) && atomic_exchange(&pool->asleep, 0))
		wait_wake(&pool->generation);
}

/* Nobody enters any more; waits for those who have. */
static void close_task(struct threadpool *pool)
{
	struct spin spin = {0};
	unsigned inside = atomic_fetch_and(&pool->inside, ~(unsigned)OPEN) & ~(unsigned)OPEN;

	while (inside != 0 && spin_on(&spin))
		inside = atomic_load_explicit(&pool->inside, memory_order_acquire);
	if (inside == 0)
		return;
	inside = atomic_fetch_or(&pool->inside, AWAITED) | AWAITED;
	while (inside != AWAITED) {
		wait_for_change(&pool->inside, inside);
		inside = atomic_load(&pool->inside);
	}
	atomic_fetch_and(&pool->inside, ~(unsigned)AWAITED);
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
	pool->grain = grain ? grain : 1;
	share_out(pool, n_items);
	if (pool->n_started == 0) {
		work(pool, 0);
		return;
	}
	atomic_fetch_or(&pool->inside, OPEN);
	publish(pool);
	work(pool, 0);
	close_task(pool);
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

/* With its slots and shares, all zero. */
static struct threadpool *alloc_pool(size_t n_threads)
{
	struct threadpool *pool = alloc_aligned(CACHE_LINE, sizeof *pool);

	if (!pool)
		return NULL;
	memset(pool, 0, sizeof *pool);
	pool->n_threads = n_threads;
	pool->slots = alloc_array(n_threads, sizeof *pool->slots);
	pool->shares = alloc_aligned(CACHE_LINE, n_threads * sizeof *pool->shares);
	if (!pool->slots || !pool->shares) {
		threadpool_free(pool);
		return NULL;
	}
	memset(pool->shares, 0, n_threads * sizeof *pool->shares);
	return pool;
}

enum status threadpool_create(struct threadpool **out, size_t n_threads, struct error *err)
{
	struct threadpool *pool;

	if (n_threads < 1 || n_threads > THREADPOOL_MAX)
		return error_set(err, STATUS_USAGE, "%zu threads: expected 1 to %d", n_threads,
		                 THREADPOOL_MAX);
	pool = alloc_pool(n_threads);
	if (!pool)
		return error_no_memory(err, "for the thread pool");
	for (size_t i = 1; i < n_threads; i++) {
		struct worker_slot *slot = &pool->slots[i];
		enum status status;
		int errnum;

		slot->pool = pool;
		slot->index = i;
		errnum = thread_start(&slot->thread, run_thread, slot);
		if (errnum) {
			threadpool_free(pool);
			status = error_errno(err, errnum, "cannot start thread %zu of %zu", i,
			                     n_threads);
			if (errnum != EAGAIN)
				return status;
			if (err) /* no room for its stack, or too many */
				err->status = STATUS_NOMEM;
			return STATUS_NOMEM;
		}
		pool->n_started++;
	}
	*out = pool;
	return STATUS_OK;
}

void threadpool_free(struct threadpool *pool)
{
	if (!pool)
		return;
	atomic_store(&pool->quit, true);
	publish(pool);
	for (size_t i = 1; i <= pool->n_started; i++)
		pthread_join(pool->slots[i].thread, NULL);
	free(pool->shares);
	free(pool->slots);
	free(pool);
}
