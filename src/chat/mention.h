/* Files that a message names: @path at the beginning of a word, with quotes or backslashes where the
 * path has blanks (@"my notes.txt", @my\ notes.txt). */
#ifndef SOTTO_CHAT_MENTION_H
#define SOTTO_CHAT_MENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct mention {
	size_t start, end; /* bytes of the text, the @ included */
	bool quoted;       /* what follows it is no part of it */
};

/* The next one from `at` on; `path` becomes its path. False: there is none. */
bool mention_next(const char *text, size_t len, size_t at, struct mention *mention, struct buf *path);
/* Removes from a path's end a punctuation mark that may belong to the sentence: "a.c," "a.c)". False:
 * there is none. */
bool mention_trim(struct buf *path);
/* Whether a path that does not exist was still meant as one: a typing error, not a name or a piece of
 * code. */
bool mention_looks_meant(const char *path);

#endif
