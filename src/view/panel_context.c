#include "view/panel_context.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "terminal/cells.h"

enum { CONTEXT_COLS = 90, TEXT_BYTES = 240, HEAD_ROWS = 3, COUNT_COLS = 9 };

/* A row of the table. */
struct context_row {
	struct ledger_row of; /* its name and text are not to be read: they are the tree's */
	size_t what; /* where its text begins, which a NUL ends */
};

struct context_panel {
	struct panel panel;
	struct context_row *rows; /* owned, [n] */
	size_t n;
	bool is_estimated;
	struct buf texts;
	size_t sum, policy;       /* where the texts above the table begin */
	size_t top, shown;        /* the first row on the screen; how many, as last drawn */
	int head;                 /* rows above the table, as last drawn */
	size_t selected;
	enum panel_context_wish wish;
};

/* How the bar shows a kind: readable without colours, too. */
static const struct {
	const char *cell;
	enum theme_role role;
} looks[] = {
	[LEDGER_HELP] = {"\u2593", STYLE_PANEL_MARK},     [LEDGER_SYSTEM] = {"\u2593", STYLE_PANEL_MARK},
	[LEDGER_SUMMARY] = {"\u2593", STYLE_PANEL_MARK},  [LEDGER_TEMPLATE] = {"\u2592", STYLE_PANEL_HINT},
	[LEDGER_MESSAGE] = {"\u2588", STYLE_SLIDER},      [LEDGER_FILES] = {"\u258A", STYLE_SLIDER},
	[LEDGER_DRAFT] = {"\u2592", STYLE_WARNING},       [LEDGER_RESERVE] = {"\u2591", STYLE_PANEL},
	[LEDGER_FREE] = {"\u00B7", STYLE_PANEL_HINT},
};

static const char *text_at(const struct context_panel *context, size_t at)
{
	return buf_text(&context->texts) + at;
}

static void put_row(struct context_panel *context, const struct ledger_row *from)
{
	context->rows[context->n++] = (struct context_row){*from, context->texts.len};
	ledger_put_what(&context->texts, from, SIZE_MAX, TEXT_BYTES);
	buf_putc(&context->texts, '\0');
}

static void context_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct context_panel *context = (const struct context_panel *)panel;

	*cols = CONTEXT_COLS;
	*rows = HEAD_ROWS + (int)(context->n < 1000 ? context->n : 1000);
}

/* The context as a bar: each row has the cells between its shares of it, rounded. */
static void draw_bar(const struct context_panel *context, WINDOW *win, int y, int x, int cols)
{
	uint64_t sum = 0, all = 0;
	int from = 0;

	for (size_t i = 0; i < context->n; i++)
		all += context->rows[i].of.tokens;
	for (size_t i = 0; i < context->n && all; i++) {
		const struct ledger_row *row = &context->rows[i].of;
		int to;

		sum += row->tokens;
		to = (int)((sum * (uint64_t)cols + all / 2) / all);
		for (; from < to; from++)
			cells_puts(win, y, x + from, 1, looks[row->kind].role, looks[row->kind].cell);
	}
}

static void draw_row(const struct context_panel *context, const struct context_row *row,
                     WINDOW *win, int y, int x, int cols)
{
	bool is_selected = row == &context->rows[context->selected];
	enum theme_role role = is_selected ? STYLE_SELECTION
	                       : row->of.why ? STYLE_PANEL_HINT : STYLE_PANEL;
	char number[LEDGER_COUNT_MAX];
	const char *count = ledger_count(&row->of, context->is_estimated, number), *text = text_at(context, row->what);
	int gap = COUNT_COLS - cells_text_width(count);

	if (is_selected)
		cells_fill(win, y, x + 1, cols - 1, role);
	if (!row->of.why)
		cells_puts(win, y, x, cols, looks[row->of.kind].role, looks[row->of.kind].cell);
	gap = gap > 0 ? gap : 0;
	if (cols > 2 + gap)
		cells_puts(win, y, x + 2 + gap, cols - 2 - gap, role, count);
	if (cols > COUNT_COLS + 4)
		cells_puts(win, y, x + COUNT_COLS + 4, cols - COUNT_COLS - 4, role, text);
}

static void context_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct context_panel *context = (struct context_panel *)panel;
	/* A small panel has the table alone. */
	int head = rows > HEAD_ROWS + 1 ? HEAD_ROWS : rows > 1;
	size_t most;

	if (head)
		cells_puts(win, y, x, cols, STYLE_PANEL, text_at(context, context->sum));
	if (head == HEAD_ROWS) {
		draw_bar(context, win, y + 1, x, cols);
		cells_puts(win, y + 2, x, cols, STYLE_PANEL_HINT, text_at(context, context->policy));
	}
	context->head = head;
	context->shown = rows > head ? (size_t)(rows - head) : 0;
	most = context->n > context->shown ? context->n - context->shown : 0;
	context->top = panel_top(context->top, context->selected, context->shown);
	context->top = context->top < most ? context->top : most;
	for (size_t i = 0; i < context->shown && context->top + i < context->n; i++)
		draw_row(context, &context->rows[context->top + i], win, y + head + (int)i, x, cols);
}

static unsigned select_by(struct context_panel *context, long rows)
{
	long selected = (long)context->selected + rows;

	context->selected = selected < 0 ? 0 : selected < (long)context->n ? (size_t)selected : context->n - 1;
	return PANEL_TAKEN;
}

static unsigned context_key(struct panel *panel, struct key key)
{
	struct context_panel *context = (struct context_panel *)panel;
	int rows = panel_scroll_key(key, (int)context->shown);

	if (rows)
		return select_by(context, rows);
	if (key.name == K_ENTER || key.name == K_F9 || key_is_char(key, 'q', 0))
		return PANEL_TAKEN | PANEL_CLOSE;
	context->wish = key_is_char(key, 'p', 0) ? CONTEXT_WISH_PIN
	                : key_is_char(key, 'd', 0) ? CONTEXT_WISH_DROP : CONTEXT_WISH_NONE;
	return context->wish ? PANEL_TAKEN | PANEL_CHANGED : PANEL_IGNORED;
}

enum panel_context_wish panel_context_wish(const struct panel *panel, uint32_t *message)
{
	const struct context_panel *context = (const struct context_panel *)panel;

	*message = context->rows[context->selected].of.node;
	return context->wish;
}

static unsigned context_mouse(struct panel *panel, struct mouse mouse)
{
	struct context_panel *context = (struct context_panel *)panel;
	int row = mouse.y - context->head;

	if (mouse.kind == MOUSE_PRESS && mouse.button == 1 && row >= 0 && (size_t)row < context->shown &&
	    context->top + (size_t)row < context->n)
		context->selected = context->top + (size_t)row;
	return select_by(context, panel_scroll_wheel(mouse));
}

static void context_close(struct panel *panel)
{
	struct context_panel *context = (struct context_panel *)panel;

	buf_free(&context->texts);
	free(context->rows);
}

static void context_print(const struct panel *panel, struct buf *out)
{
	const struct context_panel *context = (const struct context_panel *)panel;

	buf_printf(out, "%s: %s; %s", panel->title, text_at(context, context->sum),
	           text_at(context, context->policy));
	for (size_t i = 0; i < context->n; i++)
		buf_printf(out, "\n%9s  %s", ledger_count(&context->rows[i].of, context->is_estimated, (char[LEDGER_COUNT_MAX]){0}),
		           text_at(context, context->rows[i].what));
}

/* Into an empty one. */
static bool fill(struct context_panel *context, const struct ledger *ledger, const char *policy)
{
	context->texts.max = SIZE_MAX / 2;
	context->is_estimated = ledger->estimated;
	context->rows = alloc_array(ledger->n, sizeof *context->rows);
	ledger_put_sum(&context->texts, ledger);
	buf_putc(&context->texts, '\0');
	context->policy = context->texts.len;
	buf_printf(&context->texts, "when it is full: %s", policy);
	buf_putc(&context->texts, '\0');
	for (size_t i = 0; context->rows && i < ledger->n; i++)
		put_row(context, &ledger->rows[i]);
	return context->rows && !buf_status(&context->texts);
}

struct panel *panel_context_open(const struct ledger *ledger, const char *policy)
{
	static const struct panel_ops ops = {context_measure, context_draw, context_key, context_mouse,
	                                     context_close, NULL, context_print, NULL};
	struct context_panel *context = alloc_array(1, sizeof *context);

	if (!context)
		return NULL;
	context->panel = (struct panel){
		.ops = &ops, .title = "What fills the context",
		.hint = "\u2191\u2193 select  p pin  d drop (again: undo)  Esc close"};
	if (!fill(context, ledger, policy)) {
		panel_close(&context->panel);
		return NULL;
	}
	return &context->panel;
}

bool panel_context_replace(struct panel *panel, const struct ledger *ledger, const char *policy)
{
	struct context_panel *context = (struct context_panel *)panel;
	struct context_panel other = {.top = context->top, .selected = context->selected};
	uint32_t message = context->rows[context->selected].of.node;

	if (!fill(&other, ledger, policy)) {
		buf_free(&other.texts);
		free(other.rows);
		return false;
	}
	for (size_t i = 0; message && i < other.n; i++)
		if (other.rows[i].of.node == message)
			other.selected = i;
	other.panel = context->panel;
	buf_free(&context->texts);
	free(context->rows);
	*context = other;
	select_by(context, 0);
	return true;
}
