/* A panel says what would be made; Enter makes it, and a bar shows how far it is. One at a time. */
#include "ui/app_convert.h"

#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "checkpoint/convert.h"
#include "checkpoint/maker.h"
#include "pull/plain_url.h"
#include "ui/app_load.h"
#include "ui/app_panel.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/panel_progress.h"

static enum maker_state state_of(const struct app *app)
{
	return app->convert->maker ? maker_state(app->convert->maker) : MAKER_IDLE;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* ---- how far it is ---- */

static void stop_chosen(struct app *app, const struct panel *panel)
{
	(void)panel;
	maker_stop(app->convert->maker);
}

static const struct panel_use progress_use = {.chosen = stop_chosen};

static bool is_shown(const struct app *app)
{
	return app->panel && app->panel_use == &progress_use;
}

static void fill_panel(struct app *app)
{
	bool makes = state_of(app) == MAKER_MAKING;
	struct buf text = {.max = KIB(4)};

	if (makes)
		buf_printf(&text, "%.0f %%\n\nEnter closes this, and it goes on. Where it is stopped, nothing is left of it.",
		           100 * maker_fraction(app->convert->maker));
	else
		buf_puts(&text, "looking at the model");
	panel_progress_set(app->panel, makes ? maker_fraction(app->convert->maker) : -1, buf_text(&text));
	buf_free(&text);
}

static void show(struct app *app, const char *what, const char *name)
{
	struct panel *panel;

	snprintf(app->convert->title, sizeof app->convert->title, "%s %s", what, name);
	panel = panel_progress_open(app->convert->title);
	app_open_panel(app, panel, &progress_use, NULL);
	if (panel)
		fill_panel(app);
}

static void say_how_far(struct app *app)
{
	unsigned tenths = (unsigned)(10 * maker_fraction(app->convert->maker));

	if (app->front->is_screen || state_of(app) != MAKER_MAKING || tenths <= app->convert->said)
		return;
	app->convert->said = tenths;
	app_message(app, STYLE_STATUS, "%s: %u %%", name_of(maker_offer(app->convert->maker)->path), 10 * tenths);
}

/* ---- the question ---- */

static void make_chosen(struct app *app, const struct panel *panel)
{
	const char *name = name_of(maker_offer(app->convert->maker)->path);
	struct error err;

	(void)panel;
	if (!app_went_well(app, maker_make(app->convert->maker, &err), &err))
		return;
	app->convert->said = 0;
	if (app->front->is_screen)
		show(app, "Making", name);
	else
		app_message(app, STYLE_STATUS, "making %s; Ctrl+C stops it", name);
}

static const struct panel_use question_use = {.chosen = make_chosen};

static void ask(struct app *app)
{
	const struct convert_offer *offer = maker_offer(app->convert->maker);
	char bytes[AMOUNT_TEXT_MAX], row[256];
	struct list_item item = {.text = row, .detail = amount_bytes(bytes, offer->n_bytes), .value = "make"};
	struct panel *panel;

	snprintf(row, sizeof row, "Make %s", name_of(offer->path));
	snprintf(app->convert->title, sizeof app->convert->title, "%s", name_of(offer->folder));
	panel = panel_list_open(app->convert->title, &item, 1, NULL);
	if (panel && !panel_list_set_below(panel, "This is a model as its laboratory publishes it. To chat with it, sotto makes a"
	                                   " file of its own, once.")) {
		panel_close(panel);
		panel = NULL;
	}
	if (panel)
		panel->hint = "Enter make  Esc close";
	app_open_panel(app, panel, &question_use, NULL);
}

/* ---- what comes of it ---- */

static void on_state(struct app *app)
{
	bool was_shown = is_shown(app);

	if (was_shown)
		app_close_panel(app);
	switch (state_of(app)) {
	case MAKER_OFFERS:
		if (was_shown || (!app->front->is_screen && !app->panel))
			ask(app);
		break;
	case MAKER_DONE:
		app->convert->is_new = true;
		break;
	case MAKER_FAILED:
		if (maker_error(app->convert->maker)->status == STATUS_CANCELLED)
			app_message(app, STYLE_STATUS, "nothing was made");
		else
			app_error(app, maker_error(app->convert->maker));
		break;
	default:
		break;
	}
}

int app_convert_fd(const struct app *app)
{
	return app->convert->maker ? maker_fd(app->convert->maker) : -1;
}

void app_convert_news(struct app *app)
{
	if (maker_update(app->convert->maker)) {
		app->waits = false;
		on_state(app);
	}
	if (is_shown(app))
		fill_panel(app);
	say_how_far(app);
	app->draw.now = true;
}

void app_convert_step(struct app *app)
{
	const struct convert_offer *offer;

	if (!app->convert->is_new || app->phase == PHASE_LOADING || app_is_busy(app))
		return;
	app->convert->is_new = false;
	offer = maker_offer(app->convert->maker);
	if (offer->is_made || app->phase == PHASE_NO_MODEL || app_is_guide(app))
		app_switch_model(app, offer->path);
	else
		app_notice(app, STYLE_SYSTEM, "%s is made: /model %s loads it.", name_of(offer->path), offer->path);
}

/* ---- asking for one ---- */

static void look(struct app *app, const char *folder)
{
	struct buf models = {.max = KIB(64)};
	struct error err;
	enum status status = STATUS_OK;

	if (!app->convert->maker)
		status = maker_create(&app->convert->maker, app->config->try_model, &err);
	if (!status)
		status = plain_url_folder(&models, &err);
	if (!status)
		status = maker_look(app->convert->maker, folder, buf_text(&models), &err);
	buf_free(&models);
	if (!app_went_well(app, status, &err))
		return;
	app->waits = !app->front->is_screen;
	if (app->front->is_screen)
		show(app, "Looking at", name_of(folder));
}

bool app_convert_offer(struct app *app, const char *typed)
{
	struct buf path = {.max = KIB(64)};
	bool is_one = !app_model_path(app, &path, typed, NULL) && convert_is_checkpoint(buf_text(&path));

	if (is_one)
		look(app, buf_text(&path));
	buf_free(&path);
	return is_one;
}

bool app_convert_interrupt(struct app *app)
{
	if (app->front->is_screen || (state_of(app) != MAKER_MAKING && state_of(app) != MAKER_LOOKING))
		return false;
	app->waits = false;
	maker_stop(app->convert->maker);
	return true;
}

/* ---- the end ---- */

void app_convert_end(struct app *app)
{
	if (app->convert->maker)
		maker_stop(app->convert->maker);
}

void app_convert_free(struct app *app)
{
	maker_free(app->convert->maker);
}
