/* What is typed and not sent. UI thread only. */
#ifndef SOTTO_UI_APP_DRAFT_H
#define SOTTO_UI_APP_DRAFT_H

#include <stdbool.h>
#include <stdint.h>

#include "journal/draft_file.h"
#include "ui/tell.h"

struct app;

/* What is typed and not sent. */
struct app_draft {
	char key[DRAFT_KEY_MAX]; /* of the file that has it; "": none has */
	uint32_t sum;            /* of what is in it */
	uint64_t since;          /* when something was typed that is not in it; 0: nothing was */
	uint64_t due;            /* when to write it; 0: not */
	char failed[APP_REASON_MAX]; /* why that does not work, as last told; "": it does */
};

void app_draft_touch(struct app *app); /* something may have been typed */
/* Now; nothing is done if nothing has changed. False: what is typed is not on the disk. */
bool app_draft_save(struct app *app);
uint64_t app_draft_deadline(const struct app *app);
void app_draft_step(struct app *app, uint64_t now);
void app_draft_leave(struct app *app); /* before another chat is opened, and at the end */
void app_draft_restore(struct app *app, bool is_copy); /* of the chat that was opened */
void app_draft_restore_lost(struct app *app); /* of a chat that had not begun when its process died */

#endif
