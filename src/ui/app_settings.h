/* Options shown and changed in a running chat. UI thread only. */
#ifndef SOTTO_UI_APP_SETTINGS_H
#define SOTTO_UI_APP_SETTINGS_H

#include <stdbool.h>

struct app;
struct command_call;

void app_after_settings(struct app *app); /* options have changed */
/* Says which of the options that somebody has set change nothing with the model that was loaded. */
void app_tell_idle(struct app *app);
bool app_set(struct app *app, const struct command_call *call);
bool app_show(struct app *app, const struct command_call *call);
bool app_mouse(struct app *app, const struct command_call *call);
bool app_plain(struct app *app, const struct command_call *call);
bool app_think(struct app *app, const struct command_call *call);

#endif
