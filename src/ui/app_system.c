/* The system message: /system, or a prompt template's, with the model that it would like. */
#include "ui/app_system.h"

#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "ui/app_load.h"
#include "ui/command.h"
#include "ui/tell.h"

bool app_system(struct app *app, const struct command_call *call)
{
	bool clears = call->quoted ? !call->argument_len : strcmp(call->argument, "none") == 0;
	const char *text = clears ? "" : call->argument;
	const char *current = dialog_system_message(app->dialog);
	struct error err;

	if (!text[0] && !clears) {
		app_notice(app, STYLE_SYSTEM, current && current[0] ? "System message: %s"
		           : "There is no system message.", current ? current : "");
		return true;
	}
	if (clears && (!current || !current[0])) {
		app_message(app, STYLE_STATUS, "there is no system message");
		return true;
	}
	if (!app_went_well(app, dialog_set_system(app->dialog, text, clears, &err), &err))
		return false;
	app_tell_facts(app);
	app_guide_instructed(app);
	return true;
}

/* ---- a prompt template, and the model that it would like ---- */

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return strcmp(a, b) == 0 ||
	       (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* The guide is the default: until it is loaded, it counts as no choice. */
static bool has_chosen_model(const struct app *app)
{
	const char *current = app->config->engine->model;

	return current && current[0] &&
	       (app->phase != PHASE_NO_MODEL || !settings_is_from(app->config->settings, "model", ORIGIN_DEFAULT));
}

static void prefer_model(struct app *app, const struct prompt_template *tmpl)
{
	const char *current = app->config->engine->model;
	struct buf path = {.max = KIB(64)};
	struct stat st;
	struct error err;
	bool exists;

	if (!tmpl->model || !tmpl->model[0])
		return;
	exists = !app_model_path(app, &path, tmpl->model, NULL) && stat(buf_text(&path), &st) == 0 &&
	         S_ISREG(st.st_mode);
	if (has_chosen_model(app)) {
		if (!is_same_file(buf_text(&path), current))
			app_notice(app, STYLE_SYSTEM, exists
			           ? "The template %s is made for another model: /model %s loads it"
			           : "The template %s is made for another model, %s, which is not on this machine",
			           tmpl->name, tmpl->model);
	} else if (!exists) {
		app_notice(app, STYLE_SYSTEM, "The template %s is made for a model that is not on this "
		           "machine: %s", tmpl->name, tmpl->model);
	} else if (app_set_model(app, tmpl->model, &err)) {
		app_error(app, &err);
	} else {
		app_load_model(app);
	}
	buf_free(&path);
}

enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err)
{
	const char *model = app_has_model(app) ? app->model->name : NULL;
	struct dialog *dialog = app->dialog;
	bool fresh = dialog_is_fresh(dialog);
	enum status status = dialog_template_use(dialog, tmpl, values, model, whole, err);

	if (!status && !fresh) /* otherwise with the first message */
		dialog_store_message(dialog, tree_leaf(dialog->tree));
	app_tell_facts(app);
	if (status)
		return status;
	if (tmpl->n_messages && !fresh)
		app_notice(app, STYLE_SYSTEM, "The opening messages of %s are left out: this "
		           "conversation has already begun.", tmpl->name);
	chat_view_to_bottom(app->view);
	prefer_model(app, tmpl);
	app_guide_instructed(app);
	return STATUS_OK;
}

bool app_template_none(struct app *app)
{
	enum status status;
	struct error err;

	if (!app->dialog->template.call) {
		app_message(app, STYLE_STATUS, "no prompt template is in use");
		return true;
	}
	status = dialog_template_leave(app->dialog, &err);
	app_tell_facts(app);
	if (status)
		app_error(app, &err);
	else
		chat_view_to_bottom(app->view);
	return !status;
}
