/* What the files of the journal share: records as bytes, and variants of the
 * public calls that take the system calls to use (tests make them fail). */
#ifndef SOTTO_CHAT_JOURNAL_INTERNAL_H
#define SOTTO_CHAT_JOURNAL_INTERNAL_H

#include "base/io.h"
#include "chat/journal.h"

#define RECORD_MARK "--- # r " /* begins a record, and no other line */
#define RECORD_END "...\n"

/* A piece of a reply under way: what of its text, its reasoning and its tokens. */
struct record_part {
	size_t from, to;                     /* bytes of the text */
	size_t reasoning_from, reasoning_to; /* bytes of the reasoning */
	size_t from_id;
};

/* What is put into one record. */
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
void record_put_draft(struct buf *out, const struct record_source *source, const char *text,
                      size_t len);
void record_put_title(struct buf *out, const struct record_source *source);

/* What reading a transcript found. */
struct parse_report {
	size_t n_damaged; /* records that could not be read */
	size_t n_edited;  /* read, but not as they were written */
	uint64_t next_seq;
	size_t good_len;  /* where the last whole record ends: a torn tail lies behind */
	bool torn;
	char *draft; /* owned by who asked; NULL: none */
};

enum status transcript_parse(const char *bytes, size_t len, struct tree **tree, struct buf *title,
                             struct parse_report *report, struct error *err) MUST_CHECK;

/* The folder of the chats, and of those that could not be written there. */
enum status chats_dir(struct buf *out, struct error *err) MUST_CHECK;
enum status chats_spare_dir(struct buf *out, struct error *err) MUST_CHECK;

enum status journal_create_io(struct journal **out, const struct io_ops *io,
                              struct error *err) MUST_CHECK;
enum status journal_open_io(struct journal **out, struct tree **tree, const char *path,
                            bool *forked, size_t *n_damaged, const struct io_ops *io,
                            struct error *err) MUST_CHECK;
enum status journal_export_io(const struct tree *tree, const char *title, const char *path,
                              const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
