/* Choosing a chat. UI thread only. */
#ifndef SOTTO_UI_APP_CHATS_H
#define SOTTO_UI_APP_CHATS_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_load(struct app *app, const struct command_call *call);
bool app_list_chats(struct app *app, const struct command_call *call);

#endif
