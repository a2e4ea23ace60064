/* Fetching published models beside the chat, one at a time: a panel shows what there is, then how far it is. */
#include "ui/app_pull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "dialog/dialog.h"
#include "ui/app_convert.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_panel.h"
#include "ui/app_terminal.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/pull_rows.h"
#include "ui/tell.h"
#include "view/panel_progress.h"

/* ---- the panel of how far it is ---- */

static void stop(struct app *app)
{
	app->pull->awaits_machine = false;
	app->pull->is_stopping = app_pull_is_under_way(app);
	if (app->pull->puller)
		puller_stop(app->pull->puller);
	app->draw.now = true;
}

static void stop_chosen(struct app *app, const struct panel *panel)
{
	(void)panel;
	stop(app);
}

static const struct panel_use progress_use = {.chosen = stop_chosen};

static bool is_shown(const struct app *app)
{
	return app->panel && app->panel_use == &progress_use;
}

/* Whether it is loaded when it is there. */
static bool wants_model(const struct app *app)
{
	return app->phase == PHASE_NO_MODEL || app->phase == PHASE_LOADING || app_is_guide(app);
}

static void fill_panel(struct app *app, struct panel *panel)
{
	struct buf text = {.max = KIB(4)};

	app_pull_put(app, &text);
	if (app_pull_state(app) == PULLER_FETCHING)
		buf_printf(&text, "%s%s %s", app->front->is_screen ? "\n\n" : ". ",
		           wants_model(app) ? "It is loaded as soon as it is there." : "You are told when it is there.",
		           app->front->is_screen ? "Enter closes this, and it goes on. Where it is stopped, what is there "
		                                   "is kept."
		                                 : "Ctrl+C stops it, and what is there is kept.");
	panel_progress_set(panel, app_pull_fraction(app), buf_text(&text));
	buf_free(&text);
}

static void show(struct app *app)
{
	struct panel *panel;

	snprintf(app->pull->title, sizeof app->pull->title, "%s %s",
	         app_pull_state(app) == PULLER_FETCHING ? "Fetching" : "Looking for", app_pull_asked(app));
	panel = panel_progress_open(app->pull->title);
	if (panel)
		fill_panel(app, panel);
	app_open_panel(app, panel, &progress_use, NULL);
}

/* In lines every tenth is said, but not into a reply. */
static void say_how_far(struct app *app)
{
	int percent = app_pull_percent(app);
	struct buf text = {.max = KIB(4)};

	if (app->front->is_screen || app_is_busy(app) || percent < 0 || (unsigned)percent / 10 <= app->pull->said)
		return;
	app->pull->said = (unsigned)percent / 10;
	app_pull_put(app, &text);
	app_message(app, STYLE_STATUS, "%s: %s", app_pull_asked(app), buf_text(&text));
	buf_free(&text);
}

/* ---- fetching ---- */

/* It is being fetched now. */
static void tell_begun(struct app *app)
{
	app->pull->said = 0;
	if (!app->front->is_screen)
		app_message(app, STYLE_STATUS, "fetching %s; Ctrl+C stops it and keeps what is there, /pull tells how far "
		            "it is", app_pull_asked(app));
	else if (is_shown(app))
		show(app); /* its name is known in full */
}

static void fetch(struct app *app, size_t choice)
{
	struct error err;

	if (app_went_well(app, puller_fetch(app->pull->puller, choice, &err), &err))
		tell_begun(app);
}

static void chosen(struct app *app, const struct panel *panel)
{
	const struct pull_offer *offer = puller_offer(app->pull->puller);
	int64_t choice;

	if (app_pull_state(app) != PULLER_OFFERS || !number_parse_int(panel_list_selected(panel), &choice) ||
	    choice < 0 || (uint64_t)choice >= offer->n_choices)
		return;
	fetch(app, (size_t)choice);
	if (app_pull_state(app) == PULLER_FETCHING && app->front->is_screen)
		show(app);
}

static const struct panel_use choices_use = {.chosen = chosen};

static uint64_t memory_here(const struct app *app)
{
	return app->models->catalog ? app->models->catalog->available : 0;
}

static void say_notes(struct app *app, const struct pull_offer *offer)
{
	struct buf text = {.max = KIB(64)};

	pull_rows_put_notes(&text, offer);
	app_message(app, STYLE_STATUS, "%s: %s", app->pull->asked, buf_text(&text));
	buf_free(&text);
}

static void show_choices(struct app *app)
{
	const struct pull_offer *offer = puller_offer(app->pull->puller);
	struct panel *panel = NULL;
	struct pull_rows rows;

	snprintf(app->pull->title, sizeof app->pull->title, "%s", app->pull->asked);
	if (!offer->n_choices) { /* it says what to do */
		app_notice(app, STYLE_WARNING, "%s",
		           offer->notes ? offer->notes : "There is no file that sotto can run.");
		return;
	}
	if (!app->front->is_screen)
		say_notes(app, offer);
	if (pull_rows_make(&rows, offer, memory_here(app), app->front->is_screen))
		panel = panel_list_open(app->pull->title, rows.items, rows.n, pull_rows_first(&rows, offer));
	if (panel) {
		panel_list_set_extras(panel, &pull_rows_extras);
		panel->hint = "type to filter  \u2191\u2193 pick  Enter fetch  Esc close";
	}
	pull_rows_free(&rows);
	app_open_panel(app, panel, &choices_use, NULL);
}

/* What there is, is known. Another panel is not taken away for it. */
static void on_offers(struct app *app)
{
	const struct pull_offer *offer = puller_offer(app->pull->puller);

	if (offer->n_choices && (app->pull->takes_chosen || offer->is_by_tag || offer->n_choices == 1)) {
		fetch(app, offer->chosen);
	} else if (!app->panel || is_shown(app)) {
		app_close_panel(app);
		show_choices(app);
	} else {
		app_message(app, STYLE_STATUS, "%s is found: /pull shows what there is", app->pull->asked);
	}
}

/* For those who went away meanwhile. */
static void notify(struct app *app, const char *what)
{
	struct buf text = {.max = KIB(4)};

	buf_printf(&text, "%s %s", app_pull_asked(app), what);
	app_notify(app, app->pull->begun_at, buf_text(&text));
	buf_free(&text);
}

static void on_failed(struct app *app)
{
	const struct error *err = puller_error(app->pull->puller);
	const char *name = app_pull_asked(app);

	if (is_shown(app))
		app_close_panel(app);
	if (err->status != STATUS_CANCELLED) {
		app_error(app, err);
		notify(app, "could not be fetched");
	}
	if (app_pull_was_stopped(app, name))
		app_notice_until(app, NOTICE_UNTIL_COMMAND, STYLE_SYSTEM,
		                 "What is there of %s is kept: /pull %s goes on.", name, name);
	else if (err->status == STATUS_CANCELLED)
		app_message(app, STYLE_STATUS, "%s is not fetched", name);
}

static void on_done(struct app *app)
{
	if (is_shown(app))
		app_close_panel(app);
	app->pull->is_fetched = true;
	app->pull->offered = NULL;
	notify(app, "is on this machine now");
	/* The first screen of an empty chat says it anyway. */
	if (wants_model(app) && app->phase != PHASE_LOADING && (tree_leaf(app->dialog->tree) || !app->front->is_screen))
		app_notice(app, STYLE_SYSTEM, "%s is on this machine now, and is loaded.", app_pull_asked(app));
}

void app_pull_news(struct app *app)
{
	if (puller_update(app->pull->puller)) {
		app->waits = false;
		app->pull->is_stopping &= app_pull_is_under_way(app);
		switch (app_pull_state(app)) {
		case PULLER_OFFERS: on_offers(app); break;
		case PULLER_FETCHING: tell_begun(app); break;
		case PULLER_FAILED: on_failed(app); break;
		case PULLER_DONE: on_done(app); break;
		case PULLER_IDLE:
		case PULLER_LOOKING: break;
		}
	}
	if (is_shown(app))
		fill_panel(app, app->panel);
	say_how_far(app);
	app->draw.now = true;
}

void app_pull_step(struct app *app)
{
	const char *name;

	if (!app->pull->is_fetched || app->phase == PHASE_LOADING || (wants_model(app) && app_is_busy(app)))
		return;
	app->pull->is_fetched = false;
	name = app_pull_asked(app);
	if (!app->panel && app_convert_offer(app, puller_model(app->pull->puller)))
		return; /* of safetensors */
	if (wants_model(app))
		app_switch_model(app, puller_model(app->pull->puller));
	else
		app_notice(app, STYLE_SYSTEM, "%s is on this machine now: /model %s loads it.", name, name);
}

/* ---- asking for one ---- */

static void look(struct app *app)
{
	const struct catalog *catalog = app->models->catalog;
	struct pull_machine machine = {.available = memory_here(app),
	                               .weight_rate = catalog ? catalog->weight_rate : 0};
	struct error err;

	app->pull->awaits_machine = false;
	if (app_went_well(app, puller_look(app->pull->puller, app->pull->asked, &machine, &err), &err)) {
		app->waits = !app->front->is_screen;
		return;
	}
	app->waits = false;
	if (is_shown(app))
		app_close_panel(app);
}

void app_pull_machine_known(struct app *app)
{
	if (app->pull->awaits_machine)
		look(app);
}

/* Whether it is a name at all, and nothing else is under way. */
static bool may_ask(struct app *app, const char *text)
{
	struct pull_name name;
	struct error err;
	enum status status = pull_name_parse(&name, text, &err);

	pull_name_free(&name);
	if (!app_went_well(app, status, &err))
		return false;
	if (!app_pull_is_under_way(app))
		return true;
	app_message(app, STYLE_WARNING,
	            app->pull->is_stopping ? "%s is being stopped: in a moment there is room for another"
	                                   : "%s is being fetched: /pull shows how far it is, /pull stop stops it",
	            app_pull_asked(app));
	return false;
}

/* What is being searched for is not known yet: how much memory there is, and how fast it is. */
static bool awaits_machine(struct app *app)
{
	struct error err;

	return !app->models->catalog && (!app_look_for_models(app, &err) || err.status == STATUS_BUSY);
}

static bool ask(struct app *app, const char *text, bool takes_chosen)
{
	char *asked;
	struct error err;

	if (!may_ask(app, text))
		return false;
	if (!app->pull->puller && !app_went_well(app, puller_create(&app->pull->puller, &err), &err))
		return false;
	asked = alloc_strndup(text, strlen(text));
	if (!asked) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	free(app->pull->asked);
	app->pull->asked = asked;
	app->pull->takes_chosen = takes_chosen;
	app->pull->is_fetched = false; /* the one before */
	app->pull->awaits_machine = awaits_machine(app);
	app->pull->begun_at = sys_now_ms();
	app->waits = !app->front->is_screen;
	if (!app->front->is_screen)
		app_message(app, STYLE_STATUS, "looking for %s; Ctrl+C stops", text);
	if (!app->pull->awaits_machine)
		look(app);
	app->draw.now = true;
	return app_pull_is_under_way(app);
}

bool app_pull_begin(struct app *app, const char *name)
{
	return ask(app, name, true);
}

/* Whether it is on its way already. */
static bool is_the_one(const struct app *app, const char *name)
{
	return app_pull_is_under_way(app) && !app->pull->is_stopping &&
	       (strcmp(app->pull->asked, name) == 0 || strcmp(app_pull_asked(app), name) == 0);
}

void app_pull_get(struct app *app, const char *name)
{
	bool is_it = is_the_one(app, name);

	if (is_it || (ask(app, name, true) && app->front->is_screen))
		show(app);
}

/* Without a name: what there is to be seen. */
static bool show_again(struct app *app)
{
	if (app_pull_is_under_way(app)) {
		show(app);
	} else if (app_pull_state(app) == PULLER_OFFERS && puller_offer(app->pull->puller)->n_choices) {
		show_choices(app);
	} else if (app->pull->asked && app_pull_was_stopped(app, app_pull_asked(app))) {
		app_message(app, STYLE_STATUS, "/pull %s goes on with what is there of it", app_pull_asked(app));
	} else {
		app_message(app, STYLE_STATUS, "/pull NAME fetches a published model, such as owner/repo of Hugging Face or "
		            "llama3.2:3b of ollama; %s shows some", app_key(app, "model"));
	}
	return true;
}

bool app_pull(struct app *app, const struct command_call *call)
{
	if (!call->argument[0])
		return show_again(app);
	if (strcmp(call->argument, "stop") == 0) {
		if (!app_pull_is_under_way(app))
			app_message(app, STYLE_STATUS, "nothing is being fetched");
		stop(app);
		return true;
	}
	if (is_the_one(app, call->argument)) {
		show(app);
		return true;
	}
	if (!ask(app, call->argument, false))
		return false;
	if (app->front->is_screen)
		show(app);
	return true;
}

bool app_pull_interrupt(struct app *app)
{
	if (app->front->is_screen || !app_pull_is_under_way(app))
		return false;
	app->waits = false;
	stop(app);
	return true;
}

void app_pull_end(struct app *app)
{
	stop(app);
}

void app_pull_free(struct app *app)
{
	puller_free(app->pull->puller);
	free(app->pull->asked);
}
