/* Choosing a prompt template. UI thread only. */
#ifndef SOTTO_UI_APP_TEMPLATE_H
#define SOTTO_UI_APP_TEMPLATE_H

#include <stdbool.h>

struct app;
struct command_call;

void app_template_start(struct app *app); /* -T, in a new chat */
bool app_template_command(struct app *app, const struct command_call *call);

#endif
