#include "catalog/searcher.h"

#include "base/thread.h"
#include "catalog/speed.h"

static bool is_stopped(void *ctx)
{
	return atomic_load_explicit(&((struct searcher *)ctx)->stop, memory_order_relaxed);
}

static void *search(void *arg)
{
	struct searcher *searcher = arg;
	struct catalog *catalog = NULL;
	struct error err;

	if (!catalog_scan(&catalog, searcher->params, is_stopped, searcher, &err)) {
		err.status = STATUS_OK;
		if (searcher->may_measure && !(searcher->weight_rate > 0))
			searcher->weight_rate = speed_measure(searcher->params, is_stopped, searcher);
		catalog_set_weight_rate(catalog, searcher->weight_rate);
	}
	searcher->done(searcher->ctx, catalog, &err);
	return NULL;
}

enum status searcher_start(struct searcher *searcher, const struct engine_params *params,
                           bool may_measure, searcher_done *done, void *ctx, struct error *err)
{
	int rc;

	if (searcher->is_running)
		return error_set(err, STATUS_BUSY, "a search for models is already running");
	searcher->params = params;
	searcher->may_measure = may_measure;
	searcher->done = done;
	searcher->ctx = ctx;
	rc = thread_start(&searcher->thread, search, searcher);
	if (rc)
		return error_errno(err, rc, "cannot start a thread");
	searcher->is_running = true;
	return STATUS_OK;
}

void searcher_end(struct searcher *searcher)
{
	if (searcher->is_running)
		pthread_join(searcher->thread, NULL);
	searcher->is_running = false;
}

void searcher_stop(struct searcher *searcher)
{
	atomic_store_explicit(&searcher->stop, true, memory_order_relaxed);
}
