/* A prompt template filled in. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/sys.h"
#include "jinja/jinja.h"
#include "prompts/prompt_template.h"

const struct prompt_builtin prompt_builtins[] = {
	{"cwd", "the folder that sotto was started in"},
	{"date", "today: 2026-11-21"},
	{"lang", "the user's language, from LC_ALL, LC_MESSAGES or LANG: en_GB"},
	{"model", "the name of the loaded model"},
	{"os", "the operating system: Linux 6.1.0 x86_64"},
	{"time", "now: 09:30"},
	{"user", "the user's name"},
};
const size_t prompt_n_builtins = sizeof prompt_builtins / sizeof prompt_builtins[0];

static void put_time(struct buf *out, const char *format)
{
	time_t now = (time_t)sys_wall_time();
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof text, format, &tm))
		buf_puts(out, text);
}

static void put_os(struct buf *out)
{
	struct utsname name;

	if (uname(&name) == 0)
		buf_printf(out, "%s %s %s", name.sysname, name.release, name.machine);
}

static void put_cwd(struct buf *out)
{
	char *path = realpath(".", NULL);

	buf_puts(out, path ? path : "");
	free(path);
}

static void put_user(struct buf *out)
{
	const char *name = getenv("USER");
	struct passwd entry, *found = NULL;
	char text[4096];

	if (!name || !*name)
		if (getpwuid_r(getuid(), &entry, text, sizeof text, &found) == 0 && found)
			name = found->pw_name;
	buf_puts(out, name ? name : "");
}

/* The locale without its character set. */
static void put_lang(struct buf *out)
{
	static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = getenv(variables[i]);

		if (value && *value) {
			buf_append(out, value, strcspn(value, ".@"));
			return;
		}
	}
}

static void put_builtin(struct buf *out, const char *name, const char *model)
{
	if (strcmp(name, "date") == 0)
		put_time(out, "%Y-%m-%d");
	else if (strcmp(name, "time") == 0)
		put_time(out, "%H:%M");
	else if (strcmp(name, "os") == 0)
		put_os(out);
	else if (strcmp(name, "cwd") == 0)
		put_cwd(out);
	else if (strcmp(name, "user") == 0)
		put_user(out);
	else if (strcmp(name, "lang") == 0)
		put_lang(out);
	else if (strcmp(name, "model") == 0)
		buf_puts(out, model ? model : "");
}

static const struct prompt_variable *find_variable(const struct prompt_template *tmpl,
                                                   const char *name)
{
	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (strcmp(tmpl->variables[i].name, name) == 0)
			return &tmpl->variables[i];
	return NULL;
}

const struct prompt_variable *prompt_template_missing(const struct prompt_template *tmpl,
                                                      const struct prompt_values *values)
{
	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (!tmpl->variables[i].def && !prompt_values_get(values, tmpl->variables[i].name))
			return &tmpl->variables[i];
	return NULL;
}

static enum status unknown_variable(const struct prompt_template *tmpl, const char *name,
                                    struct error *err)
{
	struct nearest nearest;

	if (tmpl->n_variables == 0)
		return error_set(err, STATUS_USAGE, "the template '%s' has no variables", tmpl->name);
	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < tmpl->n_variables; i++)
		nearest_offer(&nearest, tmpl->variables[i].name);
	return error_set(err, STATUS_USAGE, "the template '%s' has no variable '%.60s'%s", tmpl->name, name,
	                 nearest_hint(&nearest));
}

static enum status check_values(const struct prompt_template *tmpl,
                                const struct prompt_values *values, struct error *err)
{
	const struct prompt_variable *missing = prompt_template_missing(tmpl, values);

	for (size_t i = 0; i < values->n; i++)
		if (!find_variable(tmpl, values->items[i].name))
			return unknown_variable(tmpl, values->items[i].name, err);
	if (missing)
		return error_set(err, STATUS_USAGE, "the template '%s' needs a value: %s=...%s%s%s",
		                 tmpl->name, missing->name, missing->help[0] ? " (" : "", missing->help,
		                 missing->help[0] ? ")" : "");
	return STATUS_OK;
}

static void set_text(struct jinja_context *context, const char *name, const char *text)
{
	jinja_context_set(context, name,
	                  value_text(jinja_context_arena(context), text, strlen(text),
	                             SOURCE_TEMPLATE));
}

static enum status make_context(struct jinja_context **out, const struct prompt_template *tmpl,
                                const struct prompt_values *values, const char *model,
                                struct error *err)
{
	enum status status = jinja_context_create(out, LIMIT_JINJA_MEMORY, err);
	struct buf text = {.max = KIB(64)};

	if (status)
		return status;
	for (size_t i = 0; i < prompt_n_builtins; i++) {
		buf_clear(&text);
		put_builtin(&text, prompt_builtins[i].name, model);
		set_text(*out, prompt_builtins[i].name, buf_text(&text));
	}
	buf_free(&text);
	/* Added after them: a template's own variable of the same name wins. */
	for (size_t i = 0; i < tmpl->n_variables; i++) {
		const char *value = prompt_values_get(values, tmpl->variables[i].name);

		set_text(*out, tmpl->variables[i].name, value ? value : tmpl->variables[i].def);
	}
	return STATUS_OK;
}

/* One text; `what` names it in errors. */
static enum status render_text(char **out, const struct prompt_template *tmpl, const char *what,
                               const char *text, const struct prompt_values *values,
                               const char *model, struct error *err)
{
	struct jinja_output output = {0};
	struct jinja_template *parsed = NULL;
	struct jinja_context *context = NULL;
	enum status status = jinja_parse(&parsed, what, text, strlen(text), &jinja_limits_default, err);

	if (!status)
		status = make_context(&context, tmpl, values, model, err);
	if (!status)
		status = jinja_render(parsed, context, NULL, &output, err);
	if (!status) {
		*out = alloc_strndup(output.text, output.len);
		if (!*out)
			status = error_no_memory(err, "for the template");
	} else if (status != STATUS_NOMEM) {
		error_prefix(err, "%s", tmpl->path);
		if (err)
			err->status = STATUS_CONFIG;
		status = STATUS_CONFIG;
	}
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(parsed);
	return status;
}

enum status prompt_template_render(struct prompt_rendered *out, const struct prompt_template *tmpl,
                                   const struct prompt_values *values, const char *model,
                                   struct error *err)
{
	enum status status = check_values(tmpl, values, err);

	*out = (struct prompt_rendered){0};
	if (!status && tmpl->system)
		status = render_text(&out->system, tmpl, "system", tmpl->system, values, model, err);
	if (!status && !(out->messages = alloc_array(tmpl->n_messages, sizeof *out->messages)))
		status = error_no_memory(err, "for the template");
	for (size_t i = 0; !status && i < tmpl->n_messages; i++) {
		struct prompt_opening *message = &out->messages[out->n_messages++];

		message->role = tmpl->messages[i].role;
		status = render_text(&message->text, tmpl, role_name(message->role),
		                     tmpl->messages[i].text, values, model, err);
	}
	if (status)
		prompt_rendered_free(out);
	return status;
}

enum status prompt_apply_options(const struct prompt_template *tmpl, struct settings *settings,
                                 struct error *err)
{
	enum status status = STATUS_OK;

	settings_forget(settings, ORIGIN_TEMPLATE);
	for (size_t i = 0; tmpl && !status && i < tmpl->n_options; i++)
		status = settings_assign(settings, tmpl->options[i].name, tmpl->options[i].value,
		                         ORIGIN_TEMPLATE, err);
	return status;
}

void prompt_rendered_free(struct prompt_rendered *rendered)
{
	for (size_t i = 0; i < rendered->n_messages; i++)
		free(rendered->messages[i].text);
	free(rendered->messages);
	free(rendered->system);
	*rendered = (struct prompt_rendered){0};
}
