/* A search for model files in a thread of its own: neither a reply nor a slow disk holds it up.
 * It also measures, once, how fast the machine goes through weights (speed.h).
 *
 * Threads: all calls belong to one, which has the searcher. `done` is called on the search's. */
#ifndef SOTTO_MODELS_SEARCHER_H
#define SOTTO_MODELS_SEARCHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "engine/params.h"
#include "models/catalog.h"

/* The catalog becomes the callee's; NULL: `err` says why. The thread ends right after it. */
typedef void searcher_done(void *ctx, struct catalog *catalog, const struct error *err);

struct searcher {
	pthread_t thread;
	bool is_running;    /* from start to end */
	const struct engine_params *params; /* borrowed, as long */
	bool may_measure;
	searcher_done *done;
	void *ctx;
	_Atomic bool stop;  /* written by the owner, read by the search */
	double weight_rate; /* the search's own: as of speed_measure; 0: not yet */
};

/* STATUS_BUSY while one is under way. `may_measure`: nothing else computes now. */
enum status searcher_start(struct searcher *searcher, const struct engine_params *params,
                           bool may_measure, searcher_done *done, void *ctx,
                           struct error *err) MUST_CHECK;
/* Waits for its end, which is near: `done` was called, or searcher_stop. */
void searcher_end(struct searcher *searcher); /* also of {0} */
void searcher_stop(struct searcher *searcher);

#endif
