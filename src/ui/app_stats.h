/* /stats: what the last reply took. UI thread only. */
#ifndef SOTTO_UI_APP_STATS_H
#define SOTTO_UI_APP_STATS_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_stats(struct app *app, const struct command_call *call);

#endif
