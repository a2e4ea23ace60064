/* Colours for code: keywords, strings, numbers and comments of the common languages, by small
 * tables. A line at a time, so that code can be coloured as it arrives: what goes on in the next
 * line (a comment, a string of several lines) is in `state`. It does not parse: code that it does
 * not understand has the wrong colours at worst. */
#ifndef SOTTO_MARKDOWN_HIGHLIGHT_H
#define SOTTO_MARKDOWN_HIGHLIGHT_H

#include <stddef.h>

#include "config/theme.h"

struct highlight_language;

/* By what stands behind a fence ("python", "c++"); NULL for one that is not known. */
const struct highlight_language *highlight_find(const char *name, size_t len);

/* The end of the stretch of the line that begins at `at`, where the one before has ended; *role: its
 * style, STYLE_CODE for plain code. `line` has no newline. `state` is 0 at the code's beginning; with
 * NULL as `language` all is plain. */
size_t highlight_next(const struct highlight_language *language, unsigned *state, const char *line, size_t len,
                      size_t at, enum theme_role *role);

#endif
