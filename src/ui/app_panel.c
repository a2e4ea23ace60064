/* The open panel: its answers are carried out as its use says. */
#include "ui/app_panel.h"

#include <stdlib.h>

#include "base/sys.h"
#include "ui/app_keep.h"
#include "ui/front.h"
#include "ui/tell.h"

enum { LOOK_MS = 1000 }; /* between two looks of a panel at the disk */

/* Takes the panel out of the app; the caller closes it. */
static struct panel *take_panel(struct app *app)
{
	struct panel *panel = app->panel;

	app->panel = NULL;
	if (panel && app->panel_use->closed)
		app->panel_use->closed(app);
	return panel;
}

void app_close_panel(struct app *app)
{
	panel_close(take_panel(app));
}

void app_open_panel(struct app *app, struct panel *panel, const struct panel_use *use, void *state)
{
	static const struct panel_use none = {.flags = 0};

	app_close_panel(app);
	if (!panel) {
		app_message(app, STYLE_ERROR, "not enough memory");
		free(state);
		return;
	}
	app->panel_use = use ? use : &none;
	panel->state = state;
	app->panel_look_at = sys_now_ms() + LOOK_MS;
	app->panel = panel;
	app->front->new_panel(app);
}

static bool refuse(struct app *app, unsigned flags)
{
	if (flags & PANEL_NEEDS_NO_REPLY && app->phase != PHASE_LOADING)
		return app_refuse_while_busy(app);
	return flags & PANEL_NEEDS_IDLE && app_refuse_while_busy(app);
}

bool app_panel_answered(struct app *app, unsigned result)
{
	const struct panel_use *use = app->panel_use;
	struct panel *panel;

	if (result == PANEL_IGNORED)
		return false;
	if (result & PANEL_CHANGED && use->changed)
		use->changed(app, app->panel);
	if (!(result & PANEL_CLOSE)) {
		if (result & PANEL_KEEP)
			app_keep(app, NULL);
		return true;
	}
	panel = take_panel(app);
	if (result & PANEL_CHOSEN && use->is_aside && use->is_aside(panel)) {
		use->chosen(app, panel);
	} else if (result & PANEL_CHOSEN && use->chosen && !refuse(app, use->flags)) {
		(result & PANEL_KEEP && use->kept ? use->kept : use->chosen)(app, panel);
		if (result & PANEL_KEEP)
			app_keep(app, NULL);
	}
	panel_close(panel);
	return true;
}

uint64_t app_panel_deadline(const struct app *app)
{
	return app->panel && app->panel_use->look && app->front->is_screen ? app->panel_look_at : APP_NEVER;
}

void app_panel_look(struct app *app)
{
	app->panel_look_at = sys_now_ms() + LOOK_MS;
	app->panel_use->look(app, app->panel);
}
