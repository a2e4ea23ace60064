/* Messages written while a reply runs: they are sent one after the other when it has ended. All of them
 * together always fit into an input line. */
#ifndef SOTTO_DIALOG_QUEUE_H
#define SOTTO_DIALOG_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "chat/attachment.h"
#include "chat/tree.h"
#include "dialog/outgoing.h"

struct dialog;

enum { QUEUE_MAX = 20 };

struct dialog_queue {
	struct outgoing items[QUEUE_MAX]; /* owned; the oldest first */
	size_t n;
};

enum queue_answer { QUEUE_TAKEN, QUEUE_IS_FULL, QUEUE_IS_TOO_LONG };

/* Takes the message over, which otherwise stays the caller's. */
enum queue_answer dialog_queue_add(struct dialog *dialog, struct outgoing *message);
/* In the place of the edited one (edit.h). */
enum queue_answer dialog_queue_replace(struct dialog *dialog, struct outgoing *message);
/* A message of the chat, to be sent before the others. False: there is no room. */
bool dialog_queue_put_first(struct dialog *dialog, const struct node *node);
/* Ends its edit. */
void dialog_queue_remove(struct dialog *dialog, size_t index);
void dialog_queue_clear(struct dialog *dialog);
struct outgoing *dialog_queue_edited(struct dialog *dialog); /* NULL: none */
/* Appends the words of all but the edited one, one below the other, and their files. */
enum status dialog_queue_join(const struct dialog *dialog, struct buf *words,
                              struct attached *files) MUST_CHECK;

#endif
