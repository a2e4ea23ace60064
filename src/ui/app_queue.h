/* Messages that wait for the reply to end. UI thread only. */
#ifndef SOTTO_UI_APP_QUEUE_H
#define SOTTO_UI_APP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct app;
struct attached;
struct buf;
struct node;
struct outgoing;

/* Takes the message over; false: says why, and the message is still the caller's. */
bool app_queue_add(struct app *app, struct outgoing *message);
/* A message of the chat, to be sent before the others. False: there is no room. */
bool app_queue_put_first(struct app *app, const struct node *node);
void app_queue_drop_first(struct app *app); /* there is one */
/* Puts all of them into the input line, before what is there. */
void app_queue_to_line(struct app *app);
/* Appends the words of all but the edited one, one below the other, and their files. */
enum status app_queue_join(const struct app *app, struct buf *words, struct attached *files) MUST_CHECK;
/* Keeps them, and what is in the line, as the chat's draft. */
void app_queue_keep(struct app *app);
void app_queue_draw(const struct app *app, int y, int rows, int cols);

#endif
