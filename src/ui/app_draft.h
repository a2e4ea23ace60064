/* What is typed and not sent. UI thread only. */
#ifndef SOTTO_UI_APP_DRAFT_H
#define SOTTO_UI_APP_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

struct app;

void app_draft_touch(struct app *app); /* something may have been typed */
/* Now; nothing is done if nothing has changed. False: what is typed is not on the disk. */
bool app_draft_save(struct app *app);
uint64_t app_draft_deadline(const struct app *app);
void app_draft_step(struct app *app, uint64_t now);
void app_draft_leave(struct app *app); /* before another chat is opened, and at the end */
void app_draft_restore(struct app *app); /* of the chat that was opened */
void app_draft_restore_lost(struct app *app); /* of a chat that had not begun when its process died */

#endif
