#include "view/panel_progress.h"

#include <limits.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "terminal/cells.h"

enum {
	PROGRESS_COLS = 70,
	TEXT_ROWS = 5, /* at least, so that the frame stays as it is while the text changes */
	BAR_ROWS = 2,  /* with a blank one below it */
};

struct progress_panel {
	struct panel panel;
	double fraction;
	struct buf text;
};

static void progress_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct progress_panel *progress = (const struct progress_panel *)panel;

	*cols = PROGRESS_COLS < *cols ? PROGRESS_COLS : *cols;
	*rows = BAR_ROWS + panel_text_rows(buf_text(&progress->text), *cols, TEXT_ROWS, INT_MAX);
}

static void draw_bar(double fraction, WINDOW *win, int y, int x, int cols)
{
	int full = (int)(fraction * cols);

	for (int i = 0; i < cols; i++)
		cells_puts(win, y, x + i, 1, i < full ? STYLE_SLIDER : STYLE_PANEL_HINT, i < full ? "\u2588" : "\u2591");
}

static void progress_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	const struct progress_panel *progress = (const struct progress_panel *)panel;
	int head = rows > BAR_ROWS ? BAR_ROWS : 0;

	if (head && progress->fraction >= 0)
		draw_bar(progress->fraction, win, y, x, cols);
	panel_draw_text(win, y + head, x, 0, rows - head, cols, STYLE_PANEL, buf_text(&progress->text));
}

static unsigned progress_key(struct panel *panel, struct key key)
{
	(void)panel;
	if (key.name == K_ENTER)
		return PANEL_TAKEN | PANEL_CLOSE;
	if (key_is(key, K_ESC, 0) || key_is_char(key, 'c', MOD_CTRL))
		return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
	return PANEL_IGNORED;
}

static unsigned progress_mouse(struct panel *panel, struct mouse mouse)
{
	(void)panel;
	(void)mouse;
	return PANEL_TAKEN;
}

static void progress_close(struct panel *panel)
{
	buf_free(&((struct progress_panel *)panel)->text);
}

static void progress_print(const struct panel *panel, struct buf *out)
{
	buf_printf(out, "%s: %s", panel->title, buf_text(&((const struct progress_panel *)panel)->text));
}

struct panel *panel_progress_open(const char *title)
{
	static const struct panel_ops ops = {progress_measure, progress_draw, progress_key, progress_mouse,
	                                     progress_close, NULL, progress_print, NULL};
	struct progress_panel *progress = alloc_array(1, sizeof *progress);

	if (!progress)
		return NULL;
	progress->panel = (struct panel){
		.ops = &ops, .title = title,
		.hint = "Enter chat on  Esc stop"};
	progress->text.max = KIB(16);
	progress->fraction = -1;
	return &progress->panel;
}

void panel_progress_set(struct panel *panel, double fraction, const char *text)
{
	struct progress_panel *progress = (struct progress_panel *)panel;

	progress->fraction = fraction < 1 ? fraction : 1;
	buf_clear(&progress->text);
	buf_puts(&progress->text, text);
}
