/* @path in the line. UI thread only. */
#ifndef SOTTO_UI_APP_MENTION_H
#define SOTTO_UI_APP_MENTION_H

#include <stdbool.h>
#include <stddef.h>

struct app;

/* Brings the mentioned files up to date with the line. */
void app_mentions_update(struct app *app);
void app_mentions_update_for(struct app *app, const char *line, size_t len); /* that has been taken out */
/* Enter on a line that mentions what cannot be attached, or files that have not been shown yet: says
 * so, once. True: it is not to be sent yet. */
bool app_mentions_refuse(struct app *app, const char *line, size_t len);

#endif
