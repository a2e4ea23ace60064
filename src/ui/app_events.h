/* What the worker tells. UI thread only. */
#ifndef SOTTO_UI_APP_EVENTS_H
#define SOTTO_UI_APP_EVENTS_H

struct app;

void app_take_events(struct app *app);

#endif
