/* Using a prompt template. UI thread only. */
#ifndef SOTTO_UI_APP_TEMPLATE_USE_H
#define SOTTO_UI_APP_TEMPLATE_USE_H

#include <stdbool.h>

#include "base/error.h"

struct app;
struct prompt_template;
struct prompt_values;

/* Uses a template: its system message for the whole conversation or from here on, its options, and
 * in an empty chat its opening messages. */
enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err);
bool app_template_none(struct app *app); /* ... without one */

#endif
