/* What /pin and /drop do. UI thread only. */
#ifndef SOTTO_UI_APP_MARKS_H
#define SOTTO_UI_APP_MARKS_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct command_call;

void app_toggle_pinned(struct app *app, uint32_t message);
void app_toggle_dropped(struct app *app, uint32_t message);
bool app_pin(struct app *app, const struct command_call *call);
bool app_drop(struct app *app, const struct command_call *call);
bool app_undrop(struct app *app, const struct command_call *call);

#endif
