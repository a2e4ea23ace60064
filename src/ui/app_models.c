/* Choosing one of this machine's model files: F6, /model and /models. Each time they are searched
 * for in the background; until that is done, the previous result is shown. */
#include "ui/app_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/date.h"
#include "base/limits.h"
#include "dialog/dialog.h"
#include "ui/app_load.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"

static const char *const heads[] = {"context", "type", "size", "tokens/s", "memory"};
enum { N_COLUMNS = sizeof heads / sizeof heads[0], COLUMN_MAX = 24 };

/* The texts of an entry's row. */
struct entry_text {
	char context[COLUMN_MAX], size[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX];
	struct buf note;
};

static bool can_load(const struct catalog_entry *entry)
{
	return entry->state <= MODEL_TOO_LARGE;
}

/* All there is to say about it, the most important first, since it may be cut. */
static void write_note(const struct catalog *catalog, const struct catalog_entry *entry,
                       struct buf *out)
{
	char text[AMOUNT_TEXT_MAX], free_text[AMOUNT_TEXT_MAX], date[DATE_TEXT_MAX];

	if (entry->why)
		buf_printf(out, "%s \302\267 ", entry->why);
	else if (entry->memory)
		buf_printf(out, "needs %s of %s free for %u tokens \302\267 ", amount_bytes(text, entry->memory),
		           catalog->available ? amount_bytes(free_text, catalog->available) : "unknown",
		           entry->n_ctx);
	if (entry->n_params)
		buf_printf(out, "%s, %s parameters", entry->architecture,
		           amount_count(text, entry->n_params));
	if (entry->n_params && entry->has_experts)
		buf_printf(out, ", %s of them for each token", amount_count(text, entry->n_active));
	if (entry->n_params)
		buf_puts(out, " \302\267 ");
	if (entry->n_parts > 1)
		buf_printf(out, "in %u files \302\267 ", entry->n_parts);
	if (entry->used) {
		date_text(entry->used, date);
		buf_printf(out, "last loaded %s \302\267 ", date);
	}
	buf_puts(out, entry->path);
}

static bool fill_row(const struct app *app, const struct catalog_entry *entry,
                     struct entry_text *text, struct list_item *item)
{
	buf_init(&text->note, KIB(64));
	write_note(app->models->catalog, entry, &text->note);
	amount_bytes(text->size, entry->file_bytes);
	if (entry->speed > 0)
		amount_estimate(text->speed, entry->speed);
	if (entry->n_ctx_train)
		snprintf(text->context, sizeof text->context, "%u", entry->n_ctx_train);
	*item = (struct list_item){
		.text = entry->name, .value = entry->path, .note = buf_text(&text->note),
		.is_broken = !can_load(entry),
		.columns = {text->context, entry->type, text->size, text->speed,
		            entry->is_current && app_has_model(app)
		                    ? "loaded" : catalog_state_name(entry->state)}};
	return !buf_status(&text->note);
}

/* Shows app->models->catalog in the open panel. */
static bool show_rows(struct app *app)
{
	size_t n = app->models->catalog ? app->models->catalog->n : 0;
	struct list_item *items = alloc_array(n, sizeof *items);
	struct entry_text *texts = alloc_array(n, sizeof *texts);
	bool ok = items && texts;

	for (size_t i = 0; ok && i < n; i++)
		ok = fill_row(app, &app->models->catalog->entries[i], &texts[i], &items[i]);
	ok = ok && panel_list_replace(app->panel, items, n);
	for (size_t i = 0; texts && i < n; i++)
		buf_free(&texts[i].note);
	free(texts);
	free(items);
	return ok;
}

/* For users without a model: which one to get. */
static bool show_advice(struct app *app)
{
	bool has_guide = app->models->catalog->n > 0, ok;
	struct buf text = {.max = KIB(64)};

	/* a command that wraps inside the frame cannot be copied */
	buf_printf(&text, "No %smodel was found on this machine. To copy this: sotto models, in a shell.\n\n",
	           has_guide ? "other " : "");
	ok = !catalog_advice(&text, app->models->catalog->available, app->models->catalog->weight_rate);
	if (ok && has_guide)
		ok = panel_list_set_below(app->panel, buf_text(&text));
	else if (ok)
		ok = panel_list_set_empty(app->panel, buf_text(&text));
	buf_free(&text);
	return ok;
}

static void chosen(struct app *app, const struct panel *panel)
{
	const char *path = panel_list_selected(panel);
	const struct catalog_entry *entry = NULL;

	for (size_t i = 0; app->models->catalog && i < app->models->catalog->n; i++)
		if (strcmp(app->models->catalog->entries[i].path, path) == 0)
			entry = &app->models->catalog->entries[i];
	/* The loaded model is given up only for one that can be loaded. */
	if (entry && !can_load(entry))
		app_notice(app, STYLE_WARNING, "%s cannot be loaded: %s", entry->name,
		           entry->why ? entry->why : "it is split into several files");
	else
		app_switch_model(app, path);
}

/* What is loaded is not loaded again. */
static void kept(struct app *app, const struct panel *panel)
{
	const char *path = panel_list_selected(panel);
	struct error err;

	if (app->phase != PHASE_READY || !app->models->path || strcmp(app->models->path, path) != 0)
		chosen(app, panel);
	else if (app_set_model(app, path, &err))
		app_error(app, &err);
}

static const struct panel_use models_use = {.flags = PANEL_NEEDS_IDLE, .chosen = chosen, .kept = kept};

bool app_model(struct app *app, const struct command_call *call)
{
	static const struct list_extras extras = {.heads = heads, .n_columns = N_COLUMNS,
	                                          .can_keep = true};
	struct panel *panel;
	struct error err;

	if (call->argument[0])
		return app_switch_model(app, call->argument);
	panel = panel_list_open("Models", NULL, 0, NULL);
	if (panel && !panel_list_set_empty(panel, "Looking for models ...")) {
		panel_close(panel);
		panel = NULL;
	}
	if (panel)
		panel_list_set_extras(panel, &extras);
	app_open_panel(app, panel, &models_use, NULL);
	/* What is printed stays, so that in lines only the new result is. */
	if (panel && app->front->is_screen && app->models->catalog && app->models->catalog->n && !show_rows(app))
		app_message(app, STYLE_ERROR, "not enough memory");
	if (app_look_for_models(app, &err) && err.status != STATUS_BUSY)
		app_error(app, &err);
	return true;
}

static void advise(struct app *app)
{
	struct buf text = {.max = KIB(64)};

	if (app->phase != PHASE_NO_MODEL)
		return;
	if (app->models->catalog->n_found) {
		app_notice(app, STYLE_SYSTEM, "%zu model file%s found on this machine: %s shows %s.",
		           app->models->catalog->n_found, app->models->catalog->n_found == 1 ? " was" : "s were",
		           app_key(app, "model"), app->models->catalog->n_found == 1 ? "it" : "them");
	} else {
		buf_puts(&text, "No model was found on this machine. ");
		if (!catalog_advice(&text, app->models->catalog->available, app->models->catalog->weight_rate))
			app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	}
	buf_free(&text);
}

void app_take_catalog(struct app *app)
{
	bool wanted = app->models->advise;
	struct catalog *catalog;
	struct error err;

	app->models->advise = false;
	if (searcher_take(&app->models->searcher, &catalog, &err)) {
		if (err.status != STATUS_CANCELLED)
			app_error(app, &err);
		return;
	}
	catalog_free(app->models->catalog);
	app->models->catalog = catalog;
	app->models->weight_rate = catalog->weight_rate;
	if (app->panel && app->panel_use == &models_use) {
		if (!show_rows(app) || (!app->models->catalog->n_found && !show_advice(app)))
			app_message(app, STYLE_ERROR, "not enough memory");
		app->front->new_panel(app);
		if (app->models->catalog->is_cut)
			app_message(app, STYLE_WARNING, "there are too many files to check them all");
	} else if (wanted) {
		advise(app);
	}
	app->draw.now = true;
}
