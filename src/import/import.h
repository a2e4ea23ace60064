/* Chats that other programs have written, as JSON, or as one JSON document a line. `import_formats` lists
 * the programs. All branches, versions and lists of a chat are read, files whose text is there become attached
 * files, what replies say in <think> or <details type="reasoning"> becomes reasoning.
 *
 * What sotto has no place for is left out, and counted: a message, or a part of one, is either taken or
 * counted under one of the kinds below. */
#ifndef SOTTO_IMPORT_IMPORT_H
#define SOTTO_IMPORT_IMPORT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/job.h"
#include "chat/tree.h"

enum import_kind {
	IMPORT_MESSAGES, IMPORT_FILES, /* taken: messages, and files that came with them */
	IMPORT_EMPTY,                  /* messages without a word */
	/* Left out: */
	IMPORT_IMAGES, IMPORT_SOUNDS, IMPORT_OTHER_FILES, IMPORT_TOOL_CALLS, IMPORT_TOOL_RESULTS,
	IMPORT_OTHER_TEXTS,   /* a message has two that differ, such as `content` and `text` */
	IMPORT_UNKNOWN_ROLES, /* messages of nobody who has a place in a chat, or whose text is nowhere */
	IMPORT_UNKNOWN_PARTS, /* of messages */
	IMPORT_UNKNOWN_ENTRIES, /* where messages or chats are listed */
	IMPORT_REPEATED_KEYS,
	IMPORT_BAD_BYTES, /* of the file, that are not UTF-8 */
	IMPORT_N_KINDS,
	IMPORT_FIRST_LEFT_OUT = IMPORT_IMAGES
};

struct import_counts {
	size_t n_chats;
	size_t n[IMPORT_N_KINDS];
};

struct import_chat {
	struct tree *tree; /* owned */
	char *title;       /* owned; "": none */
};

struct import {
	struct import_chat *chats; /* owned; each has a message */
	size_t n, cap;
	struct import_counts counts;
};

/* `name` is the file's, for errors. `job`: the one that reads it, in bytes of the text, and that may be
 * stopped: STATUS_CANCELLED; NULL: nobody waits. STATUS_FORMAT: it is no JSON, or has no chat in it.
 * import_free in every case. */
enum status import_read(struct import *import, const char *name, const char *text, size_t len,
                        struct job *job, struct error *err) MUST_CHECK;
void import_free(struct import *import);

size_t import_n_left_out(const struct import_counts *counts);
/* Appends what was taken and what was not, by kind: "Imported. You may delete the file. Taken: 2 messages."
 * The first two sentences say so only where nothing was left out. */
void import_put_counts(struct buf *out, const struct import_counts *counts);
/* Appends the names of the programs whose files are read: "ChatGPT, Claude, ...". */
void import_put_formats(struct buf *out);

#endif
