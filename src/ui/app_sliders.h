/* The panel of the sampler's sliders. UI thread only. */
#ifndef SOTTO_UI_APP_SLIDERS_H
#define SOTTO_UI_APP_SLIDERS_H

#include <stdbool.h>

struct app;
struct command_call;

bool app_sliders(struct app *app, const struct command_call *call);

#endif
