/* The models of servers among those to choose from. UI thread only. */
#ifndef SOTTO_UI_APP_SERVERS_H
#define SOTTO_UI_APP_SERVERS_H

#include <stdbool.h>

struct app;

/* Begins to ask all servers which models they have: app_take_servers. Only where the user wants to see models. */
void app_ask_servers(struct app *app);
bool app_servers_are_asked(const struct app *app);
/* Takes their answers, into app->models->remote. False: there is nothing new to show. */
bool app_take_servers_list(struct app *app);
/* A row was chosen. False: it is none of a server. A server that is offered is written into servers.yaml. */
bool app_choose_of_server(struct app *app, const char *path);

#endif
