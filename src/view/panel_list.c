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
	COLUMN_GAP = 2, COLUMN_TEXT_MIN = 20, COLUMNS_COLS = 120, /* width of a list with columns */
};

struct row {
	char *text, *note, *detail, *value; /* owned; note and detail may be NULL */
	char *columns[LIST_COLUMNS_MAX]; /* owned; may be NULL */
	char *folded; /* owned; text and note without case, for the filter */
	bool is_broken;
};

struct list {
	struct panel panel;
	char *title;      /* owned */
	struct row *rows; /* owned */
	size_t n;
	bool has_notes;
	char *heads[LIST_COLUMNS_MAX];  /* owned; of n_columns columns */
	int widths[LIST_COLUMNS_MAX];
	size_t n_columns;
	char *empty;      /* owned, NULL for "(none)" */
	char *below;      /* owned, NULL for nothing: what stands below the rows */
	int picture_rows; /* 0: there is none */
	void (*draw_picture)(WINDOW *win, int y, int x, int cols);
	size_t *shown;    /* owned; rows that the filter leaves */
	size_t n_shown;
	size_t selected;  /* index into shown */
	size_t top;       /* first one on the screen */
	size_t page;      /* rows on the screen, as last drawn */
	size_t scrolled;  /* rows beyond `top`, for what stands below the last row, ... */
	size_t hidden;    /* ... and how many it could be, as last drawn */
	struct buf filter;
	bool can_keep;
};

/* Case-folded, repaired, NUL-terminated; the caller frees. NULL without memory. */
static char *fold(const char *text, const char *note)
{
	struct buf safe;
	uint8_t *folded;
	char *out;
	size_t len;

	buf_init(&safe, LIMIT_MESSAGE);
	if (utf8_repair(&safe, text, strlen(text)) ||
	    (note && (buf_putc(&safe, ' ') || utf8_repair(&safe, note, strlen(note))))) {
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
	char *wanted = fold(buf_text(&list->filter), NULL);
	const char *before = panel_list_selected(&list->panel);

	list->n_shown = 0;
	list->selected = list->top = list->scrolled = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (wanted && !strstr(list->rows[i].folded, wanted))
			continue;
		if (list->rows[i].value == before)
			list->selected = list->n_shown;
		list->shown[list->n_shown++] = i;
	}
	free(wanted);
	return PANEL_TAKEN | (panel_list_selected(&list->panel) != before ? PANEL_CHANGED : 0);
}

const char *panel_list_selected(const struct panel *panel)
{
	const struct list *list = (const struct list *)panel;

	return list->selected < list->n_shown ? list->rows[list->shown[list->selected]].value : NULL;
}

/* Columns of the texts before the notes; 0: there are no notes, or no room. */
static int text_cols(const struct list *list, int cols)
{
	int width = 0;

	for (size_t i = 0; i < list->n; i++) {
		int used = cells_width(list->rows[i].text, strlen(list->rows[i].text));

		if (!list->has_notes || list->n_columns)
			return 0;
		width = used > width ? used : width;
	}
	width = width < TEXT_MAX ? width : TEXT_MAX;
	return cols - width - NOTE_GAP >= NOTE_MIN ? width : 0;
}

/* Whether a note can be read in its row. */
static bool note_fits(const struct list *list, const struct row *row, int cols)
{
	int room = cols - text_cols(list, cols) - NOTE_GAP;
	int detail = row->detail ? cells_width(row->detail, strlen(row->detail)) + 1 : 0;

	if (list->n_columns)
		return !row->note;
	return !row->note || cells_width(row->note, strlen(row->note)) <= room - detail;
}

static bool notes_fit(const struct list *list, int cols)
{
	for (size_t i = 0; i < list->n; i++)
		if (!note_fits(list, &list->rows[i], cols))
			return false;
	return true;
}

static int lines_of(const char *text, int cols)
{
	return panel_draw_text(NULL, 0, 0, 0, 0, cols, STYLE_PANEL, text);
}

/* As wide as the notes, so that the error of a broken row can be read. */
static int wanted_cols(const struct list *list, int most)
{
	int cols = list->n_columns ? COLUMNS_COLS : LIST_COLS;

	for (size_t i = 0; i < list->n && !list->n_columns; i++) {
		const struct row *row = &list->rows[i];
		int wanted = row->note ? text_cols(list, most) + NOTE_GAP + cells_width(row->note, strlen(row->note)) : 0;

		if (row->is_broken && wanted + (row->detail ? DETAIL_MAX : 0) > cols)
			cols = wanted + (row->detail ? DETAIL_MAX : 0);
	}
	return cols < most ? cols : most;
}

/* For a note in full: a blank row, and what the longest one takes. */
static int foot_rows(const struct list *list, int cols)
{
	int most = list->n_columns ? FOOT_ROWS : FOOT_ROWS - 1;

	for (size_t i = 0; i < list->n; i++) {
		int lines = note_fits(list, &list->rows[i], cols) ? 0 : lines_of(list->rows[i].note, cols);

		most = lines > most ? lines : most;
	}
	return 1 + (most < FOOT_ROWS_MAX ? most : FOOT_ROWS_MAX);
}

static void list_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct list *list = (const struct list *)panel;

	*cols = wanted_cols(list, *cols);
	*rows = 1 + (list->n < LIST_ROWS ? (int)list->n : LIST_ROWS);
	if (!list->n && list->empty)
		*rows = 1 + lines_of(list->empty, *cols);
	else if (list->below)
		*rows += 1 + lines_of(list->below, *cols);
	else if (!notes_fit(list, *cols))
		*rows += foot_rows(list, *cols);
	if (list->picture_rows)
		*rows += PICTURE_GAP + list->picture_rows;
}

/* The first column for which there is room beside the texts. */
static size_t first_column(const struct list *list, int cols)
{
	int room = cols - COLUMN_TEXT_MIN;
	size_t first = list->n_columns;

	while (first > 0 && list->widths[first - 1] + COLUMN_GAP <= room)
		room -= list->widths[--first] + COLUMN_GAP;
	return first;
}

/* The columns of a row, or the heads; returns how many cells are left of them. */
static int draw_columns(const struct list *list, char *const *texts, WINDOW *win, int y, int x,
                        int cols, enum theme_role role)
{
	size_t first = first_column(list, cols);

	for (size_t i = list->n_columns; i > first; i--) {
		const char *text = texts[i - 1] ? texts[i - 1] : "";
		int width = list->widths[i - 1], used = cells_width(text, strlen(text));

		cols -= width;
		cells_puts(win, y, x + cols + (used < width ? width - used : 0), width, role, text);
		cols -= COLUMN_GAP;
	}
	return cols;
}

static void draw_note(const struct row *row, WINDOW *win, int y, int x, int cols,
                      enum theme_role role)
{
	size_t len = strlen(row->note);

	if (role != STYLE_SELECTION)
		role = row->is_broken ? STYLE_PANEL_ERROR : STYLE_PANEL_HINT;
	if (cells_width(row->note, len) <= cols) {
		cells_draw(win, y, x, cols, role, row->note, len);
		return;
	}
	x += cells_draw(win, y, x, cols - 1, role, row->note, len);
	cells_puts(win, y, x, 1, role, "\u2026");
}

static void draw_row(const struct list *list, const struct row *row, WINDOW *win, int y, int x,
                     int cols, int text, enum theme_role role)
{
	int room = cols;

	cells_fill(win, y, x, cols, role);
	if (list->n_columns) {
		if (row->is_broken && role != STYLE_SELECTION)
			role = STYLE_PANEL_HINT;
		room = draw_columns(list, row->columns, win, y, x, cols, role);
		cells_puts(win, y, x, room, role, row->text);
		return;
	}
	if (row->detail && cols > 3 * DETAIL_MAX / 2) {
		int width = cells_width(row->detail, strlen(row->detail));

		width = width < DETAIL_MAX ? width : DETAIL_MAX;
		room = cols - width - 1;
		cells_puts(win, y, x + cols - width, width,
		           role == STYLE_SELECTION ? role : STYLE_PANEL_HINT, row->detail);
	}
	if (!text || !row->note) {
		cells_puts(win, y, x, room, role, row->text);
		return;
	}
	cells_puts(win, y, x, text, role, row->text);
	text += NOTE_GAP;
	if (room > text)
		draw_note(row, win, y, x + text, room - text, role);
}

/* The selected row's note in full, if it is cut in its row. */
static void draw_foot(const struct list *list, WINDOW *win, int y, int x, int rows, int cols)
{
	const struct row *row = list->n_shown ? &list->rows[list->shown[list->selected]] : NULL;
	enum theme_role role = row && row->is_broken ? STYLE_PANEL_ERROR : STYLE_PANEL;

	if (row && !note_fits(list, row, cols))
		panel_draw_text(win, y, x, 0, rows, cols, role, row->note);
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
	int left = rows - PICTURE_GAP - list->picture_rows;

	if (!list->picture_rows || left < PICTURE_LIST_MIN)
		return rows;
	list->draw_picture(win, y + left + PICTURE_GAP, x, cols);
	return left;
}

static void list_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct list *list = (struct list *)panel;
	int used = cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "Filter: ");
	int text = text_cols(list, cols);
	int foot = foot_rows(list, cols);
	size_t first, n;
	bool has_foot;

	rows = draw_picture(list, win, y, x, rows, cols);
	has_foot = !list->below && (rows >= FOOT_MIN || rows > (int)list->n + foot) &&
	           !notes_fit(list, cols);
	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL, buf_text(&list->filter));
	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL_HINT, "_");
	if (list->n_columns && list->n && used < COLUMN_TEXT_MIN)
		draw_columns(list, list->heads, win, y, x, cols, STYLE_PANEL_HINT);
	if (has_foot) {
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
		draw_row(list, &list->rows[list->shown[first + i]], win, y + 1 + (int)i, x, cols, text,
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

static unsigned erase_filter(struct list *list, bool all)
{
	return panel_erase(&list->filter, all) ? apply_filter(list) : PANEL_TAKEN;
}

static unsigned list_key(struct panel *panel, struct key key)
{
	struct list *list = (struct list *)panel;
	size_t row = list->selected;
	char bytes[UTF8_MAX];

	if (panel_move_key(key, list->n_shown, list->page, &row))
		return move_to(list, key, row);
	switch (key.name) {
	case K_ENTER: return choose(list);
	case K_BACKSPACE: return erase_filter(list, false);
	case K_CHAR:
		if (key_is_char(key, 'u', MOD_CTRL))
			return erase_filter(list, true);
		if (key_is_char(key, 'k', MOD_CTRL) && list->can_keep)
			return choose(list) | (panel_list_selected(panel) ? PANEL_KEEP : 0);
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
	const struct row *row = &list->rows[list->shown[n]];
	const char *between = ": ";

	buf_printf(out, "\n%zu. %s", n + 1, row->text);
	for (size_t c = 0; c < list->n_columns; c++) {
		if (!row->columns[c] || !row->columns[c][0])
			continue;
		buf_printf(out, "%s%s %s", between, list->heads[c], row->columns[c]);
		between = ", ";
	}
	if (row->detail)
		buf_printf(out, " (%s)", row->detail);
	if (row->note)
		buf_printf(out, "%s%s", list->n_columns ? "; " : ": ", row->note);
}

static void list_print(const struct panel *panel, struct buf *out)
{
	const struct list *list = (const struct list *)panel;

	buf_puts(out, list->title);
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
	buf_append(&list->filter, line, utf8_cut(line, strlen(line), FILTER_MAX - UTF8_MAX));
	apply_filter(list);
	return PANEL_TAKEN;
}

static void free_rows(struct row *rows, size_t n)
{
	for (size_t i = 0; rows && i < n; i++) {
		free(rows[i].text);
		free(rows[i].note);
		free(rows[i].detail);
		free(rows[i].value);
		free(rows[i].folded);
		for (size_t c = 0; c < LIST_COLUMNS_MAX; c++)
			free(rows[i].columns[c]);
	}
	free(rows);
}

static void list_close(struct panel *panel)
{
	struct list *list = (struct list *)panel;

	free_rows(list->rows, list->n);
	free(list->shown);
	free(list->title);
	free(list->empty);
	free(list->below);
	for (size_t c = 0; c < LIST_COLUMNS_MAX; c++)
		free(list->heads[c]);
	buf_free(&list->filter);
	free(list);
}

static bool copy_row(struct row *row, const struct list_item *item)
{
	bool ok = true;

	for (size_t c = 0; c < LIST_COLUMNS_MAX; c++)
		if (item->columns[c]) {
			row->columns[c] = alloc_strndup(item->columns[c], strlen(item->columns[c]));
			ok = ok && row->columns[c];
		}
	row->text = alloc_strndup(item->text, strlen(item->text));
	row->value = alloc_strndup(item->value, strlen(item->value));
	row->folded = fold(item->text, item->note);
	row->is_broken = item->is_broken;
	if (item->note)
		row->note = alloc_strndup(item->note, strlen(item->note));
	if (item->detail)
		row->detail = alloc_strndup(item->detail, strlen(item->detail));
	return ok && row->text && row->value && row->folded && (!item->note || row->note) &&
	       (!item->detail || row->detail);
}

/* As wide as the widest of their texts. */
static void measure_columns(struct list *list)
{
	for (size_t c = 0; c < list->n_columns; c++) {
		list->widths[c] = cells_width(list->heads[c], strlen(list->heads[c]));
		for (size_t i = 0; i < list->n; i++) {
			const char *text = list->rows[i].columns[c] ? list->rows[i].columns[c] : "";
			int width = cells_width(text, strlen(text));

			list->widths[c] = width > list->widths[c] ? width : list->widths[c];
		}
		list->widths[c] = list->widths[c] < DETAIL_MAX ? list->widths[c] : DETAIL_MAX;
	}
}

bool panel_list_set_columns(struct panel *panel, const char *const *heads, size_t n)
{
	struct list *list = (struct list *)panel;

	for (list->n_columns = 0; list->n_columns < n; list->n_columns++) {
		list->heads[list->n_columns] =
			alloc_strndup(heads[list->n_columns], strlen(heads[list->n_columns]));
		if (!list->heads[list->n_columns])
			return false;
	}
	measure_columns(list);
	return true;
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

void panel_list_set_picture(struct panel *panel, int rows,
                            void (*draw)(WINDOW *win, int y, int x, int cols))
{
	struct list *list = (struct list *)panel;

	list->picture_rows = rows;
	list->draw_picture = draw;
}

bool panel_list_replace(struct panel *panel, const struct list_item *items, size_t n)
{
	struct list *list = (struct list *)panel;
	struct row *rows = alloc_array(n, sizeof *rows);
	size_t *shown = alloc_array(n, sizeof *shown);
	const char *selected = panel_list_selected(panel);
	char *value = selected ? alloc_strndup(selected, strlen(selected)) : NULL;
	bool ok = rows && shown && (!selected || value);

	for (size_t i = 0; ok && i < n; i++)
		ok = copy_row(&rows[i], &items[i]);
	if (!ok) {
		free_rows(rows, n);
		free(shown);
		free(value);
		return false;
	}
	free_rows(list->rows, list->n);
	free(list->shown);
	list->rows = rows;
	list->shown = shown;
	list->n = n;
	list->n_shown = 0;
	list->has_notes = false;
	for (size_t i = 0; i < n; i++)
		list->has_notes |= items[i].note != NULL;
	measure_columns(list);
	apply_filter(list);
	for (size_t i = 0; value && i < list->n_shown; i++)
		if (strcmp(rows[list->shown[i]].value, value) == 0)
			list->selected = i;
	free(value);
	return true;
}

void panel_list_let_keep(struct panel *panel)
{
	((struct list *)panel)->can_keep = true;
	panel->hint = "type to filter  \u2191\u2193 pick  Enter choose  Ctrl+K keep  Esc close";
}

struct panel *panel_list_open(const char *title, const struct list_item *items, size_t n,
                              const char *current)
{
	static const struct panel_ops ops = {list_measure, list_draw, list_key, list_mouse,
	                                     list_close, NULL, list_print, list_answer};
	struct list *list = alloc_array(1, sizeof *list);

	if (!list)
		return NULL;
	buf_init(&list->filter, FILTER_MAX);
	list->title = alloc_strndup(title, strlen(title));
	list->panel = (struct panel){
		.ops = &ops, .title = list->title,
		.hint = "type to filter  \u2191\u2193 pick  Enter choose  Esc close"};
	if (!list->title || !panel_list_replace(&list->panel, items, n)) {
		list_close(&list->panel);
		return NULL;
	}
	for (size_t i = 0; current && i < n; i++)
		if (strcmp(list->rows[i].value, current) == 0)
			list->selected = i;
	return &list->panel;
}
