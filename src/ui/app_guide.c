/* The guide, the model that comes with sotto: what it is, and the help that each of
 * its turns begins with. The conversation itself knows nothing of that. */
#include "ui/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* Not a copy of it, or one in other types. */
static bool is_built_in(const struct app *app)
{
	struct buf path;
	bool same;

	buf_init(&path, KIB(64));
	same = app->config->engine->model && !catalog_guide_path(&path, NULL) &&
	       strcmp(app->config->engine->model, buf_text(&path)) == 0;
	buf_free(&path);
	return same;
}

void app_guide_loaded(struct app *app)
{
	struct error err;

	if (!(app->model.capabilities & CAPABILITY_HELP))
		return;
	if (is_built_in(app))
		snprintf(app->model.name, sizeof app->model.name, "guide (built in)");
	if (!app->guide && guide_open(&app->guide, NULL, &err))
		app_notice(app, STYLE_WARNING, "The guide has no help to answer from: %s", err.text);
	if (app->told_guide)
		return;
	app->told_guide = true;
	app_notice(app, STYLE_SYSTEM, "This is the guide, a tiny model that comes with sotto. It knows "
	           "sotto and small talk; /model or F6 loads a real one.");
}

const char *app_model_label(const struct app *app)
{
	return app->model.capabilities & CAPABILITY_HELP ? CATALOG_GUIDE : app->model.name;
}

struct worker_message *app_add_help(struct app *app, struct worker_message *messages, size_t *n,
                                    struct buf *prompt)
{
	struct worker_message *sent = NULL;

	if (!messages || !*n || !app->guide || !(app->model.capabilities & CAPABILITY_HELP))
		return messages;
	if (guide_messages(app->guide, messages, *n, prompt, &sent, n, NULL))
		sent = NULL;
	free(messages);
	return sent;
}
