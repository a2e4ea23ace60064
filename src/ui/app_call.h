/* Running a command, or sending a message. UI thread only. */
#ifndef SOTTO_UI_APP_CALL_H
#define SOTTO_UI_APP_CALL_H

#include <stdbool.h>

struct app;
struct command_call;

/* Runs a command or sends a message, unless that has to wait until the worker is idle. False: it
 * was refused, and the user was told. */
bool app_call(struct app *app, const struct command_call *call);

#endif
