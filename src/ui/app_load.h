/* Loading a model. UI thread only. */
#ifndef SOTTO_UI_APP_LOAD_H
#define SOTTO_UI_APP_LOAD_H

#include <stdbool.h>

#include "base/error.h"
#include "turn/turn.h"
#include "ui/state.h"

struct buf;
struct event;
struct model_info;

/* The file that a model's name stands for. */
enum status app_model_path(const struct app *app, struct buf *out, const char *name, struct error *err);
/* Sets which model is loaded next. */
enum status app_set_model(struct app *app, const char *name, struct error *err);
bool app_load_first(struct app *app); /* false: the user is to be asked which */
void app_offer_chat_model(struct app *app); /* says how to load it where it is another one's */
/* Begins to search this machine for model files: app_take_catalog. */
enum status app_look_for_models(struct app *app, struct error *err) MUST_CHECK;
/* Loads what the settings name; says so if they name none. */
void app_load_model(struct app *app);
/* Loads another one. False: it was refused, and the user was told. */
bool app_switch_model(struct app *app, const char *name);
void app_on_model(struct app *app, const struct model_info *model);
void app_on_learnt(struct app *app, const struct model_info *model);
/* True: the guide is to be loaded, in the place of a model that nobody has named. */
bool app_on_load_failed(struct app *app, const struct event *event);
void app_load_guide(struct app *app);

static inline bool app_is_guide(const struct app *app) /* the model that comes with sotto is loaded */
{
	return app->model->capabilities & CAPABILITY_HELP;
}
extern const char app_guide_words[]; /* what it is */
/* A template, a system message or the chat is new: says once that the guide follows no
 * instructions. */
void app_guide_instructed(struct app *app);

#endif
