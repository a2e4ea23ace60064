/* Another chat on the screen. UI thread only. */
#ifndef SOTTO_UI_APP_OPEN_H
#define SOTTO_UI_APP_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct app;
struct command_call;

/* What belongs to the chat on the screen, besides the dialog: another chat begins with another one. */
struct app_chat {
	bool resuming;           /* another one is being opened: there is nothing to show yet */
	uint32_t picked;         /* the message that keys act on; 0: none, they act on the last one */
	uint32_t walked;         /* the take that /prev and /next went to last, while the leaf is ... */
	uint32_t walked_leaf;    /* ... this; 0: none */
	char note[ERROR_TEXT_MAX]; /* of the engine, as last told */
	bool told_wrong;         /* that a reply looks as if something were wrong (app_wrong.h) */
};

/* An empty chat, so that there always is one; false without memory. */
bool app_start_chat(struct app *app);
bool app_wants_resume(const struct app *app); /* -C or --resume */
enum status app_resume_chat(struct app *app, struct error *err) MUST_CHECK;
/* By id, title or path; the chat on the screen stays when it cannot be opened. */
bool app_open_chat(struct app *app, const char *name);
void app_leave(struct app *app, bool forced); /* quits, unless that is refused */
bool app_quit_command(struct app *app, const struct command_call *call);
bool app_new_chat(struct app *app, const struct command_call *call);
bool app_fork(struct app *app, const struct command_call *call);

#endif
