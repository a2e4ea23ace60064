/* Sending what was typed, or what waits, and taking back what was refused. UI thread only. */
#ifndef SOTTO_UI_APP_SEND_H
#define SOTTO_UI_APP_SEND_H

#include <stdbool.h>
#include <stddef.h>

struct app;

/* A message from the user; it replaces the one being edited, and is queued while a reply runs.
 * False: it stays in the line. */
bool app_send(struct app *app, const char *text, size_t len);
/* Sends the queue's first message, after a reply has ended or a model was loaded. After a
 * cancellation or an error nothing is sent without another Enter: app_queue_to_line. */
void app_send_queued(struct app *app);
void app_send_waiting(struct app *app); /* the same, after a message of the queue was in the line */

/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

#endif
