/* Other branches of the chat. UI thread only. */
#ifndef SOTTO_UI_APP_BRANCH_H
#define SOTTO_UI_APP_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct command_call;

void app_go_to(struct app *app, uint32_t leaf); /* another branch, or back */
bool app_previous_take(struct app *app, const struct command_call *call);
bool app_next_take(struct app *app, const struct command_call *call);
bool app_branches(struct app *app, const struct command_call *call);

#endif
