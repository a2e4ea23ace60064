/* The chat on the screen: its tree, and the journal behind it. UI thread only. */
#ifndef SOTTO_UI_APP_STORE_H
#define SOTTO_UI_APP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/turn.h"
#include "ui/tell.h"

struct app;
struct attachments;
struct command_call;

/* What belongs to the chat on the screen, besides the dialog: another chat begins with another one. */
struct app_chat {
	bool resuming;           /* another one is being opened: there is nothing to show yet */
	uint32_t picked;         /* the message that keys act on; 0: none, they act on the last one */
	uint32_t walked;         /* the take that /prev and /next went to last, while the leaf is ... */
	uint32_t walked_leaf;    /* ... this; 0: none */
	bool has_stats;
	struct turn_stats stats; /* of the last turn */
	char note[ERROR_TEXT_MAX]; /* of the engine, as last told */
};

/* An empty chat, so that there always is one; false without memory. */
bool app_start_chat(struct app *app);
bool app_wants_resume(const struct app *app); /* -C or --resume */
enum status app_resume_chat(struct app *app, struct error *err) MUST_CHECK;
/* By id, title or path; the chat on the screen stays when it cannot be opened. */
bool app_open_chat(struct app *app, const char *name);
/* The message, and those before it that the journal has not seen yet. */
void app_store_message(struct app *app, uint32_t id);
void app_store_part(struct app *app, uint32_t id);
void app_store_end(struct app *app, uint32_t id);
void app_store_marks(struct app *app, uint32_t id); /* a message was pinned or dropped, or no longer */
void app_store_leaf(struct app *app); /* it was moved without a new message */
void app_store_draft(struct app *app, const char *text, size_t len, const struct attachments *files);
/* After each journal call: badge and back-off. */
void app_store_check(struct app *app, enum status status, const struct error *err);
void app_store_retry(struct app *app);
/* There are messages that should be saved and are not. */
bool app_has_unsaved(const struct app *app);
/* Whether messages would be lost, which is refused once: says so, and how to do it anyway
 * (`anyway`). */
bool app_refuse_to_lose(struct app *app, const char *anyway);
void app_leave(struct app *app, bool forced); /* quits, unless that is refused */
bool app_new_chat(struct app *app, const struct command_call *call);
bool app_fork(struct app *app, const struct command_call *call);

#endif
