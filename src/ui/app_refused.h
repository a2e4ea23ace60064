/* A message whose reply never began. UI thread only. */
#ifndef SOTTO_UI_APP_REFUSED_H
#define SOTTO_UI_APP_REFUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dialog/reply.h"

struct app;

/* What there is before a message is sent; and that it is stored. */
struct dialog_sent app_sent_begin(const struct app *app);
void app_sent_stored(const struct app *app, struct dialog_sent *sent, uint32_t message);
/* Takes the message out of the chat and its file, as if it had not been sent. False: it stays. */
bool app_take_back(struct app *app, const struct dialog_sent *sent);
/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

#endif
