/* Messages that go into the chat: the user's, and what is sent in the place of an older one. Each is on the
 * disk before anything is computed; where no reply begins, it can be taken back without a trace. */
#ifndef SOTTO_DIALOG_SEND_H
#define SOTTO_DIALOG_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "journal/journal.h"

struct dialog;
struct node;
struct outgoing;

/* What there was before a message was sent, to come back to if it is refused. */
struct dialog_sent {
	uint32_t message; /* 0: none was sent */
	uint32_t n_nodes; /* of the tree; what came after them goes with the message */
	uint32_t leaf;
	uint32_t edited;  /* the message that it replaces; 0: none */
	size_t n_stored;
	bool recorded;
	struct journal_point before, after; /* its record */
};

/* A message of the user's under the leaf; a new chat begins with the system prompt. To be asked about next
 * (dialog_build_turn). */
enum status dialog_send(struct dialog *dialog, const struct outgoing *message, struct error *err) MUST_CHECK;
/* In the place of the message that is edited: under its parent. What takes the place of a reply is continued;
 * of a summary, that is all: *asks is false then. STATUS_UNSUPPORTED: the model cannot go on with a reply. */
enum status dialog_send_edited(struct dialog *dialog, const struct outgoing *message, bool *asks,
                               struct error *err) MUST_CHECK;
/* The message whose reply was refused, and what to come back to: the one that was sent for it, or if that is
 * `too_long`, an older one at the leaf (no sent->message). NULL: neither, or another message is being edited. */
const struct node *dialog_refused(struct dialog *dialog, bool too_long, struct dialog_sent *sent);
/* Takes the message out of the chat and its file, as if it had not been sent. False: it stays. */
bool dialog_take_back(struct dialog *dialog, const struct dialog_sent *sent);
/* What was prepared is not asked of the model: all is as it was before. False: the message stays in the chat. */
bool dialog_turn_cannot_run(struct dialog *dialog);

#endif
