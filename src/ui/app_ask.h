/* Asking the model: what the dialog has prepared goes to the worker. UI thread only. */
#ifndef SOTTO_UI_APP_ASK_H
#define SOTTO_UI_APP_ASK_H

#include <stdbool.h>

#include "base/error.h"

struct app;

bool app_refuse_without_model(struct app *app); /* and says so */
/* Asks for the reply that was prepared (dialog_ask). After an error nothing runs. */
enum status app_ask(struct app *app, struct error *err) MUST_CHECK;
/* For the summary that a refused turn wants, first. */
enum status app_ask_summary(struct app *app, struct error *err) MUST_CHECK;
/* Stops the turn, or the loading of a model. */
void app_cancel(struct app *app);

#endif
