/* The fenced code blocks of a text in Markdown, in the order in which they are read, as CommonMark
 * 0.31 has them: fences of backticks or tildes, longer ones around shorter ones, in lists and
 * quotes too; a fence that nothing closes reaches to the end of what it stands in. Code that is
 * only indented has no fence and does not count. Pure functions. */
#ifndef SOTTO_CHAT_CODE_BLOCKS_H
#define SOTTO_CHAT_CODE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { CODE_BLOCKS_DEPTH = 16 }; /* lists and quotes in each other; deeper ones are plain text */

struct code_blocks {
	const char *text; /* borrowed */
	size_t len, at;
	/* What the line at hand stands in, from the outside: a list's item, by the columns that its
	 * text is indented, or a quote (0). */
	unsigned indents[CODE_BLOCKS_DEPTH];
	size_t depth;
	bool is_new;       /* the innermost is an item that has nothing yet */
	bool in_paragraph; /* the last line was one of a paragraph */
	unsigned html;     /* the block of HTML that is open (markdown_line.h); 0: none */
};

struct code_block {
	const char *language; /* the first word behind the fence; points into the text */
	size_t language_len;  /* 0: none is named */
	size_t start, end;    /* the bytes of its lines, from behind the opening fence to the closing one */
	bool closed;
	char mark;            /* of its opening fence */
	unsigned n_marks;
};

void code_blocks_begin(struct code_blocks *blocks, const char *text, size_t len);
/* The next block; false: there is none. Its code is appended to `code` (NULL: not wanted), without
 * quote marks, and without the blanks that fence and list are indented by; check buf_status. */
bool code_blocks_next(struct code_blocks *blocks, struct code_block *block, struct buf *code);
size_t code_blocks_count(const char *text, size_t len);

/* Appends the line that closes what the text leaves open at its end, so that a heading behind it and an
 * empty line is a heading: a fence, or the end of a block of HTML. What stands in a list or a quote ends
 * with that and gets nothing. Check buf_status. */
enum status code_blocks_put_end(struct buf *out, const char *text, size_t len);

#endif
