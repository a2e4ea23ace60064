/* Logical lines with runs of style, and how they become rows. */
#include "markdown/markdown_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/limits.h"
#include "terminal/wrap.h"

/* Bytes of what is laid out: much more than a message, since tables are filled with blanks. */
#define OUT_MAX (16 * LIMIT_MESSAGE)

/* Columns from which on there is room to mark the rows of a line that go on with it. */
enum { MARKED_COLUMNS = 16 };

void styled_init(struct styled *styled)
{
	*styled = (struct styled){0};
	buf_init(&styled->text, OUT_MAX);
}

void styled_free(struct styled *styled)
{
	buf_free(&styled->text);
	free(styled->runs);
	free(styled->places);
	styled_init(styled);
}

void styled_clear(struct styled *styled)
{
	buf_clear(&styled->text);
	styled->n_runs = styled->n_places = styled->tab_end = 0;
}

/* A run of bytes at the end of a text; it becomes one with the run before where they touch. */
static bool add_run(struct style_run **runs, size_t *n, size_t *cap, size_t from, size_t len,
                    enum theme_role role)
{
	struct style_run *last = *n ? *runs + *n - 1 : NULL;

	if (!len || role == STYLE_ASSISTANT)
		return true;
	if (last && last->role == role && (size_t)last->from + last->len == from) {
		last->len += (uint32_t)len;
		return true;
	}
	if (!alloc_grow(runs, cap, *n + 1, sizeof **runs, SIZE_MAX / sizeof **runs))
		return false;
	(*runs)[(*n)++] = (struct style_run){(uint32_t)from, (uint32_t)len, role};
	return true;
}

/* The next n bytes are those at `source`, or were put in there (n = 0). */
static bool add_place(struct styled *styled, size_t source, size_t n)
{
	struct styled_place *last = styled->n_places ? &styled->places[styled->n_places - 1] : NULL;

	if (last && last->at + last->n == styled->text.len && last->source + last->n == source) {
		last->n += (uint32_t)n;
		return true;
	}
	if (!alloc_grow(&styled->places, &styled->cap_places, styled->n_places + 1,
	                sizeof *styled->places, SIZE_MAX / sizeof *styled->places))
		return false;
	styled->places[styled->n_places++] = (struct styled_place){
		(uint32_t)styled->text.len, (uint32_t)source, (uint32_t)n};
	return true;
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

static bool add_bytes(struct styled *styled, const char *bytes, size_t n, enum theme_role role)
{
	return add_run(&styled->runs, &styled->n_runs, &styled->cap_runs, styled->text.len, n, role) &&
	       !buf_append(&styled->text, bytes, n);
}

bool styled_add(struct styled *styled, const char *bytes, size_t n, enum theme_role role, size_t source)
{
	static const char blanks[CELLS_TAB + 1] = "        ";

	if (!n)
		return add_place(styled, source, 0);
	while (n) {
		const char *tab = memchr(bytes, '\t', n);
		size_t len = tab ? (size_t)(tab - bytes) : n;

		if (!add_place(styled, source, len) || !add_bytes(styled, bytes, len, role))
			return false;
		if (!tab)
			return true;
		if (!add_bytes(styled, blanks, next_tab(styled), role))
			return false;
		styled->tab_end = styled->text.len;
		bytes += len + 1;
		source += len + 1;
		n -= len + 1;
	}
	return true;
}

bool styled_insert(struct styled *styled, const char *bytes, size_t n, enum theme_role role, size_t source)
{
	return !n || (add_place(styled, source, 0) && add_bytes(styled, bytes, n, role));
}

bool styled_puts(struct styled *styled, const char *text, enum theme_role role, size_t source)
{
	return styled_insert(styled, text, strlen(text), role, source);
}

bool styled_fill(struct styled *styled, const char *text, size_t n, enum theme_role role, size_t source)
{
	for (size_t i = 0; i < n; i++)
		if (!styled_puts(styled, text, role, source))
			return false;
	return true;
}

bool styled_append(struct styled *styled, const struct styled *part)
{
	size_t base = styled->text.len;

	for (size_t i = 0; i < part->n_runs; i++)
		if (!add_run(&styled->runs, &styled->n_runs, &styled->cap_runs, base + part->runs[i].from,
		             part->runs[i].len, part->runs[i].role))
			return false;
	if (!alloc_grow(&styled->places, &styled->cap_places, styled->n_places + part->n_places,
	                sizeof *styled->places, SIZE_MAX / sizeof *styled->places))
		return false;
	for (size_t i = 0; i < part->n_places; i++) {
		struct styled_place place = part->places[i];

		place.at += (uint32_t)base;
		styled->places[styled->n_places++] = place;
	}
	return !part->text.len || !buf_append(&styled->text, part->text.data, part->text.len);
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

/* Where a line that is painted stands in the text. */
struct painter {
	struct styled *styled;
	size_t line, painted; /* bytes */
};

static bool paint(void *ctx, size_t from, size_t len, enum theme_role role)
{
	struct painter *p = ctx;
	struct styled *s = p->styled;

	if (!add_run(&s->runs, &s->n_runs, &s->cap_runs, p->painted, p->line + from - p->painted, STYLE_CODE) ||
	    !add_run(&s->runs, &s->n_runs, &s->cap_runs, p->line + from, len, role))
		return false;
	p->painted = p->line + from + len;
	return true;
}

bool styled_highlight(struct styled *styled, const struct highlight_language *language, unsigned *state)
{
	struct painter painter = {.styled = styled};
	size_t len = styled->text.len;

	styled->n_runs = 0;
	while (painter.line < len) {
		const char *line = styled->text.data + painter.line;
		const char *newline = memchr(line, '\n', len - painter.line);
		size_t n = newline ? (size_t)(newline - line) : len - painter.line;

		if (!highlight_line(language, state, line, n, paint, &painter))
			return false;
		painter.line += n + 1;
	}
	return add_run(&styled->runs, &styled->n_runs, &styled->cap_runs, painter.painted,
	               len - painter.painted, STYLE_CODE);
}

void markdown_row_begin(struct markdown *markdown, size_t source)
{
	/* Its place in the list is taken when it ends. */
	if (alloc_grow(&markdown->rows, &markdown->cap_rows, markdown->n_rows + 1, sizeof *markdown->rows,
	               SIZE_MAX / sizeof *markdown->rows))
		markdown->rows[markdown->n_rows] = (struct markdown_row){
			.from = (uint32_t)markdown->text.len, .source = (uint32_t)source};
	else
		markdown->text.status = STATUS_NOMEM;
}

bool markdown_row_add(struct markdown *markdown, const struct styled *part, size_t from, size_t to)
{
	size_t at = markdown->text.len, first = 0;

	BISECT(first, part->n_runs, i, (size_t)part->runs[i].from + part->runs[i].len <= from);
	for (; first < part->n_runs && part->runs[first].from < to; first++) {
		const struct style_run *run = &part->runs[first];
		size_t begin = run->from > from ? run->from : from;
		size_t end = (size_t)run->from + run->len < to ? (size_t)run->from + run->len : to;

		if (!add_run(&markdown->runs, &markdown->n_runs, &markdown->cap_runs, at + begin - from,
		             end - begin, run->role))
			return false;
	}
	return from >= to || !buf_append(&markdown->text, part->text.data + from, to - from);
}

/* A newline is between rows, so that nothing at one's end joins what begins the next. */
bool markdown_row_end(struct markdown *markdown)
{
	if (buf_status(&markdown->text))
		return false;
	markdown->rows[markdown->n_rows++].to = (uint32_t)markdown->text.len;
	return !buf_putc(&markdown->text, '\n');
}

static bool add_line(struct markdown *markdown, const struct styled *before, const struct styled *text,
                     size_t start, size_t end)
{
	while (end > start && text->text.data[end - 1] == ' ')
		end--; /* they may hang over the edge */
	markdown_row_begin(markdown, styled_source(text, start));
	return (!before || markdown_row_add(markdown, before, 0, before->text.len)) &&
	       markdown_row_add(markdown, text, start, end) && markdown_row_end(markdown);
}

static int cols_behind(const struct markdown *markdown, const struct styled *before)
{
	return markdown->cols - (before ? cells_width(buf_text(&before->text), before->text.len) : 0);
}

/* As markdown_rows, for bytes [from, to) of the text. */
static bool rows_of(struct markdown *markdown, const struct styled *text, size_t from, size_t to,
                    const struct styled *first, const struct styled *rest)
{
	struct wrap wrap = {.n = 0};
	bool ok;

	ok = !wrap_update(&wrap, buf_text(&text->text) + from, to - from, cols_behind(markdown, first));
	for (size_t i = 0; ok && i < wrap.n; i++)
		ok = add_line(markdown, i ? rest : first, text, from + wrap.lines[i].start,
		              from + wrap.lines[i].end);
	wrap_free(&wrap);
	return ok;
}

bool markdown_code_rows(struct markdown *markdown, const struct styled *code, size_t from, size_t to,
                        const struct styled *first, const struct styled *rest, bool continued)
{
	const bool has_mark = cols_behind(markdown, rest) >= MARKED_COLUMNS;
	struct styled mark;
	struct wrap wrap = {.n = 0};
	bool ok = true;

	styled_init(&mark);
	if (!continued) {
		ok = !wrap_update(&wrap, buf_text(&code->text) + from, to - from, cols_behind(markdown, first)) &&
		     add_line(markdown, first, code, from + wrap.lines[0].start, from + wrap.lines[0].end);
		from = ok && wrap.n > 1 ? from + wrap.lines[1].start : to;
	}
	if (ok && from < to)
		ok = (!rest || styled_append(&mark, rest)) &&
		     (!has_mark || styled_puts(&mark, "\u21B3 ", STYLE_HINT, 0)) &&
		     rows_of(markdown, code, from, to, &mark, &mark);
	styled_free(&mark);
	wrap_free(&wrap);
	return ok;
}

bool markdown_rows(struct markdown *markdown, const struct styled *text, const struct styled *first,
                   const struct styled *rest)
{
	return rows_of(markdown, text, 0, text->text.len, first, rest);
}
