/* The system message. UI thread only. */
#ifndef SOTTO_UI_APP_SYSTEM_H
#define SOTTO_UI_APP_SYSTEM_H

#include <stdbool.h>

#include "base/error.h"

struct app;
struct command_call;
struct prompt_template;
struct prompt_values;

bool app_system(struct app *app, const struct command_call *call);

/* Uses a template: its system message for the whole conversation or from here on, its options, and
 * in an empty chat its opening messages. */
enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err);
bool app_template_none(struct app *app); /* ... without one */

#endif
