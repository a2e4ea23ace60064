/* Writing a reply or the chat to a file. UI thread only. */
#ifndef SOTTO_UI_APP_WRITE_H
#define SOTTO_UI_APP_WRITE_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_export(struct app *app, const struct command_call *call);
bool app_write(struct app *app, const struct command_call *call);
bool app_save(struct app *app, const struct command_call *call);

#endif
