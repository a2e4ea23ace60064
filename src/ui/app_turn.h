/* What the model answers, as the turn runs. UI thread only. */
#ifndef SOTTO_UI_APP_TURN_H
#define SOTTO_UI_APP_TURN_H

struct app;
struct event;

void app_turn_event(struct app *app, const struct event *event); /* of the worker, about a turn */

#endif
