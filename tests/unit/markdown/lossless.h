/* Whether laid-out Markdown still has what its source says. */
#ifndef SOTTO_TESTS_MARKDOWN_LOSSLESS_H
#define SOTTO_TESTS_MARKDOWN_LOSSLESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What a terminal shows of `text` at `cols` columns, row by row, each ended by a newline. Fails the
 * test where a row is wider, or has something that does not belong on a screen. */
void lossless_screen(struct buf *out, const char *text, size_t len, int cols);

/* Whether every letter and digit of the source is on the screen, as often as there. Left out are
 * entities (they become characters), numbers that an ordered list counts anew, and a link's target
 * that its text repeats. */
bool lossless_has_source(const char *screen, const char *source, size_t len);

/* Whether the letters and digits of `text` are on the screen in their order, something else between
 * them or not. Characters beyond ASCII that `source` does not have are left out: those of entities. */
bool lossless_has_text(const char *screen, const char *text, const char *source);

/* Whether the lines of code stand at the ends of rows (before them there may be a quotation's bar).
 * cut: where they may be too long for a row, only the order of their characters counts. */
bool lossless_has_code(const char *screen, const char *code, bool cut);

#endif
