/* Drafts: what is being typed is in a file of its own, so that it survives a crash without a record in
 * the chat for each pause in typing. When a chat is closed, its draft becomes a record of the journal,
 * and the file is removed. UI thread only. */
#ifndef SOTTO_JOURNAL_DRAFT_FILE_H
#define SOTTO_JOURNAL_DRAFT_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/io.h"
#include "chat/attachment.h"
#include "journal/journal.h"

enum { DRAFT_KEY_MAX = 128 };

/* The key of a saved chat's draft, or of one that this process has not saved yet. */
void draft_key_of(char key[DRAFT_KEY_MAX], const struct journal *journal);
void draft_key_new(char key[DRAFT_KEY_MAX]);

/* `files` are parts of the text. */
enum status draft_file_save(const char *key, const char *text, size_t len,
                            const struct attachments *files, const struct io_ops *io,
                            struct error *err) MUST_CHECK;
/* STATUS_NOTFOUND: there is none. Both are the caller's. */
enum status draft_file_load(const char *key, char **text, struct attachments *files,
                            struct error *err) MUST_CHECK;
/* The newest draft of a process that ended before its chat was saved. */
enum status draft_file_find_lost(char key[DRAFT_KEY_MAX], struct error *err) MUST_CHECK;
void draft_file_remove(const char *key, const struct io_ops *io);

#endif
