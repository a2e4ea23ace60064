/* /preset. UI thread only. */
#ifndef SOTTO_UI_APP_PRESETS_H
#define SOTTO_UI_APP_PRESETS_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_preset(struct app *app, const struct command_call *call);

#endif
