/* The model that comes with sotto. UI thread only. */
#ifndef SOTTO_UI_APP_GUIDE_H
#define SOTTO_UI_APP_GUIDE_H

#include <stdbool.h>

#include "turn/turn.h"
#include "ui/state.h"

struct app;

static inline bool app_is_guide(const struct app *app) /* the model that comes with sotto is loaded */
{
	return app->model->capabilities & CAPABILITY_HELP;
}
extern const char app_guide_words[]; /* what it is */
void app_guide_loaded(struct app *app); /* says what it is */
/* A template, a system message or the chat is new: says once that the guide follows no
 * instructions. */
void app_guide_instructed(struct app *app);

#endif
