/* Replies. UI thread only. */
#ifndef SOTTO_UI_APP_REPLY_H
#define SOTTO_UI_APP_REPLY_H

#include <stdbool.h>

#include "base/error.h"

struct app;
struct command_call;

bool app_refuse_without_model(struct app *app); /* and says so */
/* Asks for the reply that was prepared (dialog_build_turn). After an error nothing runs. */
enum status app_ask(struct app *app, struct error *err) MUST_CHECK;
/* For the summary that a refused turn wants, first. */
enum status app_ask_summary(struct app *app, struct error *err) MUST_CHECK;
/* Stops the turn, or the loading of a model. */
void app_cancel(struct app *app);

/* "Answer now": whether the model is thinking and can be told to stop that, and telling it. */
bool app_can_answer_now(const struct app *app);
bool app_answer_now(struct app *app, const struct command_call *call);
bool app_regenerate(struct app *app, const struct command_call *call);
bool app_continue(struct app *app, const struct command_call *call);

#endif
