/* Which rows of a terminal a line takes that readline shows in its normal flow. */
#ifndef SOTTO_LINE_LINE_ROWS_H
#define SOTTO_LINE_LINE_ROWS_H

#include <stddef.h>

/* Rows above the byte `at` of the text, which stands behind the prompt, on a screen of `cols` columns. */
int line_rows_above(const char *prompt, const char *text, size_t at, int cols);

#endif
