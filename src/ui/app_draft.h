/* What is typed and not sent. UI thread only. */
#ifndef SOTTO_UI_APP_DRAFT_H
#define SOTTO_UI_APP_DRAFT_H

#include <stdbool.h>

struct app;
struct dialog_sent;

/* Now: dialog_draft_save, which says what `refused` is, mostly NULL, and what is answered. */
bool app_draft_save(struct app *app, const struct dialog_sent *refused);
void app_draft_leave(struct app *app); /* before another chat is opened, and at the end */
void app_draft_restore(struct app *app); /* of the chat that was opened */
void app_draft_restore_lost(struct app *app); /* of a chat that had not begun when its process died */

#endif
