#include "terminal/cells.h"

#include <limits.h>
#include <string.h>
#include <wchar.h>

#include "base/bisect.h"
#include "terminal/style.h"

/* What one screen cell (or two, side by side) holds. */
struct cell {
	wchar_t chars[CCHARW_MAX + 1]; /* a spacing character and its marks; NUL-terminated */
	unsigned n;
	int width;
	bool hidden; /* part of a mark for something not shown */
};

/* Where cells go: to a window, or nowhere if only the width is wanted. */
struct pen {
	WINDOW *win;
	int y, x;    /* of column 0 */
	int col;
	int max;     /* columns */
	bool full;   /* a cell did not fit: nothing comes after it */
	struct style text, mark;
};

static void put_cell(struct pen *pen, struct cell *cell)
{
	const struct style *style = cell->hidden ? &pen->mark : &pen->text;
	cchar_t out;

	if (!cell->n || pen->full)
		return;
	if (cell->width > pen->max - pen->col) {
		pen->full = true;
		return;
	}
	if (pen->win) {
		cell->chars[cell->n] = L'\0';
		/* A window's last cell gives ERR although it is drawn. */
		if (setcchar(&out, cell->chars, style->attr, style->pair, NULL) == OK)
			(void)mvwadd_wch(pen->win, pen->y, pen->x + pen->col, &out);
	}
	pen->col += cell->width;
	cell->n = 0;
}

static void put_ascii(struct pen *pen, uint32_t c, bool hidden)
{
	struct cell cell = {.chars = {(wchar_t)c}, .n = 1, .width = 1, .hidden = hidden};

	put_cell(pen, &cell);
}

static void put_mark(struct pen *pen, size_t *n_hidden, uint32_t first)
{
	struct safe_piece mark;

	if (!*n_hidden)
		return;
	sanitize_hidden_mark(&mark, *n_hidden, first);
	for (unsigned i = 0; i < mark.n; i++)
		put_ascii(pen, mark.cps[i], true);
	*n_hidden = 0;
}

static void put_cluster(struct pen *pen, const struct safe_piece *piece)
{
	struct cell cell = {.n = 0};
	size_t n_hidden = 0;
	uint32_t first = 0;

	for (unsigned i = 0; i < piece->n; i++) {
		const uint32_t cp = piece->cps[i];
		const int width = wcwidth((wchar_t)cp);

		if (cp == 0xFE0E || cp == 0xFE0F)
			continue;
		if (cp == 0x200D && i + 1 < piece->n && wcwidth((wchar_t)piece->cps[i + 1]) > 0)
			continue;
		if (width == 0 && cell.n && cell.n < CCHARW_MAX && !n_hidden) {
			cell.chars[cell.n++] = (wchar_t)cp;
			continue;
		}
		if (width <= 0) {
			if (!n_hidden++)
				first = cp;
			continue;
		}
		put_cell(pen, &cell);
		put_mark(pen, &n_hidden, first);
		cell.chars[0] = (wchar_t)cp;
		cell.n = 1;
		cell.width = width;
	}
	put_cell(pen, &cell);
	put_mark(pen, &n_hidden, first);
}

static int tab_width(int col)
{
	return CELLS_TAB - col % CELLS_TAB;
}

static void put_piece(struct pen *pen, const struct safe_piece *piece)
{
	int start = pen->col, cols;

	switch (piece->kind) {
	case SAFE_TAB:
		for (cols = tab_width(start); cols > 0; cols--)
			put_ascii(pen, ' ', false);
		return;
	case SAFE_NEWLINE:
		put_ascii(pen, ' ', false);
		return;
	case SAFE_MARK:
		for (unsigned i = 0; i < piece->n; i++)
			put_ascii(pen, piece->cps[i], true);
		return;
	case SAFE_TEXT:
		break;
	}
	/* A cluster of several cells that does not fit is left out whole. */
	cols = cells_piece_width(piece, start);
	if (cols > pen->max - start)
		pen->full = true;
	put_cluster(pen, piece);
}

int cells_piece_width(const struct safe_piece *piece, int col)
{
	struct pen pen = {.max = INT_MAX};

	if (piece->kind == SAFE_TAB)
		return tab_width(col);
	if (piece->kind == SAFE_MARK)
		return (int)piece->n;
	if (piece->n == 1 && piece->cps[0] < 0x7F)
		return 1;
	put_cluster(&pen, piece);
	return pen.col;
}

enum theme_role cells_role_at(const struct text_style *style, size_t *run, size_t at)
{
	BISECT(*run, style->n_runs, i, (size_t)style->runs[i].from + style->runs[i].len <= at);
	return *run < style->n_runs && style->runs[*run].from <= at ? style->runs[*run].role
	                                                            : style->role;
}

int cells_draw_styled(WINDOW *win, int y, int x, int max_cols, const struct text_style *style,
                      const char *bytes, size_t n, size_t from, size_t to)
{
	struct safe_piece piece;
	size_t run = 0;
	struct pen pen = {.win = win, .y = y, .x = x, .max = max_cols,
	                  .mark = style_of(STYLE_HIDDEN)};

	if (y < 0 || y >= getmaxy(win) || x < 0 || x >= getmaxx(win))
		return 0;
	if (pen.max > getmaxx(win) - x)
		pen.max = getmaxx(win) - x;
	for (size_t at = from; at < to && !pen.full && pen.col < pen.max; at = piece.end) {
		if (!sanitize_next(bytes, n, at, &piece))
			break;
		pen.text = style_of(cells_role_at(style, &run, at));
		put_piece(&pen, &piece);
	}
	return pen.col;
}

int cells_draw_part(WINDOW *win, int y, int x, int max_cols, enum theme_role role,
                    const char *bytes, size_t n, size_t from, size_t to)
{
	return cells_draw_styled(win, y, x, max_cols, &(struct text_style){.role = role}, bytes, n, from,
	                         to);
}

int cells_draw(WINDOW *win, int y, int x, int max_cols, enum theme_role role, const char *bytes,
               size_t n)
{
	return cells_draw_part(win, y, x, max_cols, role, bytes, n, 0, n);
}

int cells_puts(WINDOW *win, int y, int x, int max_cols, enum theme_role role, const char *text)
{
	return cells_draw(win, y, x, max_cols, role, text, strlen(text));
}

void cells_fill(WINDOW *win, int y, int x, int cols, enum theme_role role)
{
	const struct style style = style_of(role);
	cchar_t blank;

	if (y < 0 || y >= getmaxy(win) || x < 0 || x >= getmaxx(win) || cols <= 0)
		return;
	if (cols > getmaxx(win) - x)
		cols = getmaxx(win) - x;
	if (setcchar(&blank, L" ", style.attr, style.pair, NULL) == OK)
		(void)mvwhline_set(win, y, x, &blank, cols);
}

int cells_width(const char *bytes, size_t n)
{
	struct safe_piece piece;
	int col = 0;

	for (size_t at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end) {
		int cols = cells_piece_width(&piece, col);

		if (cols > INT_MAX - col)
			return INT_MAX;
		col += cols;
	}
	return col;
}

int cells_text_width(const char *text)
{
	return cells_width(text, strlen(text));
}

int cells_widest(int width, const char *text)
{
	int cols = text ? cells_text_width(text) : 0;

	return cols > width ? cols : width;
}
