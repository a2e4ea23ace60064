#include "markdown/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/limits.h"
#include "markdown/markdown_internal.h"

void markdown_init(struct markdown *markdown)
{
	*markdown = (struct markdown){0};
	buf_init(&markdown->text, 16 * LIMIT_MESSAGE);
}

void markdown_free(struct markdown *markdown)
{
	buf_free(&markdown->text);
	free(markdown->runs);
	free(markdown->rows);
	markdown_init(markdown);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* A row for each line of nothing. */
static bool blank_rows(struct markdown *markdown, const char *text, const struct segment *segment)
{
	for (size_t at = segment->start; at < segment->end; at++) {
		if (text[at] != '\n')
			continue;
		markdown_row_begin(markdown, at);
		if (!markdown_row_end(markdown))
			return false;
	}
	return true;
}

static bool plain_rows(struct markdown *markdown, const char *text, const struct segment *segment)
{
	struct styled styled;
	size_t end = segment->end;
	bool ok;

	if (!segment->cut && end > segment->start && text[end - 1] == '\n')
		end -= end - 1 > segment->start && text[end - 2] == '\r' ? 2 : 1;
	styled_init(&styled);
	ok = styled_add(&styled, text + segment->start, end - segment->start, STYLE_ASSISTANT,
	                segment->start) &&
	     markdown_rows(markdown, &styled, NULL, NULL);
	styled_free(&styled);
	return ok;
}

bool markdown_rule(struct markdown *markdown, size_t source, const struct styled *first,
                   const struct styled *rest, int cols)
{
	struct styled rule;
	bool ok;

	styled_init(&rule);
	ok = styled_fill(&rule, "\u2500", cols > 0 ? (size_t)cols : 0, STYLE_HINT, source) &&
	     markdown_rows(markdown, &rule, first, rest);
	styled_free(&rule);
	return ok;
}

bool markdown_code_head(struct markdown *markdown, const char *info, size_t n, uint32_t number, size_t source,
                        const struct styled *first, const struct styled *rest, int cols)
{
	enum { EDGES = 8 }; /* columns of lines and blanks around the two texts */
	struct styled head;
	char text[16];
	int width = snprintf(text, sizeof text, "%u", (unsigned)number), left;
	bool ok;

	left = cols - width - (n ? EDGES + cells_width(info, n) : EDGES / 2);
	styled_init(&head);
	if (left < 1) /* no line any more, but it is all there */
		ok = styled_insert(&head, info, n, STYLE_HINT, source) &&
		     (!n || styled_puts(&head, " ", STYLE_HINT, source)) &&
		     styled_puts(&head, text, STYLE_HINT, source);
	else
		ok = (!n || (styled_puts(&head, "\u2500\u2500 ", STYLE_HINT, source) &&
		             styled_insert(&head, info, n, STYLE_HINT, source) &&
		             styled_puts(&head, " ", STYLE_HINT, source))) &&
		     styled_fill(&head, "\u2500", (size_t)left, STYLE_HINT, source) &&
		     styled_puts(&head, " ", STYLE_HINT, source) && styled_puts(&head, text, STYLE_HINT, source) &&
		     styled_puts(&head, " \u2500\u2500", STYLE_HINT, source);
	ok = ok && markdown_rows(markdown, &head, first, rest);
	styled_free(&head);
	return ok;
}

/* The last line, still growing, has nothing but marks of the fence. */
static bool may_become_end(const char *text, const struct segment *segment, char fence)
{
	for (size_t at = segment->start; at < segment->end; at++)
		if (text[at] != fence && text[at] != ' ')
			return false;
	return true;
}

/* Lines of fenced code: less the fence's indentation, coloured. */
static bool code_rows(struct markdown *markdown, const char *text, const struct segment *segment,
                      struct markdown_place *place)
{
	struct styled styled;
	size_t at = segment->start;
	bool ok = true;

	if (markdown->growing && may_become_end(text, segment, place->fence))
		return true;
	styled_init(&styled);
	while (ok && at < segment->end) {
		const char *newline = memchr(text + at, '\n', segment->end - at);
		size_t end = newline ? (size_t)(newline - text) : segment->end;
		size_t next = newline ? end + 1 : end, begin = at;

		while (end > at && newline && text[end - 1] == '\r')
			end--;
		while (begin < end && begin - at < place->fence_indent && text[begin] == ' ')
			begin++;
		ok = styled_add(&styled, text + begin, end - begin, STYLE_CODE, begin) &&
		     (next == segment->end || styled_add(&styled, "\n", 1, STYLE_CODE, end));
		at = next;
	}
	ok = ok && styled_highlight(&styled, place->language, &place->highlight);
	/* One by one: how lines are grouped depends on how they came. The first may have been cut. */
	for (size_t from = 0, to; ok && from <= styled.text.len; from = to + 1) {
		const char *line = buf_text(&styled.text) + from;
		const char *newline = memchr(line, '\n', styled.text.len - from);

		to = newline ? from + (size_t)(newline - line) : styled.text.len;
		ok = markdown_code_rows(markdown, &styled, from, to, NULL, NULL,
		                        !from && segment->start && text[segment->start - 1] != '\n');
	}
	styled_free(&styled);
	return ok;
}

static void open_fence(const char *text, const struct segment *segment, struct markdown_place *place)
{
	size_t word = segment->info;

	while (word < segment->info_end && !is_blank(text[word]) && text[word] != '{' && text[word] != ',')
		word++;
	place->fence = segment->fence;
	place->fence_len = segment->fence_len;
	place->fence_indent = segment->fence_indent;
	place->language = highlight_find(text + segment->info, word - segment->info);
	place->highlight = 0;
}

static enum status lay_out(struct markdown *markdown, const char *text, const struct segment *segment,
                           struct markdown_place *place)
{
	bool ok = true;
	enum status status;

	switch (segment->kind) {
	case SEGMENT_BLANK:
		ok = blank_rows(markdown, text, segment);
		break;
	case SEGMENT_PLAIN:
		ok = plain_rows(markdown, text, segment);
		place->number = 0;
		break;
	case SEGMENT_FENCE:
		open_fence(text, segment, place);
		ok = markdown_code_head(markdown, text + segment->info, segment->info_end - segment->info,
		                        ++place->n_code, segment->start, NULL, NULL, markdown->cols);
		break;
	case SEGMENT_CODE:
		ok = code_rows(markdown, text, segment, place);
		break;
	case SEGMENT_END:
		place->fence = '\0';
		ok = markdown_rule(markdown, segment->start, NULL, NULL, markdown->cols);
		break;
	case SEGMENT_TEXT:
		status = markdown_block(markdown, text, segment, place);
		if (status)
			return status;
		break;
	}
	return ok ? STATUS_OK : STATUS_NOMEM;
}

/* A segment that was cut within a line: the next one begins with its last row, which may have room
 * left. */
static void step_back(struct markdown *markdown, const struct markdown_place *before, size_t *source)
{
	size_t row = markdown->n_rows - 1;

	if (markdown->n_rows <= before->n_rows + 1 || markdown->rows[row].source <= before->source)
		return;
	*source = markdown->rows[row].source;
	buf_remove(&markdown->text, markdown->rows[row].from, SIZE_MAX);
	while (markdown->n_runs && markdown->runs[markdown->n_runs - 1].from >= markdown->text.len)
		markdown->n_runs--;
	markdown->n_rows = row;
}

static enum status lay_out_from(struct markdown *markdown, const char *text, size_t len)
{
	struct markdown_place place = markdown->sure;
	bool sure = true;

	while (place.source < len) {
		struct segment segment;
		struct markdown_place before = place;
		enum status status;

		segment_next(text, len, markdown->growing, &place, &segment);
		status = lay_out(markdown, text, &segment, &place);
		if (status)
			return status;
		place.source = segment.end;
		if (segment.cut)
			step_back(markdown, &before, &place.source);
		place.text = markdown->text.len;
		place.n_runs = markdown->n_runs;
		place.n_rows = markdown->n_rows;
		sure = sure && segment.sure;
		if (sure)
			markdown->sure = place;
	}
	return STATUS_OK;
}

enum status markdown_update(struct markdown *markdown, const char *text, size_t len, bool growing,
                            int cols, bool ticks)
{
	enum status status;

	if (len > LIMIT_MESSAGE)
		return STATUS_LIMIT;
	if (cols < 1)
		cols = 1;
	if (!markdown->text.max)
		markdown_init(markdown);
	if (markdown->len == len && markdown->cols == cols && markdown->growing == growing &&
	    markdown->ticks == ticks)
		return STATUS_OK;
	if (markdown->cols != cols || markdown->ticks != ticks || len < markdown->len)
		markdown->sure = (struct markdown_place){0};
	markdown->cols = cols;
	markdown->ticks = ticks;
	markdown->growing = growing;
	markdown->n_rows = markdown->sure.n_rows;
	markdown->n_runs = markdown->sure.n_runs;
	buf_remove(&markdown->text, markdown->sure.text, SIZE_MAX);
	status = lay_out_from(markdown, text, len);
	if (status)
		markdown_free(markdown);
	else
		markdown->len = len;
	return status;
}

size_t markdown_find(const struct markdown *markdown, size_t source)
{
	size_t next = 0;

	BISECT(next, markdown->n_rows, i, markdown->rows[i].source <= source);
	return next ? next - 1 : 0;
}
