/* A line of Markdown, and what CommonMark 0.31 lets it begin with. Pure functions. */
#ifndef SOTTO_CHAT_MARKDOWN_LINE_H
#define SOTTO_CHAT_MARKDOWN_LINE_H

#include <stdbool.h>

enum { MARKDOWN_INDENT_MAX = 3 /* columns before what begins a block; more is indented code */ };

/* What is left of a line. A tab can be taken in parts: `ahead` is what is left of the last one. */
struct markdown_line {
	const char *at, *end; /* without the line break */
	unsigned column, ahead;
};

struct markdown_fence {
	char mark;
	unsigned n;      /* how many marks */
	unsigned indent; /* columns before them */
};

/* Takes at most so many columns of blanks; returns how many there were. */
unsigned line_take_blanks(struct markdown_line *line, unsigned most);
unsigned line_count_blanks(struct markdown_line line);
/* A carriage return belongs to the line's end. */
bool line_is_blank(struct markdown_line line);

/* A quote's mark, with the blank behind it. */
bool line_take_quote_mark(struct markdown_line *line);
/* A list item's marker; *indent: the columns that its text is indented by. `interrupts`: it would end a
 * paragraph, which only few can. */
bool line_take_marker(struct markdown_line *line, bool interrupts, unsigned *indent);
/* A fence that opens a block of code; what stands behind it stays. */
bool line_take_opening(struct markdown_line *line, struct markdown_fence *fence);
bool line_closes(struct markdown_line line, const struct markdown_fence *open);

bool line_is_heading(struct markdown_line line);   /* "# one" */
bool line_is_underline(struct markdown_line line); /* what makes a heading of a paragraph */
bool line_is_rule(struct markdown_line line);

/* Blocks of HTML, by how they end: 0, none; otherwise a row of a table. */
unsigned line_begins_html(struct markdown_line line, bool interrupts);
bool line_ends_html(struct markdown_line line, unsigned html);
/* What ends such a block; NULL: an empty line. */
const char *html_block_end(unsigned html);

#endif
