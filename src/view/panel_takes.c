#include "view/panel_takes_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "terminal/cells.h"

enum {
	BESIDE_COLS = 56,  /* inside the frame: from here on the two stand beside each other */
	PANEL_COLS = 150,
	PANEL_ROWS = 28,
	SHARED_ROWS = 3,   /* of what both begin with, its end */
	TEXT_ROWS = 4,     /* of each take that are in sight before reasons are left out */
};

/* ---- drawing ---- */

static void takes_measure(const struct panel *panel, int *rows, int *cols)
{
	(void)panel;
	*rows = *rows < PANEL_ROWS ? *rows : PANEL_ROWS;
	*cols = *cols < PANEL_COLS ? *cols : PANEL_COLS;
}

struct drawing {
	WINDOW *win;
	int y, x, rows, cols;
};

static void draw_line(void *ctx, enum theme_role role, const char *text)
{
	struct drawing *at = ctx;
	int n;

	if (at->rows < 1)
		return;
	n = panel_draw_text(at->win, at->y, at->x, 0, at->rows, at->cols, role, text);
	n = n < at->rows ? n : at->rows;
	at->y += n;
	at->rows -= n;
}

/* The end of what both begin with. */
static void draw_shared(const struct takes_panel *takes, struct drawing *at)
{
	const struct column *column = &takes->columns[0];
	const struct text_style style = {STYLE_PANEL_HINT, NULL, 0};
	struct wrap wrap = {.cols = 0};
	size_t first;

	if (!column->from || at->rows < 2 * TEXT_ROWS ||
	    wrap_update(&wrap, column->text, column->from, at->cols)) {
		wrap_free(&wrap);
		return;
	}
	first = wrap.n > SHARED_ROWS ? wrap.n - SHARED_ROWS : 0;
	for (size_t i = first; i < wrap.n; i++) {
		cells_draw_styled(at->win, at->y++, at->x, at->cols, &style, column->text, column->from, wrap.lines[i].start,
		                  wrap.lines[i].end);
		at->rows--;
	}
	wrap_free(&wrap);
}

/* From where they part on, its own first token marked. */
static void draw_column(struct takes_panel *takes, int side, struct drawing at)
{
	struct column *column = &takes->columns[side];
	const char *text = column->text + column->from;
	const size_t len = column->len - column->from;
	const struct style_run run = {0, (uint32_t)(column->token_end - column->from), STYLE_SELECTION};
	const struct text_style style = {STYLE_PANEL, &run, run.len > 0};

	if (at.rows < 1)
		return;
	cells_puts(at.win, at.y, at.x, at.cols, STYLE_PANEL_MARK, takes->source.names[side]);
	if (!len)
		cells_puts(at.win, at.y + 1, at.x, at.rows > 1 ? at.cols : 0, STYLE_PANEL_HINT, "(ends here)");
	if (!len || at.cols < 1 || wrap_update(&column->wrap, text, len, at.cols))
		return;
	for (size_t i = 0; (int)i + 1 < at.rows && takes->top + i < column->wrap.n; i++) {
		const struct wrap_line *line = &column->wrap.lines[takes->top + i];

		cells_draw_styled(at.win, at.y + 1 + (int)i, at.x, at.cols, &style, text, len, line->start, line->end);
	}
}

static void draw_columns(struct takes_panel *takes, struct drawing at)
{
	const bool beside = at.cols >= BESIDE_COLS;
	struct drawing left = at, right = at;

	if (beside) {
		left.cols = (at.cols - 3) / 2;
		right.x += left.cols + 3;
		right.cols = at.cols - left.cols - 3;
		panel_draw_divider(at.win, at.y, at.x + left.cols + 1, at.rows);
	} else {
		left.rows = (at.rows + 1) / 2;
		right.y += left.rows;
		right.rows = at.rows - left.rows;
	}
	takes->page = left.rows - 1;
	draw_column(takes, 0, left);
	draw_column(takes, 1, right);
}

static void takes_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct takes_panel *takes = (struct takes_panel *)panel;
	struct drawing head = {win, y, x, rows > TEXT_ROWS ? rows - TEXT_ROWS : 1, cols}, below;

	takes_say(takes, draw_line, &head);
	below = (struct drawing){win, head.y, x, y + rows - head.y, cols};
	draw_shared(takes, &below);
	draw_columns(takes, below);
}

/* ---- keys ---- */

static unsigned scroll_by(struct takes_panel *takes, int by)
{
	const size_t a = takes->columns[0].wrap.n, b = takes->columns[1].wrap.n, lines = a > b ? a : b;
	const size_t page = takes->page > 0 ? (size_t)takes->page : 1, most = lines > page ? lines - page : 0;
	const long top = (long)takes->top + by;

	takes->top = top < 0 ? 0 : (size_t)top < most ? (size_t)top : most;
	return PANEL_TAKEN;
}

static unsigned takes_key(struct panel *panel, struct key key)
{
	struct takes_panel *takes = (struct takes_panel *)panel;
	const int lines = panel_scroll_key(key, takes->page);

	if (lines)
		return scroll_by(takes, lines);
	if ((key.name == K_LEFT || key.name == K_RIGHT) && takes->source.has_others) {
		takes->step = key.name == K_LEFT ? -1 : 1;
		return PANEL_TAKEN | PANEL_CHANGED;
	}
	if (key.name == K_ENTER)
		return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
	return key_is_char(key, 'q', 0) ? PANEL_TAKEN | PANEL_CLOSE : PANEL_IGNORED;
}

static unsigned takes_mouse(struct panel *panel, struct mouse mouse)
{
	return scroll_by((struct takes_panel *)panel, panel_scroll_wheel(mouse));
}

static void takes_close(struct panel *panel)
{
	struct takes_panel *takes = (struct takes_panel *)panel;

	wrap_free(&takes->columns[0].wrap);
	wrap_free(&takes->columns[1].wrap);
}

/* ---- in lines ---- */

static void print_line(void *ctx, enum theme_role role, const char *text)
{
	(void)role;
	buf_printf(ctx, "%s\n", text);
}

static void takes_print(const struct panel *panel, struct buf *out)
{
	const struct takes_panel *takes = (const struct takes_panel *)panel;

	buf_printf(out, "%s | %s\n", takes->source.names[0], takes->source.names[1]);
	takes_say(takes, print_line, out);
	for (int side = 0; side < 2; side++) {
		const struct column *column = &takes->columns[side];

		buf_printf(out, "\n%s: ", takes->source.names[side]);
		buf_puts(out, column->from ? "... " : "");
		buf_append(out, column->text + column->from, column->len - column->from);
		buf_putc(out, '\n');
	}
}

/* ---- opening ---- */

/* Of what the model thought, or of its answer: where they part. */
static void set_column(struct takes_panel *takes, int side)
{
	const struct node *node = takes_node(takes, side);
	const struct takes *of = &takes->takes;
	const bool in_thoughts = of->shared.reasoning < of->a->reasoning_len || of->shared.reasoning < of->b->reasoning_len;
	struct column *column = &takes->columns[side];
	const struct kept_token *token;

	wrap_free(&column->wrap);
	column->text = in_thoughts ? node->reasoning : node->text;
	column->len = in_thoughts ? node->reasoning_len : node->len;
	column->from = in_thoughts ? of->shared.reasoning : of->shared.text;
	if (!column->text)
		column->text = "";
	token = takes_parting(takes, side);
	column->token_end = column->from;
	if (token && token->n_bytes)
		column->token_end += token->n_bytes;
	else
		column->token_end += strcspn(column->text + column->from, " \n");
	if (column->token_end > column->len)
		column->token_end = column->len;
}

void panel_takes_replace(struct panel *panel, const struct panel_takes_source *source)
{
	struct takes_panel *takes = (struct takes_panel *)panel;

	takes->source = *source;
	takes->takes = *source->takes;
	takes->source.takes = NULL;
	takes->top = 0;
	takes_find_parting(takes);
	set_column(takes, 0);
	set_column(takes, 1);
	panel->hint = source->has_others
	              ? "\u2191\u2193 scroll  \u2190\u2192 another one  Enter go to the second  Esc close"
	              : "\u2191\u2193 scroll  Enter go to the second  Esc close";
}

struct panel *panel_takes_open(const struct panel_takes_source *source)
{
	static const struct panel_ops ops = {takes_measure, takes_draw, takes_key, takes_mouse,
	                                     takes_close, NULL, takes_print, NULL};
	struct takes_panel *takes = alloc_array(1, sizeof *takes);

	if (!takes)
		return NULL;
	takes->panel = (struct panel){.ops = &ops, .title = "Two takes"};
	panel_takes_replace(&takes->panel, source);
	return &takes->panel;
}

int panel_takes_step(const struct panel *panel)
{
	return ((const struct takes_panel *)panel)->step;
}
