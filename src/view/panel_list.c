#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "terminal/cells.h"
#include "view/panel.h"

enum {
	FILTER_MAX = 256, LIST_COLS = 70, LIST_ROWS = 24, DETAIL_MAX = 24,
	TEXT_MAX = 24, NOTE_GAP = 2, NOTE_MIN = 10, /* columns, where there are notes */
	FOOT_ROWS = 3,    /* for a note in full, a blank row and at least two more, ... */
	FOOT_ROWS_MAX = 8,
	FOOT_MIN = 12,    /* ... where there are so many */
	PICTURE_GAP = 1,
	PICTURE_LIST_MIN = 6, /* rows that the list keeps */
	COLUMNS_COLS = 120, /* width of a list with columns */
};

struct row {
	struct list_item item; /* its texts are the list's */
	char *folded; /* owned; text and note without case, for the filter */
};

struct list {
	struct panel panel;
	struct row *rows; /* owned */
	struct name_list texts; /* those of the rows */
	size_t n;
	struct list_extras extras;
	int widths[LIST_COLUMNS_MAX]; /* of its columns */
	char *empty;      /* owned, NULL for "(none)" */
	char *below;      /* owned, NULL for nothing: what stands below the rows */
	size_t *shown;    /* owned; rows that the filter leaves */
	size_t n_shown;
	size_t selected;  /* index into shown */
	bool is_moved;    /* the user has been at it: it stays at its row, wherever that goes */
	size_t top;       /* first one on the screen */
	size_t page;      /* rows on the screen, as last drawn */
	size_t scrolled;  /* rows beyond `top`, for what stands below the last row, ... */
	size_t hidden;    /* ... and how many it could be, as last drawn */
	struct buf filter;
};

/* Case-folded, repaired, NUL-terminated; the caller frees. NULL without memory. */
static char *fold(const char *text, const char *note)
{
	struct buf safe = {.max = LIMIT_MESSAGE};
	uint8_t *folded = NULL;
	char *out;
	size_t len;

	utf8_repair(&safe, text, strlen(text));
	if (note) {
		buf_putc(&safe, ' ');
		utf8_repair(&safe, note, strlen(note));
	}
	if (!buf_status(&safe))
		folded = u8_casefold((const uint8_t *)buf_text(&safe), safe.len, NULL, NULL, NULL,
		                     &len);
	out = folded ? alloc_strndup((const char *)folded, len) : NULL;
	free(folded);
	buf_free(&safe);
	return out;
}

static unsigned apply_filter(struct list *list)
{
	char *wanted = fold(buf_text(&list->filter), NULL);
	const char *before = panel_list_selected(&list->panel);

	list->n_shown = 0;
	list->selected = list->top = list->scrolled = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (wanted && !strstr(list->rows[i].folded, wanted))
			continue;
		if (list->rows[i].item.value == before)
			list->selected = list->n_shown;
		list->shown[list->n_shown++] = i;
	}
	free(wanted);
	return PANEL_TAKEN | (panel_list_selected(&list->panel) != before ? PANEL_CHANGED : 0);
}

/* The nth row that is shown; NULL: there are fewer. */
static const struct list_item *shown_item(const struct list *list, size_t n)
{
	return n < list->n_shown ? &list->rows[list->shown[n]].item : NULL;
}

const char *panel_list_selected(const struct panel *panel)
{
	const struct list *list = (const struct list *)panel;
	const struct list_item *item = shown_item(list, list->selected);

	return item ? item->value : NULL;
}

/* Columns of the texts before the notes; 0: there are no notes, or no room. */
static int text_cols(const struct list *list, int cols)
{
	bool has_notes = false;
	int width = 0;

	for (size_t i = 0; i < list->n && !list->extras.n_columns; i++) {
		has_notes |= list->rows[i].item.note != NULL;
		width = cells_widest(width, list->rows[i].item.text);
	}
	width = width < TEXT_MAX ? width : TEXT_MAX;
	return has_notes && cols - width - NOTE_GAP >= NOTE_MIN ? width : 0;
}

/* Whether a note can be read in its row. */
static bool note_fits(const struct list *list, const struct list_item *item, int cols)
{
	int detail = item->detail ? cells_text_width(item->detail) + 1 : 0;

	if (list->extras.n_columns || !item->note)
		return !item->note;
	return cells_text_width(item->note) <= cols - text_cols(list, cols) - NOTE_GAP - detail;
}

/* As wide as the notes, so that the error of a broken row can be read. */
static int wanted_cols(const struct list *list, int most)
{
	int cols = list->extras.n_columns ? COLUMNS_COLS : LIST_COLS;

	for (size_t i = 0; i < list->n && !list->extras.n_columns; i++) {
		const struct list_item *item = &list->rows[i].item;
		int wanted = item->detail ? DETAIL_MAX : 0;

		if (item->note)
			wanted += text_cols(list, most) + NOTE_GAP + cells_text_width(item->note);
		if (item->is_broken && wanted > cols)
			cols = wanted;
	}
	return cols < most ? cols : most;
}

/* For a note in full: a blank row, and what the longest one takes. 0: all can be read in their
 * rows. */
static int foot_rows(const struct list *list, int cols)
{
	int most = list->extras.n_columns ? FOOT_ROWS : FOOT_ROWS - 1;
	bool is_needed = false;

	for (size_t i = 0; i < list->n; i++)
		if (!note_fits(list, &list->rows[i].item, cols)) {
			most = panel_text_rows(list->rows[i].item.note, cols, most, FOOT_ROWS_MAX);
			is_needed = true;
		}
	return is_needed ? 1 + most : 0;
}

static void list_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct list *list = (const struct list *)panel;

	*cols = wanted_cols(list, *cols);
	*rows = 1 + (list->n < LIST_ROWS ? (int)list->n : LIST_ROWS);
	if (!list->n && list->empty)
		*rows = 1 + panel_text_rows(list->empty, *cols, 0, INT_MAX);
	else if (list->below)
		*rows += 1 + panel_text_rows(list->below, *cols, 0, INT_MAX);
	else
		*rows += foot_rows(list, *cols);
	if (list->extras.picture_rows)
		*rows += PICTURE_GAP + list->extras.picture_rows;
}

/* The columns of a row, or the heads; returns how many cells are left of them. */
static int draw_columns(const struct list *list, const char *const *texts, WINDOW *win, int y,
                        int x, int cols, enum theme_role role)
{
	return panel_draw_columns(win, y, x, cols, role, texts, list->widths,
	                          list->extras.n_columns);
}

static void draw_note(const struct list_item *item, WINDOW *win, int y, int x, int cols,
                      enum theme_role role)
{
	size_t len = strlen(item->note);

	if (role != STYLE_SELECTION)
		role = item->is_broken ? STYLE_PANEL_ERROR : STYLE_PANEL_HINT;
	if (cells_width(item->note, len) <= cols) {
		cells_draw(win, y, x, cols, role, item->note, len);
		return;
	}
	x += cells_draw(win, y, x, cols - 1, role, item->note, len);
	cells_puts(win, y, x, 1, role, "\u2026");
}

static void draw_row(const struct list *list, const struct list_item *item, WINDOW *win, int y,
                     int x, int cols, int text, enum theme_role role)
{
	int room = cols;

	cells_fill(win, y, x, cols, role);
	if (list->extras.n_columns) {
		if (item->is_broken && role != STYLE_SELECTION)
			role = STYLE_PANEL_HINT;
		room = draw_columns(list, item->columns, win, y, x, cols, role);
	} else if (item->detail && cols > 3 * DETAIL_MAX / 2) {
		int width = cells_text_width(item->detail);

		width = width < DETAIL_MAX ? width : DETAIL_MAX;
		room = cols - width - 1;
		cells_puts(win, y, x + cols - width, width,
		           role == STYLE_SELECTION ? role : STYLE_PANEL_HINT, item->detail);
	}
	if (!text || !item->note) {
		cells_puts(win, y, x, room, role, item->text);
		return;
	}
	cells_puts(win, y, x, text, role, item->text);
	text += NOTE_GAP;
	if (room > text)
		draw_note(item, win, y, x + text, room - text, role);
}

/* The selected row's note in full, if it is cut in its row. */
static void draw_foot(const struct list *list, WINDOW *win, int y, int x, int rows, int cols)
{
	const struct list_item *item = shown_item(list, list->selected);

	if (item && !note_fits(list, item, cols))
		panel_draw_text(win, y, x, 0, rows, cols,
		                item->is_broken ? STYLE_PANEL_ERROR : STYLE_PANEL, item->note);
}

/* What an empty list says. */
static const char *empty_text(const struct list *list)
{
	return list->n ? "(no match)" : list->empty ? list->empty : "(none)";
}

/* The texts, as if they were further rows: from row `from` on, `rows` of them. Returns how many rows there
 * are in all. */
static size_t draw_texts(const struct list *list, WINDOW *win, int y, int x, size_t from, int rows, int cols)
{
	enum theme_role role = list->empty ? STYLE_PANEL : STYLE_PANEL_HINT;
	size_t n = list->n_shown;

	if (!n)
		n += (size_t)panel_draw_text(win, y, x, -(int)from, rows, cols, role, empty_text(list));
	if (list->below) /* it replaces the note in full */
		n += 1 + (size_t)panel_draw_text(win, y, x, (int)n + 1 - (int)from, rows, cols, STYLE_PANEL, list->below);
	return n;
}

/* Below everything else; returns how many rows are left for that. */
static int draw_picture(const struct list *list, WINDOW *win, int y, int x, int rows, int cols)
{
	int left = rows - PICTURE_GAP - list->extras.picture_rows;

	if (!list->extras.picture_rows || left < PICTURE_LIST_MIN)
		return rows;
	list->extras.draw_picture(win, y + left + PICTURE_GAP, x, cols);
	return left;
}

static void list_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct list *list = (struct list *)panel;
	int used = cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "Filter: ");
	int text = text_cols(list, cols);
	int foot = foot_rows(list, cols);
	size_t first, n;

	rows = draw_picture(list, win, y, x, rows, cols);
	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL, buf_text(&list->filter));
	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL_HINT, "_");
	if (list->extras.n_columns && list->n && used < PANEL_TEXT_MIN)
		draw_columns(list, list->extras.heads, win, y, x, cols, STYLE_PANEL_HINT);
	if (rows < FOOT_MIN && rows <= (int)list->n + foot) /* what the rows leave: a note begins with what matters most */
		foot = rows - 1 - (int)list->n >= FOOT_ROWS ? rows - 1 - (int)list->n : 0;
	if (foot && !list->below) {
		rows -= foot;
		draw_foot(list, win, y + rows + 1, x, foot - 1, cols);
	}
	list->page = rows > 1 ? (size_t)(rows - 1) : 0;
	if (!list->page)
		return;
	list->top = panel_top(list->top, list->selected, list->page);
	n = draw_texts(list, NULL, 0, 0, 0, 0, cols);
	list->hidden = n > list->top + list->page ? n - list->top - list->page : 0;
	if (list->scrolled > list->hidden)
		list->scrolled = list->hidden;
	first = list->top + list->scrolled;
	draw_texts(list, win, y + 1, x, first, (int)list->page, cols);
	for (size_t i = 0; i < list->page && first + i < list->n_shown; i++)
		draw_row(list, shown_item(list, first + i), win, y + 1 + (int)i, x, cols, text,
		         first + i == list->selected ? STYLE_SELECTION : STYLE_PANEL);
	if (first + list->page < n && first + list->page >= list->n_shown) /* there is more of a text */
		cells_puts(win, y + (int)list->page, x + cols - 1, 1, STYLE_PANEL_HINT, "\u2193");
}

static unsigned select_row(struct list *list, size_t to)
{
	if (to >= list->n_shown)
		to = list->n_shown ? list->n_shown - 1 : 0;
	if (to == list->selected)
		return PANEL_TAKEN;
	list->selected = to;
	list->is_moved = true;
	return PANEL_TAKEN | PANEL_CHANGED;
}

/* A key beyond the last row scrolls what stands below it, and back. */
static unsigned move_to(struct list *list, struct key key, size_t row)
{
	bool is_back = key.name == K_UP || key.name == K_PAGE_UP;
	size_t step = key.name == K_UP || key.name == K_DOWN ? 1 : list->page > 1 ? list->page - 1 : 1;
	size_t last = list->n_shown ? list->n_shown - 1 : 0;

	if (is_back && list->scrolled) {
		list->scrolled -= list->scrolled < step ? list->scrolled : step;
		return PANEL_TAKEN;
	}
	if (!is_back && key.name != K_HOME && list->selected == last) {
		list->scrolled = key.name == K_END ? list->hidden : list->scrolled + step;
		if (list->scrolled > list->hidden)
			list->scrolled = list->hidden;
		return PANEL_TAKEN;
	}
	list->scrolled = 0;
	return select_row(list, row);
}

static unsigned choose(struct list *list)
{
	if (!panel_list_selected(&list->panel))
		return PANEL_TAKEN;
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

static unsigned list_key(struct panel *panel, struct key key)
{
	struct list *list = (struct list *)panel;
	size_t row = list->selected;
	unsigned typed;

	if (panel_move_key(key, list->n_shown, list->page, &row))
		return move_to(list, key, row);
	if (key.name == K_ENTER)
		return choose(list);
	if (key_is_char(key, 'k', MOD_CTRL) && list->extras.can_keep)
		return choose(list) | (panel_list_selected(panel) ? PANEL_KEEP : 0);
	typed = panel_type_key(&list->filter, key);
	return typed & PANEL_CHANGED ? apply_filter(list) : typed;
}

static unsigned list_mouse(struct panel *panel, struct mouse mouse)
{
	struct list *list = (struct list *)panel;
	size_t row;

	if (mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN)
		return list_key(panel, (struct key){.name = mouse.kind == MOUSE_WHEEL_DOWN ? K_DOWN : K_UP});
	if (mouse.kind != MOUSE_PRESS || mouse.button != 1 || mouse.y < 1)
		return PANEL_TAKEN;
	row = list->top + list->scrolled + (size_t)(mouse.y - 1);
	if ((size_t)mouse.y > list->page || row >= list->n_shown)
		return PANEL_TAKEN;
	return row == list->selected ? choose(list) : select_row(list, row);
}

enum { PRINTED_ROWS = 40 };

/* "3. name: model qwen, messages 4 (a note)" */
static void print_row(const struct list *list, size_t n, struct buf *out)
{
	const struct list_item *row = shown_item(list, n);
	const char *between = ": ";

	buf_printf(out, "\n%zu. %s", n + 1, row->text);
	for (size_t c = 0; c < list->extras.n_columns; c++) {
		if (!row->columns[c] || !row->columns[c][0])
			continue;
		buf_printf(out, "%s%s %s", between, list->extras.heads[c], row->columns[c]);
		between = ", ";
	}
	if (row->detail)
		buf_printf(out, " (%s)", row->detail);
	if (row->note)
		buf_printf(out, "%s%s", list->extras.n_columns ? "; " : ": ", row->note);
}

static void list_print(const struct panel *panel, struct buf *out)
{
	const struct list *list = (const struct list *)panel;

	buf_puts(out, panel->title);
	if (list->filter.len)
		buf_printf(out, " with \"%s\"", buf_text(&list->filter));
	for (size_t i = 0; i < list->n_shown && i < PRINTED_ROWS; i++)
		print_row(list, i, out);
	if (list->n_shown > PRINTED_ROWS)
		buf_printf(out, "\nand %zu more", list->n_shown - PRINTED_ROWS);
	if (!list->n)
		buf_printf(out, ": %s", list->empty ? list->empty : "none");
	else if (!list->n_shown)
		buf_puts(out, ": no match");
	if (list->below)
		buf_printf(out, "\n%s", list->below);
	if (list->n_shown)
		buf_printf(out, "\nA number chooses%s; Enter alone closes the list.",
		           list->n > 1 ? ", a word shows only the rows that contain it" : "");
}

/* A number, or a word to filter by; nothing ends it. */
static unsigned list_answer(struct panel *panel, const char *line)
{
	struct list *list = (struct list *)panel;
	unsigned result = panel_answer_number(line, list->n_shown, &list->selected);

	if (result)
		return result;
	buf_clear(&list->filter);
	buf_append(&list->filter, line, utf8_cut(line, strlen(line), FILTER_MAX));
	apply_filter(list);
	return PANEL_TAKEN;
}

static void free_rows(struct list *list)
{
	for (size_t i = 0; list->rows && i < list->n; i++)
		free(list->rows[i].folded);
	free(list->rows);
	free(list->shown);
	name_list_free(&list->texts);
}

static void list_close(struct panel *panel)
{
	struct list *list = (struct list *)panel;

	free_rows(list);
	free(list->empty);
	free(list->below);
	buf_free(&list->filter);
}

static bool keep(struct list *list, const char **text)
{
	return panel_keep_text(&list->texts, text, SIZE_MAX);
}

static bool copy_row(struct list *list, struct row *row, const struct list_item *item)
{
	bool ok = true;

	*row = (struct row){.item = *item, .folded = fold(item->text, item->note)};
	for (size_t c = 0; c < LIST_COLUMNS_MAX; c++)
		ok = ok && keep(list, &row->item.columns[c]);
	return ok && row->folded && keep(list, &row->item.text) && keep(list, &row->item.note) &&
	       keep(list, &row->item.detail) && keep(list, &row->item.value);
}

/* As wide as the widest of their texts. */
static void measure_columns(struct list *list)
{
	for (size_t c = 0; c < list->extras.n_columns; c++) {
		list->widths[c] = cells_text_width(list->extras.heads[c]);
		for (size_t i = 0; i < list->n; i++)
			list->widths[c] = cells_widest(list->widths[c],
			                               list->rows[i].item.columns[c]);
		list->widths[c] = list->widths[c] < DETAIL_MAX ? list->widths[c] : DETAIL_MAX;
	}
}

void panel_list_set_extras(struct panel *panel, const struct list_extras *extras)
{
	struct list *list = (struct list *)panel;

	list->extras = *extras;
	if (extras->can_keep)
		panel->hint = "type to filter  \u2191\u2193 pick  Enter choose  Ctrl+K keep  Esc close";
	measure_columns(list);
}

static bool replace_text(char **text, const char *with)
{
	char *copy = with ? alloc_strndup(with, strlen(with)) : NULL;

	if (with && !copy)
		return false;
	free(*text);
	*text = copy;
	return true;
}

bool panel_list_set_empty(struct panel *panel, const char *text)
{
	return replace_text(&((struct list *)panel)->empty, text);
}

bool panel_list_set_below(struct panel *panel, const char *text)
{
	return replace_text(&((struct list *)panel)->below, text);
}

/* Selects the row with this value, if there is one in sight of the filter. */
static void select_value(struct list *list, const char *value)
{
	for (size_t i = 0; value && i < list->n_shown; i++)
		if (strcmp(shown_item(list, i)->value, value) == 0)
			list->selected = i;
}

bool panel_list_replace(struct panel *panel, const struct list_item *items, size_t n)
{
	struct list *list = (struct list *)panel, old = *list;
	bool ok;

	list->texts = (struct name_list){.n = 0};
	list->rows = alloc_array(n, sizeof *list->rows);
	list->shown = alloc_array(n, sizeof *list->shown);
	list->n = list->rows ? n : 0;
	ok = list->rows && list->shown;
	for (size_t i = 0; ok && i < n; i++)
		ok = copy_row(list, &list->rows[i], &items[i]);
	if (!ok) {
		free_rows(list);
		*list = old;
		return false;
	}
	list->n_shown = 0;
	measure_columns(list);
	apply_filter(list);
	if (old.is_moved || old.selected || old.filter.len)
		select_value(list, panel_list_selected(&old.panel));
	free_rows(&old);
	return true;
}

struct panel *panel_list_open(const char *title, const struct list_item *items, size_t n,
                              const char *current)
{
	static const struct panel_ops ops = {list_measure, list_draw, list_key, list_mouse,
	                                     list_close, NULL, list_print, list_answer};
	struct list *list = alloc_array(1, sizeof *list);

	if (!list)
		return NULL;
	list->filter.max = FILTER_MAX;
	list->panel = (struct panel){
		.ops = &ops, .title = title,
		.hint = "type to filter  \u2191\u2193 pick  Enter choose  Esc close"};
	if (!panel_list_replace(&list->panel, items, n)) {
		panel_close(&list->panel);
		return NULL;
	}
	select_value(list, current);
	return &list->panel;
}
