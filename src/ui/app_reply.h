/* Another reply, or the rest of one. UI thread only. */
#ifndef SOTTO_UI_APP_REPLY_H
#define SOTTO_UI_APP_REPLY_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_regenerate(struct app *app, const struct command_call *call);
bool app_continue(struct app *app, const struct command_call *call);

#endif
