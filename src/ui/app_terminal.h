/* What the terminal is told beside the screen. UI thread only. */
#ifndef SOTTO_UI_APP_TERMINAL_H
#define SOTTO_UI_APP_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

struct app;

/* Where the user is. */
struct app_focus {
	bool is_known, is_here; /* as the terminal reported it; whether the window has it */
	uint64_t key_at;        /* when the last key or paste came, in milliseconds */
};

enum { APP_TITLE_BYTES = 80 };
void app_show_title(struct app *app); /* in the window's frame; after a refresh */
void app_set_terminal(struct app *app); /* its modes, as the settings say */
void app_on_focus(struct app *app, bool focused);
/* Tells it where nobody looks, if it was long; `since`: when it began, in milliseconds. */
void app_notify(struct app *app, uint64_t since, const char *text);
void app_notify_end(struct app *app, bool failed); /* of the turn */

#endif
