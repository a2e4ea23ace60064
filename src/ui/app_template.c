/* Choosing a prompt template by name: /template, and -T at the start of a chat. */
#include "ui/app_template.h"

#include <string.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "dialog/template.h"
#include "prompts/prompt_template.h"
#include "ui/app.h"
#include "ui/app_library.h"
#include "ui/app_template_use.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"

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
