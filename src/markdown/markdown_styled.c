/* Logical lines with runs of style, and how they become rows. */
#include "markdown/markdown_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "terminal/wrap.h"

/* Columns from which on there is room to mark the rows of a line that go on with it. */
enum { MARKED_COLUMNS = 16 };

void styled_free(struct styled *styled)
{
	buf_free(&styled->text);
	free(styled->runs);
	free(styled->places);
}

void styled_clear(struct styled *styled)
{
	buf_remove(&styled->text, 0, SIZE_MAX);
	styled->n_runs = styled->n_places = styled->tab_end = 0;
}

/* A run of bytes at the end of a text; it becomes one with the run before where they touch. */
static void add_run(struct buf *text, struct style_run **runs, size_t *n, size_t *cap, size_t from, size_t len,
                    enum theme_role role)
{
	struct style_run *last = *n ? *runs + *n - 1 : NULL;

	if (!len || role == STYLE_ASSISTANT)
		return;
	if (last && last->role == role && (size_t)last->from + last->len == from)
		last->len += (uint32_t)len;
	else if (alloc_grow(runs, cap, *n + 1, sizeof **runs, SIZE_MAX / sizeof **runs))
		(*runs)[(*n)++] = (struct style_run){(uint32_t)from, (uint32_t)len, role};
	else
		text->status = STATUS_NOMEM;
}

static void style(struct styled *styled, size_t from, size_t len, enum theme_role role)
{
	add_run(&styled->text, &styled->runs, &styled->n_runs, &styled->cap_runs, from, len, role);
}

static bool grow_places(struct styled *styled, size_t n)
{
	bool ok = alloc_grow(&styled->places, &styled->cap_places, styled->n_places + n, sizeof *styled->places,
	                     SIZE_MAX / sizeof *styled->places);

	if (!ok)
		styled->text.status = STATUS_NOMEM;
	return ok;
}

/* The next n bytes are those at `source`, or were put in there (n = 0). */
static void add_place(struct styled *styled, size_t source, size_t n)
{
	struct styled_place *last = styled->n_places ? &styled->places[styled->n_places - 1] : NULL;

	if (last && last->at + last->n == styled->text.len && last->source + last->n == source)
		last->n += (uint32_t)n;
	else if (grow_places(styled, 1))
		styled->places[styled->n_places++] = (struct styled_place){
			(uint32_t)styled->text.len, (uint32_t)source, (uint32_t)n};
}

/* A tab stop is a whole number of tabs from the line's beginning, so only what follows the last one
 * counts. */
static size_t next_tab(const struct styled *styled)
{
	size_t begin = styled->text.len;

	while (begin > styled->tab_end && styled->text.data[begin - 1] != '\n')
		begin--;
	return (size_t)(CELLS_TAB - cells_width(buf_text(&styled->text) + begin,
	                                        styled->text.len - begin) % CELLS_TAB);
}

static void add_bytes(struct styled *styled, const char *bytes, size_t n, enum theme_role role)
{
	style(styled, styled->text.len, n, role);
	buf_append(&styled->text, bytes, n);
}

void styled_add(struct styled *styled, const char *bytes, size_t n, enum theme_role role, size_t source)
{
	static const char blanks[CELLS_TAB + 1] = "        ";

	do {
		const char *tab = memchr(bytes, '\t', n);
		size_t len = tab ? (size_t)(tab - bytes) : n;

		add_place(styled, source, len);
		add_bytes(styled, bytes, len, role);
		if (!tab)
			return;
		add_bytes(styled, blanks, next_tab(styled), role);
		styled->tab_end = styled->text.len;
		bytes += len + 1;
		source += len + 1;
		n -= len + 1;
	} while (n);
}

void styled_insert(struct styled *styled, const char *bytes, size_t n, enum theme_role role, size_t source)
{
	if (!n)
		return;
	add_place(styled, source, 0);
	add_bytes(styled, bytes, n, role);
}

void styled_puts(struct styled *styled, const char *text, enum theme_role role, size_t source)
{
	styled_insert(styled, text, strlen(text), role, source);
}

void styled_fill(struct styled *styled, const char *text, size_t n, enum theme_role role, size_t source)
{
	while (n--)
		styled_puts(styled, text, role, source);
}

void styled_append(struct styled *styled, const struct styled *part)
{
	size_t base = styled->text.len, n = grow_places(styled, part->n_places) ? part->n_places : 0;

	for (size_t i = 0; i < part->n_runs; i++)
		style(styled, base + part->runs[i].from, part->runs[i].len, part->runs[i].role);
	for (size_t i = 0; i < n; i++) {
		struct styled_place place = part->places[i];

		place.at += (uint32_t)base;
		styled->places[styled->n_places++] = place;
	}
	buf_append(&styled->text, buf_text(&part->text), part->text.len);
	if (buf_status(&part->text))
		styled->text.status = buf_status(&part->text);
}

uint32_t styled_source(const struct styled *styled, size_t at)
{
	const struct styled_place *place;
	size_t next = 0;

	if (!styled->n_places)
		return 0;
	BISECT(next, styled->n_places, i, styled->places[i].at <= at);
	place = &styled->places[next ? next - 1 : 0];
	at -= place->at;
	return place->source + (uint32_t)(at < place->n ? at : place->n);
}

void styled_highlight(struct styled *styled, const struct highlight_language *language, unsigned *state)
{
	const char *text = buf_text(&styled->text);
	size_t len = styled->text.len;

	styled->n_runs = 0;
	for (size_t line = 0, end; line < len; line = end + 1) {
		end = line_end(text, len, line);
		for (size_t at = line, next; at < end; at = next) {
			enum theme_role role;

			next = line + highlight_next(language, state, text + line, end - line, at - line, &role);
			style(styled, at, next - at, role);
		}
		style(styled, end, end < len, STYLE_CODE); /* the newline */
	}
}

void markdown_row_begin(struct markdown *markdown, const struct styled *before, size_t source)
{
	/* Its place in the list is taken when it ends. */
	if (alloc_grow(&markdown->rows, &markdown->cap_rows, markdown->n_rows + 1, sizeof *markdown->rows,
	               SIZE_MAX / sizeof *markdown->rows))
		markdown->rows[markdown->n_rows] = (struct markdown_row){
			.from = (uint32_t)markdown->text.len, .source = (uint32_t)source};
	else
		markdown->text.status = STATUS_NOMEM;
	if (before)
		markdown_row_add(markdown, before, 0, before->text.len);
}

void markdown_row_add(struct markdown *markdown, const struct styled *part, size_t from, size_t to)
{
	size_t at = markdown->text.len, first = 0;

	BISECT(first, part->n_runs, i, (size_t)part->runs[i].from + part->runs[i].len <= from);
	for (; first < part->n_runs && part->runs[first].from < to; first++) {
		const struct style_run *run = &part->runs[first];
		size_t begin = run->from > from ? run->from : from;
		size_t end = (size_t)run->from + run->len < to ? (size_t)run->from + run->len : to;

		add_run(&markdown->text, &markdown->runs, &markdown->n_runs, &markdown->cap_runs,
		        at + begin - from, end - begin, run->role);
	}
	buf_append(&markdown->text, buf_text(&part->text) + from, to - from);
	if (buf_status(&part->text))
		markdown->text.status = buf_status(&part->text);
}

/* A newline is between rows, so that nothing at one's end joins what begins the next. */
void markdown_row_end(struct markdown *markdown)
{
	if (buf_status(&markdown->text))
		return;
	markdown->rows[markdown->n_rows++].to = (uint32_t)markdown->text.len;
	buf_putc(&markdown->text, '\n');
}

static void add_line(struct markdown *markdown, const struct styled *before, const struct styled *text,
                     size_t start, size_t end)
{
	while (end > start && text->text.data[end - 1] == ' ')
		end--; /* they may hang over the edge */
	markdown_row_begin(markdown, before, styled_source(text, start));
	markdown_row_add(markdown, text, start, end);
	markdown_row_end(markdown);
}

static int cols_behind(const struct markdown *markdown, const struct styled *before)
{
	return markdown->cols - (before ? cells_width(buf_text(&before->text), before->text.len) : 0);
}

/* Wraps bytes [from, to) of the text to the columns behind `before`. Without memory there are no lines. */
static void wrap(struct wrap *out, struct markdown *markdown, const struct styled *text, size_t from, size_t to,
                 const struct styled *before)
{
	*out = (struct wrap){.n = 0};
	if (wrap_update(out, buf_text(&text->text) + from, to - from, cols_behind(markdown, before)))
		markdown->text.status = STATUS_NOMEM;
}

/* As markdown_rows, for bytes [from, to) of the text. */
static void rows_of(struct markdown *markdown, const struct styled *text, size_t from, size_t to,
                    const struct styled *first, const struct styled *rest)
{
	struct wrap lines;

	wrap(&lines, markdown, text, from, to, first);
	for (size_t i = 0; i < lines.n; i++)
		add_line(markdown, i ? rest : first, text, from + lines.lines[i].start,
		         from + lines.lines[i].end);
	wrap_free(&lines);
}

/* A line of code, bytes [from, to): behind `first`, and what does not fit into its row behind `rest`
 * and a mark. */
static void code_line(struct markdown *markdown, const struct styled *code, size_t from, size_t to,
                      const struct styled *first, const struct styled *rest, bool continued)
{
	const bool has_mark = cols_behind(markdown, rest) >= MARKED_COLUMNS;
	struct styled mark = STYLED_EMPTY;
	struct wrap lines = {.n = 0};

	if (!continued) {
		wrap(&lines, markdown, code, from, to, first);
		if (lines.n)
			add_line(markdown, first, code, from + lines.lines[0].start,
			         from + lines.lines[0].end);
		from = lines.n > 1 ? from + lines.lines[1].start : to;
	}
	if (from < to) {
		if (rest)
			styled_append(&mark, rest);
		if (has_mark)
			styled_puts(&mark, "\u21B3 ", STYLE_HINT, 0);
		rows_of(markdown, code, from, to, &mark, &mark);
	}
	styled_free(&mark);
	wrap_free(&lines);
}

/* Line by line: how lines are grouped depends on how they came. */
void markdown_code_rows(struct markdown *markdown, const struct styled *code, const struct styled *first,
                        const struct styled *rest, bool continued)
{
	for (size_t from = 0, to; from <= code->text.len; from = to + 1) {
		to = line_end(buf_text(&code->text), code->text.len, from);
		code_line(markdown, code, from, to, from ? rest : first, rest, continued && !from);
	}
}

void markdown_rows(struct markdown *markdown, const struct styled *text, const struct styled *first,
                   const struct styled *rest)
{
	rows_of(markdown, text, 0, text->text.len, first, rest);
}
