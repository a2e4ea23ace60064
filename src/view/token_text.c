#include "view/token_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "chat/reply_place.h"
#include "view/band_runs.h"

enum { SHOWN_MAX = 64 << 20 };

#define BLANK "\u2423"
#define LINE_END "\u21B5"

void token_text_init(struct token_text *text)
{
	*text = (struct token_text){.shown = {.max = SHOWN_MAX}, .has_borders = true};
}

void token_text_free(struct token_text *text)
{
	wrap_free(&text->wrap);
	buf_free(&text->shown);
	free(text->runs);
	free(text->spans);
	token_text_init(text);
}

static void add(struct token_text *text, enum theme_role role, const char *bytes, size_t len)
{
	const size_t from = text->shown.len;

	if (!len)
		return;
	if (buf_append(&text->shown, bytes, len) ||
	    !alloc_grow(&text->runs, &text->cap_runs, text->n_runs + 1, sizeof *text->runs, SHOWN_MAX)) {
		text->failed = true;
		return;
	}
	text->runs[text->n_runs++] = (struct style_run){(uint32_t)from, (uint32_t)len, role};
}

static void add_text(struct token_text *text, enum theme_role role, const char *words)
{
	add(text, role, words, strlen(words));
}

/* Line breaks are made visible, and still break the line. */
static void add_lines(struct token_text *text, enum theme_role role, const char *bytes, size_t len)
{
	while (len) {
		const char *newline = memchr(bytes, '\n', len);
		const size_t n = newline ? (size_t)(newline - bytes) : len;

		add(text, role, bytes, n);
		if (newline)
			add_text(text, role, LINE_END "\n");
		bytes += n + (newline != NULL);
		len -= n + (newline != NULL);
	}
}

/* What has no text of its own: a control token by its name, a part of a character by its bytes. */
static void add_name(struct token_text *text, const struct kept_reply *tokens, const struct kept_token *token)
{
	struct buf name = {.max = 256};

	token_text_put_id(&name, tokens, token->id);
	add(text, STYLE_PANEL_MARK, buf_text(&name), name.len);
	buf_free(&name);
}

static enum theme_role role_of(const struct token_text *text, const struct kept_token *token)
{
	enum theme_role role = token->flags & KEPT_REASONING ? STYLE_PANEL_HINT : STYLE_PANEL;

	if (text->shade != SHADE_NONE)
		(void)band_role(kept_band_of(token, text->shade), &role);
	return role;
}

/* Those bytes of a reply that come between two places. */
static void add_between(struct token_text *text, enum theme_role role, const struct node *reply,
                        struct reply_place from, struct reply_place to)
{
	if (to.reasoning > from.reasoning)
		add_lines(text, role, reply->reasoning + from.reasoning, to.reasoning - from.reasoning);
	if (to.text > from.text)
		add_lines(text, role, reply->text + from.text, to.text - from.text);
}

static bool ends_line(const struct token_text *text)
{
	return !text->shown.len || text->shown.data[text->shown.len - 1] == '\n';
}

void token_text_compose(struct token_text *text, const struct kept_reply *tokens,
                        const struct node *reply)
{
	const size_t n = kept_n(tokens), all = kept_bytes(tokens, n);
	struct reply_place at;
	size_t done = 0;

	buf_clear(&text->shown);
	text->n_runs = text->n = 0;
	wrap_free(&text->wrap);
	text->failed = !alloc_grow(&text->spans, &text->cap, n, sizeof *text->spans, SHOWN_MAX);
	at = reply_place(reply, 0, all);
	add_between(text, STYLE_PANEL_HINT, reply, (struct reply_place){at.reasoning, 0}, at);
	for (size_t i = 0; i < n && !text->failed; i++) {
		const struct kept_token *token = kept_token(tokens, i);
		const struct reply_place next = reply_place(reply, done += token->n_bytes, all);
		struct token_span *span = &text->spans[text->n++];

		if (text->has_borders && !ends_line(text))
			add_text(text, STYLE_BORDER, "\u2502");
		*span = (struct token_span){.start = text->shown.len, .run = text->n_runs};
		if (token->n_bytes)
			add_between(text, role_of(text, token), reply, at, next);
		else
			add_name(text, tokens, token);
		span->end = text->shown.len;
		span->n_runs = text->n_runs - span->run;
		at = next;
	}
	if (text->failed)
		add_text(text, STYLE_PANEL_ERROR, "\nnot enough memory for the rest");
}

int token_text_rows(struct token_text *text, int cols)
{
	return wrap_update(&text->wrap, buf_text(&text->shown), text->shown.len, cols) ? 1 : (int)text->wrap.n;
}

/* The runs that are drawn: the marked token's is another role while they are. */
static void mark(struct token_text *text, size_t marked, enum theme_role *before, size_t n_before, bool marks)
{
	const struct token_span *span = &text->spans[marked];

	for (size_t i = 0; i < span->n_runs && i < n_before; i++) {
		struct style_run *run = &text->runs[span->run + i];

		if (marks)
			before[i] = run->role;
		run->role = marks ? STYLE_SELECTION : before[i];
	}
}

/* So that the marked token is in sight, with a line before it. */
static void scroll_to(struct token_text *text, size_t marked, int rows)
{
	const size_t page = (size_t)rows, most = text->wrap.n > page ? text->wrap.n - page : 0;
	size_t line = marked < text->n ? wrap_find(&text->wrap, text->spans[marked].start) : 0;

	if (line < text->top + 1)
		text->top = line ? line - 1 : 0;
	if (line + 2 > text->top + page)
		text->top = line + 2 > page ? line + 2 - page : 0;
	if (page < 3)
		text->top = line;
	if (text->top > most)
		text->top = most;
}

void token_text_draw(struct token_text *text, size_t marked, WINDOW *win, int y, int x, int rows, int cols)
{
	enum { MARKED_RUNS = 8 };
	enum theme_role before[MARKED_RUNS];
	const bool marks = marked < text->n;
	struct text_style style;

	if (rows < 1 || cols < 1 || wrap_update(&text->wrap, buf_text(&text->shown), text->shown.len, cols))
		return;
	scroll_to(text, marked, rows);
	if (marks)
		mark(text, marked, before, MARKED_RUNS, true);
	style = (struct text_style){STYLE_PANEL, text->runs, text->n_runs};
	for (size_t i = 0; i < (size_t)rows && text->top + i < text->wrap.n; i++) {
		const struct wrap_line *line = &text->wrap.lines[text->top + i];

		cells_draw_styled(win, y + (int)i, x, cols, &style, buf_text(&text->shown), text->shown.len, line->start,
		                  line->end);
	}
	if (marks)
		mark(text, marked, before, MARKED_RUNS, false);
}

size_t token_text_at(const struct token_text *text, int row, int col)
{
	const size_t index = text->top + (size_t)(row > 0 ? row : 0);
	const char *shown = text->shown.data;
	const struct wrap_line *line;
	struct safe_piece piece;
	size_t at;
	int width = 0;

	if (row < 0 || index >= text->wrap.n)
		return text->n;
	line = &text->wrap.lines[index];
	for (at = line->start; at < line->end && sanitize_next(shown, text->shown.len, at, &piece); at = piece.end) {
		width += cells_piece_width(&piece, width);
		if (width > col)
			break;
	}
	for (size_t i = 0; i < text->n; i++)
		if (at >= text->spans[i].start && at < text->spans[i].end)
			return i;
	return text->n;
}

/* One that is no text by itself: <e2 96>. */
static void put_bytes(struct buf *out, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_printf(out, "%s%02x", i ? " " : "<", (unsigned char)bytes[i]);
	buf_puts(out, ">");
}

void token_text_put(struct buf *out, const char *bytes, size_t len)
{
	if (!bytes || !len)
		buf_puts(out, bytes ? "<>" : "<?>");
	else if (!utf8_valid(bytes, len))
		put_bytes(out, bytes, len);
	else
		for (size_t i = 0; i < len; i++) {
			if (bytes[i] == ' ')
				buf_puts(out, BLANK);
			else if (bytes[i] == '\n')
				buf_puts(out, LINE_END);
			else if (bytes[i] == '\t')
				buf_puts(out, "\u2192");
			else
				buf_putc(out, bytes[i]);
		}
}

void token_text_put_id(struct buf *out, const struct kept_reply *reply, int32_t id)
{
	size_t len = 0;
	const char *bytes = kept_text(reply, id, &len);

	token_text_put(out, bytes, len);
}
