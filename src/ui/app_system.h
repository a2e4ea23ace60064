/* The system message. UI thread only. */
#ifndef SOTTO_UI_APP_SYSTEM_H
#define SOTTO_UI_APP_SYSTEM_H

#include <stdbool.h>

struct app;
struct command_call;

/* The system message in force: of an empty chat, what it will be; NULL or "": none. */
const char *app_system_message(const struct app *app);
bool app_system(struct app *app, const struct command_call *call);

#endif
