/* /preset: sampling options under a name. The files are read each time. */
#include "ui/app_presets.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "config/preset.h"
#include "ui/app_panel.h"
#include "ui/app_settings.h"
#include "ui/command.h"
#include "ui/tell.h"

/* A preset's row in the list. */
struct preset_row {
	struct buf note;
	struct error error;
};

static bool load_preset(struct app *app, const char *name)
{
	struct settings *settings = app->config->settings;
	struct preset preset;
	struct error err;
	struct buf text = {.max = KIB(64)};

	if (preset_load(&preset, name, settings, &err)) {
		if (err.status == STATUS_NOTFOUND)
			app_message(app, STYLE_ERROR, "%s; /preset save %.60s keeps what is set now", err.text, name);
		else
			app_error(app, &err);
		return false;
	}
	if (preset_apply(&preset, settings, &err)) {
		app_error(app, &err);
		return false;
	}
	app_after_settings(app);
	preset_describe(&preset, &text);
	app_message(app, STYLE_STATUS, "%s: %s", name,
	            text.len ? buf_text(&text) : "nothing is set");
	buf_free(&text);
	return true;
}

static bool save_preset(struct app *app, const char *name, bool replace)
{
	struct preset preset;
	struct error err;
	struct buf path = {.max = KIB(64)};
	bool is_saved;

	preset_of_settings(&preset, app->config->settings);
	if (!preset.n) {
		app_message(app, STYLE_ERROR, "nothing to save: all of the sampling is still the model's or the default");
		return false;
	}
	is_saved = !preset_save(&preset, name, replace, &io_system, &path, &err);
	if (is_saved)
		app_notice(app, STYLE_SYSTEM, "Saved as %s.\n/preset %s brings it back.", buf_text(&path), name);
	else if (err.status == STATUS_USAGE && path.len)
		app_message(app, STYLE_ERROR, "there is a preset %s; /preset! save %s replaces it", name, name);
	else
		app_error(app, &err);
	buf_free(&path);
	return is_saved;
}

/* One with another, or with what is set now (second ""). */
static bool compare_presets(struct app *app, const char *first, const char *second)
{
	const struct settings *settings = app->config->settings;
	struct preset a, b;
	struct error err;
	struct buf text = {.max = KIB(64)};

	if (preset_load(&a, first, settings, &err) ||
	    (second[0] && preset_load(&b, second, settings, &err))) {
		app_error(app, &err);
		return false;
	}
	preset_compare(&a, second[0] ? &b : NULL, settings, &text);
	if (text.len)
		app_notice(app, STYLE_SYSTEM, "%-18s %-9.30s %.30s\n%s", "", first, second[0] ? second : "now",
		           buf_text(&text));
	else
		app_message(app, STYLE_STATUS, "%s is the same as %s", first,
		            second[0] ? second : "what is set now");
	buf_free(&text);
	return true;
}

static void chosen(struct app *app, const struct panel *panel)
{
	load_preset(app, panel_list_selected(panel));
}

static struct list_item item_of(const struct app *app, const char *name, struct preset_row *row)
{
	const struct settings *settings = app->config->settings;
	struct list_item item = {.text = name, .value = name};
	struct preset preset;
	struct buf differing = {.max = KIB(64)};

	buf_init(&row->note, KIB(64));
	if (preset_load(&preset, name, settings, &row->error)) {
		item.is_broken = true;
		item.note = app_short_error(&row->error, name);
		return item;
	}
	preset_describe(&preset, &row->note);
	item.note = row->note.len ? buf_text(&row->note) : NULL;
	preset_compare(&preset, NULL, settings, &differing);
	item.detail = differing.len || buf_status(&differing) ? NULL : "in use";
	buf_free(&differing);
	return item;
}

static bool list_presets(struct app *app)
{
	static const struct panel_use use = {.chosen = chosen};
	struct list_item *items;
	struct preset_row *rows;
	struct name_list names = {.n = 0};
	struct error err;

	if (preset_list(&names, &err)) {
		app_error(app, &err);
		return true;
	}
	items = alloc_array(names.n, sizeof *items);
	rows = alloc_array(names.n, sizeof *rows);
	for (size_t i = 0; items && rows && i < names.n; i++)
		items[i] = item_of(app, names.items[i], &rows[i]);
	app_open_panel(app, items && rows ? panel_list_open("Presets", items, names.n, NULL) : NULL, &use, NULL);
	for (size_t i = 0; items && rows && i < names.n; i++)
		buf_free(&rows[i].note);
	free(items);
	free(rows);
	name_list_free(&names);
	return true;
}

/* Cuts the first word off *text. */
static char *take_word(char **text)
{
	char *word = *text + strspn(*text, " \t"), *end = word + strcspn(word, " \t");

	*text = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

bool app_preset(struct app *app, const struct command_call *call)
{
	char *copy = alloc_strndup(call->argument, call->argument_len), *rest = copy;
	char *verb, *first, *second;
	bool done = false;

	if (!copy) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	verb = take_word(&rest);
	first = take_word(&rest);
	second = take_word(&rest);
	if (!verb[0])
		done = list_presets(app);
	else if (!first[0] && strcmp(verb, "save") != 0 && strcmp(verb, "compare") != 0)
		done = load_preset(app, verb);
	else if (strcmp(verb, "save") == 0 && first[0] && !second[0])
		done = save_preset(app, first, call->forced);
	else if (strcmp(verb, "compare") == 0 && first[0] && !take_word(&rest)[0])
		done = compare_presets(app, first, second);
	else
		app_message(app, STYLE_ERROR, "/preset NAME, /preset save NAME, /preset compare NAME [NAME]");
	free(copy);
	return done;
}
