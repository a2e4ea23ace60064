/* The log (base/log.h): /log, and what happens in the chat. UI thread only. */
#ifndef SOTTO_UI_APP_LOG_H
#define SOTTO_UI_APP_LOG_H

#include <stdbool.h>

struct app;
struct command_call;
struct event;

bool app_log(struct app *app, const struct command_call *call);
/* Has the log tell of what the worker told; not of tokens and progress. */
void app_log_event(struct app *app, const struct event *event);

#endif
