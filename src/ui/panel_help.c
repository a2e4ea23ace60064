#include "ui/panel_help.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { HELP_GAP = 2, HELP_COLS = 134, HELP_NAMES_MAX = 32 };

struct help {
	struct panel panel;
	char *title;          /* owned */
	struct help_text text;
	int scroll;           /* display rows above the first one shown */
	int rows, total;      /* as last drawn: of the panel, of the text */
};

static int names_width(const struct help *help, int cols)
{
	int width = 1;

	for (size_t i = 0; i < help->text.n; i++)
		width = cells_widest(width, help->text.entries[i].name);
	width = width < HELP_NAMES_MAX ? width : HELP_NAMES_MAX;
	return width < cols / 3 ? width : cols / 3;
}

/* Draws the entries that are in sight; returns how many rows all of them take. */
static int draw_entries(const struct help *help, WINDOW *win, int y, int x, int rows, int cols)
{
	const int names = names_width(help, cols);
	int row = -help->scroll;

	for (size_t i = 0; i < help->text.n; i++) {
		const struct help_entry *entry = &help->text.entries[i];
		int left = 1, right, offset = entry->name ? names + HELP_GAP : 0;

		if (entry->name)
			left = panel_draw_text(win, y, x, row, rows, names, STYLE_PANEL_MARK,
			                       entry->name);
		right = panel_draw_text(win, y, x + offset, row, rows,
		                        cols > offset ? cols - offset : 1,
		                        entry->name ? STYLE_PANEL : STYLE_PANEL_MARK, entry->text);
		row += left > right ? left : right;
	}
	return row + help->scroll;
}

static void help_measure(const struct panel *panel, int *rows, int *cols)
{
	*cols = *cols < HELP_COLS ? *cols : HELP_COLS;
	*rows = draw_entries((const struct help *)panel, NULL, 0, 0, 0, *cols);
}

static void help_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct help *help = (struct help *)panel;
	int most;

	help->rows = rows;
	help->total = draw_entries(help, win, y, x, 0, cols);
	most = help->total > rows ? help->total - rows : 0;
	help->scroll = help->scroll < most ? help->scroll : most;
	draw_entries(help, win, y, x, rows, cols);
}

static unsigned scroll_by(struct help *help, int rows)
{
	int most = help->total > help->rows ? help->total - help->rows : 0;

	help->scroll += rows;
	if (help->scroll > most)
		help->scroll = most;
	if (help->scroll < 0)
		help->scroll = 0;
	return PANEL_TAKEN;
}

static unsigned help_key(struct panel *panel, struct key key)
{
	struct help *help = (struct help *)panel;
	int lines = panel_scroll_key(key, help->rows);

	if (lines)
		return scroll_by(help, lines);
	if (key.name == K_ENTER || key.name == K_F1 || key_is_char(key, 'q', 0) ||
	    key_is_char(key, '?', 0))
		return PANEL_TAKEN | PANEL_CLOSE;
	return PANEL_IGNORED;
}

static unsigned help_mouse(struct panel *panel, struct mouse mouse)
{
	return scroll_by((struct help *)panel, panel_scroll_wheel(mouse));
}

static void help_print(const struct panel *panel, struct buf *out)
{
	const struct help *help = (const struct help *)panel;

	buf_puts(out, help->title);
	for (size_t i = 0; i < help->text.n; i++) {
		const struct help_entry *entry = &help->text.entries[i];

		if (entry->text[0] || entry->name)
			buf_printf(out, "\n%s%s%s", entry->name ? entry->name : "", entry->name ? ": " : "",
			           entry->text);
	}
}

static void help_close(struct panel *panel)
{
	struct help *help = (struct help *)panel;

	help_text_free(&help->text);
	free(help->title);
}

struct panel *panel_help_open(const char *title, struct help_text *text)
{
	static const struct panel_ops ops = {help_measure, help_draw, help_key, help_mouse,
	                                     help_close, NULL, help_print, NULL};
	struct help *help = alloc_array(1, sizeof *help);

	if (!help) {
		help_text_free(text);
		return NULL;
	}
	help->text = *text;
	help->title = alloc_strndup(title, strlen(title));
	help->panel = (struct panel){
		.ops = &ops, .title = help->title,
		.hint = "\u2191\u2193 PgUp PgDn scroll  Esc close"};
	if (help->title && !text->has_failed)
		return &help->panel;
	panel_close(&help->panel);
	return NULL;
}
