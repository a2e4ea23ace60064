/* Deleted chats are in a folder beside that of the chats until it is emptied. Whenever the power is cut,
 * a chat is in at least one of the two. A chat that another sotto has open is not touched. */
#ifndef SOTTO_JOURNAL_TRASH_H
#define SOTTO_JOURNAL_TRASH_H

#include "base/io.h"
#include "journal/journal.h"

/* Moves a chat's file to the trash, or back; the original of one in the rescue folder goes with it. STATUS_BUSY: it is open in a sotto, perhaps this one. */
enum status trash_put(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;
enum status trash_restore(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;
/* As journal_list, for the trash. */
enum status trash_list(struct journal_entry **entries, size_t *n, struct error *err) MUST_CHECK;
/* Removes for good those of these chats that nobody has open. *n_removed is right after an error, too;
 * the chats after it stay. */
enum status trash_empty(const struct journal_entry *entries, size_t n, size_t *n_removed,
                        const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
