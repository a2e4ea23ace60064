/* Where a text can be cut so that its parts can be laid out one by one: at blank lines, before the
 * items of a list, around fenced code. What stands before a cut does not depend on what follows. */
#include "markdown/markdown_internal.h"

#include <string.h>

/* A line, without its newline. */
struct line {
	size_t start, end, next; /* next: of the line below */
	size_t text;             /* the first byte that is not blank; `end` for a blank line */
	unsigned indent;         /* in columns */
	bool whole;              /* its newline is there */
};

static void read_line(const char *text, size_t len, size_t at, struct line *line)
{
	*line = (struct line){.start = at, .text = at, .end = line_end(text, len, at)};
	line->whole = line->end < len;
	line->next = line->end + line->whole;
	if (line->whole && line->end > at && text[line->end - 1] == '\r')
		line->end--;
	for (; line->text < line->end; line->text++) {
		if (text[line->text] == ' ')
			line->indent++;
		else if (text[line->text] == '\t')
			line->indent += 4 - line->indent % 4;
		else
			return;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The column at which the text of a list's item begins, 0 for no item. */
static unsigned item_column(const char *text, const struct line *line, bool *is_one)
{
	size_t at = line->text, end = line->end;
	unsigned blanks = 0;

	*is_one = true;
	if (at == end || line->indent > 3)
		return 0;
	if (text[at] == '-' || text[at] == '+' || text[at] == '*') {
		at++;
	} else {
		while (at < end && is_digit(text[at]) && at - line->text < 9)
			at++;
		if (at == line->text || at == end || (text[at] != '.' && text[at] != ')'))
			return 0;
		*is_one = at == line->text + 1 && text[line->text] == '1';
		at++;
	}
	if (at < end && text[at] != ' ' && text[at] != '\t')
		return 0;
	while (at + blanks < end && text[at + blanks] == ' ')
		blanks++;
	if (at + blanks == end) {
		*is_one = false; /* an empty item does not end a paragraph */
		blanks = 1;
	} else if (!blanks || blanks > 4) {
		blanks = 1;
	}
	return line->indent + (unsigned)(at - line->text) + blanks;
}

static bool opens_fence(const char *text, const struct line *line, struct segment *segment)
{
	size_t n, at = line->text;

	if (at == line->end || line->indent > 3 || (text[at] != '`' && text[at] != '~'))
		return false;
	n = run_of(text, line->end, at);
	if (n < 3 || (text[at] == '`' && memchr(text + at + n, '`', line->end - at - n)))
		return false;
	segment->fence = text[at];
	segment->fence_len = (unsigned)n;
	segment->fence_indent = line->indent;
	segment->info = at + n;
	segment->info_end = line->end;
	while (segment->info < segment->info_end && (text[segment->info] == ' ' || text[segment->info] == '\t'))
		segment->info++;
	while (segment->info_end > segment->info && (text[segment->info_end - 1] == ' ' ||
	                                             text[segment->info_end - 1] == '\t'))
		segment->info_end--;
	return true;
}

/* Whether the line is made of the fence's marks and nothing else: their number, 0 if not. */
static size_t closing_marks(const char *text, const struct line *line, char fence)
{
	size_t n, at = line->text;

	if (at == line->end || line->indent > 3 || text[at] != fence)
		return 0;
	n = run_of(text, line->end, at);
	for (at += n; at < line->end; at++)
		if (text[at] != ' ' && text[at] != '\t')
			return 0;
	return n;
}

static bool opens_heading(const char *text, const struct line *line)
{
	size_t n;

	if (line->text == line->end || line->indent > 3 || text[line->text] != '#')
		return false;
	n = run_of(text, line->end, line->text);
	return n <= 6 && (line->text + n == line->end || text[line->text + n] == ' ' ||
	                  text[line->text + n] == '\t');
}

/* Where maths that begins with this line ends, 0 for none: from \[ to \] or $$ to $$, no blank line
 * in between. *open: its end may be in what has not come yet. */
static size_t maths_end(const char *text, size_t len, const struct line *first, bool *open)
{
	const char *close;
	struct line line = *first;
	size_t at = first->text + 2;

	*open = false;
	if (first->indent > 3 || first->end - first->text < 2)
		return 0;
	if (memcmp(text + first->text, "\\[", 2) == 0)
		close = "\\]";
	else if (memcmp(text + first->text, "$$", 2) == 0)
		close = "$$";
	else
		return 0;
	for (;;) {
		for (; at + 2 <= line.end; at++)
			if (memcmp(text + at, close, 2) == 0)
				return line.next;
		if (line.next - first->start > MARKDOWN_SEGMENT)
			return 0;
		if (line.next == len) {
			*open = true;
			return 0;
		}
		read_line(text, len, line.next, &line);
		*open = line.text == line.end && !line.whole;
		if (line.text == line.end)
			return 0;
		at = line.start;
	}
}

/* A line that is longer than a segment: cut at its last blank, or anywhere in it. */
static void cut_line(const char *text, size_t len, struct segment *segment)
{
	size_t end = segment->start + MARKDOWN_SEGMENT;

	while (end > segment->start + MARKDOWN_SEGMENT / 2 && text[end - 1] != ' ')
		end--;
	if (text[end - 1] != ' ')
		for (end = segment->start + MARKDOWN_SEGMENT; end < len && (text[end] & 0xC0) == 0x80;)
			end++;
	if (end >= len)
		return;
	segment->end = end;
	segment->sure = segment->cut = true;
}

/* Whether nothing in it could be Markdown. */
static bool is_plain(const char *text, size_t len, const struct segment *segment)
{
	size_t at = segment->start;

	while (at < segment->end) {
		struct line line;
		struct segment fence;
		bool is_one;

		read_line(text, segment->end < len ? segment->end : len, at, &line);
		if (line.indent > 3 || item_column(text, &line, &is_one) || opens_fence(text, &line, &fence))
			return false;
		if (line.text < line.end && strchr("#=-+>", text[line.text]))
			return false;
		for (at = line.text; at < line.end; at++) {
			if (strchr("*_`[]<>~|&\\$", text[at]))
				return false;
			if ((text[at] == ':' && line.end - at > 2 && text[at + 1] == '/') ||
			    (text[at] == 'w' && line.end - at > 3 && memcmp(text + at, "www.", 4) == 0))
				return false;
		}
		at = line.next;
	}
	return true;
}

/* Whether the line is a table's head: the one below it says so. */
static bool opens_table(const char *text, size_t len, const struct line *line, bool growing)
{
	struct line below;

	if (line->next == len || !memchr(text + line->start, '|', line->end - line->start))
		return false;
	read_line(text, len, line->next, &below);
	return (below.whole || !growing) &&
	       markdown_opens_table(text, line->start, line->end, below.start, below.end);
}

/* Lines that belong together, from the first on, which is not blank. */
static void next_text(const char *text, size_t len, const struct line *first, bool growing,
                      struct segment *segment)
{
	struct segment fence;
	struct line line = *first, below;
	bool is_one, open = false;
	unsigned column = item_column(text, first, &is_one);
	size_t most = memchr(text + first->start, '|', first->end - first->start) ? MARKDOWN_TABLE
	                                                                          : MARKDOWN_SEGMENT;
	bool in_line = first->end - first->start > MARKDOWN_SEGMENT;
	/* For the parser a table does not end a paragraph. */
	bool may_end = !column && text[first->text] != '>' && !opens_table(text, len, first, growing);

	while (!in_line && line.next < len) {
		read_line(text, len, line.next, &below);
		if (below.text == below.end) { /* an item's text may go on behind blank lines */
			struct line end = below;

			while (below.text == below.end && below.next < len)
				read_line(text, len, below.next, &below);
			if (!column || below.text == below.end || below.indent < column)
				below = end;
			if (below.start == end.start)
				break;
		}
		if (!column || below.indent < column) {
			unsigned item = item_column(text, &below, &is_one);

			if ((item && (column || is_one)) || opens_fence(text, &below, &fence) ||
			    opens_heading(text, &below) || maths_end(text, len, &below, &open) ||
			    (open && growing) || (may_end && opens_table(text, len, &below, growing)))
				break;
		}
		if (below.next - segment->start > most) {
			segment->end = line.next;
			segment->sure = true;
			return;
		}
		line = below;
	}
	segment->end = line.next;
	if (in_line)
		cut_line(text, len, segment);
	if (!segment->cut && line.next < len) {
		read_line(text, len, line.next, &below);
		/* What a line begins with says whether it goes on with this; behind blank lines, the first
		 * that is not blank. */
		while (below.text == below.end && below.next < len)
			read_line(text, len, below.next, &below);
		segment->sure = !open && below.whole && below.text < below.end;
	}
}

static void next_code(const char *text, size_t len, const struct markdown_place *place,
                      struct segment *segment)
{
	struct line line;
	size_t at = segment->start;

	read_line(text, len, at, &line);
	if (closing_marks(text, &line, place->fence) >= place->fence_len) {
		segment->kind = SEGMENT_END;
		segment->end = line.next;
		segment->sure = line.whole;
		return;
	}
	segment->kind = SEGMENT_CODE;
	segment->sure = true;
	for (;;) {
		if (line.end - line.start > MARKDOWN_CODE && at == segment->start) {
			cut_line(text, len, segment);
			if (segment->cut)
				return;
		}
		if (!line.whole)
			segment->sure = false;
		at = line.next;
		segment->end = at;
		if (at == len || at - segment->start > MARKDOWN_CODE)
			return;
		read_line(text, len, at, &line);
		if (closing_marks(text, &line, place->fence) >= place->fence_len)
			return;
		if (!line.whole || line.end - line.start > MARKDOWN_CODE)
			return; /* a segment of its own */
	}
}

void segment_next(const char *text, size_t len, bool growing, const struct markdown_place *place,
                  struct segment *segment)
{
	struct line line;
	size_t end;
	bool open;

	*segment = (struct segment){.start = place->source};
	if (place->fence) {
		next_code(text, len, place, segment);
		return;
	}
	read_line(text, len, segment->start, &line);
	if (line.text == line.end) {
		segment->kind = SEGMENT_BLANK;
		while (line.text == line.end && line.next < len)
			read_line(text, len, line.next, &line);
		segment->end = line.text == line.end ? len : line.start;
		segment->sure = segment->end < len;
		return;
	}
	if (opens_fence(text, &line, segment)) {
		segment->kind = SEGMENT_FENCE;
		segment->end = line.next;
		segment->sure = line.whole;
		return;
	}
	end = maths_end(text, len, &line, &open);
	if (end || (open && growing)) {
		segment->kind = SEGMENT_PLAIN;
		segment->end = end ? end : len;
		segment->sure = segment->end < len;
		return;
	}
	next_text(text, len, &line, growing, segment);
	segment->last = segment->end == len;
	segment->kind = is_plain(text, len, segment) ? SEGMENT_PLAIN : SEGMENT_TEXT;
}
