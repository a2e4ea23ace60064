/* Text for the terminal's normal flow, broken between words: the terminal itself would break it anywhere.
 * What has no blanks and is wider than a row, such as a long path, is left to the terminal, so that it
 * can be copied. A text may come in parts that end between words. */
#ifndef SOTTO_VIEW_LINE_FLOW_H
#define SOTTO_VIEW_LINE_FLOW_H

#include <stddef.h>

#include "base/buf.h"

/* The row under way. Zeroed: at its beginning. */
struct line_flow {
	int col;
	int blanks; /* that have not been printed: where a row ends they are left out */
};

/* Appends a part, sanitised; its newlines and tabs stay. */
void line_flow_put(struct line_flow *flow, struct buf *to, const char *text, size_t len, int cols);
/* All of a text. */
void line_flow_text(struct buf *to, const char *text, size_t len, int cols);

/* Of a text that is still growing, where nothing printed is ever changed, whole sentences may be
 * printed now, or whole words of one that is longer than so many bytes. */
enum { LINE_FLOW_SENTENCE = 240 };
/* Bytes of text[0, len), from its beginning, that end with a line, a sentence or, if there is no end
 * in sight for too long, a word. 0: not yet. */
size_t line_flow_whole(const char *text, size_t len);

#endif
