/* The prompt template in use. UI thread only. */
#ifndef SOTTO_UI_APP_TEMPLATE_H
#define SOTTO_UI_APP_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct app;
struct command_call;
struct prompt_template;
struct prompt_values;

/* Uses a template: its system message for the whole conversation or from here on, its options, and
 * in an empty chat its opening messages. */
enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err);
bool app_template_none(struct app *app); /* ... without one */
void app_template_start(struct app *app);   /* -T, in a new chat */
bool app_template_command(struct app *app, const struct command_call *call);

#endif
