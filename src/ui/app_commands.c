/* Slash commands carried out. Their names and arguments are in chat/commands.c. */
#include "ui/app_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

bool app_refuse_while_busy(struct app *app)
{
	if (!app_is_busy(app))
		return false;
	app_message(app, STYLE_WARNING, app->phase == PHASE_LOADING
	            ? "a model is being loaded; Esc stops it" : "a reply is under way; Esc stops it");
	return true;
}

void app_after_settings(struct app *app)
{
	struct sampler_params sampler = app_sampler(app);

	worker_post_params(app->worker, &sampler);
	term_set_mouse(app->term, app->config->ui->mouse);
}

static void append_option(struct app *app, struct buf *out, const struct option *option)
{
	struct settings *settings = app->config->settings;
	struct buf value;

	buf_init(&value, KIB(64));
	if (settings_value_text(settings, option, &value) == STATUS_OK)
		buf_printf(out, "%s%-18s %-12s %s", out->len ? "\n" : "", option->name, buf_text(&value),
		           settings_origin_name(settings_origin_of(settings, option)));
	buf_free(&value);
}

/* All options that are more than a flag of the command line, or any one. */
static bool show(struct app *app, const char *name)
{
	struct settings *settings = app->config->settings;
	struct buf text;

	buf_init(&text, MIB(1));
	if (name[0]) {
		const struct option *option = settings_find(settings, name);

		if (!option) {
			app_message(app, STYLE_ERROR, "there is no option '%s'", name);
			return false;
		}
		append_option(app, &text, option);
		buf_printf(&text, "\n%s", option->help);
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

/* Back to what it would be without /set. */
static bool unset(struct app *app, const char *name)
{
	struct settings *settings = app->config->settings;
	const struct option *option;
	struct error err;
	struct buf value;

	if (settings_unset(settings, name, &err)) {
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	option = settings_find(settings, name);
	if (option && strcmp(option->name, "theme") == 0)
		app_use_theme(app);
	app_after_settings(app);
	buf_init(&value, KIB(64));
	if (option && settings_value_text(settings, option, &value) == STATUS_OK)
		app_message(app, STYLE_STATUS, "%s is %s again (%s)", option->name,
		            value.len ? buf_text(&value) : "unset",
		            settings_origin_name(settings_origin_of(settings, option)));
	buf_free(&value);
	return true;
}

static bool set_to(struct app *app, const char *name, const char *value)
{
	struct settings *settings = app->config->settings;
	const struct option *option;
	struct error err;

	if (strcmp(value, "default") == 0)
		return unset(app, name);
	if (strcmp(name, "theme") == 0) {
		app_set_theme(app, value);
		return true;
	}
	if (settings_set(settings, name, value, &err)) {
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	app_after_settings(app);
	option = settings_find(settings, name);
	if (option && option->flags & OPTION_MODEL && !(option->flags & OPTION_LIVE))
		app_message(app, STYLE_STATUS, "%s is %s from the next /model on", name, value);
	else if (strcmp(name, "effort") == 0 && app->phase != PHASE_NO_MODEL &&
	         !(app->model.capabilities & CAPABILITY_EFFORT))
		app_message(app, STYLE_WARNING, "this model's template does not ask how long to think");
	else
		app_message(app, STYLE_STATUS, "%s is %s", name, value);
	return true;
}

/* NAME alone shows; NAME VALUE in the spellings of command_split_setting. */
static bool set(struct app *app, const char *argument)
{
	struct action action = {.kind = ACTION_SET, .argument = argument,
	                        .argument_len = strlen(argument)};
	struct buf name, value;
	struct error err;
	bool done;

	if (!strpbrk(argument, " \t="))
		return show(app, argument);
	buf_init(&name, LIMIT_MESSAGE);
	buf_init(&value, LIMIT_MESSAGE);
	if (!command_split_setting(&action, &name, &value, &err)) {
		done = set_to(app, buf_text(&name), buf_text(&value));
	} else {
		app_message(app, STYLE_ERROR, "%s", err.text);
		done = false;
	}
	buf_free(&name);
	buf_free(&value);
	return done;
}

void app_expand_home(struct buf *out, const char *path)
{
	const char *home = getenv("HOME");

	if (path[0] == '~' && path[1] == '/' && home)
		buf_printf(out, "%s%s", home, path + 1);
	else
		buf_puts(out, path);
}

/* The system message counts from here on: it becomes part of the conversation. An empty
 * one (clears) stands for the whole of it, in the place of all before. */
static bool system_message(struct app *app, const char *text, bool clears)
{
	const char *current = app_system_message(app);
	struct error err;
	uint32_t id;

	if (!text[0] && !clears) {
		app_notice(app, STYLE_SYSTEM, current && current[0] ? "System message: %s"
		           : "There is no system message.", current ? current : "");
		return true;
	}
	if (app_refuse_while_busy(app))
		return false;
	if (clears && (!current || !current[0])) {
		app_message(app, STYLE_STATUS, "there is no system message");
		return true;
	}
	if (tree_add(app->tree, tree_leaf(app->tree), ROLE_SYSTEM, text, strlen(text), &id, &err)) {
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	tree_node(app->tree, id)->whole = clears;
	app_store_message(app, id);
	app_template_forget(app);
	app_guide_instructed(app);
	return true;
}

/* A '/' or .yaml makes it a path to write to, else it is a name for the chat. */
static bool save(struct app *app, const char *name)
{
	struct error err;
	size_t len = strlen(name);

	if (!name[0]) {
		if (!app->journal)
			app_notice(app, STYLE_SYSTEM, "This chat is not kept. /save FILE.yaml writes it.");
		else if (!app->recorded)
			app_notice(app, STYLE_SYSTEM, "This chat will be saved from its first message on.");
		else
			app_notice(app, STYLE_SYSTEM, "This chat is saved as you go, in %s",
			           journal_path(app->journal));
		return true;
	}
	if (strchr(name, '/') || (len > 5 && strcmp(name + len - 5, ".yaml") == 0)) {
		const char *title = app->journal ? journal_get_title(app->journal) : "";

		if (journal_export(app->tree, title, name, &err)) {
			app_message(app, STYLE_ERROR, "%s", err.text);
			return false;
		}
		/* What comes of a reply under way is not in there. */
		app->n_copied = app->reply ? app->reply - 1 : tree_n(app->tree);
		app_notice(app, STYLE_SUCCESS, "Written to %s", name);
		return true;
	}
	if (!app->journal) {
		app_message(app, STYLE_ERROR, "this chat is not kept; /save FILE.yaml writes it");
		return false;
	}
	app->recorded = true;
	if (journal_title(app->journal, name, &err)) {
		app_store_check(app, err.status, &err);
		return true;
	}
	app_notice(app, STYLE_SUCCESS, "This chat is called \"%s\" now", name);
	return true;
}

/* "12 tokens in 340 ms (35.3 tok/s)"; no rate where the clock is too coarse for one. */
static void append_rate(struct buf *out, uint32_t tokens, double ms)
{
	buf_printf(out, "%u tokens in %.0f ms", tokens, ms);
	if (ms >= 1)
		buf_printf(out, " (%.1f tok/s)", (double)tokens * 1e3 / ms);
}

static bool stats(struct app *app)
{
	const struct turn_stats *s = &app->stats;
	struct buf text;

	if (!app->has_stats) {
		app_message(app, STYLE_STATUS, "there was no reply yet");
		return true;
	}
	buf_init(&text, KIB(4));
	buf_printf(&text, "prompt   %u tokens, %u of them in the cache; ", s->n_prompt, s->n_cached);
	append_rate(&text, s->n_evaluated, s->prefill_ms);
	if (s->n_again)
		buf_printf(&text, "\nstates   kept behind token %u: from there on %u %s evaluated again",
		           s->n_cached, s->n_again, s->n_again == 1 ? "was" : "were");
	buf_puts(&text, "\nreply    ");
	append_rate(&text, s->n_generated, s->decode_ms);
	buf_printf(&text, "\ncontext  %u of %u tokens", s->n_ctx_used, app->model.n_ctx);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	return true;
}

/* Whether a model that can think first is to do so. */
static bool think(struct app *app, const char *argument)
{
	bool done = argument[0] ? set_to(app, "reasoning", argument) : show(app, "reasoning");
	unsigned capabilities = app->model.capabilities;

	if (!done || app->phase == PHASE_NO_MODEL)
		return done;
	if (!(capabilities & CAPABILITY_REASONING))
		app_message(app, STYLE_WARNING, "this model's template knows nothing of thinking");
	else if (argument[0] && !(capabilities & CAPABILITY_SWITCH))
		app_message(app, STYLE_WARNING, "this model thinks as it likes: its template has no switch for it");
	return true;
}

/* All keys and commands, or what there is about a word. */
bool app_help(struct app *app, const char *words)
{
	static const struct panel_use use = {.flags = 0};
	struct panel *panel;
	bool found;

	if (!words[0]) {
		app_open_panel(app, panel_help_open(), &use, NULL);
		return true;
	}
	panel = panel_help_find(app->config->settings, words, &found);
	if (!panel || found) {
		app_open_panel(app, panel, &use, NULL);
		return true;
	}
	panel_close(panel);
	app_message(app, STYLE_ERROR, "no key, command or option has '%s'; F1 shows all", words);
	return false;
}

static void moved(struct app *app, const struct panel *panel)
{
	(void)panel;
	app_after_settings(app);
}

void app_open_sampler(struct app *app)
{
	static const struct panel_use use = {.flags = PANEL_IS_DOCKED, .changed = moved};

	app_open_panel(app, panel_sampler_open(app->config->settings), &use, NULL);
}

static bool run(struct app *app, const struct action *action, char *argument)
{
	switch (action->kind) {
	case ACTION_HELP: return app_help(app, argument);
	case ACTION_QUIT: app_leave(app, action->forced); return true;
	case ACTION_NEW:
		if (app_refuse_while_busy(app))
			return false;
		app_new_chat(app);
		return true;
	case ACTION_MODEL:
		if (argument[0])
			return app_switch_model(app, argument);
		app_open_models(app);
		return true;
	case ACTION_SYSTEM:
		if (action->quoted ? !argument[0] : strcmp(argument, "none") == 0)
			return system_message(app, "", true);
		return system_message(app, argument, false);
	case ACTION_SET: return argument[0] ? set(app, argument) : show(app, "");
	case ACTION_SHOW: return show(app, argument);
	case ACTION_SAVE: return save(app, argument);
	case ACTION_LOAD:
		if (app_refuse_while_busy(app))
			return false;
		if (argument[0])
			return app_open_chat(app, argument);
		app_open_chats(app);
		return true;
	case ACTION_LIST: app_list_chats(app); return true;
	case ACTION_REGEN:
		if (app_refuse_while_busy(app))
			return false;
		app_regenerate(app);
		return true;
	case ACTION_EDIT: return app_edit(app, argument);
	case ACTION_STATS: return stats(app);
	case ACTION_CONTEXT: return app_context(app);
	case ACTION_INSPECT: return app_inspect(app);
	case ACTION_THINK: return think(app, argument);
	case ACTION_TEMPLATE: return app_template_command(app, argument);
	case ACTION_SAMPLER: app_open_sampler(app); return true;
	case ACTION_MOUSE:
		if (argument[0])
			return set_to(app, "mouse", argument);
		app_set_mouse(app, !app->config->ui->mouse);
		return true;
	case ACTION_THEME:
		if (argument[0])
			app_set_theme(app, argument);
		else
			app_open_themes(app);
		return true;
	case ACTION_SEND:
	case ACTION_KIND_COUNT: break;
	}
	return false;
}

bool app_command(struct app *app, const struct action *action)
{
	char *argument = alloc_strndup(action->argument ? action->argument : "",
	                               action->argument_len);
	bool done;

	if (!argument) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	done = run(app, action, argument);
	free(argument);
	return done;
}
