/* A search for model files as a job, so that neither a reply nor a slow disk holds it up. It also
 * measures, once, how fast the machine reads weights (speed.h).
 *
 * Threads: one thread owns the searcher and makes all calls. */
#ifndef SOTTO_CATALOG_SEARCHER_H
#define SOTTO_CATALOG_SEARCHER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"
#include "catalog/catalog.h"
#include "turn/engine_params.h"

struct searcher { /* {0} is one that does not search */
	struct job job; /* to be polled: job_fd */
	/* The job's while it runs: */
	struct engine_params params; /* owns its strings */
	bool may_measure;
	double weight_rate;          /* of speed_measure; 0: not yet measured */
	struct catalog *catalog;     /* owned; NULL: `err` says why */
	struct error err;
};

/* STATUS_BUSY if a search is running. `params`: the current ones. `may_measure`: nothing else is
 * computing. */
enum status searcher_start(struct searcher *searcher, const struct engine_params *params,
                           bool may_measure, struct error *err) MUST_CHECK;
/* Waits for the search to end: soon, if the job is over or was stopped. The caller owns the catalog. */
enum status searcher_take(struct searcher *searcher, struct catalog **catalog,
                          struct error *err) MUST_CHECK;
/* Stops a search. {0} is fine. */
void searcher_end(struct searcher *searcher);

#endif
