/* Files that a message names: @path at the beginning of a word, with quotes or backslashes where the
 * path has blanks (@"my notes.txt", @my\ notes.txt). Where words are written without blanks between
 * them (Chinese, Japanese, Thai), and beside punctuation of any script, a word may begin anywhere. */
#ifndef SOTTO_CHAT_MENTION_H
#define SOTTO_CHAT_MENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct mention {
	size_t start, end; /* bytes of the text, the @ included */
	bool quoted;       /* what follows it is no part of it */
	bool is_unsure;    /* behind "quotes" and such, as code has it, too: only a file that is there is meant */
};

/* Whether an @ at `at` would begin one. */
bool mention_may_begin(const char *text, size_t at);
/* The next one from `at` on; `path` becomes its path. False: there is none. */
bool mention_next(const char *text, size_t len, size_t at, struct mention *mention, struct buf *path);
/* Removes from a path's end what may belong to the sentence: a punctuation mark ("a.c," "a.c)"), or the
 * last sign that needs no blank before it, with all behind it. False: there is none. */
bool mention_trim(struct buf *path);
/* Leaves of a path what is most likely meant by it where there is no such file. */
void mention_trim_all(struct buf *path);
/* Whether a path that does not exist was still meant as one: a typing error, not a name or a piece of
 * code. */
bool mention_looks_meant(const char *path);

#endif
