/* Marks of messages: pinned ones are always sent, however little room there is, dropped ones never. The
 * journal has both; nothing is deleted. */
#ifndef SOTTO_DIALOG_MARKS_H
#define SOTTO_DIALOG_MARKS_H

#include <stdbool.h>
#include <stddef.h>

struct dialog;
struct node;

/* Pins a message, or takes that back; returns which. */
bool dialog_toggle_pinned(struct dialog *dialog, const struct node *message);
/* Drops a message, or with `turn` all that follows it up to the user's next message; or takes that back.
 * Returns how many have changed. */
size_t dialog_set_dropped(struct dialog *dialog, const struct node *first, bool turn, bool dropped);

#endif
