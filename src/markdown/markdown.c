#include "markdown/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/limits.h"
#include "markdown/markdown_internal.h"

void markdown_free(struct markdown *markdown)
{
	buf_free(&markdown->text);
	free(markdown->runs);
	free(markdown->rows);
	*markdown = (struct markdown){0};
}

/* A row for each line of nothing. */
static void blank_rows(struct markdown *markdown, const char *text, const struct segment *segment)
{
	for (size_t at = segment->start; at < segment->end; at++) {
		if (text[at] != '\n')
			continue;
		markdown_row_begin(markdown, NULL, at);
		markdown_row_end(markdown);
	}
}

static void plain_rows(struct markdown *markdown, const char *text, const struct segment *segment)
{
	struct styled styled = STYLED_EMPTY;
	size_t end = segment->end;

	if (!segment->cut && end > segment->start && text[end - 1] == '\n')
		end -= end - 1 > segment->start && text[end - 2] == '\r' ? 2 : 1;
	styled_add(&styled, text + segment->start, end - segment->start, STYLE_ASSISTANT, segment->start);
	markdown_rows(markdown, &styled, NULL, NULL);
	styled_free(&styled);
}

void markdown_rule(struct markdown *markdown, size_t source, const struct styled *first,
                   const struct styled *rest, int cols)
{
	struct styled rule = STYLED_EMPTY;

	styled_fill(&rule, "\u2500", cols > 0 ? (size_t)cols : 0, STYLE_HINT, source);
	markdown_rows(markdown, &rule, first, rest);
	styled_free(&rule);
}

void markdown_code_head(struct markdown *markdown, const char *info, size_t n, uint32_t number, size_t source,
                        const struct styled *first, const struct styled *rest, int cols)
{
	enum { EDGES = 8 }; /* columns of lines and blanks around the two texts */
	struct styled head = STYLED_EMPTY;
	char text[16];
	int width = snprintf(text, sizeof text, "%u", (unsigned)number);
	int left = cols - width - (n ? EDGES + cells_width(info, n) : EDGES / 2);
	bool has_line = left > 0; /* otherwise there is no line any more, but it is all there */

	if (n && has_line)
		styled_puts(&head, "\u2500\u2500 ", STYLE_HINT, source);
	styled_insert(&head, info, n, STYLE_HINT, source);
	if (n)
		styled_puts(&head, " ", STYLE_HINT, source);
	if (has_line) {
		styled_fill(&head, "\u2500", (size_t)left, STYLE_HINT, source);
		styled_puts(&head, " ", STYLE_HINT, source);
	}
	styled_puts(&head, text, STYLE_HINT, source);
	if (has_line)
		styled_puts(&head, " \u2500\u2500", STYLE_HINT, source);
	markdown_rows(markdown, &head, first, rest);
	styled_free(&head);
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
static void code_rows(struct markdown *markdown, const char *text, const struct segment *segment,
                      struct markdown_place *place)
{
	struct styled styled = STYLED_EMPTY;

	if (markdown->growing && may_become_end(text, segment, place->fence))
		return;
	for (size_t at = segment->start, next; at < segment->end; at = next) {
		size_t end = line_end(text, segment->end, at), begin = at;

		next = end < segment->end ? end + 1 : end;
		while (end > at && next > end && text[end - 1] == '\r')
			end--;
		while (begin < end && begin - at < place->fence_indent && text[begin] == ' ')
			begin++;
		styled_add(&styled, text + begin, end - begin, STYLE_CODE, begin);
		if (next < segment->end)
			styled_add(&styled, "\n", 1, STYLE_CODE, end);
	}
	styled_highlight(&styled, place->language, &place->highlight);
	/* The first line may have been cut. */
	markdown_code_rows(markdown, &styled, NULL, NULL, segment->start && text[segment->start - 1] != '\n');
	styled_free(&styled);
}

static void open_fence(const char *text, const struct segment *segment, struct markdown_place *place)
{
	size_t word = segment->info;

	while (word < segment->info_end && !memchr(" \t\r{,", text[word], 5))
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
	enum status status = STATUS_OK;

	switch (segment->kind) {
	case SEGMENT_BLANK:
		blank_rows(markdown, text, segment);
		break;
	case SEGMENT_PLAIN:
		plain_rows(markdown, text, segment);
		place->number = 0;
		break;
	case SEGMENT_FENCE:
		open_fence(text, segment, place);
		markdown_code_head(markdown, text + segment->info, segment->info_end - segment->info,
		                   ++place->n_code, segment->start, NULL, NULL, markdown->cols);
		break;
	case SEGMENT_CODE:
		code_rows(markdown, text, segment, place);
		break;
	case SEGMENT_END:
		place->fence = '\0';
		markdown_rule(markdown, segment->start, NULL, NULL, markdown->cols);
		break;
	case SEGMENT_TEXT:
		status = markdown_block(markdown, text, segment, place);
		break;
	}
	return status ? status : buf_status(&markdown->text);
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
	markdown->text.max = MARKDOWN_MAX;
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
