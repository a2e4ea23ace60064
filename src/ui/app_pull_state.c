/* How far a published model is that is on its way, for those who show it. */
#include <string.h>

#include "ui/app_pull.h"
#include "ui/state.h"

enum puller_state app_pull_state(const struct app *app)
{
	return app->pull->puller ? puller_state(app->pull->puller) : PULLER_IDLE;
}

int app_pull_fd(const struct app *app)
{
	return app->pull->puller ? puller_fd(app->pull->puller) : -1;
}

bool app_pull_is_under_way(const struct app *app)
{
	enum puller_state state = app_pull_state(app);

	return app->pull->awaits_machine || state == PULLER_LOOKING || state == PULLER_FETCHING;
}

/* With the tag that was chosen, once that is known. */
const char *app_pull_asked(const struct app *app)
{
	const char *name = app_pull_state(app) >= PULLER_FETCHING ? puller_name(app->pull->puller) : NULL;

	return name && name[0] ? name : app->pull->asked;
}

const char *app_pull_name(const struct app *app)
{
	return app_pull_is_under_way(app) ? app_pull_asked(app) : NULL;
}

bool app_pull_was_stopped(const struct app *app, const char *name)
{
	struct puller_progress progress;

	if (app_pull_state(app) != PULLER_FAILED || strcmp(app_pull_asked(app), name) != 0)
		return false;
	puller_progress(app->pull->puller, &progress);
	return progress.done && puller_error(app->pull->puller)->status != STATUS_FORMAT;
}

double app_pull_fraction(const struct app *app)
{
	struct puller_progress progress;

	if (app_pull_state(app) != PULLER_FETCHING)
		return -1;
	puller_progress(app->pull->puller, &progress);
	return progress.all ? (double)progress.done / (double)progress.all : -1;
}

int app_pull_percent(const struct app *app)
{
	double fraction = app_pull_fraction(app);

	return fraction < 0 ? -1 : (int)(fraction * 100);
}

void app_pull_put(const struct app *app, struct buf *out)
{
	struct puller_progress progress;

	if (app->pull->puller)
		puller_progress(app->pull->puller, &progress);
	if (app->pull->is_stopping)
		buf_puts(out, "stopping");
	else if (app_pull_state(app) == PULLER_FETCHING || (app_pull_state(app) == PULLER_LOOKING && progress.waiting[0]))
		puller_progress_put(&progress, out);
	else
		buf_puts(out, "asking what there is");
}

void app_pull_put_sentence(const struct app *app, struct buf *out)
{
	bool fetches = app_pull_state(app) == PULLER_FETCHING;

	buf_printf(out, fetches ? "%s is being fetched: " : "Looking for %s", app_pull_asked(app));
	if (fetches)
		app_pull_put(app, out);
}

void app_pull_put_farewell(const struct app *app, struct buf *out)
{
	struct puller_progress progress;

	if (app_pull_state(app) != PULLER_FETCHING)
		return;
	puller_progress(app->pull->puller, &progress);
	buf_printf(out, "%s is not whole", app_pull_asked(app));
	if (progress.all)
		buf_printf(out, " (%u %%)", (unsigned)(progress.done * 100 / progress.all));
	buf_printf(out, "; what is there is kept. Go on with:  sotto pull %s", app_pull_asked(app));
}
