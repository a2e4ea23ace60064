#include "view/panel.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "terminal/wrap.h"

enum {
	FRAME_ROWS = 2, FRAME_COLS = 4,         /* a line and, at the sides, a blank */
	WHEEL_ROWS = 3,
	SCROLL_ALL = 1 << 30, /* with what a text has scrolled so far, still an int */
	FRAMED_MIN_ROWS = 8, FRAMED_MIN_COLS = 24, /* of the area: a smaller one has no frame */
};

/* Inside the frame. */
static int inner_rows(const struct panel *panel)
{
	return panel->rows - (panel->framed ? FRAME_ROWS : 0);
}

static int inner_cols(const struct panel *panel)
{
	return panel->cols - (panel->framed ? FRAME_COLS : 0);
}

void panel_layout(struct panel *panel, int y, int x, int rows, int cols)
{
	int want_rows, want_cols;

	panel->framed = rows >= FRAMED_MIN_ROWS && cols >= FRAMED_MIN_COLS;
	panel->rows = rows;
	panel->cols = cols;
	want_rows = inner_rows(panel);
	want_cols = inner_cols(panel);
	panel->ops->measure(panel, &want_rows, &want_cols);
	if (panel->framed) {
		want_cols = cells_widest(want_cols - 2, panel->title);
		want_cols = cells_widest(want_cols, panel->hint) + 2;
		want_rows += FRAME_ROWS;
		want_cols += FRAME_COLS;
	} else {
		want_cols = cols;
	}
	panel->rows = want_rows < rows ? want_rows : rows;
	panel->cols = want_cols < cols ? want_cols : cols;
	if (panel->rows < 1)
		panel->rows = 1;
	if (panel->cols < 1)
		panel->cols = 1;
	panel->y = y + (rows > panel->rows ? (rows - panel->rows) / 2 : 0);
	panel->x = x + (cols > panel->cols ? (cols - panel->cols) / 2 : 0);
}

/* A border row: corners, line, and a text in it. */
static void draw_edge(const struct panel *panel, WINDOW *win, int y, const char *left,
                      const char *right, const char *text, enum theme_role role)
{
	int room = panel->cols - FRAME_COLS, used;

	cells_puts(win, y, panel->x, 1, STYLE_BORDER, left);
	for (int col = 1; col < panel->cols - 1; col++)
		cells_puts(win, y, panel->x + col, 1, STYLE_BORDER, "\u2500");
	cells_puts(win, y, panel->x + panel->cols - 1, 1, STYLE_BORDER, right);
	if (!text || room < 3)
		return;
	used = 1 + cells_puts(win, y, panel->x + 3, room - 2, role, text);
	cells_fill(win, y, panel->x + 2, 1, role);
	cells_fill(win, y, panel->x + 2 + used, 1, role);
}

void panel_draw_divider(WINDOW *win, int y, int x, int rows)
{
	for (int row = 0; row < rows; row++)
		cells_puts(win, y + row, x, 1, STYLE_BORDER, "\u2502");
}

void panel_draw(struct panel *panel, WINDOW *win)
{
	int y = panel->y, x = panel->x;

	for (int row = 0; row < panel->rows; row++)
		cells_fill(win, y + row, x, panel->cols, STYLE_PANEL);
	if (panel->framed) {
		draw_edge(panel, win, y, "\u250C", "\u2510", panel->title, STYLE_PANEL_MARK);
		panel_draw_divider(win, y + 1, x, panel->rows - 2);
		panel_draw_divider(win, y + 1, x + panel->cols - 1, panel->rows - 2);
		draw_edge(panel, win, y + panel->rows - 1, "\u2514", "\u2518", panel->hint,
		          STYLE_PANEL_HINT);
		y += FRAME_ROWS / 2;
		x += FRAME_COLS / 2;
	}
	panel->ops->draw(panel, win, y, x, inner_rows(panel), inner_cols(panel));
}

unsigned panel_key(struct panel *panel, struct key key)
{
	unsigned result = panel->ops->key(panel, key);

	if (result != PANEL_IGNORED)
		return result;
	if (key_is(key, K_ESC, 0) || key_is_char(key, 'c', MOD_CTRL))
		return PANEL_TAKEN | PANEL_CLOSE;
	/* Nothing is typed into the input line while a panel is open. */
	if (key.name == K_CHAR && !(key.mods & (MOD_CTRL | MOD_ALT)))
		return PANEL_TAKEN;
	return PANEL_IGNORED;
}

unsigned panel_mouse(struct panel *panel, struct mouse mouse)
{
	bool inside;

	mouse.y -= panel->y;
	mouse.x -= panel->x;
	inside = mouse.y >= 0 && mouse.y < panel->rows && mouse.x >= 0 && mouse.x < panel->cols;
	if (!inside && mouse.kind == MOUSE_PRESS)
		return PANEL_TAKEN | PANEL_CLOSE;
	if (!inside && (mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN))
		return PANEL_IGNORED;
	if (panel->framed) {
		mouse.y -= FRAME_ROWS / 2;
		mouse.x -= FRAME_COLS / 2;
	}
	return panel->ops->mouse(panel, mouse);
}

void panel_close(struct panel *panel)
{
	if (!panel)
		return;
	if (panel->ops->close)
		panel->ops->close(panel);
	free(panel->state);
	free(panel);
}

bool panel_keep_text(struct name_list *texts, const char **text, size_t max)
{
	if (!*text)
		return true;
	if (!name_list_add(texts, *text, strnlen(*text, max)))
		return false;
	*text = texts->items[texts->n - 1];
	return true;
}

bool panel_move_key(struct key key, size_t n, size_t page, size_t *row)
{
	const size_t last = n ? n - 1 : 0, step = page > 1 ? page - 1 : 1;

	switch (key.name) {
	case K_UP: *row -= *row > 0; break;
	case K_DOWN: *row += *row < last; break;
	case K_PAGE_UP: *row = *row > step ? *row - step : 0; break;
	case K_PAGE_DOWN: *row = last - *row > step ? *row + step : last; break;
	case K_HOME: *row = 0; break;
	case K_END: *row = last; break;
	default: return false;
	}
	return true;
}

size_t panel_top(size_t top, size_t selected, size_t page)
{
	if (selected < top)
		return selected;
	return page && selected >= top + page ? selected - page + 1 : top;
}

unsigned panel_type(struct buf *text, const char *bytes, size_t n)
{
	if (n > text->max - text->len || buf_append(text, bytes, n))
		return PANEL_TAKEN;
	return PANEL_TAKEN | PANEL_CHANGED;
}

static unsigned cut_text(struct buf *text, size_t to)
{
	unsigned result = text->len ? PANEL_TAKEN | PANEL_CHANGED : PANEL_TAKEN;

	buf_remove(text, to, text->len - to);
	return result;
}

unsigned panel_type_key(struct buf *text, struct key key)
{
	size_t to = text->len;
	char bytes[UTF8_MAX];

	if (key_is_char(key, 'u', MOD_CTRL))
		return cut_text(text, 0);
	if (key.name == K_CHAR && !key.mods)
		return panel_type(text, bytes, utf8_encode(key.cp, bytes));
	if (key.name != K_BACKSPACE)
		return PANEL_IGNORED;
	while (to && (text->data[--to] & 0xC0) == 0x80) {
		/* back to the character's first byte */
	}
	return cut_text(text, to);
}

unsigned panel_answer_number(const char *line, size_t n, size_t *selected)
{
	int64_t number;

	if (!line[0])
		return PANEL_TAKEN | PANEL_CLOSE;
	if (!number_parse_int(line, &number))
		return 0;
	if (number < 1 || (size_t)number > n)
		return PANEL_TAKEN;
	*selected = (size_t)number - 1;
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

int panel_scroll_key(struct key key, int rows)
{
	const int page = rows > 1 ? rows - 1 : 1;

	switch (key.name) {
	case K_UP: return -1;
	case K_DOWN: return 1;
	case K_PAGE_UP: return -page;
	case K_PAGE_DOWN: return page;
	case K_HOME: return -SCROLL_ALL;
	case K_END: return SCROLL_ALL;
	case K_CHAR: return key_is_char(key, ' ', 0) ? page : 0;
	default: return 0;
	}
}

int panel_scroll_wheel(struct mouse mouse)
{
	if (mouse.kind == MOUSE_WHEEL_UP)
		return -WHEEL_ROWS;
	return mouse.kind == MOUSE_WHEEL_DOWN ? WHEEL_ROWS : 0;
}

/* A paragraph that begins with blanks and is wrapped hangs by two columns more than these. */
static int draw_paragraph(WINDOW *win, int y, int x, int row, int rows, int cols, enum theme_role role,
                          const char *text, size_t len)
{
	int blanks = (int)strspn(text, " "), hang = 0, n = 1;
	struct wrap wrap = {.n = 0};

	if (blanks && cells_width(text, len) > cols && cols > 4 * blanks + 8) {
		hang = blanks + 2;
		text += blanks;
		len -= (size_t)blanks;
		x += hang;
		cols -= hang;
	}
	if (len && !wrap_update(&wrap, text, len, cols > 0 ? cols : 1))
		n = (int)wrap.n;
	for (int i = 0; win && i < (int)wrap.n; i++)
		if (row + i >= 0 && row + i < rows)
			cells_draw_part(win, y + row + i, hang && i == 0 ? x - 2 : x, cols, role, text, len,
			                wrap.lines[i].start, wrap.lines[i].end);
	wrap_free(&wrap);
	return n;
}

int panel_draw_text(WINDOW *win, int y, int x, int row, int rows, int cols, enum theme_role role,
                    const char *text)
{
	int n = 0;

	for (const char *at = text; at && *text; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		n += draw_paragraph(win, y, x, row + n, rows, cols, role, at, strcspn(at, "\n"));
	return n;
}

int panel_text_rows(const char *text, int cols, int least, int most)
{
	int rows = panel_draw_text(NULL, 0, 0, 0, 0, cols, STYLE_PANEL, text);

	return rows < least ? least : rows < most ? rows : most;
}

int panel_draw_columns(WINDOW *win, int y, int x, int cols, enum theme_role role,
                       const char *const *texts, const int *widths, size_t n)
{
	while (n-- && widths[n] && cols - widths[n] - PANEL_COLUMN_GAP >= PANEL_TEXT_MIN) {
		const char *text = texts[n] ? texts[n] : "";
		int used = cells_text_width(text);

		used = used < widths[n] ? used : widths[n];
		cells_puts(win, y, x + cols - used, used, role, text);
		cols -= widths[n] + PANEL_COLUMN_GAP;
	}
	return cols;
}
