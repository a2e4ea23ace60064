/* Transcripts on disk: a stream of YAML documents, one a record (sotto-transcript(5)), to which is only
 * appended; but journal_take_back cuts off the newest ones.
 * The framing is our own (`--- # r seq=... len=... crc32c=...`), so that a torn or damaged record
 * does not hide others.
 *
 * Promise: when journal_message returns OK the message is on the disk (fdatasync, and fsync of the
 * directory for a new file). Replies are written by journal_reply_part at least every 2 s or 4 KiB,
 * and whole at their end.
 *
 * A failed write never loses what is in memory: the journal turns `unsaved`, keeps the records, and
 * writes them again, to the same place or to the rescue folder, when journal_retry is called. A record for
 * which there is no room (memory, or the limit of a transcript) is lost, and the journal stays
 * unsaved. Belongs to one thread. */
#ifndef SOTTO_JOURNAL_H
#define SOTTO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "chat/tree.h"

struct journal;

/* What the list of chats shows; filled without reading whole files. */
struct journal_entry {
	char *id;    /* file name without .yaml: 20261121-093000-ab12 */
	char *path;
	char *title; /* the first user message's first line, or the given title; of a damaged one, why */
	char *model; /* the last reply's; NULL: not known */
	int64_t modified, modified_ns; /* seconds, and nanoseconds of the next one */
	int64_t size;                  /* bytes */
	uint64_t inode;
	size_t n_messages; /* of the user and the models, on all branches; 0: not known */
	bool is_damaged;   /* it is not known what it says: it cannot be opened */
};

/* A journal that writes to a new file in the chats directory; the file is made with the first
 * record. */
enum status journal_create(struct journal **out, struct error *err) MUST_CHECK;
/* Opens a chat to continue it: reads its tree, locks it (flock). If another sotto has it open, or
 * it may not be written, *forked is set and new records go to a new file that starts as a copy.
 * `n_damaged` counts records that could not be read; journal_n_edited those that were changed by
 * hand. Opening changes nothing on the disk. */
enum status journal_open(struct journal **out, struct tree **tree, const char *path, bool *forked,
                         size_t *n_damaged, struct error *err) MUST_CHECK;
void journal_close(struct journal *journal);

/* Both are "" before there is a file; they change when a copy or, after an error, a new file is
 * begun. */
const char *journal_path(const struct journal *journal);
const char *journal_id(const struct journal *journal);
/* For an opened chat whose records go to a copy that has not been begun: the id that it will have;
 * otherwise "". */
const char *journal_copy_id(const struct journal *journal);
/* Why there will be a copy: "is open in another sotto"; otherwise "". */
const char *journal_why_copy(const struct journal *journal);
/* What was typed and not sent; "": nothing. The user's next message ends it. */
const char *journal_get_draft(const struct journal *journal);
/* The files that are parts of it. */
const struct attachments *journal_get_draft_files(const struct journal *journal);
const char *journal_get_title(const struct journal *journal); /* "": none */
size_t journal_n_edited(const struct journal *journal);
bool journal_is_unsaved(const struct journal *journal); /* a write failed */
/* It is saved, but in the rescue folder, since nothing can be written where it belongs. Every call
 * that adds a record, and journal_retry, tries to bring it home. */
bool journal_is_aside(const struct journal *journal);
/* Whether it is written to this file, or will be again. */
bool journal_is_at(const struct journal *journal, const char *path);
/* Tries the same file, then one in the rescue folder, which the user's state directory has; there the
 * whole chat is written. Every other call that adds a record tries the same file, too. */
enum status journal_retry(struct journal *journal, struct error *err) MUST_CHECK;

/* On the disk when this returns OK. System messages too. */
enum status journal_message(struct journal *journal, const struct node *node,
                            struct error *err) MUST_CHECK;
/* The reply so far; returns at once when less than 2 s and 4 KiB have passed. */
enum status journal_reply_part(struct journal *journal, const struct node *node, uint64_t now_ms,
                               struct error *err) MUST_CHECK;
/* The whole reply; supersedes its parts. */
enum status journal_reply_end(struct journal *journal, const struct node *node,
                              struct error *err) MUST_CHECK;
/* Any whole message, whoever it is from: one of the two. */
enum status journal_node(struct journal *journal, const struct node *node,
                         struct error *err) MUST_CHECK;
/* The leaf was moved (another branch, an undo). */
enum status journal_leaf(struct journal *journal, uint32_t leaf, struct error *err) MUST_CHECK;
/* The message was pinned or dropped, or no longer is. */
enum status journal_mark(struct journal *journal, const struct node *node,
                         struct error *err) MUST_CHECK;
/* `files` are parts of the text, NULL: none. Nothing is written if it is the draft already. */
enum status journal_draft(struct journal *journal, const char *text, size_t len,
                          const struct attachments *files, struct error *err) MUST_CHECK;
/* A whole tree, called `title`, with one write: for a journal that has no record yet. */
enum status journal_tree(struct journal *journal, const struct tree *tree, const char *title,
                         struct error *err) MUST_CHECK;
/* Where the journal stands. */
struct journal_point {
	size_t len; /* bytes, with what could not be written yet */
	uint64_t next_seq;
	uint32_t last_node;
	size_t n_messages;
};
struct journal_point journal_point(const struct journal *journal);
/* Takes back what was recorded between two points: the file becomes as long as it was, or goes, if
 * it has nothing else. False, and nothing has changed: there is something newer, it is in the rescue
 * folder, the file was changed by others, or the system refuses. A cut that may not be durable makes
 * the journal unsaved. */
bool journal_take_back(struct journal *journal, const struct journal_point *before,
                       const struct journal_point *after) MUST_CHECK;
/* Names the chat: /load finds it by this. At most LIMIT_TITLE bytes of one line. */
enum status journal_title(struct journal *journal, const char *title, struct error *err) MUST_CHECK;

/* Writes the whole tree, called `title` ("" for none), as records to `path` (path.part, fsync,
 * rename). An existing file is replaced only if it is a transcript (otherwise STATUS_USAGE). */
enum status journal_export(const struct tree *tree, const char *title, const char *path,
                           struct error *err) MUST_CHECK;
/* The same into a new file among the chats. *path is the caller's. */
enum status journal_add(const struct tree *tree, const char *title, char **path,
                        struct error *err) MUST_CHECK;
/* Parses a transcript's bytes; used by journal_open and by the fuzzer. */
enum status journal_parse(const char *bytes, size_t len, struct tree **tree, size_t *n_damaged,
                          struct buf *title, struct error *err) MUST_CHECK;

/* Reads a chat to look at it, without a lock. `title` may be NULL. */
enum status journal_load(const char *path, struct tree **tree, size_t *n_damaged, struct buf *title,
                         struct error *err) MUST_CHECK;

/* A message as a record has it. A reply may have several: its parts, and then the whole. */
struct journal_text {
	size_t from, to; /* bytes of the file that the record takes */
	int64_t id;
	enum role role;
	const char *text; /* NUL-terminated; borrowed */
	size_t len;
};
typedef bool journal_text_fn(const struct journal_text *text, void *context); /* false: enough */
/* Visits the messages in any bytes of a transcript that begin with a record. Returns where the last
 * whole record ends. */
size_t journal_texts(const char *bytes, size_t len, journal_text_fn *visit, void *context);

/* The folder of the chats. */
enum status chats_dir(struct buf *out, struct error *err) MUST_CHECK;
/* The chats directory's files and those of the rescue folder, newest first, at most
 * LIMIT_TRANSCRIPTS. Of two states of one chat only that which has all is listed. */
enum status journal_list(struct journal_entry **entries, size_t *n, struct error *err) MUST_CHECK;
/* Their order, for qsort. */
int journal_compare_newest(const void *a, const void *b);
/* The same for callers that remember chats: `known` gets an entry with id, path and what tells whether the
 * file has changed, and adds the rest (owned by the entry) without reading the file. False: it does not
 * know it. */
typedef bool journal_known_fn(struct journal_entry *entry, void *context);
enum status journal_list_known(struct journal_entry **entries, size_t *n, journal_known_fn *known,
                               void *context, struct error *err) MUST_CHECK;
void journal_list_free(struct journal_entry *entries, size_t n);
/* By path (with a '/' or '.yaml' in it), id, title (of several the newest) or unique beginning of an
 * id. Caller frees. */
enum status journal_resolve(const char *name, char **path, struct error *err) MUST_CHECK;
/* The same, but for the path, in a list. */
enum status journal_match(const struct journal_entry *entries, size_t n, const char *name, char **path,
                          struct error *err) MUST_CHECK;
/* Gives a chat that is not open here a title; its time stays. STATUS_BUSY: it is open in another sotto. */
enum status journal_rename(const char *path, const char *title, const struct io_ops *io,
                           struct error *err) MUST_CHECK;
/* The newest that can be opened. STATUS_NOTFOUND when there is none. */
enum status journal_last(char **path, struct error *err) MUST_CHECK;

#endif
