/* What the files of the journal share: records as bytes, and variants of the
 * public calls that take the system calls to use (tests make them fail). */
#ifndef SOTTO_JOURNAL_INTERNAL_H
#define SOTTO_JOURNAL_INTERNAL_H

#include <sys/types.h>

#include "base/io.h"
#include "journal/journal.h"

#define RECORD_MARK "--- # r " /* begins a record, and no other line begins like it */
#define RECORD_END "...\n"

/* YAML events in a record: those of JOURNAL_RUNS_MAX runs of a reply are the most. */
enum { RECORD_EVENTS = 100000, RECORD_DEPTH = 4 };

/* A piece of an unfinished reply: a range of its text, its reasoning and its tokens. */
struct record_part {
	size_t from, to;                     /* bytes of the text */
	size_t reasoning_from, reasoning_to; /* bytes of the reasoning */
	size_t from_id;
};

/* The contents of one record. */
struct record_source {
	uint64_t seq;
	/* Repeated at the end of each record, for the list of chats: */
	size_t n_messages; /* of the user and the models, so far; 0: left out */
	const char *title; /* NULL for none */
};

void record_put_meta(struct buf *out, const struct record_source *source);
/* A system or user message, whole. */
void record_put_message(struct buf *out, const struct record_source *source,
                        const struct node *node);
void record_put_part(struct buf *out, const struct record_source *source, const struct node *node,
                     const struct record_part *part);
void record_put_reply(struct buf *out, const struct record_source *source,
                      const struct node *node);
void record_put_leaf(struct buf *out, const struct record_source *source, uint32_t leaf);
void record_put_mark(struct buf *out, const struct record_source *source, const struct node *node);
void record_put_draft(struct buf *out, const struct record_source *source, const char *text,
                      size_t len, const struct attachments *files);
void record_put_title(struct buf *out, const struct record_source *source);
/* A whole tree: what a file begins with, its messages, its leaf. *last is that of the last record. */
enum status record_put_tree(struct buf *out, const struct tree *tree, const char *title,
                            struct record_source *last) MUST_CHECK;

/* What reading a transcript found. */
struct parse_report {
	size_t n_damaged; /* records that could not be read */
	size_t n_edited;  /* read, but not as they were written */
	uint64_t next_seq;
	size_t good_len;  /* where the last whole record ends; a torn tail may follow */
	bool torn;
	char *draft; /* owned by the caller; NULL: none */
	struct attachments draft_files; /* the same: parts of it */
};

enum status transcript_parse(const char *bytes, size_t len, struct tree **tree, struct buf *title,
                             struct parse_report *report, struct error *err) MUST_CHECK;

/* The message in a record, if that can be read and has one: its text is appended, the rest is set. */
bool record_read_text(const char *bytes, size_t len, struct journal_text *found, struct buf *text);

/* mend.c */
/* Takes out, in place, what is not as a transcript is written, and is no part of a record. The bytes are
 * NUL-terminated. False: nothing was. */
bool transcript_mend(char *bytes, size_t *len);
/* Whether a record begins in the mended bytes. */
bool transcript_has_record(const char *bytes, size_t len);

/* Whether the bytes had nothing of a transcript in them: then `path` names another kind of file. */
enum status transcript_check(const char *path, const struct tree *tree,
                             const struct parse_report *report, size_t len,
                             struct error *err) MUST_CHECK;

enum { JOURNAL_ID_MAX = 64 };

/* A file that the journal writes to. The mirror's first `written` bytes are on the disk, though the
 * file may contain more: parts of a reply leave the mirror when the whole reply comes. */
struct journal_file {
	char *path; /* owned; NULL before there is a file */
	int fd;     /* -1: none yet */
	off_t len;
	dev_t device;
	ino_t inode;
	size_t written;
	bool is_old;        /* another one that has all of the mirror is to take its place */
	bool spoiled;       /* a sync failed: this file is not to be trusted again */
	bool has_tear;      /* the file ends in half a record: begin a new line */
	bool folder_synced; /* the file's name is on the disk */
	bool was_durable;   /* something was saved in this file */
};

/* The mirror is everything that belongs in the file, in memory: a failed write is repeated from it. */
struct journal {
	const struct io_ops *io;
	char *id;
	struct journal_file file;  /* where the chat belongs */
	struct journal_file spare; /* in the rescue folder, while nothing can be written there */
	bool is_aside;             /* the spare has what the file lacks; otherwise it is of no use */
	struct buf mirror;
	size_t rescued_len; /* so much of it was in a spare, which a power cut may bring back */
	size_t opened_len; /* so much of it was there when the chat was opened */
	bool failed;        /* the last try to save did not work */
	bool lost;          /* a record did not even get into the mirror: it is lost for good */
	size_t torn_at;     /* a torn tail: it begins here ... */
	size_t torn_len;    /* ... and has this length; 0: none, or it was copied */
	uint64_t next_seq;
	const char *why_copy; /* why the file was opened to continue in a copy; NULL: it was not */
	char copy_id[JOURNAL_ID_MAX]; /* the id that a copy will get; "": none */
	uint32_t last_node;   /* the newest recorded message */
	size_t n_messages;    /* of the user and the models up to it */
	size_t n_edited;
	char *title; /* owned, NULL for none */
	char *draft; /* owned, NULL for none */
	struct attachments draft_files; /* parts of it */
	uint32_t part_node; /* the reply under way; 0 */
	size_t part_bytes, part_reasoning, part_ids; /* how much of it is in parts */
	size_t part_mark;   /* where its parts begin in the mirror; SIZE_MAX: not to be cut */
	uint64_t part_time;
};

/* journal.c */
/* One line of LIMIT_TITLE bytes at the most. NULL without memory; the caller frees. */
char *journal_clean_title(const char *title);

/* journal_file.c */
void journal_make_id(char id[JOURNAL_ID_MAX]);
/* STATUS_FORMAT: the file, which is read from its beginning, is no transcript. */
enum status journal_check_mark(const struct io_ops *io, int fd, const char *path, bool may_be_empty,
                               struct error *err) MUST_CHECK;
/* Opens a file of a chat and reads it. *why_copy: why it may not be written to; NULL: it may. */
enum status journal_file_open(const struct io_ops *io, struct journal_file *file, const char *path,
                              struct buf *bytes, const char **why_copy, struct error *err) MUST_CHECK;
/* Opens a chat's file and reads it into the mirror; fills `why_copy`. */
enum status journal_read(struct journal *journal, const char *path, struct error *err) MUST_CHECK;
/* Brings the file up to date with the mirror; makes a new file if there is none, or it is no longer
 * ours. While that fails and the chat is aside, the spare is brought up to date. */
enum status journal_save(struct journal *journal, struct error *err);
/* Begins a spare with all of the mirror. */
enum status journal_go_aside(struct journal *journal, struct error *err) MUST_CHECK;
/* Takes off the last `n` bytes, which are the mirror's, or SIZE_MAX: the file. False: nothing has
 * changed. */
bool journal_file_cut(const struct io_ops *io, struct journal_file *file, size_t n) MUST_CHECK;
void journal_file_close(const struct io_ops *io, struct journal_file *file);
/* Closes a file that will not be written again. If nothing was ever saved in it, it is removed,
 * since all of it is written elsewhere. */
void journal_file_leave(const struct io_ops *io, struct journal_file *file);

/* rescue.c */
/* The rescue folder; false: there is none beside that of the chats. */
bool rescue_folder(const char *home, struct buf *out);
/* For an opened chat: finds its other half, in the rescue folder or among the chats, and sets
 * `file`, `spare` and the mirror so that the next save brings the chat home. */
enum status rescue_join(struct journal *journal, struct error *err) MUST_CHECK;
/* Takes out of both lists what the other one's file of the same id has, too. */
void rescue_drop_covered(struct journal_entry *chats, size_t *n, struct journal_entry *rescued,
                         size_t *n_rescued);
/* The path of the chat's original, of which this file in the rescue folder has all; "": there is none. */
enum status rescue_original(const char *path, struct buf *out, struct error *err) MUST_CHECK;

/* A folder of the user's data. */
enum status data_folder(struct buf *out, const char *name, struct error *err) MUST_CHECK;
/* journal_list_known for any folder; one that is not there is empty. */
enum status journal_list_folder(const char *folder, struct journal_entry **entries, size_t *n,
                                journal_known_fn *known, void *context, struct error *err) MUST_CHECK;
void journal_entry_free(struct journal_entry *entry); /* what it has, not the entry itself */
/* The folder for chats that could not be written where they belong. */
enum status chats_spare_dir(struct buf *out, struct error *err) MUST_CHECK;

enum status journal_create_io(struct journal **out, const struct io_ops *io,
                              struct error *err) MUST_CHECK;
enum status journal_open_io(struct journal **out, struct tree **tree, const char *path,
                            bool *forked, size_t *n_damaged, const struct io_ops *io,
                            struct error *err) MUST_CHECK;
enum status journal_export_io(const struct tree *tree, const char *title, const char *path,
                              const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
