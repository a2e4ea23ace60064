/* A fixed set of threads that divide the items of one task at a time.
 *
 * Each thread begins with a range of items of its own, in order, then takes items that other
 * threads have not begun; on a busy machine the calling thread may compute all items. So results
 * must not depend on which thread computes what: kernels split work so that each output element is
 * computed whole by one thread. A thread that waits spins for some 40 us at most, then sleeps.
 * Pool threads block all signals but those of faults, run kernels only and allocate nothing.
 *
 * A pool is used by one thread at a time (the one that calls threadpool_run). */
#ifndef SOTTO_KERNELS_THREADPOOL_H
#define SOTTO_KERNELS_THREADPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct threadpool;

enum { THREADPOOL_MAX = 512 };

/* Computes items begin .. end - 1. `thread` is the index of the thread that runs this, less than
 * threadpool_n_threads: scratch memory is divided by it. */
typedef void (*threadpool_task)(void *ctx, size_t begin, size_t end, size_t thread);

/* n_threads, 1 .. THREADPOOL_MAX, includes the thread that calls threadpool_run: 1 starts no
 * thread. */
enum status threadpool_create(struct threadpool **out, size_t n_threads,
                              struct error *err) MUST_CHECK;
void threadpool_free(struct threadpool *pool); /* NULL is fine */

/* 1 for a NULL pool: threadpool_run then computes everything in the calling thread. */
size_t threadpool_n_threads(const struct threadpool *pool);

/* threadpool_run calls `stop` in its caller's thread before each piece that this thread computes;
 * true = stop. Then all items that no thread has begun, of this task and of those that follow, are
 * skipped until the next threadpool_set_stop; the code that set `stop` must discard the results.
 * NULL: `stop` is not called any more. A NULL pool is never stopped. */
typedef bool (*threadpool_stop)(void *ctx);
void threadpool_set_stop(struct threadpool *pool, threadpool_stop stop, void *ctx);
bool threadpool_was_stopped(const struct threadpool *pool);

/* Runs `task` over n_items in pieces of `grain` items (the last may be smaller) and returns when
 * all pieces are done; the calling thread computes pieces, too. After a stop the pieces that have
 * begun are finished first, so none should take longer than some milliseconds. */
void threadpool_run(struct threadpool *pool, size_t n_items, size_t grain,
                    threadpool_task task, void *ctx);

#endif
