/* Choosing the prompt template by name, and the model that it would like. */
#include "ui/app_template.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/role.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/store.h"
#include "dialog/template.h"
#include "prompts/prompt_template.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_guide.h"
#include "ui/app_library.h"
#include "ui/app_load.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

/* ---- the model that a template would like ---- */

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
	struct buf path;
	struct stat st;
	struct error err;
	bool exists;

	if (!tmpl->model || !tmpl->model[0])
		return;
	buf_init(&path, KIB(64));
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

/* ---- switching ---- */

enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err)
{
	const char *model = app->phase == PHASE_NO_MODEL || app->phase == PHASE_LOADING
	                            ? NULL : app->model->name;
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

/* ---- by name ---- */

static bool knows(const struct prompt_template *tmpl, const char *name)
{
	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (strcmp(tmpl->variables[i].name, name) == 0)
			return true;
	return false;
}

static bool knows_all(const struct prompt_template *tmpl, const struct prompt_values *values)
{
	for (size_t i = 0; i < values->n; i++)
		if (!knows(tmpl, values->items[i].name))
			return false;
	return true;
}

/* Switches to a template, or asks for its missing values. */
static enum status call_template(struct app *app, const char *name,
                                 const struct prompt_values *values, bool whole,
                                 struct error *err)
{
	const struct prompt_template *tmpl;
	struct prompt_library *library;
	enum status status = prompt_library_open_for(&library, app->config->ui->prompt_dir, name,
	                                             strlen(name), &tmpl, err);

	if (status)
		return status;
	if (prompt_template_missing(tmpl, values) && knows_all(tmpl, values))
		app_template_ask(app, tmpl, values, whole);
	else
		status = app_template_use(app, tmpl, values, whole, err);
	prompt_library_close(library);
	return status;
}

/* Takes --all or -a off the beginning. */
static bool take_all(const char **text)
{
	static const char *const flags[] = {"--all", "-a"};

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		size_t n = strlen(flags[i]);

		if (strncmp(*text, flags[i], n) == 0 && ((*text)[n] == ' ' || !(*text)[n])) {
			*text += n;
			*text += strspn(*text, " ");
			return true;
		}
	}
	return false;
}

bool app_template_command(struct app *app, const struct command_call *call)
{
	const char *argument = call->argument;
	bool whole = take_all(&argument);
	struct prompt_values values = {0};
	enum status status;
	struct error err;
	struct buf name;

	if (!argument[0]) {
		app_open_templates(app);
		return true;
	}
	if (strcmp(argument, "none") == 0)
		return app_template_none(app);
	buf_init(&name, LIMIT_MESSAGE);
	status = prompt_parse_call(argument, strlen(argument), &name, &values, &err);
	if (!status)
		status = call_template(app, buf_text(&name), &values, whole, &err);
	if (status == STATUS_CONFIG) /* long, and about a file */
		app_error(app, &err);
	else if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	buf_free(&name);
	prompt_values_free(&values);
	return !status;
}

/* ---- at the start of a chat ---- */

void app_template_start(struct app *app)
{
	const struct ui_params *ui = app->config->ui;
	const char *name = ui->prompt_template, *variables = ui->variables ? ui->variables : "";
	struct prompt_values values = {0};
	struct error err;
	enum status status = STATUS_OK;

	if (name && name[0]) {
		status = prompt_parse_values(variables, strlen(variables), &values, &err);
		if (!status && !(app->dialog->template.call && dialog_template_is(app->dialog, name, &values))) /* a continued chat has it already */
			status = call_template(app, name, &values, false, &err);
	} else if (variables[0]) {
		status = error_set(&err, STATUS_USAGE, "-V is for a template: -T NAME");
	}
	if (status)
		app_error(app, &err);
	prompt_values_free(&values);
}
