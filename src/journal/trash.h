/* Chats that were deleted: in a folder beside that of the chats, until it is emptied. A chat is in one
 * of the two at any time, whenever the power is cut. What another sotto has open is not touched. */
#ifndef SOTTO_JOURNAL_TRASH_H
#define SOTTO_JOURNAL_TRASH_H

#include "base/io.h"
#include "journal/journal.h"

enum status trash_dir(struct buf *out, struct error *err) MUST_CHECK;
/* Moves a chat's file to the trash, or back. STATUS_BUSY: it is open in a sotto, perhaps this one. */
enum status trash_put(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;
enum status trash_restore(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;
/* As journal_list, of the trash. */
enum status trash_list(struct journal_entry **entries, size_t *n, struct error *err) MUST_CHECK;
/* Removes these chats for good, those of them that nobody has open. *n_removed is also right after an
 * error; the chats after it stay. */
enum status trash_empty(const struct journal_entry *entries, size_t n, size_t *n_removed,
                        const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
