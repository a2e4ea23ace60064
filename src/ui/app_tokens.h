/* Token mode: a reply token by token, with what the model almost said. UI thread only. */
#ifndef SOTTO_UI_APP_TOKENS_H
#define SOTTO_UI_APP_TOKENS_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_tokens(struct app *app, const struct command_call *call);

#endif
