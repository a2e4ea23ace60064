/* Summaries of what falls out of the context. UI thread only. */
#ifndef SOTTO_UI_APP_SUMMARY_H
#define SOTTO_UI_APP_SUMMARY_H

#include <stddef.h>

struct app;
struct node;

/* The path's last summary; NULL: there is none, and the user was told. */
const struct node *app_find_summary(struct app *app);
/* Says that another wording, of so many bytes, is sent from now on. */
void app_tell_summary(struct app *app, size_t len);
/* Takes a summary back. */
void app_drop_summary(struct app *app, const struct node *summary);

#endif
