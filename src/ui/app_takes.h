/* Two takes side by side. UI thread only. */
#ifndef SOTTO_UI_APP_TAKES_H
#define SOTTO_UI_APP_TAKES_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_takes(struct app *app, const struct command_call *call);

#endif
