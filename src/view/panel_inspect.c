/* What the model sees: the prompt as rendered, token by token, with what is in
 * the cache, what is to be evaluated and what is left out; or where a server makes the prompt, what it is
 * sent. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "terminal/cells.h"
#include "terminal/wrap.h"
#include "view/panel.h"

enum { INSPECT_COLS = 100, DISPLAY_MAX = 64 << 20, INDENTS_MAX = 16 };

struct inspect {
	struct panel panel;
	struct inspection of;     /* its tokens, text and request are owned */
	struct cache_difference difference; /* why not all of the cache is kept */
	bool has_borders, has_ids;
	struct buf shown;         /* the text with borders, marks and lines of our own */
	struct style_run *runs;   /* owned; all of that text */
	size_t n_runs, cap_runs;
	bool failed;              /* out of memory: what is there is not all */
	struct wrap wrap;
	size_t top, rows;         /* first line on the screen; rows, as last drawn */
};

static void add(struct inspect *inspect, enum theme_role role, const char *bytes, size_t len)
{
	struct style_run *last = inspect->n_runs ? &inspect->runs[inspect->n_runs - 1] : NULL;
	size_t from = inspect->shown.len;

	if (buf_append(&inspect->shown, bytes, len)) {
		inspect->failed = true;
		return;
	}
	if (last && last->role == role) {
		last->len += (uint32_t)len;
		return;
	}
	if (!alloc_grow(&inspect->runs, &inspect->cap_runs, inspect->n_runs + 1,
	                sizeof *inspect->runs, DISPLAY_MAX)) {
		inspect->failed = true;
		buf_remove(&inspect->shown, from, len);
		return;
	}
	inspect->runs[inspect->n_runs++] = (struct style_run){(uint32_t)from, (uint32_t)len, role};
}

static void add_line(struct inspect *inspect, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void add_line(struct inspect *inspect, const char *fmt, ...)
{
	char line[1024];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(line, sizeof line, fmt, args);
	va_end(args);
	if (inspect->shown.len && inspect->shown.data[inspect->shown.len - 1] != '\n')
		add(inspect, STYLE_PANEL_MARK, "\n", 1);
	if (n > 0)
		add(inspect, STYLE_PANEL_MARK, line, strlen(line));
	add(inspect, STYLE_PANEL_MARK, "\n", 1);
}

/* One token. Newlines are made visible, and still break the line. */
static void add_token(struct inspect *inspect, size_t i)
{
	const struct prompt_token *token = &inspect->of.tokens[i];
	size_t start = i ? inspect->of.tokens[i - 1].end : 0;
	enum theme_role role = token->flags & PROMPT_TOKEN_CONTROL ? STYLE_PANEL_MARK
	                       : token->flags & PROMPT_TOKEN_INPUT ? STYLE_PANEL
	                                                           : STYLE_PANEL_HINT;

	for (size_t at = start; at < token->end;) {
		const char *newline = memchr(inspect->of.text + at, '\n', token->end - at);
		size_t end = newline ? (size_t)(newline - inspect->of.text) : token->end;

		if (end > at)
			add(inspect, role, inspect->of.text + at, end - at);
		if (newline)
			add(inspect, STYLE_BORDER, "\u21B5\n", strlen("\u21B5\n"));
		at = end + (newline != NULL);
	}
	if (inspect->has_ids) {
		char id[16];
		int n = snprintf(id, sizeof id, "#%d", (int)token->id);

		add(inspect, STYLE_BORDER, id, (size_t)n);
	}
}

/* Whether the bytes of the text up to here end with a whole character. */
static bool is_whole(const struct inspect *inspect, size_t end)
{
	size_t start = end;
	int32_t cp;

	while (start && end - start < UTF8_MAX - 1 && (inspect->of.text[start - 1] & 0xC0) == 0x80)
		start--;
	if (start)
		start--;
	return end == 0 || (utf8_decode(inspect->of.text + start, end - start, &cp), cp != -2);
}

/* Why it is no more that is kept. */
static void add_difference(struct inspect *inspect)
{
	struct buf words = {.max = KIB(4)}, safe = {.max = KIB(16)};

	if (!inspect->difference.kind)
		return;
	cache_difference_put(&inspect->difference, true, &words);
	sanitize_line(&safe, buf_text(&words), words.len);
	add_line(inspect, "\u2500\u2500 the first change: %s", buf_text(&safe));
	buf_free(&words);
	buf_free(&safe);
}

static void add_tokens(struct inspect *inspect)
{
	add_line(inspect, "\u2500\u2500 in the cache: %u token%s", inspect->of.cached,
	         inspect->of.cached == 1 ? "" : "s");
	for (size_t i = 0; i < inspect->of.total; i++) {
		if (i == inspect->of.cached)
			add_line(inspect, "\u2500\u2500 to be evaluated: %zu token%s",
			         inspect->of.total - i, inspect->of.total - i == 1 ? "" : "s");
		else if (inspect->has_borders && i &&
		         is_whole(inspect, inspect->of.tokens[i - 1].end) &&
		         inspect->shown.data[inspect->shown.len - 1] != '\n')
			add(inspect, STYLE_BORDER, "\u2502", strlen("\u2502"));
		add_token(inspect, i);
	}
	if (inspect->of.n_past > inspect->of.cached)
		add_line(inspect, "\u2500\u2500 dropped from the cache: %u token%s after those",
		         inspect->of.n_past - inspect->of.cached,
		         inspect->of.n_past - inspect->of.cached == 1 ? "" : "s");
	add_difference(inspect);
}

/* ---- a request ---- */

static void add_text(struct inspect *inspect, enum theme_role role, const char *text)
{
	add(inspect, role, text, strlen(text));
}

static void add_break(struct inspect *inspect, size_t depth)
{
	add_text(inspect, STYLE_PANEL_HINT, "\n");
	for (size_t i = 0; i < depth && i < INDENTS_MAX; i++)
		add_text(inspect, STYLE_PANEL_HINT, "  ");
}

static void add_string(struct inspect *inspect, enum theme_role role, const struct json_item *item)
{
	struct buf quoted = {.max = DISPLAY_MAX};
	struct json_writer json = {.out = &quoted};

	json_put_text(&json, NULL, item->text, item->len);
	add(inspect, role, buf_text(&quoted), quoted.len);
	inspect->failed |= buf_status(&quoted) != STATUS_OK;
	buf_free(&quoted);
}

static void add_item(struct inspect *inspect, const struct json_item *item)
{
	switch (item->kind) {
	case JSON_OBJECT: add_text(inspect, STYLE_PANEL_HINT, "{"); break;
	case JSON_ARRAY: add_text(inspect, STYLE_PANEL_HINT, "["); break;
	case JSON_OBJECT_END: add_text(inspect, STYLE_PANEL_HINT, "}"); break;
	case JSON_ARRAY_END: add_text(inspect, STYLE_PANEL_HINT, "]"); break;
	case JSON_KEY:
		add_string(inspect, STYLE_PANEL_HINT, item);
		add_text(inspect, STYLE_PANEL_HINT, ": ");
		break;
	case JSON_STRING: add_string(inspect, STYLE_PANEL, item); break;
	case JSON_NUMBER: add(inspect, STYLE_PANEL, item->text, item->len); break;
	case JSON_TRUE: add_text(inspect, STYLE_PANEL, "true"); break;
	case JSON_FALSE: add_text(inspect, STYLE_PANEL, "false"); break;
	case JSON_NULL: add_text(inspect, STYLE_PANEL, "null"); break;
	case JSON_END: break;
	}
}

/* JSON with a line for each value; what is no JSON is added as it is. */
static void add_json(struct inspect *inspect, const char *text)
{
	struct json_reader reader;
	struct json_item item;
	size_t depth = 0;
	bool follows_key = false, is_first = true; /* of its object or list */
	enum status status;

	json_begin(&reader, NULL, text, strlen(text));
	while (!(status = json_next(&reader, &item, NULL)) && item.kind != JSON_END) {
		bool ends = item.kind == JSON_OBJECT_END || item.kind == JSON_ARRAY_END;

		depth -= ends;
		if (!ends && !follows_key && !is_first)
			add_text(inspect, STYLE_PANEL_HINT, ",");
		if (ends ? !is_first : !follows_key && depth)
			add_break(inspect, depth);
		add_item(inspect, &item);
		follows_key = item.kind == JSON_KEY;
		is_first = item.kind == JSON_OBJECT || item.kind == JSON_ARRAY;
		depth += is_first;
	}
	json_end(&reader);
	if (status)
		add_text(inspect, STYLE_PANEL, text);
}

/* ---- all of it ---- */

static void compose(struct inspect *inspect)
{
	buf_clear(&inspect->shown);
	inspect->n_runs = 0;
	inspect->failed = false;
	wrap_free(&inspect->wrap);
	if (inspect->of.n_dropped)
		add_line(inspect, "\u2500\u2500 left out for lack of room: %u message%s",
		         inspect->of.n_dropped, inspect->of.n_dropped == 1 ? "" : "s");
	if (inspect->of.request) {
		add_line(inspect, "\u2500\u2500 sent as chat messages: the server makes the prompt");
		add_json(inspect, inspect->of.request);
	} else {
		add_tokens(inspect);
	}
	if (inspect->failed)
		add_line(inspect, "\u2500\u2500 not enough memory for the rest");
}

static void inspect_measure(const struct panel *panel, int *rows, int *cols)
{
	struct inspect *inspect = (struct inspect *)panel;

	*cols = INSPECT_COLS;
	*rows = wrap_update(&inspect->wrap, buf_text(&inspect->shown), inspect->shown.len,
	                    INSPECT_COLS)
	                ? 1
	                : 1 + (int)(inspect->wrap.n < 1000 ? inspect->wrap.n : 1000);
}

static bool is_estimate(const struct inspect *inspect)
{
	return inspect->of.estimated && !inspect->of.is_total_known;
}

static void draw_summary(const struct inspect *inspect, WINDOW *win, int y, int x, int cols)
{
	char line[160];
	int n = snprintf(line, sizeof line, "%s%u", is_estimate(inspect) ? "~" : "", inspect->of.total);

	if (inspect->of.n_ctx)
		n += snprintf(line + n, sizeof line - (size_t)n, " of %u", inspect->of.n_ctx);
	snprintf(line + n, sizeof line - (size_t)n, " tokens");
	x += cells_puts(win, y, x, cols, STYLE_PANEL, line);
	cols -= cells_text_width(line);
	if (cols > 40 && !inspect->of.request) {
		x += cells_puts(win, y, x, cols, STYLE_PANEL, "   ");
		x += cells_puts(win, y, x, cols, STYLE_PANEL_MARK, "control token");
		x += cells_puts(win, y, x, cols, STYLE_PANEL, "  ");
		x += cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "template");
		cells_puts(win, y, x, cols, STYLE_PANEL, "  conversation");
	}
}

static void inspect_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct inspect *inspect = (struct inspect *)panel;
	const struct text_style style = {STYLE_PANEL, inspect->runs, inspect->n_runs};
	size_t most;

	draw_summary(inspect, win, y, x, cols);
	if (rows < 2 || cols < 1 ||
	    wrap_update(&inspect->wrap, buf_text(&inspect->shown), inspect->shown.len, cols))
		return;
	inspect->rows = (size_t)rows - 1;
	most = inspect->wrap.n > inspect->rows ? inspect->wrap.n - inspect->rows : 0;
	inspect->top = inspect->top < most ? inspect->top : most;
	for (size_t i = 0; i < inspect->rows && inspect->top + i < inspect->wrap.n; i++) {
		const struct wrap_line *line = &inspect->wrap.lines[inspect->top + i];

		cells_draw_styled(win, y + 1 + (int)i, x, cols, &style, buf_text(&inspect->shown),
		                  inspect->shown.len, line->start, line->end);
	}
}

static unsigned scroll_by(struct inspect *inspect, long lines)
{
	long top = (long)inspect->top + lines;

	inspect->top = top > 0 ? (size_t)top : 0; /* the end is found when it is drawn */
	return PANEL_TAKEN;
}

static unsigned toggle(struct inspect *inspect, bool *what)
{
	*what = !*what;
	compose(inspect);
	return PANEL_TAKEN;
}

static unsigned inspect_key(struct panel *panel, struct key key)
{
	struct inspect *inspect = (struct inspect *)panel;
	int lines = panel_scroll_key(key, (int)inspect->rows);

	if (lines)
		return scroll_by(inspect, lines);
	if (!inspect->of.request && key_is_char(key, 'b', 0))
		return toggle(inspect, &inspect->has_borders);
	if (!inspect->of.request && key_is_char(key, 'i', 0))
		return toggle(inspect, &inspect->has_ids);
	if (key.name == K_ENTER || key.name == K_F8 || key_is_char(key, 'q', 0))
		return PANEL_TAKEN | PANEL_CLOSE;
	return PANEL_IGNORED;
}

static unsigned inspect_mouse(struct panel *panel, struct mouse mouse)
{
	return scroll_by((struct inspect *)panel, panel_scroll_wheel(mouse));
}

static void inspect_close(struct panel *panel)
{
	struct inspect *inspect = (struct inspect *)panel;

	wrap_free(&inspect->wrap);
	buf_free(&inspect->shown);
	free(inspect->runs);
	free(inspect->of.tokens);
	free(inspect->of.text);
	free(inspect->of.request);
}

static void inspect_print(const struct panel *panel, struct buf *out)
{
	const struct inspect *inspect = (const struct inspect *)panel;

	buf_printf(out, "%s, %s%u tokens:\n", panel->title, is_estimate(inspect) ? "~" : "", inspect->of.total);
	buf_append(out, buf_text(&inspect->shown), inspect->shown.len);
}

struct panel *panel_inspect_open(const struct inspection *inspected)
{
	static const struct panel_ops ops = {inspect_measure, inspect_draw, inspect_key, inspect_mouse,
	                                     inspect_close, NULL, inspect_print, NULL};
	struct inspect *inspect = alloc_array(1, sizeof *inspect);
	size_t n = inspected->request ? 0 : inspected->total;
	size_t len = n ? inspected->tokens[n - 1].end : 0;

	if (!inspect)
		return NULL;
	inspect->panel = (struct panel){
		.ops = &ops, .title = "What the model sees",
		.hint = "\u2191\u2193 PgUp PgDn scroll  b borders  i ids  Esc close"};
	if (inspected->request)
		inspect->panel.hint = "\u2191\u2193 PgUp PgDn scroll  Esc close";
	inspect->shown.max = DISPLAY_MAX;
	inspect->of = *inspected;
	if (inspected->difference)
		inspect->difference = *inspected->difference;
	inspect->of.difference = NULL;
	if (inspected->request)
		inspect->of.request = alloc_strndup(inspected->request, strlen(inspected->request));
	inspect->of.tokens = alloc_array(n, sizeof *inspect->of.tokens);
	inspect->of.text = alloc_strndup(inspected->text ? inspected->text : "", len);
	if (!inspect->of.tokens || !inspect->of.text || (inspected->request && !inspect->of.request)) {
		panel_close(&inspect->panel);
		return NULL;
	}
	if (n)
		memcpy(inspect->of.tokens, inspected->tokens, n * sizeof *inspected->tokens);
	inspect->has_borders = true;
	compose(inspect);
	return &inspect->panel;
}
