/* The keys in force, and the help. UI thread only. */
#ifndef SOTTO_UI_APP_KEYMAP_H
#define SOTTO_UI_APP_KEYMAP_H

#include <stdbool.h>

struct app;
struct command_call;

/* Reads keys.yaml. False: something is wrong with it, and the user was told; the rest applies. */
bool app_load_keys(struct app *app);
bool app_show_keys(struct app *app, const struct command_call *call);
bool app_help(struct app *app, const struct command_call *call);

#endif
