/* Loading a model. UI thread only. */
#ifndef SOTTO_UI_APP_LOAD_H
#define SOTTO_UI_APP_LOAD_H

#include <stdbool.h>

#include "base/error.h"

struct app;
struct buf;
struct model_info;
struct event;

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
/* True: the guide is to be loaded, in the place of a model that nobody has named. */
bool app_on_load_failed(struct app *app, const struct event *event);
void app_load_guide(struct app *app);

#endif
