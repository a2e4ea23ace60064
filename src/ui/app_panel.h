/* The open panel. UI thread only. */
#ifndef SOTTO_UI_APP_PANEL_H
#define SOTTO_UI_APP_PANEL_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct panel;
struct panel_use;

/* Takes the panel (NULL: out of memory; the user is told) and its state, in place of the open one.
 * `use` NULL: its answers mean nothing to the app. */
void app_open_panel(struct app *app, struct panel *panel, const struct panel_use *use, void *state);
void app_close_panel(struct app *app);
/* What the open one answered to a key, the mouse or a paste. False: it was not for it. */
bool app_panel_answered(struct app *app, unsigned result);
uint64_t app_panel_deadline(const struct app *app); /* when it looks at the disk again */
void app_panel_look(struct app *app);

#endif
