/* Where the input line's text is on the screen: rows, columns, the caret. Only the part around the
 * caret is laid out, so that a line of megabytes is as fast as a short one. UI thread only. */
#ifndef SOTTO_LINE_INPUT_LAYOUT_H
#define SOTTO_LINE_INPUT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal/cells.h"

struct input_row {
	size_t start, end; /* bytes; the newline that ends a row is not in it */
};

struct input_layout {
	struct input_row *rows; /* owned: around the caret */
	size_t n_rows, cap;
	size_t caret;           /* index of the caret's row */
	size_t top;             /* index of the first row shown */
	size_t top_byte;        /* its first byte: scrolling is remembered by it */
	bool above, below;      /* text that is not shown */
	int indent;             /* columns of the prompt, on every row */
	int height;             /* rows shown, at least 1 */
	int caret_row, caret_col; /* on the screen, from the top left of what is shown */
};

void input_layout_deinit(struct input_layout *layout);
/* Lays text[0, n) out into at most `max` rows of `width` columns. */
void input_layout_update(struct input_layout *layout, const char *prompt, const char *text,
                         size_t n, size_t caret, int width, int max);
void input_layout_draw(const struct input_layout *layout, WINDOW *win, int y, int x, int rows,
                       int cols, const char *prompt, enum theme_role role, const char *text, size_t n);
/* Moves *caret a row up (-1) or down (1), keeping its column; false at the edge. */
bool input_layout_move(const struct input_layout *layout, int direction, const char *text, size_t n,
                       size_t *caret);

/* Where readline shows the line in the terminal's normal flow: rows above the byte `at` of the
 * text, which stands behind the prompt, on a screen of `cols` columns. */
int input_layout_rows_above(const char *prompt, const char *text, size_t at, int cols);

#endif
