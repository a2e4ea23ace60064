/* Another chat: a new one, one that is read from the disk, one that begins like the one that is held. It is
 * made first, and then held, so that the old one stays where that fails. */
#ifndef SOTTO_DIALOG_OPEN_H
#define SOTTO_DIALOG_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "chat/tree.h"
#include "journal/journal.h"

struct dialog;
struct kept;

struct opened {
	struct tree *tree;       /* owned until it is held; NULL: it is the chat that is held already */
	struct journal *journal; /* the same; NULL: it is not saved, or ... */
	struct kept *kept;       /* the same; NULL: what its file has */
	struct error error;      /* ... cannot be; status 0: nothing is wrong */
	bool is_read;            /* from the disk */
	size_t n_damaged;        /* parts of its file that could not be read */
};

enum status dialog_open_new(const struct dialog *dialog, struct opened *out, struct error *err) MUST_CHECK;
/* With the messages up to `leaf`. */
enum status dialog_open_fork(struct dialog *dialog, uint32_t leaf, struct opened *out,
                             struct error *err) MUST_CHECK;
/* By id, title or path; NULL or "": the last one. */
enum status dialog_open_saved(const struct dialog *dialog, const char *name, struct opened *out,
                              struct error *err) MUST_CHECK;
/* The same, only to be read: another process may be writing to it. */
enum status dialog_open_read(const char *name, struct opened *out, struct error *err) MUST_CHECK;

/* Tries once more to save the chat that is about to be left. False: that is lost. */
bool dialog_save_last(struct dialog *dialog);
/* Holds this chat from now on. The old one is closed, with its template; that of the new one is not in use
 * yet (dialog_template_restore). */
void dialog_hold(struct dialog *dialog, struct opened *chat);
/* Of a chat that is only read, and not written to. */
void dialog_close_journal(struct dialog *dialog);

/* Appends the chat's title: the one it was given, or the first line of its first message; at most `max`
 * bytes. Nothing for an empty chat. */
void dialog_put_title(const struct dialog *dialog, struct buf *out, size_t max);
/* What a fork of it is called, if nobody says. */
void dialog_put_fork_title(const struct dialog *dialog, struct buf *out);

#endif
