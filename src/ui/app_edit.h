/* A sent message, back in the input line. UI thread only. */
#ifndef SOTTO_UI_APP_EDIT_H
#define SOTTO_UI_APP_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct command_call;
struct node;

/* The user's message that a command's argument counts back to, by default the last. NULL: there is
 * none, and the user was told; *done is false if the argument can be corrected. */
const struct node *app_count_back(struct app *app, const struct command_call *call, bool *done);
/* Puts the text of `node` into the line, to be sent in the place of another message, or its own. False:
 * it does not fit, and the user was told. */
bool app_edit_as(struct app *app, const struct node *node, uint32_t edited);
void app_edit_leave(struct app *app); /* the message stays as it was */
bool app_edit_is_changed(const struct app *app); /* ... and the line would be lost */
bool app_edit(struct app *app, const struct command_call *call);
bool app_undo(struct app *app, const struct command_call *call);

/* The path's last summary; NULL: there is none, and the user was told. */
const struct node *app_find_summary(struct app *app);
/* Says that another wording, of so many bytes, is sent from now on. */
void app_tell_summary(struct app *app, size_t len);
/* Takes a summary back. */
void app_drop_summary(struct app *app, const struct node *summary);

#endif
