/* Options shown and changed in a running chat. */
#include "ui/app_settings.h"

#include <string.h>

#include "base/limits.h"
#include "dialog/reply.h"
#include "engine/worker.h"
#include "terminal/clipboard.h"
#include "ui/app_terminal.h"
#include "ui/app_themes.h"
#include "ui/command.h"
#include "ui/tell.h"

void app_after_settings(struct app *app)
{
	struct sampler_params sampler = dialog_sampler(app->dialog);

	worker_post_params(app->worker, &sampler);
	app_set_terminal(app);
}

void app_tell_idle(struct app *app)
{
	const struct model_info *model = app->model;
	const struct idle_option *last = NULL;
	struct buf names = {.max = KIB(4)};
	size_t n = 0;

	for (size_t i = 0; i < model->n_idle; i++) {
		const struct option *option = settings_find(app->config->settings, model->idle[i].name);

		if (!option || settings_origin_of(app->config->settings, option) < ORIGIN_TEMPLATE)
			continue;
		last = &model->idle[i];
		buf_printf(&names, "%s%s", n++ ? ", " : "", last->name);
	}
	if (n == 1)
		app_notice(app, STYLE_WARNING, "The model's server ignores %s, which is set: %s.", last->name, last->why);
	else if (n)
		app_notice(app, STYLE_WARNING, "The model's server ignores what is set for %s: /show NAME says why.",
		           buf_text(&names));
	buf_free(&names);
}

static void append_option(struct app *app, struct buf *out, const struct option *option)
{
	struct settings *settings = app->config->settings;
	struct buf value = {.max = KIB(64)};

	if (settings_value_text(settings, option, &value) == STATUS_OK)
		buf_printf(out, "%s%-18s %-12s %s", out->len ? "\n" : "", option->name, buf_text(&value),
		           settings_origin_name(settings_origin_of(settings, option)));
	buf_free(&value);
}

/* One option, or all but those that are only flags of the command line. */
static bool show(struct app *app, const char *name)
{
	struct settings *settings = app->config->settings;
	struct buf text = {.max = MIB(1)};
	struct error err;

	if (name[0]) {
		const struct option *option = settings_find(settings, name);

		if (!option) {
			(void)settings_unknown(settings, name, &err);
			app_message(app, STYLE_ERROR, "%s; /show lists them all", err.text);
			return false;
		}
		append_option(app, &text, option);
		buf_printf(&text, "\n%s", option->help);
		if (model_info_idle(app->model, option->name))
			buf_printf(&text, "\nThe model's server ignores it: %s.", model_info_idle(app->model, option->name));
	} else {
		for (size_t i = 0; i < settings_n(settings); i++)
			if (!(settings_option(settings, i)->flags & OPTION_CLI_ONLY))
				append_option(app, &text, settings_option(settings, i));
	}
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	return true;
}

/* Takes back what /set changed. */
static bool unset(struct app *app, const char *name)
{
	struct settings *settings = app->config->settings;
	const struct option *option;
	struct error err;
	struct buf value = {.max = KIB(64)};

	if (!app_went_well(app, settings_unset(settings, name, &err), &err))
		return false;
	option = settings_find(settings, name);
	if (option && strcmp(option->name, "theme") == 0)
		app_use_theme(app);
	app_after_settings(app);
	if (option && settings_value_text(settings, option, &value) == STATUS_OK)
		app_message(app, STYLE_STATUS, "%s is %s again (%s)", option->name,
		            value.len ? buf_text(&value) : "unset",
		            settings_origin_name(settings_origin_of(settings, option)));
	buf_free(&value);
	return true;
}

/* Whether an option changes nothing with this model, which is then told. */
static bool tell_idle(struct app *app, const char *name, const char *value)
{
	const char *why = model_info_idle(app->model, name);

	if (!why)
		return false;
	app_message(app, STYLE_WARNING, "%s is %s, but the model's server ignores it: %s", name, value, why);
	return true;
}

/* The reply under way was asked for with the old values. */
static bool is_too_late(const struct app *app)
{
	return (app->phase == PHASE_PREFILL || app->phase == PHASE_GENERATING) &&
	       !(app->model->capabilities & CAPABILITY_LIVE_PARAMS);
}

static bool set_to(struct app *app, const char *name, const char *value)
{
	struct settings *settings = app->config->settings;
	const struct option *option = settings_find(settings, name);
	struct error err;

	if (option)
		name = option->name; /* whichever of its names was given */
	if (strcmp(value, "default") == 0)
		return unset(app, name);
	if (strcmp(name, "theme") == 0)
		return app_set_theme(app, value);
	if (strcmp(name, "copy") == 0 && clipboard_check(value, &err)) {
		app_message(app, STYLE_ERROR, "copy: %s", err.text);
		return false;
	}
	if (settings_set(settings, name, value, &err)) {
		app_message(app, STYLE_ERROR, "%s%s", err.text, option ? "" : "; /show lists them all");
		return false;
	}
	app_after_settings(app);
	if (tell_idle(app, name, value))
		return true;
	if (option && option->flags & OPTION_SLIDER && is_too_late(app))
		app_message(app, STYLE_STATUS, "%s is %s; it holds from the next reply on", name, value);
	else if (option && option->flags & OPTION_MODEL && !(option->flags & OPTION_LIVE))
		app_message(app, STYLE_STATUS, "%s is %s; it takes effect with the next /model", name, value);
	else if (strcmp(name, "effort") == 0 && app->phase != PHASE_NO_MODEL &&
	         !(app->model->capabilities & CAPABILITY_EFFORT))
		app_message(app, STYLE_WARNING, "this model's template has no setting for how long to think");
	else
		app_message(app, STYLE_STATUS, "%s is %s", name, value);
	return true;
}

/* NAME alone shows; NAME VALUE in the spellings of command_split_setting. */
bool app_set(struct app *app, const struct command_call *call)
{
	const char *argument = call->argument;
	struct buf name = {.max = LIMIT_MESSAGE}, value = {.max = LIMIT_MESSAGE};
	struct error err;
	bool done = false;

	if (!strpbrk(argument, " \t="))
		return show(app, argument);
	if (app_went_well(app, command_split_setting(argument, strlen(argument), &name, &value,
	                                             &err), &err))
		done = set_to(app, buf_text(&name), buf_text(&value));
	buf_free(&name);
	buf_free(&value);
	return done;
}

bool app_show(struct app *app, const struct command_call *call)
{
	return show(app, call->argument);
}

/* Without an argument the other way round, and says what that means. */
bool app_mouse(struct app *app, const struct command_call *call)
{
	bool on = !app->config->ui->mouse;

	if (call->argument[0])
		return set_to(app, "mouse", call->argument);
	if (set_to(app, "mouse", on ? "on" : "off"))
		app_message(app, STYLE_STATUS, on ? "mouse on: Shift+drag selects text"
		                                  : "mouse off: the terminal selects text");
	return true;
}

/* Turns Markdown off and on: without an argument the other way round. */
bool app_plain(struct app *app, const struct command_call *call)
{
	const char *argument = call->argument;
	bool plain = argument[0] ? strcmp(argument, "on") == 0 : app->config->ui->markdown;

	if (argument[0] && !plain && strcmp(argument, "off") != 0) {
		app_message(app, STYLE_ERROR, "/plain takes on or off");
		return false;
	}
	if (set_to(app, "markdown", plain ? "off" : "on"))
		app_message(app, STYLE_STATUS, plain ? "replies are shown as the model wrote them"
		                                     : "replies are shown as Markdown");
	return true;
}

/* Whether a model that can think first does so. */
bool app_think(struct app *app, const struct command_call *call)
{
	const char *argument = call->argument;
	bool done = argument[0] ? set_to(app, "reasoning", argument)
	                        : show(app, "reasoning");
	unsigned capabilities = app->model->capabilities;

	if (!done || app->phase == PHASE_NO_MODEL)
		return done;
	if (!(capabilities & CAPABILITY_REASONING))
		app_message(app, STYLE_WARNING, "this model does not think before it answers");
	else if (argument[0] && !(capabilities & CAPABILITY_SWITCH))
		app_message(app, STYLE_WARNING,
		            "this model decides itself when to think: its template has no switch");
	return true;
}
