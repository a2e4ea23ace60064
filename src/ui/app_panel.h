/* The open panel. UI thread only. */
#ifndef SOTTO_UI_APP_PANEL_H
#define SOTTO_UI_APP_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#include "view/panel.h"

struct app;

enum panel_use_flags {
	PANEL_IS_DOCKED = 1 << 0,      /* stands below the transcript, so that a reply stays in sight */
	PANEL_NEEDS_IDLE = 1 << 1,     /* `chosen` is refused during a reply or while a model is loaded, */
	PANEL_NEEDS_NO_REPLY = 1 << 2, /* ... or during a reply only */
	PANEL_HAS_MESSAGES = 1 << 3,   /* its rows are the chat's messages: it is closed when one goes */
};

/* What a panel's answers mean: each file that opens a panel has one. Any function may be NULL. */
struct panel_use {
	unsigned flags;
	/* PANEL_CHOSEN. The panel is no longer the open one, so that another may be opened;
	 * it is freed afterwards. */
	void (*chosen)(struct app *app, const struct panel *panel);
	/* Whether the selected row changes nothing here, so that it is chosen beside a reply, too, and there is nothing to keep. */
	bool (*is_aside)(const struct panel *panel);
	/* Before PANEL_KEEP keeps it; NULL: as `chosen`. */
	void (*kept)(struct app *app, const struct panel *panel);
	void (*changed)(struct app *app, const struct panel *panel); /* PANEL_CHANGED */
	void (*closed)(struct app *app); /* in whatever way; before `chosen` */
	/* Called every second, to show what has changed on the disk. */
	void (*look)(struct app *app, struct panel *panel);
};

/* Takes the panel (NULL: out of memory; the user is told) and its state, in place of the open one.
 * `use` NULL: its answers mean nothing to the app. */
void app_open_panel(struct app *app, struct panel *panel, const struct panel_use *use, void *state);
void app_close_panel(struct app *app);
/* What the open one answered to a key, the mouse or a paste. False: it was not for it. */
bool app_panel_answered(struct app *app, unsigned result);
uint64_t app_panel_deadline(const struct app *app); /* when it looks at the disk again */
void app_panel_look(struct app *app);

#endif
