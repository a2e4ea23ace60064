/* A message in the line that is not a new one: sent already, to be sent anew, or one of the queue. One at a time.
 * Its files are the given ones then (files.h), and those of the next message wait. Until the line is sent, the
 * message stays as it was. */
#ifndef SOTTO_DIALOG_EDIT_H
#define SOTTO_DIALOG_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/attachment.h"

struct dialog;
struct node;

struct dialog_edit {
	uint32_t message;      /* of the chat, in whose place the line is sent; 0: none */
	size_t queued;         /* which one of the queue, from 1; 0: none */
	struct attached aside; /* the files of the next message */
};

/* Each ends another edit. `like` has the files: the message itself, or one that was to take its place. */
enum status dialog_edit_message(struct dialog *dialog, uint32_t message, const struct node *like,
                                struct error *err) MUST_CHECK;
enum status dialog_edit_queued(struct dialog *dialog, size_t number, struct error *err) MUST_CHECK;
/* Nothing is edited any more: the files of the next message are back. */
void dialog_edit_end(struct dialog *dialog);
/* While a command runs, which may be about other messages, nothing is edited; if it fails, a message of the
 * chat is edited again, unless another edit has begun. One of the queue is not. Each pause is resumed once. */
struct dialog_edit_paused {
	uint32_t message;
	struct attached own; /* its files */
};
void dialog_edit_pause(struct dialog *dialog, struct dialog_edit_paused *paused);
void dialog_edit_resume(struct dialog *dialog, struct dialog_edit_paused *paused, bool has_failed);
/* What is in the line is a new message from now on, with its files and those of the next one. */
void dialog_edit_to_new(struct dialog *dialog);
bool dialog_is_editing(const struct dialog *dialog);

#endif
