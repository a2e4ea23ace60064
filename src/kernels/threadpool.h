/* A fixed set of threads that share out the items of one task at a time.
 *
 * Each thread begins with a stretch of its own, in order, and helps the others when it is
 * done; on a busy machine the caller may do all of it. So results must not depend on who
 * computes what: kernels split work so that each output element is computed whole by one
 * thread. Nobody waits by spinning for longer than some 40 us. Pool threads block all signals
 * but those of faults, run kernels only and allocate nothing.
 *
 * A pool is used by one thread at a time (the one that calls threadpool_run). */
#ifndef SOTTO_KERNELS_THREADPOOL_H
#define SOTTO_KERNELS_THREADPOOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct threadpool;

enum { THREADPOOL_MAX = 512 };

/* Items begin .. end - 1; `thread` < threadpool_n_threads tells whose
 * scratch to use. */
typedef void (*threadpool_task)(void *ctx, size_t begin, size_t end, size_t thread);

/* n_threads counts the caller of threadpool_run: 1 starts no thread. At least
 * 1, at most THREADPOOL_MAX. */
enum status threadpool_create(struct threadpool **out, size_t n_threads,
                              struct error *err) MUST_CHECK;
void threadpool_free(struct threadpool *pool); /* NULL is fine */

/* 1 for a NULL pool, which runs everything in the caller. */
size_t threadpool_n_threads(const struct threadpool *pool);

/* Asked by the caller of threadpool_run before each piece that it takes itself; true = stop.
 * Then whatever has not begun, in this task and those that follow, is skipped until the next
 * threadpool_set_stop: whoever sets it discards the results. NULL: no more questions. A NULL
 * pool is never stopped. */
typedef bool (*threadpool_stop)(void *ctx);
void threadpool_set_stop(struct threadpool *pool, threadpool_stop stop, void *ctx);
bool threadpool_was_stopped(const struct threadpool *pool);

/* Runs `task` over n_items in pieces of `grain` (the last may be smaller) and
 * returns when all are done. The caller works too. A stop waits for the pieces
 * that are under way, so none should take longer than some milliseconds. */
void threadpool_run(struct threadpool *pool, size_t n_items, size_t grain,
                    threadpool_task task, void *ctx);

#endif
