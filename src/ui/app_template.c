/* The prompt template in use: its system message is in the tree, its options
 * in the settings, its stop strings go with each turn. */
#include "ui/app_template.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/role.h"
#include "chat/path.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "dialog/template.h"
#include "prompts/prompt_template.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_guide.h"
#include "ui/app_library.h"
#include "ui/app_load.h"
#include "ui/app_settings.h"
#include "ui/app_store.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"

/* ---- what is in use ---- */

void app_template_forget(struct app *app)
{
	dialog_template_free(&app->dialog->template);
	if (prompt_apply_options(NULL, app->config->settings, NULL) == STATUS_OK && app->worker)
		app_after_settings(app);
}

static struct file_stamp stamp_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return (struct file_stamp){.size = -1};
	return (struct file_stamp){st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_size,
	                           (uint64_t)st.st_ino};
}

static bool same_stamp(const struct file_stamp *a, const struct file_stamp *b)
{
	return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size &&
	       a->inode == b->inode;
}

static bool copy_stops(struct dialog_template *used, const struct prompt_template *tmpl)
{
	used->stops = alloc_array(tmpl->n_stops, sizeof *used->stops);
	while (used->stops && used->n_stops < tmpl->n_stops) {
		const char *stop = tmpl->stops[used->n_stops];
		char *copy = alloc_strndup(stop, strlen(stop));

		if (!copy)
			return false;
		used->stops[used->n_stops++] = copy;
	}
	return used->stops != NULL;
}

/* Options and stop strings act from now on. */
static enum status adopt(struct app *app, const struct prompt_template *tmpl, const char *call,
                         struct error *err)
{
	struct dialog_template *used = &app->dialog->template;
	enum status status = STATUS_OK;

	app_template_forget(app);
	used->call = alloc_strndup(call, strlen(call));
	used->name = alloc_strndup(tmpl->name, strlen(tmpl->name));
	used->path = alloc_strndup(tmpl->path, strlen(tmpl->path));
	if (!used->call || !used->name || !used->path || !copy_stops(used, tmpl))
		status = error_set(err, STATUS_NOMEM, "not enough memory for the template");
	else
		status = prompt_apply_options(tmpl, app->config->settings, err);
	if (status) {
		app_template_forget(app);
		return status;
	}
	used->stamp = stamp_of(used->path);
	if (app->worker)
		app_after_settings(app);
	return STATUS_OK;
}

void app_template_check(struct app *app)
{
	struct dialog_template *used = &app->dialog->template;
	struct file_stamp now;

	if (!used->call || used->told_changed)
		return;
	now = stamp_of(used->path);
	if (same_stamp(&now, &used->stamp))
		return;
	used->told_changed = true;
	if (now.size < 0)
		app_notice(app, STYLE_WARNING, "The file of the template %s is gone: %s", used->name,
		           used->path);
	else
		app_notice(app, STYLE_WARNING, "The template %s has changed on disk: /template %s "
		           "applies it", used->name, used->call);
}

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

bool app_template_is_fresh(const struct app *app)
{
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	if (!leaf || leaf->id == app->dialog->opening_leaf)
		return true;
	return leaf->role == ROLE_SYSTEM && !path_has_talk_before(app->dialog->tree, leaf);
}

/* The parent of the new system message. A template under which nothing has been said yet is
 * replaced, unless that would bring back what it replaced itself. */
static uint32_t parent_for(const struct app *app, bool whole)
{
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	if (app_template_is_fresh(app))
		return 0;
	if (leaf->role == ROLE_SYSTEM && leaf->origin && (whole || !leaf->whole))
		return leaf->parent;
	return leaf->id;
}

static enum status add_system(struct app *app, const char *text, const char *origin, bool whole,
                              struct error *err)
{
	bool fresh = app_template_is_fresh(app);
	struct node *node;
	uint32_t id;
	enum status status = tree_add(app->dialog->tree, parent_for(app, whole), ROLE_SYSTEM, text,
	                              strlen(text), &id, err);

	if (status)
		return status;
	node = tree_node(app->dialog->tree, id);
	node->whole = whole && !fresh; /* nothing comes before it */
	if (origin && tree_set_origin(node, origin))
		return error_set(err, STATUS_NOMEM, "not enough memory for the template");
	if (!fresh) /* otherwise with the first message */
		app_store_message(app, id);
	return STATUS_OK;
}

static enum status add_opening(struct app *app, const struct prompt_rendered *rendered,
                               struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < rendered->n_messages && !status; i++) {
		const struct prompt_opening *message = &rendered->messages[i];

		status = tree_add(app->dialog->tree, tree_leaf(app->dialog->tree), message->role, message->text,
		                  strlen(message->text), NULL, err);
	}
	app->dialog->opening_leaf = tree_leaf(app->dialog->tree);
	return status;
}

enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err)
{
	const char *model = app->phase == PHASE_NO_MODEL || app->phase == PHASE_LOADING
	                            ? NULL : app->model->name;
	bool fresh = app_template_is_fresh(app);
	struct prompt_rendered rendered;
	struct buf call;
	enum status status = prompt_template_render(&rendered, tmpl, values, model, err);

	if (status)
		return status;
	buf_init(&call, LIMIT_MESSAGE);
	if (prompt_format_call(&call, tmpl->name, values))
		status = error_set(err, STATUS_LIMIT, "the values of the template are too long");
	if (!status)
		status = add_system(app, rendered.system ? rendered.system : "", buf_text(&call), whole,
		                    err);
	if (!status && fresh)
		status = add_opening(app, &rendered, err);
	if (!status)
		status = adopt(app, tmpl, buf_text(&call), err);
	if (!status && rendered.n_messages && !fresh)
		app_notice(app, STYLE_SYSTEM, "The opening messages of %s are left out: this "
		           "conversation has already begun.", tmpl->name);
	if (!status) {
		chat_view_to_bottom(app->view);
		prefer_model(app, tmpl);
		app_guide_instructed(app);
	}
	buf_free(&call);
	prompt_rendered_free(&rendered);
	return status;
}

/* The path's last system message that is not from a template. */
static const char *plain_system(const struct app *app)
{
	const struct node *node = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	for (; node; node = tree_node(app->dialog->tree, node->parent))
		if (node->role == ROLE_SYSTEM && !node->origin && !node->sums_up)
			return node->text;
	return "";
}

bool app_template_none(struct app *app)
{
	struct error err;

	if (!app->dialog->template.call) {
		app_message(app, STYLE_STATUS, "no prompt template is in use");
		return true;
	}
	if (app_template_is_fresh(app)) {
		tree_set_leaf(app->dialog->tree, 0);
		app->dialog->opening_leaf = 0;
	} else if (add_system(app, plain_system(app), NULL, true, &err)) {
		app_error(app, &err);
		return false;
	}
	app_template_forget(app);
	chat_view_to_bottom(app->view);
	return true;
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

static bool is_in_use(const struct app *app, const char *name, const struct prompt_values *values)
{
	return app->dialog->template.call && prompt_is_call(app->dialog->template.call, name, values);
}

void app_template_start(struct app *app)
{
	const struct ui_params *ui = app->config->ui;
	const char *name = ui->prompt_template, *variables = ui->variables ? ui->variables : "";
	struct prompt_values values = {0};
	struct error err;
	enum status status = STATUS_OK;

	if (name && name[0]) {
		status = prompt_parse_values(variables, strlen(variables), &values, &err);
		if (!status && !is_in_use(app, name, &values)) /* a continued chat has it already */
			status = call_template(app, name, &values, false, &err);
	} else if (variables[0]) {
		status = error_set(&err, STATUS_USAGE, "-V is for a template: -T NAME");
	}
	if (status)
		app_error(app, &err);
	prompt_values_free(&values);
}

static enum status restore(struct app *app, const char *call, struct error *err)
{
	const struct prompt_template *tmpl;
	struct prompt_library *library;
	struct prompt_values values = {0};
	enum status status = prompt_library_open_call(&library, app->config->ui->prompt_dir, call,
	                                              &values, &tmpl, err);

	if (!status)
		status = adopt(app, tmpl, call, err);
	prompt_library_close(library);
	prompt_values_free(&values);
	return status;
}

void app_template_restore(struct app *app)
{
	const struct node *system = path_system(app->dialog->tree);
	struct error err;

	app_template_forget(app);
	if (system && system->origin && restore(app, system->origin, &err))
		app_notice(app, STYLE_WARNING, "The prompt template of this chat can no longer be used: "
		           "%s. Its system message stays, its options are left out.", err.text);
}
