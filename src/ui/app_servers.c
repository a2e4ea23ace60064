#include "ui/app_servers.h"

#include <stdio.h>
#include <string.h>

#include "base/home_path.h"
#include "base/limits.h"
#include "config/servers.h"
#include "config/servers_add.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/tell.h"

/* ---- asking ---- */

void app_ask_servers(struct app *app)
{
	struct error err;

	if (lister_start(&app->models->lister, app->config->engine->servers, app->config->ui->offer_servers, &err) &&
	    err.status != STATUS_BUSY)
		app_error(app, &err);
}

bool app_servers_are_asked(const struct app *app)
{
	return app->models->lister.job.is_running;
}

bool app_take_servers_list(struct app *app)
{
	struct remote_list *list;
	struct error err;

	if (lister_take(&app->models->lister, &list, &err)) {
		if (err.status != STATUS_CANCELLED)
			app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	remote_list_free(app->models->remote);
	app->models->remote = list;
	return true;
}

/* ---- choosing ---- */

/* It becomes one of the user's servers, which is said, and its first model is loaded. */
static void take_offer(struct app *app, const struct remote_model *offer)
{
	const char *file = app->config->engine->servers;
	struct buf path = {.max = KIB(64)}, shown = {.max = KIB(64)}, url = {.max = KIB(4)};
	struct error err;
	enum status status;

	buf_printf(&url, "http://%s", offer->where);
	status = servers_path(&path, file, &err);
	if (!status)
		status = servers_add(&io_system, file, offer->server, buf_text(&url), &err);
	home_path_put_short(&shown, buf_text(&path));
	if (status)
		app_error(app, &err);
	else
		app_notice(app, STYLE_SYSTEM, "%s (%s) is one of your servers now: it was written into %s.", offer->server,
		           buf_text(&url), buf_text(&shown));
	buf_free(&path);
	buf_free(&shown);
	buf_free(&url);
	if (!status)
		app_switch_model(app, offer->path);
}

bool app_choose_of_server(struct app *app, const char *path)
{
	const struct remote_list *list = app->models->remote;
	const struct remote_model *item = NULL;

	for (size_t i = 0; list && i < list->n; i++)
		if (strcmp(list->items[i].path, path) == 0)
			item = &list->items[i];
	if (!item)
		return false;
	if (item->state == REMOTE_OFFERED)
		take_offer(app, item);
	else if (item->state == REMOTE_FAILED)
		app_notice(app, STYLE_WARNING, "%s cannot be used%s%s", item->id[0] ? remote_model_name(item->id) : item->server,
		           item->why ? ". " : "", item->why ? item->why : "");
	else
		app_switch_model(app, item->path);
	return true;
}
