/* /help. UI thread only. */
#ifndef SOTTO_UI_APP_HELP_H
#define SOTTO_UI_APP_HELP_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_help(struct app *app, const struct command_call *call);

#endif
