/* A message whose reply never began. UI thread only. */
#ifndef SOTTO_UI_APP_REFUSED_H
#define SOTTO_UI_APP_REFUSED_H

#include <stdbool.h>

struct app;

/* Takes the message that was not asked about out of the chat and its file, as if it had not been sent. False:
 * it stays. */
bool app_take_back(struct app *app);
/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

#endif
