/* Messages that wait for the reply to end. Where the editing of one ends, it may be the one that is to be sent
 * now (app_send_waiting). UI thread only. */
#ifndef SOTTO_UI_APP_QUEUE_H
#define SOTTO_UI_APP_QUEUE_H

#include <stdbool.h>

#include "dialog/queue.h"
#include "terminal/key.h"

struct app;

/* Whether the queue took a message; says why not. */
bool app_queue_took(struct app *app, enum queue_answer answer);
/* Puts all of them into the input line, before what is there. */
void app_queue_to_line(struct app *app);
void app_queue_draw(const struct app *app, int y, int rows, int cols);

/* ---- one of them in the line, to be changed; until then it stays as it was ---- */

/* Of a key: puts the last one there. False: the line is not empty, or there is none. */
bool app_queue_edit(struct app *app, int by);
/* Up and Down go to the others while nothing has been changed. True: the key was taken. */
bool app_queue_key(struct app *app, struct key key);
void app_queue_remove(struct app *app); /* the line was emptied */
void app_queue_edit_leave(struct app *app); /* it stays as it was, and the line is empty */
/* Puts what is in the line in its place; the line is empty then. Where it does not fit, it stays there. */
void app_queue_edit_keep(struct app *app);

#endif
