/* Where a reply looks as if something were wrong with the model or the engine, the chat says how that is found out. UI
 * thread only. */
#ifndef SOTTO_UI_APP_WRONG_H
#define SOTTO_UI_APP_WRONG_H

struct app;
struct event;

/* A token of a reply came, or its end: says once a chat that it looks wrong. Only of models that run here: nobody can look
 * into one on a server. */
void app_wrong_look(struct app *app, const struct event *event);

#endif
