#include <stdlib.h>
#include <string.h>
#include <unicase.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "ui/cells.h"
#include "ui/panel.h"

enum { FILTER_MAX = 256, LIST_COLS = 70, LIST_ROWS = 24, DETAIL_MAX = 24 };

struct row {
	char *text, *detail, *value; /* owned; detail may be NULL */
	char *folded;                /* owned; text without case, for the filter */
};

struct list {
	struct panel panel;
	char *title;      /* owned */
	struct row *rows; /* owned */
	size_t n;
	size_t *shown;    /* owned; rows that the filter leaves */
	size_t n_shown;
	size_t selected;  /* index into shown */
	size_t top;       /* first one on the screen */
	size_t page;      /* rows on the screen, as last drawn */
	struct buf filter;
};

/* Case-folded, repaired, NUL-terminated; the caller frees. NULL without memory. */
static char *fold(const char *text)
{
	struct buf safe;
	uint8_t *folded;
	char *out;
	size_t len;

	buf_init(&safe, LIMIT_MESSAGE);
	if (utf8_repair(&safe, text, strlen(text))) {
		buf_free(&safe);
		return NULL;
	}
	folded = u8_casefold((const uint8_t *)buf_text(&safe), safe.len, NULL, NULL, NULL, &len);
	out = folded ? alloc_strndup((const char *)folded, len) : NULL;
	free(folded);
	buf_free(&safe);
	return out;
}

static unsigned apply_filter(struct list *list)
{
	char *wanted = fold(buf_text(&list->filter));
	const char *before = panel_list_selected(&list->panel);

	list->n_shown = 0;
	list->selected = list->top = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (wanted && !strstr(list->rows[i].folded, wanted))
			continue;
		if (list->rows[i].value == before)
			list->selected = list->n_shown;
		list->shown[list->n_shown++] = i;
	}
	free(wanted);
	return PANEL_TAKEN | PANEL_REDRAW |
	       (panel_list_selected(&list->panel) != before ? PANEL_MOVED : 0);
}

const char *panel_list_selected(const struct panel *panel)
{
	const struct list *list = (const struct list *)panel;

	return list->selected < list->n_shown ? list->rows[list->shown[list->selected]].value : NULL;
}

static void list_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct list *list = (const struct list *)panel;

	*rows = 1 + (list->n < LIST_ROWS ? (int)list->n : LIST_ROWS);
	*cols = LIST_COLS;
}

static void draw_row(const struct row *row, WINDOW *win, int y, int x, int cols,
                     enum theme_role role)
{
	int room = cols;

	cells_fill(win, y, x, cols, role);
	if (row->detail && cols > 3 * DETAIL_MAX / 2) {
		int width = cells_width(row->detail, strlen(row->detail));

		width = width < DETAIL_MAX ? width : DETAIL_MAX;
		room = cols - width - 1;
		cells_puts(win, y, x + cols - width, width,
		           role == STYLE_SELECTION ? role : STYLE_PANEL_HINT, row->detail);
	}
	cells_puts(win, y, x, room, role, row->text);
}

static void list_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct list *list = (struct list *)panel;
	int used = cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "Filter: ");

	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL, buf_text(&list->filter));
	cells_puts(win, y, x + used, cols - used, STYLE_PANEL_HINT, "_");
	list->page = rows > 1 ? (size_t)(rows - 1) : 0;
	if (!list->page)
		return;
	if (list->selected < list->top)
		list->top = list->selected;
	if (list->selected >= list->top + list->page)
		list->top = list->selected - list->page + 1;
	if (!list->n_shown)
		cells_puts(win, y + 1, x, cols, STYLE_PANEL_HINT, list->n ? "(no match)" : "(none)");
	for (size_t i = 0; i < list->page && list->top + i < list->n_shown; i++)
		draw_row(&list->rows[list->shown[list->top + i]], win, y + 1 + (int)i, x, cols,
		         list->top + i == list->selected ? STYLE_SELECTION : STYLE_PANEL);
}

static unsigned select_row(struct list *list, size_t to)
{
	if (to >= list->n_shown)
		to = list->n_shown ? list->n_shown - 1 : 0;
	if (to == list->selected)
		return PANEL_TAKEN;
	list->selected = to;
	return PANEL_TAKEN | PANEL_REDRAW | PANEL_MOVED;
}

static unsigned move_by(struct list *list, size_t rows, bool down)
{
	if (down)
		return select_row(list, list->selected + rows);
	return select_row(list, list->selected > rows ? list->selected - rows : 0);
}

static unsigned choose(struct list *list)
{
	if (!panel_list_selected(&list->panel))
		return PANEL_TAKEN;
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

static unsigned erase_filter(struct list *list, bool all)
{
	size_t to = all ? 0 : list->filter.len;

	if (!list->filter.len)
		return PANEL_TAKEN;
	while (to && (list->filter.data[--to] & 0xC0) == 0x80) {
		/* back to the character's first byte */
	}
	buf_remove(&list->filter, to, list->filter.len - to);
	return apply_filter(list);
}

static unsigned list_key(struct panel *panel, struct key key)
{
	struct list *list = (struct list *)panel;
	size_t page = list->page > 1 ? list->page - 1 : 1;
	char bytes[UTF8_MAX];

	switch (key.name) {
	case K_UP: return move_by(list, 1, false);
	case K_DOWN: return move_by(list, 1, true);
	case K_PAGE_UP: return move_by(list, page, false);
	case K_PAGE_DOWN: return move_by(list, page, true);
	case K_HOME: return select_row(list, 0);
	case K_END: return select_row(list, list->n);
	case K_ENTER: return choose(list);
	case K_BACKSPACE: return erase_filter(list, false);
	case K_CHAR:
		if (key_is_char(key, 'u', MOD_CTRL))
			return erase_filter(list, true);
		if (key.mods || list->filter.len + UTF8_MAX > FILTER_MAX)
			return PANEL_IGNORED;
		if (buf_append(&list->filter, bytes, utf8_encode(key.cp, bytes)))
			return PANEL_TAKEN;
		return apply_filter(list);
	default: return PANEL_IGNORED;
	}
}

static unsigned list_mouse(struct panel *panel, struct mouse mouse)
{
	struct list *list = (struct list *)panel;
	size_t row;

	if (mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN)
		return move_by(list, 1, mouse.kind == MOUSE_WHEEL_DOWN);
	if (mouse.kind != MOUSE_PRESS || mouse.button != 1 || mouse.y < 1)
		return PANEL_TAKEN;
	row = list->top + (size_t)(mouse.y - 1);
	if ((size_t)mouse.y > list->page || row >= list->n_shown)
		return PANEL_TAKEN;
	return row == list->selected ? choose(list) : select_row(list, row);
}

static void list_close(struct panel *panel)
{
	struct list *list = (struct list *)panel;

	for (size_t i = 0; i < list->n; i++) {
		free(list->rows[i].text);
		free(list->rows[i].detail);
		free(list->rows[i].value);
		free(list->rows[i].folded);
	}
	free(list->rows);
	free(list->shown);
	free(list->title);
	buf_free(&list->filter);
	free(list);
}

static bool copy_row(struct row *row, const struct list_item *item)
{
	row->text = alloc_strndup(item->text, strlen(item->text));
	row->value = alloc_strndup(item->value, strlen(item->value));
	row->folded = fold(item->text);
	if (item->detail)
		row->detail = alloc_strndup(item->detail, strlen(item->detail));
	return row->text && row->value && row->folded && (!item->detail || row->detail);
}

struct panel *panel_list_open(const char *title, const struct list_item *items, size_t n,
                              const char *current)
{
	static const struct panel_ops ops = {list_measure, list_draw, list_key, list_mouse,
	                                     list_close};
	struct list *list = alloc_array(1, sizeof *list);

	if (!list)
		return NULL;
	buf_init(&list->filter, FILTER_MAX);
	list->title = alloc_strndup(title, strlen(title));
	list->rows = alloc_array(n, sizeof *list->rows);
	list->shown = alloc_array(n, sizeof *list->shown);
	list->panel = (struct panel){
		.ops = &ops, .title = list->title,
		.hint = "type to filter  \u2191\u2193 pick  Enter choose  Esc leave"};
	if (!list->title || !list->rows || !list->shown)
		goto fail;
	for (; list->n < n; list->n++)
		if (!copy_row(&list->rows[list->n], &items[list->n])) {
			list->n++;
			goto fail;
		}
	apply_filter(list);
	for (size_t i = 0; current && i < n; i++)
		if (strcmp(list->rows[i].value, current) == 0)
			list->selected = i;
	return &list->panel;
fail:
	list_close(&list->panel);
	return NULL;
}
