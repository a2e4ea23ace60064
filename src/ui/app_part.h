/* The picked message's code blocks and links. UI thread only. */
#ifndef SOTTO_UI_APP_PART_H
#define SOTTO_UI_APP_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/key.h"

struct app;
struct buf;

/* Tab, Shift+Tab, Enter and Esc, while a message is picked and the line is empty. True: the key was
 * taken. */
bool app_part_key(struct app *app, struct key key);
/* Appends the address that is picked. False: none is; *block is the number of the code block that is,
 * else as it was. */
bool app_part_take(const struct app *app, struct buf *text, size_t *block);
void app_part_look(struct app *app); /* a child has ended: did the link open? */

#endif
