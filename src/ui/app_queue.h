/* Messages that wait for the reply to end. UI thread only. */
#ifndef SOTTO_UI_APP_QUEUE_H
#define SOTTO_UI_APP_QUEUE_H

#include <stdbool.h>

#include "dialog/queue.h"

struct app;

/* Whether the queue took a message; says why not. */
bool app_queue_took(struct app *app, enum queue_answer answer);
/* Puts all of them into the input line, before what is there. */
void app_queue_to_line(struct app *app);
void app_queue_draw(const struct app *app, int y, int rows, int cols);

#endif
