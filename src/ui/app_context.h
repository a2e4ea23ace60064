/* What fills the context: /context and F9. UI thread only. */
#ifndef SOTTO_UI_APP_CONTEXT_H
#define SOTTO_UI_APP_CONTEXT_H

#include <stdbool.h>

struct app;
struct command_call;
struct inspection;

void app_show_context(struct app *app, const struct inspection *inspect); /* app_context.c */
bool app_context(struct app *app, const struct command_call *call);

#endif
