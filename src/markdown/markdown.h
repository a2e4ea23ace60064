/* Markdown as rows of the screen: a text and a width in columns to bytes, runs of style and rows.
 *
 * CommonMark with GFM's tables, task lists, struck text and bare links, parsed by md4c; HTML (but
 * <br> in tables) and maths are shown as they are written. Nothing of a text is lost: what is not shown
 * as text (the target of a link, the language of code) is shown beside it. Line breaks and blank lines are those
 * of the text, so that a text without any marks looks as if it were no Markdown.
 *
 * The text is cut into segments (markdown_internal.h) of some kilobytes at the most; as it grows,
 * only its last segments are laid out again. Where it still grows, its end is laid out as if what
 * is open there (emphasis, code, a link) were closed already, and marks that may become something
 * else with the next bytes are held back, so that nothing on the screen changes its looks twice.
 * What is laid out is foreign text: draw it with terminal/cells.h. */
#ifndef SOTTO_MARKDOWN_MARKDOWN_H
#define SOTTO_MARKDOWN_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "terminal/cells.h"

struct highlight_language;

struct markdown_row {
	uint32_t from, to; /* bytes of the laid-out text */
	uint32_t source;   /* the byte of the Markdown that the row begins with */
};

/* Where laying out goes on: what has been laid out before the byte at `source`. */
struct markdown_place {
	size_t source, text, n_runs, n_rows;
	char fence;            /* within fenced code: ` or ~; NUL outside */
	unsigned fence_len;    /* of the opening fence */
	unsigned fence_indent;
	const struct highlight_language *language;
	unsigned highlight;    /* what the highlighter keeps from line to line */
	uint32_t number;       /* of the ordered list's item just before; 0: none */
	uint32_t n_code;       /* fenced code blocks that have begun */
};

struct markdown { /* {0}: nothing is laid out */
	int cols;
	bool ticks;   /* inline code keeps its backticks */
	bool growing; /* more text may come */
	size_t len;   /* bytes laid out so far */
	struct buf text;
	struct style_run *runs; /* owned; what has none is in STYLE_ASSISTANT */
	size_t n_runs, cap_runs;
	struct markdown_row *rows; /* owned */
	size_t n_rows, cap_rows;
	struct markdown_place sure; /* what more text cannot change */
};

void markdown_free(struct markdown *markdown); /* {0} again */

/* Lays `text` out in `cols` (at least 1) columns. If it was laid out in the same way before and has
 * only grown since, only its end is laid out again. For a different text, call markdown_free first.
 * On failure there is nothing laid out. */
enum status markdown_update(struct markdown *markdown, const char *text, size_t len, bool growing,
                            int cols, bool ticks) MUST_CHECK;

/* The row that has the byte at `source` of the Markdown: the last one that begins at or before
 * it. */
size_t markdown_find(const struct markdown *markdown, size_t source);

#endif
