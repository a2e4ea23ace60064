/* What of the chat is on the disk. A failed write never stops the chat: it is a fact, and tried again. */
#ifndef SOTTO_DIALOG_STORE_H
#define SOTTO_DIALOG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

struct attachments;
struct dialog;

#define STORE_NEVER UINT64_MAX

struct dialog_store {
	bool recorded;           /* the journal has something to come back to */
	bool refused_to_lose;    /* to drop unsaved messages; the second time it is done */
	size_t n_stored;         /* messages of the tree that the journal was given */
	size_t n_copied;         /* messages of the tree that were written to another file */
	bool is_unsaved;         /* the last write failed ... */
	struct error why;        /* ... as last told */
	char reason[REASON_MAX];
	bool is_aside;           /* it is saved in the rescue folder */
	uint64_t retry_ms;       /* how long to wait before the next write */
	uint64_t retry_at;       /* when that is; STORE_NEVER: all is where it belongs */
};

/* The message, and those before it that the journal has not seen yet. */
void dialog_store_message(struct dialog *dialog, uint32_t id);
void dialog_store_part(struct dialog *dialog, uint32_t id, uint64_t now_ms); /* of a reply, so far */
void dialog_store_end(struct dialog *dialog, uint32_t id);  /* the whole reply */
void dialog_store_marks(struct dialog *dialog, uint32_t id); /* a message was pinned or dropped, or no longer */
void dialog_store_leaf(struct dialog *dialog); /* it was moved without a new message */
void dialog_store_draft(struct dialog *dialog, const char *text, size_t len,
                        const struct attachments *files);
/* All of a chat that has no record yet, called `title`. */
void dialog_store_tree(struct dialog *dialog, const char *title);
/* Names the chat, which has a journal. */
enum status dialog_store_title(struct dialog *dialog, const char *title, struct error *err) MUST_CHECK;
/* Writes the chat with its title to another file: what has been said so far is not lost with the chat. */
enum status dialog_store_copy(struct dialog *dialog, const char *path, struct error *err) MUST_CHECK;

/* Tries again what could not be written. */
void dialog_store_retry(struct dialog *dialog);
/* The same when it is due. False: it is not, or there is nothing. */
bool dialog_store_step(struct dialog *dialog, uint64_t now_ms);

/* When sotto ends: tries once more. True: the chat is saved, but in the rescue folder; otherwise *err says why it
 * is not saved, if so. */
bool dialog_store_rescue(struct dialog *dialog, struct error *err);

/* There are messages that should be saved and are not. */
bool dialog_has_unsaved(const struct dialog *dialog);
/* Whether messages would be lost if the chat were left, which is refused once. */
bool dialog_refuses_to_lose(struct dialog *dialog);

#endif
