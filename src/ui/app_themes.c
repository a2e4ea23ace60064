/* Choosing a theme: F7 and /theme. The files are read each time. */
#include "ui/app_themes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "terminal/style.h"
#include "terminal/term.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/theme_sample.h"

void app_use_theme(struct app *app)
{
	struct theme theme = *app->theme;
	struct error err;

	if (theme_load(&theme, app->config->ui->theme, &err))
		app_error(app, &err);
	else
		*app->theme = theme;
	style_apply(app->theme);
	app->front->restyle(app);
	term_redraw(app->term);
}

bool app_set_theme(struct app *app, const char *name)
{
	struct theme theme = *app->theme;
	struct error err;
	bool failed = theme_load(&theme, name, &err) || settings_set(app->config->settings, "theme", name, &err);

	if (failed)
		app_error(app, &err);
	app_use_theme(app);
	return !failed;
}

/* A theme is shown while its row is selected, before it is chosen. */
static void preview(struct app *app, const struct panel *panel)
{
	const char *name = panel_list_selected(panel);
	struct theme theme = *app->theme;

	style_apply(name && !theme_load(&theme, name, NULL) ? &theme : app->theme);
	term_redraw(app->term);
}

static void end_preview(struct app *app)
{
	style_apply(app->theme);
	term_redraw(app->term);
}

static void chosen(struct app *app, const struct panel *panel)
{
	app_set_theme(app, panel_list_selected(panel));
}

/* The texts of a theme's row. */
struct theme_text {
	char description[sizeof ((struct theme *)0)->description];
	struct error error;
};

static struct list_item item_of(const struct app *app, const char *name, struct theme_text *text)
{
	struct list_item item = {.text = name, .value = name};
	struct theme theme;

	if (theme_load(&theme, name, &text->error)) {
		item.is_broken = true;
		item.note = app_short_error(&text->error, name);
		return item;
	}
	memcpy(text->description, theme.description, sizeof text->description);
	item.note = text->description[0] ? text->description : NULL;
	item.detail = strcmp(app->theme->name, theme.name) == 0 ? "in use" : NULL;
	return item;
}

bool app_theme(struct app *app, const struct command_call *call)
{
	static const struct panel_use use = {.chosen = chosen, .changed = preview,
	                                     .closed = end_preview};
	static const struct list_extras extras = {
		.can_keep = true, .picture_rows = THEME_SAMPLE_ROWS,
		.draw_picture = theme_sample_draw};
	struct list_item *items;
	struct theme_text *texts;
	struct panel *panel;
	struct name_list names = {.n = 0};
	struct error err;

	if (call->argument[0])
		return app_set_theme(app, call->argument);
	if (theme_list(&names, &err)) {
		app_error(app, &err);
		return true;
	}
	items = alloc_array(names.n, sizeof *items);
	texts = alloc_array(names.n, sizeof *texts);
	for (size_t i = 0; items && texts && i < names.n; i++)
		items[i] = item_of(app, names.items[i], &texts[i]);
	panel = items && texts ? panel_list_open("Themes", items, names.n, app->theme->name) : NULL;
	if (panel)
		panel_list_set_extras(panel, &extras);
	app_open_panel(app, panel, &use, NULL);
	free(items);
	free(texts);
	name_list_free(&names);
	return true;
}
