/* Loading a model, what the worker answers to that, and what the user is told about the guide, the
 * one that comes with sotto. Choosing one is in app_models.c. */
#include "ui/app_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "engine/worker.h"
#include "guide/guide.h"
#include "pull/stored.h"
#include "ui/app_inspect.h"
#include "ui/app_keep.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_settings.h"
#include "ui/tell.h"

/* ---- the guide ---- */

const char app_guide_words[] =
	"You are talking to the guide, a tiny model that comes with sotto. It answers questions about "
	"sotto and can make small talk; /model or F6 loads a real one.";

static void tell_instructed(struct app *app)
{
	const char *system = dialog_system_message(app->dialog);

	if (app->told->instructed || !system || !system[0])
		return;
	app->told->instructed = true;
	app_notice(app, STYLE_WARNING, "%s %s or /model FILE loads a model that can.",
	           app->dialog->template.call ? GUIDE_INSTRUCTED("a template")
	                              : GUIDE_INSTRUCTED("a system message"),
	           app_key(app, "model"));
}

void app_guide_instructed(struct app *app)
{
	app->told->instructed = false;
	if (app_is_guide(app) && app->phase != PHASE_LOADING)
		tell_instructed(app);
}

/* Says what it is. */
static void tell_guide(struct app *app)
{
	if (!app_is_guide(app)) {
		app->told->instructed = false;
		return;
	}
	if (!app->told->guide && tree_leaf(app->dialog->tree)) /* else the first screen says it */
		app_notice(app, STYLE_SYSTEM, "%s", app_guide_words);
	app->told->guide = true;
	tell_instructed(app);
}

/* ---- loading ---- */

/* A published name where there is no such file: what is on this machine under it. */
static enum status find_published(struct buf *out, const char *name, struct error *err)
{
	struct buf typed = {.max = KIB(64)};
	enum status status = home_path_put_typed(&typed, name, err);

	if (!status)
		status = stored_put_model(out, buf_text(&typed), err);
	if (status == STATUS_NOTFOUND)
		error_set(err, status, "%s is not on this machine: /pull %s fetches it", buf_text(&typed), buf_text(&typed));
	buf_free(&typed);
	return status;
}

enum status app_model_path(const struct app *app, struct buf *out, const char *name, struct error *err)
{
	const char *maker;

	if (strcmp(name, CATALOG_GUIDE) == 0)
		return catalog_guide_path(out, err);
	if (strcmp(name, "chat") == 0)
		return dialog_chat_model(app->dialog, out, &maker, err);
	return find_published(out, name, err);
}

enum status app_set_model(struct app *app, const char *name, struct error *err)
{
	struct buf path = {.max = KIB(64)};
	enum status status;

	status = app_model_path(app, &path, name, err);
	if (!status)
		status = settings_assign(app->config->settings, "model", buf_text(&path), ORIGIN_SET, err);
	buf_free(&path);
	return status;
}

enum status app_look_for_models(struct app *app, struct error *err)
{
	return searcher_start(&app->models->searcher, app->config->engine, !worker_is_busy(app->worker), err);
}

void app_load_model(struct app *app)
{
	struct error err;

	if (!app->config->engine->model || !app->config->engine->model[0]) {
		app_notice(app, STYLE_SYSTEM, "No model yet. %s shows those on this machine, "
		           "/model FILE.gguf loads one.", app_key(app, "model"));
		/* Help for users who have none. */
		app->models->advise = app_look_for_models(app, NULL) == STATUS_OK;
		return;
	}
	if (worker_post_load(app->worker, app->config->engine, &err)) {
		app_error(app, &err);
		app->failed = true;
		return;
	}
	app->phase = PHASE_LOADING;
	app->failed = false;
	app->models->load_fraction = 0;
	dialog_forget_stats(app->dialog);
}

/* The model that was used last, if it is still there. */
static void take_last_model(struct app *app)
{
	struct error err;
	struct buf path = {.max = KIB(64)};
	enum status status;

	status = catalog_recall(&path, NULL, NULL, &err);
	if (!status)
		status = settings_assign(app->config->settings, "model", buf_text(&path), ORIGIN_DEFAULT, &err);
	if (status && path.len)
		app_notice(app, STYLE_WARNING, "The model used last is not there: %s", err.text);
	buf_free(&path);
}

bool app_load_first(struct app *app)
{
	bool is_any = settings_is_from(app->config->settings, "model", ORIGIN_DEFAULT);

	if (is_any && app->config->ui->start_with == START_ASK)
		return false;
	if (is_any && app->config->ui->start_with == START_LAST)
		take_last_model(app);
	app->models->presumed |= is_any;
	app_load_model(app);
	return true;
}

void app_offer_chat_model(struct app *app)
{
	const struct node *node = path_made(app->dialog->tree);
	const char *name;
	struct buf path = {.max = KIB(64)};

	if (!dialog_chat_model(app->dialog, &path, &name, NULL) && strcmp(name, CATALOG_GUIDE) != 0 &&
	    strcmp(node->runs[node->n_runs - 1].model.file, app->model->identity.file) != 0)
		app_notice(app, STYLE_SYSTEM, "This chat was with %s: /model chat loads it.", name);
	buf_free(&path);
}

bool app_switch_model(struct app *app, const char *name)
{
	struct error err;

	if (!app_went_well(app, app_set_model(app, name, &err), &err))
		return false;
	app_load_model(app);
	return true;
}

/* Whether a path is that of the guide which comes with sotto. */
static bool is_guide_path(const char *file)
{
	struct buf path = {.max = KIB(64)};
	bool is;

	is = !catalog_guide_path(&path, NULL) && file && strcmp(file, buf_text(&path)) == 0;
	buf_free(&path);
	return is;
}

/* The guide's file does not say that it is built in. */
static void name_guide(struct app *app)
{
	if (app_is_guide(app) && is_guide_path(app->models->path))
		snprintf(app->model->name, sizeof app->model->name, "guide (built in)");
}

static void take_model(struct app *app, const struct model_info *model)
{
	const char *path = app->config->engine->model;

	free(app->models->path);
	app->models->path = alloc_strndup(path, strlen(path));
	*app->model = *model;
	if (app->models->path)
		name_guide(app);
	else
		app_message(app, STYLE_ERROR, "not enough memory");
	tell_guide(app);
}

static void keep_model(struct app *app, const struct model_info *model)
{
	struct settings *settings = app->config->settings;
	struct error err;
	enum status status;

	*app->model = *model;
	if (!app->models->path)
		return;
	name_guide(app);
	status = settings_unset(settings, "model", &err);
	if (!status && (!app->config->engine->model || strcmp(app->config->engine->model, app->models->path) != 0))
		status = settings_assign(settings, "model", app->models->path, ORIGIN_SET, &err);
	if (status)
		app_error(app, &err);
}

/* A model that was loaded is listed first the next time. */
static void remember_model(struct app *app)
{
	const char *path = app->config->engine->model;
	struct error err;

	if (app_is_guide(app))
		return; /* it is always there */
	if (!app->config->ui->save || !path)
		return;
	if (catalog_remember(path, &app->model->identity, &err))
		app_message(app, STYLE_WARNING, "%s", err.text);
}

/* The model's recommended sampling applies where nobody has chosen another; the worker gets it with
 * the next turn. */
static void recommend(struct app *app, const struct model_info *model)
{
	struct error err;

	if (settings_recommend(app->config->settings, model->recommended, model->n_recommended, &err))
		app_error(app, &err);
}

static void tell_notes(struct app *app, const struct model_info *model, size_t from)
{
	for (size_t i = from; i < model->n_notes; i++)
		app_notice(app, model->notes[i].kind == NOTE_WARNING ? STYLE_WARNING : STYLE_SYSTEM, "%s",
		           model->notes[i].text);
}

void app_on_model(struct app *app, const struct model_info *model)
{
	app->phase = PHASE_READY;
	app->stopping = app->models->presumed = false;
	app->gauge->used = 0;
	app->chat->note[0] = '\0';
	take_model(app, model);
	recommend(app, model);
	tell_notes(app, model, 0);
	app_tell_idle(app);
	remember_model(app);
	if (app_is_guide(app) && !app->models->catalog) /* is there another, or which one is to be offered? */
		(void)!app_look_for_models(app, NULL);
	if (app->models->keeps)
		app_keep(app, NULL);
}

/* "min-p, top-k": those that `now` does not take and `before` did. */
static void put_refused(struct buf *out, const struct model_info *now, const struct model_info *before)
{
	for (size_t i = 0; i < now->n_idle; i++)
		if (!model_info_idle(before, now->idle[i].name))
			buf_printf(out, "%s%s", out->len ? ", " : "", now->idle[i].name);
}

/* More is known of the model than when it was loaded; what was changed here stays. */
void app_on_learnt(struct app *app, const struct model_info *model)
{
	struct buf refused = {.max = KIB(4)};

	if (!app->model->generation || model->generation != app->model->generation)
		return;
	put_refused(&refused, model, app->model);
	if (refused.len)
		app_notice(app, STYLE_SYSTEM, "The model's server does not take %s: from now on it is left out.",
		           buf_text(&refused));
	buf_free(&refused);
	tell_notes(app, model, app->model->n_notes);
	*app->model = *model;
	if (app->models->path)
		name_guide(app);
	app->gauge->generation = 0; /* count again */
	app->draw.now = true;
}

/* In the place of a model that nobody has named. */
void app_load_guide(struct app *app)
{
	struct buf path = {.max = KIB(64)};

	if (!catalog_guide_path(&path, NULL) &&
	    !settings_assign(app->config->settings, "model", buf_text(&path), ORIGIN_FLAG, NULL))
		app_load_model(app);
	buf_free(&path);
}

/* The model that was loaded before is still there, usually with its cache. */
bool app_on_load_failed(struct app *app, const struct event *event)
{
	const struct model_info *model = event->u.model;
	bool stopped = event->error->status == STATUS_CANCELLED, kept = model->generation > 0, presumed;

	app->phase = kept ? PHASE_READY : PHASE_NO_MODEL;
	app->failed = !stopped && !kept;
	app->stopping = false;
	presumed = app->models->presumed && !kept && !stopped && !is_guide_path(app->config->engine->model);
	app->models->presumed = app->models->keeps = false;
	if (model->generation != app->model->generation)
		app->gauge->used = 0; /* it had to be loaded again */
	if (kept)
		keep_model(app, model);
	else
		*app->model = (struct model_info){.generation = 0};
	recommend(app, app->model);
	if (!stopped)
		app_error(app, event->error);
	if (kept) /* as long as the error above it */
		app_notice_until(app, stopped ? NOTICE_STAYS : NOTICE_UNTIL_COMMAND, STYLE_SYSTEM,
		                 stopped ? "Loading was stopped. %s stays loaded." : "%s stays loaded.", app->model->name);
	else if (stopped)
		app_notice(app, STYLE_SYSTEM, "Loading was stopped. /model loads a model.");
	return presumed;
}
