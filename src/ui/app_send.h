/* What was entered: a command is run, a message sent, or taken back where it was refused. UI thread
 * only. */
#ifndef SOTTO_UI_APP_SEND_H
#define SOTTO_UI_APP_SEND_H

#include <stdbool.h>

struct app;

/* Sends the queue's first message, after a reply has ended or a model was loaded. After a
 * cancellation or an error nothing is sent without another Enter: app_queue_to_line. */
void app_send_queued(struct app *app);
void app_send_waiting(struct app *app); /* the same, after a message of the queue was in the line */

/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

void app_on_submit(void *context, const char *line);
/* "/command", of a key, as if it had been typed. */
void app_call_line(struct app *app, const char *line);

#endif
