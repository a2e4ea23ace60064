/* A search for model files in a thread of its own, so that neither a reply nor a slow disk holds it
 * up. It also measures, once, how fast the machine reads weights (speed.h).
 *
 * Threads: one thread owns the searcher and makes all calls. `done` is called on the search's. */
#ifndef SOTTO_CATALOG_SEARCHER_H
#define SOTTO_CATALOG_SEARCHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "catalog/catalog.h"
#include "turn/engine_params.h"

/* The callee owns the catalog; if it is NULL, `err` says why. The thread ends right after the call. */
typedef void searcher_done(void *ctx, struct catalog *catalog, const struct error *err);

struct searcher {
	pthread_t thread;
	bool is_running;    /* from searcher_start to searcher_end */
	const struct engine_params *params; /* borrowed for that time */
	bool may_measure;
	searcher_done *done;
	void *ctx;
	_Atomic bool stop;  /* written by the owner, read by the search */
	double weight_rate; /* used by the search only: from speed_measure; 0: not yet measured */
};

/* STATUS_BUSY if a search is running. `may_measure`: nothing else is computing now. */
enum status searcher_start(struct searcher *searcher, const struct engine_params *params,
                           bool may_measure, searcher_done *done, void *ctx,
                           struct error *err) MUST_CHECK;
/* Waits for the thread to end: soon, since `done` or searcher_stop was called. {0} is fine. */
void searcher_end(struct searcher *searcher);
void searcher_stop(struct searcher *searcher);

#endif
