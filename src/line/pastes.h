/* Long pastes in the input line. Each is one code point there, from a private range, so that readline
 * moves over it and deletes it with one key; its text is kept here until the program ends, since
 * readline's undo and kill ring may bring it back. Pasted text that contains such code points is kept
 * here, too, so that they cannot be mistaken for pastes. UI thread only. */
#ifndef SOTTO_LINE_PASTES_H
#define SOTTO_LINE_PASTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum {
	PASTE_LINES_SHOWN = 20, /* more are folded */
	PASTES_MAX = 1000,
};

struct paste {
	char *text; /* owned */
	size_t len;
};

struct pastes {
	struct paste *items; /* owned */
	size_t n, cap;
	size_t bytes;
};

/* Appends pasted text as the line takes it: CR LF and CR become LF, NUL and ill-formed parts U+FFFD. */
enum status pastes_clean(struct buf *out, const char *text, size_t n);

void pastes_free(struct pastes *pastes);
/* Whether a text has to be kept here, for its length or (whatever `is_paste`) for what is in it. */
bool pastes_wants(const char *text, size_t len, bool is_paste);
/* Keeps a text and appends what stands for it. STATUS_LIMIT: there are too many already. */
enum status pastes_put(struct pastes *pastes, const char *text, size_t len, struct buf *out) MUST_CHECK;
/* What stands at a byte of the line, and how many bytes that takes; NULL: nothing of ours. */
const struct paste *pastes_at(const struct pastes *pastes, const char *line, size_t len, size_t at,
                              size_t *n);
/* Whether the line has any. */
bool pastes_are_in(const struct pastes *pastes, const char *line, size_t len);
/* The line's length with all of them unfolded. */
size_t pastes_length(const struct pastes *pastes, const char *line, size_t len);
/* Appends the line with all of them unfolded. */
enum status pastes_unfold(const struct pastes *pastes, const char *line, size_t len, struct buf *out);
/* Appends a text that comes back to the line, such as a queued message, with the long pastes that are in
 * it folded as they were. The text must have none of the range's code points. */
enum status pastes_fold(const struct pastes *pastes, const char *text, size_t len, struct buf *out);
/* Appends the line with "[40 lines pasted]" for each; *point is a byte of the line before, and of what
 * is appended after. */
enum status pastes_show(const struct pastes *pastes, const char *line, size_t len, size_t *point,
                        struct buf *out);
/* The byte of the line that a byte of pastes_show's text belongs to. */
size_t pastes_find(const struct pastes *pastes, const char *line, size_t len, size_t shown);

#endif
