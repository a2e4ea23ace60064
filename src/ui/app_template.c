/* Choosing a prompt template: by name, from the list, with the form for its variables. What is on the
 * disk is read each time. */
#include "ui/app_template.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "ui/app_panel.h"
#include "ui/app_system.h"
#include "ui/command.h"
#include "ui/tell.h"
#include "view/panel_form.h"

/* "none" is in the list if a template is in use. */
static const char none[] = "none";

static struct list_item item_of(const struct app *app, const struct prompt_template *tmpl)
{
	bool used = app->dialog->template.name && strcmp(app->dialog->template.name, tmpl->name) == 0;

	return (struct list_item){.text = tmpl->name, .value = tmpl->name,
	                          .note = tmpl->is_broken ? app_short_error(&tmpl->error, tmpl->name)
	                                                  : tmpl->description,
	                          .detail = used ? "in use" : NULL, .is_broken = tmpl->is_broken};
}

/* The library as the rows of a list; NULL without memory. */
static struct list_item *list_items(const struct app *app, const struct prompt_library *library,
                                    size_t *n)
{
	size_t n_templates = prompt_library_n(library);
	struct list_item *items = alloc_array(n_templates + 1, sizeof *items);

	*n = 0;
	if (!items)
		return NULL;
	if (app->dialog->template.call)
		items[(*n)++] = (struct list_item){.text = none, .value = none,
		                                   .note = "continue without a prompt template"};
	for (size_t i = 0; i < n_templates; i++)
		items[(*n)++] = item_of(app, prompt_library_at(library, i));
	return items;
}

/* ---- the form ---- */

/* Its state: the name of the template whose variables are asked for. */
static void form_filled(struct app *app, const struct panel *form);
static const struct panel_use form_use = {.flags = PANEL_NEEDS_NO_REPLY, .chosen = form_filled};

/* The current values, if this template is the one in use. */
static void current_values(const struct app *app, const struct prompt_template *tmpl,
                           struct prompt_values *values)
{
	struct buf name = {.max = LIMIT_MESSAGE};

	if (!app->dialog->template.name || strcmp(app->dialog->template.name, tmpl->name) != 0)
		return;
	if (prompt_parse_call(app->dialog->template.call, strlen(app->dialog->template.call), &name, values, NULL))
		prompt_values_free(values);
	buf_free(&name);
}

static void ask_values(struct app *app, const struct prompt_template *tmpl,
                       const struct prompt_values *values, bool whole)
{
	static const char *const scopes[] = {"from here on", "to the whole conversation"};
	struct form_field *fields = alloc_array(tmpl->n_variables, sizeof *fields);
	char *name = alloc_strndup(tmpl->name, strlen(tmpl->name));
	struct form form = {.title = tmpl->name, .intro = tmpl->description, .fields = fields,
	                    .n_fields = tmpl->n_variables, .choice_name = "applies",
	                    .choices = scopes, .n_choices = dialog_is_fresh(app->dialog) ? 0 : 2,
	                    .choice = whole ? 1 : 0};
	struct panel *panel = NULL;

	for (size_t i = 0; fields && i < tmpl->n_variables; i++) {
		const struct prompt_variable *variable = &tmpl->variables[i];
		const char *given = prompt_values_get(values, variable->name);

		fields[i] = (struct form_field){
			.name = variable->name, .help = variable->help, .is_needed = !variable->def,
			.value = given ? given : variable->def ? variable->def : ""};
	}
	if (fields && name)
		panel = panel_form_open(&form);
	free(fields);
	app_open_panel(app, panel, &form_use, name);
}

static const struct prompt_variable *find_variable(const struct prompt_template *tmpl,
                                                   const char *name)
{
	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (strcmp(tmpl->variables[i].name, name) == 0)
			return &tmpl->variables[i];
	return NULL;
}

/* The form's values, without those that are the default anyway. */
static enum status form_values(const struct panel *panel, const struct prompt_template *tmpl,
                               struct prompt_values *values, struct error *err)
{
	enum status status = STATUS_OK;
	const char *name;

	for (size_t i = 0; (name = panel_form_name(panel, i)) && !status; i++) {
		const struct prompt_variable *variable = find_variable(tmpl, name);
		const char *value = panel_form_value(panel, i);

		if (!variable || !variable->def || strcmp(variable->def, value) != 0)
			status = prompt_values_set(values, name, strlen(name), value, strlen(value), err);
	}
	return status;
}

/* Looks up a template, then uses it with the form's values (NULL: asks for them). */
static enum status with_template(struct app *app, const char *name, const struct panel *form,
                                 struct error *err)
{
	struct prompt_values values = {0};
	const struct prompt_template *tmpl;
	struct prompt_library *library;
	enum status status = prompt_library_open_for(&library, app->config->ui->prompt_dir, name,
	                                             strlen(name), &tmpl, err);

	if (status)
		return status;
	if (form) {
		status = form_values(form, tmpl, &values, err);
		if (!status)
			status = app_template_use(app, tmpl, &values, panel_form_choice(form) == 1, err);
	} else if (tmpl->n_variables || !dialog_is_fresh(app->dialog)) {
		current_values(app, tmpl, &values);
		ask_values(app, tmpl, &values, false);
	} else {
		status = app_template_use(app, tmpl, &values, false, err);
	}
	prompt_values_free(&values);
	prompt_library_close(library);
	return status;
}

static void form_filled(struct app *app, const struct panel *form)
{
	struct error err;

	if (with_template(app, form->state, form, &err))
		app_error(app, &err);
}

/* ---- the list ---- */

static void chosen(struct app *app, const struct panel *panel)
{
	const char *name = panel_list_selected(panel);
	struct error err;

	if (strcmp(name, none) == 0)
		app_template_none(app);
	else if (with_template(app, name, NULL, &err))
		app_error(app, &err);
}

/* Shows what has changed on the disk. The list's state: the stamp of what it shows. */
static void look(struct app *app, struct panel *panel)
{
	uint64_t stamp = prompt_library_stamp(app->config->ui->prompt_dir), *shown = panel->state;
	struct prompt_library *library;
	struct list_item *items;
	size_t n;

	if (stamp == *shown || prompt_library_open(&library, app->config->ui->prompt_dir, NULL))
		return;
	items = list_items(app, library, &n);
	if (items && panel_list_replace(panel, items, n)) {
		*shown = stamp;
		app->draw.now = true;
	}
	free(items);
	prompt_library_close(library);
}

static void open_list(struct app *app)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE, .chosen = chosen, .look = look};
	uint64_t *stamp = alloc_array(1, sizeof *stamp);
	struct prompt_library *library;
	struct list_item *items;
	struct error err;
	size_t n;

	/* Taken before reading: what changes meanwhile is seen at the next look. */
	if (stamp)
		*stamp = prompt_library_stamp(app->config->ui->prompt_dir);
	if (prompt_library_open(&library, app->config->ui->prompt_dir, &err)) {
		app_error(app, &err);
		free(stamp);
		return;
	}
	items = list_items(app, library, &n);
	if (items && n == 0) {
		app_message(app, STYLE_STATUS, "there are no prompt templates");
		free(stamp);
	} else {
		app_open_panel(app, items && stamp ? panel_list_open("Prompt templates", items, n,
		                                                     app->dialog->template.name) : NULL,
		               &use, stamp);
	}
	free(items);
	prompt_library_close(library);
}

/* ---- by name ---- */

static bool knows_all(const struct prompt_template *tmpl, const struct prompt_values *values)
{
	for (size_t i = 0; i < values->n; i++)
		if (!find_variable(tmpl, values->items[i].name))
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
		ask_values(app, tmpl, values, whole);
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
	struct buf name = {.max = LIMIT_MESSAGE};

	if (!argument[0]) {
		open_list(app);
		return true;
	}
	if (strcmp(argument, "none") == 0)
		return app_template_none(app);
	status = prompt_parse_call(argument, strlen(argument), &name, &values, &err);
	if (!status)
		status = call_template(app, buf_text(&name), &values, whole, &err);
	if (status == STATUS_CONFIG) /* long, and about a file */
		app_error(app, &err);
	else
		app_went_well(app, status, &err);
	buf_free(&name);
	prompt_values_free(&values);
	return !status;
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
		if (!status && !(app->dialog->template.call && dialog_template_is(app->dialog, name, &values))) /* a continued chat has it already */
			status = call_template(app, name, &values, false, &err);
	} else if (variables[0]) {
		status = error_set(&err, STATUS_USAGE, "-V is for a template: -T NAME");
	}
	if (status)
		app_error(app, &err);
	prompt_values_free(&values);
}
