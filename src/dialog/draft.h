/* What is typed and not sent: it is saved to a file of its own while it is being typed, becomes part of the
 * chat when another is opened or sotto ends, and comes back with the chat. The line is a message as it would
 * be sent. */
#ifndef SOTTO_DIALOG_DRAFT_H
#define SOTTO_DIALOG_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"
#include "journal/draft_file.h"

struct dialog;
struct dialog_sent;
struct outgoing;

struct dialog_draft {
	char key[DRAFT_KEY_MAX]; /* of the file that has it; "": none has */
	uint32_t sum;            /* of what is in it */
	uint64_t since;          /* when something was typed that is not in it; 0: nothing was */
	uint64_t due;            /* when to write it; 0: not */
	char failed[REASON_MAX]; /* why that does not work, as last told; "": it does */
};

void dialog_draft_touch(struct dialog *dialog, uint64_t now_ms); /* something may have been typed */
/* Saves the queue, the line and the files now; nothing is done if nothing has changed. An empty draft goes,
 * unless the line `is_hidden`: there is something in it that is no message. `refused`: the message that is taken
 * back next (dialog_take_back) is among them, and they are saved where the draft belongs then; NULL: none is.
 * False: what is typed is not on the disk, or a message that was there would not be any more. */
bool dialog_draft_save(struct dialog *dialog, const struct dialog_sent *refused, const char *line, size_t len,
                       bool is_hidden);

/* Before the chat is left, when nothing is edited: keeps the queue and the line as its draft, if the chat is
 * kept itself. */
void dialog_draft_keep(struct dialog *dialog, const char *line, size_t len);
/* ... and forgets them. What the journal cannot take stays in the file. */
void dialog_draft_leave(struct dialog *dialog);
/* That of the chat that was opened; *out is empty where there is none. */
void dialog_draft_load(struct dialog *dialog, struct outgoing *out);
/* That of a chat that had not begun when its process died, and where it is. False: there is none. */
bool dialog_draft_find_lost(const struct dialog *dialog, struct outgoing *out, char key[DRAFT_KEY_MAX]);
/* The one there goes, once it is saved as our own. */
void dialog_draft_drop_lost(const struct dialog *dialog, const char *key);

#endif
