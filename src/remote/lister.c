#include "remote/lister.h"

#include <stdlib.h>
#include <string.h>

static void ask(void *ctx)
{
	struct lister *lister = ctx;

	(void)!remote_list_ask(&lister->list, lister->file, NULL, lister->offers, job_is_stopped,
	                       &lister->job, &lister->err);
}

static void forget_file(struct lister *lister)
{
	free(lister->file);
	lister->file = NULL;
}

enum status lister_start(struct lister *lister, const char *file, bool offers, struct error *err)
{
	enum status status;

	if (lister->job.is_running)
		return error_set(err, STATUS_BUSY, "the servers are already being asked");
	lister->offers = offers;
	lister->file = file ? strdup(file) : NULL;
	if (file && !lister->file)
		return error_no_memory(err, "for the list of models");
	status = job_start(&lister->job, ask, lister, err);
	if (status)
		forget_file(lister);
	return status;
}

enum status lister_take(struct lister *lister, struct remote_list **list, struct error *err)
{
	job_end(&lister->job);
	forget_file(lister);
	*list = lister->list;
	lister->list = NULL;
	if (!*list && err)
		*err = lister->err;
	return *list ? STATUS_OK : lister->err.status;
}

void lister_end(struct lister *lister)
{
	job_stop(&lister->job);
	job_end(&lister->job);
	forget_file(lister);
	remote_list_free(lister->list);
	lister->list = NULL;
}
