/* What falls out of the context, summed up. UI thread only. */
#ifndef SOTTO_UI_APP_SUMMARY_H
#define SOTTO_UI_APP_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct node;
struct event;

/* A turn has ended: if its policy wants a summary first, begins to make one. */
bool app_summary_begins(struct app *app, const struct event *done);
/* An event of the turn that makes it. */
void app_summary_event(struct app *app, const struct event *event);
/* The path's last summary; NULL: there is none, and the user was told. */
const struct node *app_find_summary(struct app *app);
/* Another wording of a summary, from here on; "": none. False: the user was told why not. */
bool app_summary_replace(struct app *app, const struct node *old, const char *text, size_t len);

#endif
