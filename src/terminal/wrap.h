/* Line breaking: a text and a width in columns to display lines.
 *
 * Breaks after blanks (which then hang over the edge, unseen), after hyphens in words and dashes,
 * and around wide characters (CJK) except where a closing mark would start a line or an opening
 * mark would end it. A word that is wider than the line is cut between clusters; a cluster wider
 * than the line gets a line of its own. Lines are byte ranges of the text, which stays where it
 * is. */
#ifndef SOTTO_TERMINAL_WRAP_H
#define SOTTO_TERMINAL_WRAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wrap_line {
	uint32_t start, end; /* without the newline or the hanging blanks */
};

/* Zeroed: nothing was wrapped. */
struct wrap {
	int cols;
	uint32_t len;            /* bytes wrapped so far */
	uint32_t sure;           /* of them, those that more text cannot change */
	struct wrap_line *lines; /* owned */
	size_t n, cap;
};

void wrap_free(struct wrap *wrap); /* zeroes it */

/* Wraps `text` to `cols` (at least 1) columns. If it was wrapped to the same width before and has
 * only grown since, only its end is wrapped again. A text has at least one line more than it has
 * newlines. For a different text, call wrap_free first. */
enum status wrap_update(struct wrap *wrap, const char *text, size_t len, int cols) MUST_CHECK;

/* The line that holds the byte at `offset`: the last one that starts at or
 * before it. */
size_t wrap_find(const struct wrap *wrap, size_t offset);

#endif
