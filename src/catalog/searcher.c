#include "catalog/searcher.h"

#include "catalog/speed.h"

static void search(void *ctx)
{
	struct searcher *searcher = ctx;

	if (catalog_scan(&searcher->catalog, &searcher->params, job_is_stopped, &searcher->job, &searcher->err))
		return;
	if (searcher->may_measure && !(searcher->weight_rate > 0))
		searcher->weight_rate = speed_measure(&searcher->params, job_is_stopped, &searcher->job);
	catalog_set_weight_rate(searcher->catalog, searcher->weight_rate);
}

enum status searcher_start(struct searcher *searcher, const struct engine_params *params,
                           bool may_measure, struct error *err)
{
	enum status status;

	if (searcher->job.is_running)
		return error_set(err, STATUS_BUSY, "a search for models is already running");
	status = engine_params_copy(&searcher->params, params, err);
	if (status)
		return status;
	searcher->may_measure = may_measure;
	status = job_start(&searcher->job, search, searcher, err);
	if (status)
		engine_params_free(&searcher->params);
	return status;
}

enum status searcher_take(struct searcher *searcher, struct catalog **catalog, struct error *err)
{
	job_end(&searcher->job);
	engine_params_free(&searcher->params);
	*catalog = searcher->catalog;
	searcher->catalog = NULL;
	if (!*catalog && err)
		*err = searcher->err;
	return *catalog ? STATUS_OK : searcher->err.status;
}

void searcher_end(struct searcher *searcher)
{
	job_stop(&searcher->job);
	job_end(&searcher->job);
	engine_params_free(&searcher->params);
	catalog_free(searcher->catalog);
	searcher->catalog = NULL;
}
