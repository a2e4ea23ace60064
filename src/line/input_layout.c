#include "line/input_layout.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum {
	BACK_MIN = 8192,  /* bytes looked at before the caret, at least */
	BACK_STEP = 4096, /* the first one is a multiple of this, so that typing does not move it */
	ROWS_MAX = 1 << 20,
};

void input_layout_deinit(struct input_layout *layout)
{
	free(layout->rows);
	*layout = (struct input_layout){.n_rows = 0};
}

static bool add_row(struct input_layout *layout, size_t start, size_t end)
{
	if (!alloc_grow(&layout->rows, &layout->cap, layout->n_rows + 1, sizeof *layout->rows,
	                ROWS_MAX))
		return false;
	layout->rows[layout->n_rows++] = (struct input_row){start, end};
	return true;
}

/* A byte before the caret, far enough back, to start from: after a newline if
 * there is one, else between two characters. */
static size_t first_byte(const char *text, size_t caret, int width, int max)
{
	size_t back = (size_t)width * (size_t)max * 4, start;
	const char *newline;

	if (back < BACK_MIN)
		back = BACK_MIN;
	if (caret <= back)
		return 0;
	start = (caret - back) / BACK_STEP * BACK_STEP;
	newline = memchr(text + start, '\n', BACK_STEP);
	if (newline)
		return (size_t)(newline - text) + 1;
	while (start < caret && (text[start] & 0xc0) == 0x80)
		start++;
	return start;
}

/* Ends the row that begins at *start and has *col columns; the next one begins at `next`. */
static bool end_row(struct input_layout *layout, size_t *start, size_t end, size_t next, int *col)
{
	if (!add_row(layout, *start, end))
		return false;
	*start = next;
	*col = 0;
	return true;
}

/* Rows from `start` on, until `max` rows below the caret's. */
static void fill_rows(struct input_layout *layout, const char *text, size_t n, size_t start,
                      size_t caret, int columns, int max)
{
	struct safe_piece piece;
	size_t at = start, row_start = start;
	bool caret_found = false;
	int col = 0;

	layout->n_rows = 0;
	layout->caret = 0;
	layout->caret_col = 0;
	for (;;) {
		bool more = sanitize_next(text, n, at, &piece);
		bool newline = more && piece.kind == SAFE_NEWLINE;
		int width = more && !newline ? cells_piece_width(&piece, col) : 0;

		if (more && !newline && col > 0 && col + width > columns) {
			if (!end_row(layout, &row_start, at, at, &col))
				return;
			width = cells_piece_width(&piece, col);
		}
		if (!caret_found && (!more || caret < piece.end)) {
			caret_found = true;
			/* After a full row the caret waits at the start of the next. */
			if (!more && col >= columns && !end_row(layout, &row_start, at, at, &col))
				return;
			layout->caret = layout->n_rows;
			layout->caret_col = col;
		}
		if (!more)
			break;
		at = piece.end;
		col += width;
		if (newline && !end_row(layout, &row_start, piece.start, at, &col))
			return;
		if (caret_found && layout->n_rows > layout->caret + (size_t)max) {
			layout->below = true;
			return;
		}
	}
	add_row(layout, row_start, n);
}

void input_layout_update(struct input_layout *layout, const char *prompt, const char *text,
                         size_t n, size_t caret, int width, int max)
{
	int indent = cells_text_width(prompt), columns;
	size_t start, top = 0, shown;

	if (max < 1)
		max = 1;
	if (indent > width / 2)
		indent = width / 2;
	columns = width - indent > 0 ? width - indent : 1;
	start = first_byte(text, caret, columns, max);
	layout->indent = indent;
	layout->below = false;
	fill_rows(layout, text, n, start, caret, columns, max);
	if (layout->n_rows == 0) { /* no memory: nothing is shown */
		layout->height = 1;
		layout->caret_row = layout->caret_col = 0;
		return;
	}
	shown = layout->n_rows < (size_t)max ? layout->n_rows : (size_t)max;
	/* Scroll no more than it takes to show the caret. */
	while (top + 1 < layout->n_rows && layout->rows[top].start < layout->top_byte)
		top++;
	if (top > layout->caret)
		top = layout->caret;
	if (layout->caret >= top + shown)
		top = layout->caret - shown + 1;
	if (top + shown > layout->n_rows)
		top = layout->n_rows - shown;
	layout->top = top;
	layout->top_byte = layout->rows[top].start;
	layout->above = start > 0 || top > 0;
	layout->below = layout->below || top + shown < layout->n_rows;
	layout->height = (int)shown;
	layout->caret_row = (int)(layout->caret - top);
	layout->caret_col += indent;
	if (layout->caret_col >= width)
		layout->caret_col = width > 0 ? width - 1 : 0;
}

void input_layout_draw(const struct input_layout *layout, WINDOW *win, int y, int x, int rows,
                       int cols, const char *prompt, enum theme_role role, const char *text, size_t n)
{
	for (int i = 0; i < rows; i++) {
		size_t row = layout->top + (size_t)i;

		cells_fill(win, y + i, x, cols, STYLE_INPUT);
		if (i >= layout->height || row >= layout->n_rows)
			continue;
		if (i == 0 && layout->above)
			cells_puts(win, y, x, layout->indent, STYLE_HINT, "\342\206\221"); /* ↑ */
		else if (i == layout->height - 1 && layout->below)
			cells_puts(win, y + i, x, layout->indent, STYLE_HINT, "\342\206\223"); /* ↓ */
		else if (row == 0)
			cells_puts(win, y + i, x, layout->indent, STYLE_PROMPT, prompt);
		cells_draw_part(win, y + i, x + layout->indent, cols - layout->indent, role, text,
		                n, layout->rows[row].start, layout->rows[row].end);
	}
}

bool input_layout_move(const struct input_layout *layout, int direction, const char *text, size_t n,
                       size_t *caret)
{
	struct safe_piece piece;
	const struct input_row *row;
	int col = 0, want = layout->caret_col - layout->indent;
	size_t at;

	if (layout->n_rows == 0 || (direction < 0 ? layout->caret == 0
	                                          : layout->caret + 1 >= layout->n_rows))
		return false;
	row = &layout->rows[direction < 0 ? layout->caret - 1 : layout->caret + 1];
	if (row->end > n)
		return false;
	for (at = row->start; at < row->end && sanitize_next(text, n, at, &piece); at = piece.end) {
		int width = cells_piece_width(&piece, col);

		if (col + width > want)
			break;
		col += width;
		/* The end of a wrapped row is the start of the next: stay before it. */
		if (piece.end == row->end && row->end < n && text[row->end] != '\n')
			break;
	}
	*caret = at;
	return true;
}

/* ---- where readline shows it ---- */

struct screen_place {
	int row, col;
};

/* As readline shows it: control characters as ^X, tabs as blanks. */
static void advance(struct screen_place *place, const char *text, size_t n, int cols)
{
	for (size_t i = 0, taken; i < n; i += taken) {
		int32_t cp;
		int width;

		taken = utf8_decode(text + i, n - i, &cp);
		taken = taken ? taken : 1;
		width = cp == '\t' ? 8 - place->col % 8 : cp >= 0 && cp < ' ' ? 2 : cp < 0 ? 1 : wcwidth((wchar_t)cp);
		width = width < 0 ? 1 : width;
		if (place->col + width > cols) { /* a wide one waits for the next row; what is long goes on there */
			place->row++;
			place->col = width > 1 && cp >= 0x80 ? 0 : place->col - cols;
		}
		place->col += width;
		if (place->col == cols) {
			place->row++;
			place->col = 0;
		}
	}
}

int input_layout_rows_above(const char *prompt, const char *text, size_t at, int cols)
{
	struct screen_place place = {0, 0};

	if (cols < 1)
		return 0;
	advance(&place, prompt, strlen(prompt), cols);
	advance(&place, text, at, cols);
	return place.row;
}
