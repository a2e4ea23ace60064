/* Keeping the chat. UI thread only. */
#ifndef SOTTO_UI_APP_SAVE_H
#define SOTTO_UI_APP_SAVE_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_save(struct app *app, const struct command_call *call);
bool app_quit_command(struct app *app, const struct command_call *call);

#endif
