/* Messages that were sent: edited, taken back, pinned or dropped. UI thread only. */
#ifndef SOTTO_UI_APP_EDIT_H
#define SOTTO_UI_APP_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct command_call;
struct node;

/* Puts the text of `node` into the line, to be sent in the place of another message, or its own. False:
 * it does not fit, and the user was told. */
bool app_edit_as(struct app *app, const struct node *node, uint32_t edited);
void app_edit_leave(struct app *app); /* the message stays as it was */
bool app_edit_is_changed(const struct app *app); /* ... and the line would be lost */
bool app_edit(struct app *app, const struct command_call *call);
bool app_undo(struct app *app, const struct command_call *call);

/* Says that another wording, of so many bytes, is sent from now on. */
void app_tell_summary(struct app *app, size_t len);
void app_toggle_pinned(struct app *app, uint32_t message);
void app_toggle_dropped(struct app *app, uint32_t message);
bool app_pin(struct app *app, const struct command_call *call);
bool app_drop(struct app *app, const struct command_call *call);
bool app_undrop(struct app *app, const struct command_call *call);

#endif
