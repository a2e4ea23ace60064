/* Choosing a prompt template. UI thread only. */
#ifndef SOTTO_UI_APP_LIBRARY_H
#define SOTTO_UI_APP_LIBRARY_H

#include <stdbool.h>

struct app;
struct prompt_template;
struct prompt_values;

void app_open_templates(struct app *app);
void app_template_ask(struct app *app, const struct prompt_template *tmpl,
                      const struct prompt_values *values, bool whole);

#endif
