/* The system message. UI thread only. */
#ifndef SOTTO_UI_APP_SYSTEM_H
#define SOTTO_UI_APP_SYSTEM_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_system(struct app *app, const struct command_call *call);

#endif
