/* Writing what was changed in the chat to the configuration. UI thread only. */
#ifndef SOTTO_UI_APP_KEEP_H
#define SOTTO_UI_APP_KEEP_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_keep(struct app *app, const struct command_call *call);

#endif
