/* Choosing one of this machine's model files, or of the servers' models: F6, /model and /models. Each time they
 * are searched and asked for in the background; until that is done, the previous result is shown. */
#include "ui/app_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "config/servers.h"
#include "dialog/dialog.h"
#include "ui/app_convert.h"
#include "ui/app_load.h"
#include "ui/app_offer.h"
#include "ui/app_panel.h"
#include "ui/app_pull.h"
#include "ui/app_servers.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/model_rows.h"
#include "ui/tell.h"

/* Shows what is known in the open panel. */
static bool show_rows(struct app *app)
{
	struct model_rows rows;
	bool ok = model_rows_make(&rows, app->models->catalog, app->models->remote,
	                          app_has_model(app) ? app->model : NULL, app_pull_name(app),
	                          !app->front->is_screen);

	ok = ok && panel_list_replace(app->panel, rows.items, rows.n);
	model_rows_free(&rows);
	return ok;
}

static void chosen(struct app *app, const struct panel *panel)
{
	const char *path = panel_list_selected(panel);
	const struct catalog_entry *entry = NULL;

	if (model_rows_is_published(path)) {
		app_pull_get(app, path + strlen(MODEL_ROWS_PUBLISHED));
		return;
	}
	if (app_choose_of_server(app, path))
		return;
	for (size_t i = 0; app->models->catalog && i < app->models->catalog->n; i++)
		if (strcmp(app->models->catalog->entries[i].path, path) == 0)
			entry = &app->models->catalog->entries[i];
	/* The loaded model is given up only for one that can be loaded. */
	if (entry && !model_rows_can_load(entry))
		app_notice(app, STYLE_WARNING, "%s cannot be loaded: %s", entry->name,
		           entry->why ? entry->why : "it is split into several files");
	else
		app_switch_model(app, path);
}

/* What is loaded is not loaded again. */
static void kept(struct app *app, const struct panel *panel)
{
	const char *path = panel_list_selected(panel);
	struct error err;

	if (app->phase != PHASE_READY || !app->models->path || strcmp(app->models->path, path) != 0)
		chosen(app, panel);
	else if (app_set_model(app, path, &err))
		app_error(app, &err);
}

/* To be fetched: the model in use stays. */
static bool is_aside(const struct panel *panel)
{
	const char *selected = panel_list_selected(panel);

	return selected && model_rows_is_published(selected);
}

static const struct panel_use models_use = {.flags = PANEL_NEEDS_IDLE, .is_aside = is_aside, .chosen = chosen, .kept = kept};

bool app_model(struct app *app, const struct command_call *call)
{
	struct panel *panel;
	struct error err;

	if (call->argument[0] && app_convert_offer(app, call->argument))
		return true;
	if (call->argument[0])
		return app_switch_model(app, call->argument);
	panel = panel_list_open("Models", NULL, 0, NULL);
	if (panel && !panel_list_set_empty(panel, "Looking for models ...")) {
		panel_close(panel);
		panel = NULL;
	}
	if (panel)
		panel_list_set_extras(panel, &model_rows_extras);
	app_open_panel(app, panel, &models_use, NULL);
	/* What is printed stays, so that in lines only the new result is. */
	if (panel && app->front->is_screen && (app->models->catalog || app->models->remote) && !show_rows(app))
		app_message(app, STYLE_ERROR, "not enough memory");
	app_ask_servers(app);
	if (app_look_for_models(app, &err) && err.status != STATUS_BUSY)
		app_error(app, &err);
	return true;
}

/* Whether servers are configured, as far as the file can be read. */
static bool has_servers(const struct app *app)
{
	struct buf problems = {.max = KIB(64)};
	struct servers servers;
	bool has = !servers_read(&servers, app->config->engine->servers, &problems, NULL) && servers.n;

	if (has)
		servers_free(&servers);
	buf_free(&problems);
	return has;
}

/* Where the search is for those who have no model. */
static void advise(struct app *app)
{
	const size_t n = app->models->catalog->n_found;

	if (app->phase != PHASE_NO_MODEL)
		return;
	if (n)
		app_notice(app, STYLE_SYSTEM, "%zu model file%s found on this machine: %s shows %s.", n,
		           n == 1 ? " was" : "s were", app_key(app, "model"), n == 1 ? "it" : "them");
	else if (has_servers(app))
		app_notice(app, STYLE_SYSTEM, "No model file was found on this machine: %s shows the models of your servers.",
		           app_key(app, "model"));
	else
		app_notice(app, STYLE_SYSTEM, "No model was found on this machine: %s shows some %s.", app_key(app, "model"),
		           pull_lacks() ? "that suit it" : "to fetch");
}

/* Whether there is a file to load, but the guide. */
static bool has_files(const struct catalog *catalog)
{
	for (size_t i = 0; i < catalog->n; i++)
		if (model_rows_can_load(&catalog->entries[i]) && !catalog->entries[i].is_guide)
			return true;
	return false;
}

static bool is_open(const struct app *app)
{
	return app->panel && app->panel_use == &models_use;
}

/* The panel has other rows. In lines they are printed once all are known. */
static void show_news(struct app *app)
{
	if (!show_rows(app))
		app_message(app, STYLE_ERROR, "not enough memory");
	if (app->front->is_screen || (!app_servers_are_asked(app) && !app->models->searcher.job.is_running))
		app->front->new_panel(app);
}

void app_take_servers(struct app *app)
{
	if (app_take_servers_list(app) && is_open(app))
		show_news(app);
	else if (is_open(app) && !app->front->is_screen)
		show_news(app); /* the files alone */
	app->draw.now = true;
}

void app_take_catalog(struct app *app)
{
	bool wanted = app->models->advise;
	struct catalog *catalog;
	struct error err;

	app->models->advise = false;
	if (searcher_take(&app->models->searcher, &catalog, &err)) {
		if (err.status != STATUS_CANCELLED)
			app_error(app, &err);
		app_pull_machine_known(app); /* as far as it will be */
		return;
	}
	catalog_free(app->models->catalog);
	app->models->catalog = catalog;
	app->models->weight_rate = catalog->weight_rate;
	if (is_open(app)) {
		show_news(app);
		if (app->models->catalog->is_cut)
			app_message(app, STYLE_WARNING, "there are too many files to check them all");
	} else if (wanted) {
		advise(app);
	}
	if (!has_files(catalog) && !has_servers(app))
		app_offer(app);
	app_pull_machine_known(app);
	app->draw.now = true;
}
