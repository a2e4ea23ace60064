/* Choosing a theme. UI thread only. */
#ifndef SOTTO_UI_APP_THEMES_H
#define SOTTO_UI_APP_THEMES_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_set_theme(struct app *app, const char *name); /* false: it failed, and has been told */
void app_use_theme(struct app *app); /* the one that the settings name */
bool app_theme(struct app *app, const struct command_call *call);

#endif
