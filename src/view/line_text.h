/* How much of a text that is still growing may be printed now, where nothing printed is ever changed:
 * whole sentences, or whole words of a long one. */
#ifndef SOTTO_VIEW_LINE_TEXT_H
#define SOTTO_VIEW_LINE_TEXT_H

#include <stddef.h>

enum {
	LINE_TEXT_SENTENCE = 240 /* bytes; a longer sentence is given out word by word */
};

/* Bytes of text[0, len), from its beginning, that end with a line, a sentence or, if there is no end
 * in sight for too long, a word. 0: not yet. */
size_t line_text_whole(const char *text, size_t len);

#endif
