#include "chat/markdown_line.h"

#include <limits.h>
#include <string.h>

enum { FENCE_MIN = 3, TAB_STOP = 4, MARKER_DIGITS_MAX = 9, HEADING_MAX = 6, RULE_MIN = 3 };

unsigned line_take_blanks(struct markdown_line *line, unsigned most)
{
	unsigned taken = 0;

	while (taken < most) {
		if (line->ahead) {
			line->ahead--;
			line->column++;
			taken++;
		} else if (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) {
			line->ahead = *line->at == ' ' ? 1 : TAB_STOP - line->column % TAB_STOP;
			line->at++;
		} else {
			break;
		}
	}
	return taken;
}

unsigned line_count_blanks(struct markdown_line line)
{
	return line_take_blanks(&line, UINT_MAX);
}

bool line_is_blank(struct markdown_line line)
{
	line_take_blanks(&line, UINT_MAX);
	return line.at == line.end || (line.at + 1 == line.end && *line.at == '\r');
}

static void take_bytes(struct markdown_line *line, size_t n)
{
	line->at += n;
	line->column += (unsigned)n;
}

/* Takes the same mark as often as it stands there. */
static size_t take_run(struct markdown_line *line, char mark)
{
	size_t n = 0;

	for (; line->at < line->end && *line->at == mark; n++)
		take_bytes(line, 1);
	return n;
}

/* Passes over the indent; false: it is code, or nothing is behind it. */
static bool take_indent(struct markdown_line *line)
{
	return line_take_blanks(line, UINT_MAX) <= MARKDOWN_INDENT_MAX && line->at < line->end;
}

bool line_take_quote_mark(struct markdown_line *line)
{
	struct markdown_line rest = *line;

	if (!take_indent(&rest) || *rest.at != '>')
		return false;
	take_bytes(&rest, 1);
	line_take_blanks(&rest, 1);
	*line = rest;
	return true;
}

/* "-", "+", "*", "12.", "12)"; 0: something else. */
static size_t marker_length(struct markdown_line line)
{
	size_t left = (size_t)(line.end - line.at), n = 0;

	if (left && strchr("-+*", *line.at)) {
		n = 1;
	} else {
		while (n < left && n < MARKER_DIGITS_MAX && line.at[n] >= '0' && line.at[n] <= '9')
			n++;
		n = n && n < left && (line.at[n] == '.' || line.at[n] == ')') ? n + 1 : 0;
	}
	return n == left || line.at[n] == ' ' || line.at[n] == '\t' || line.at[n] == '\r' ? n : 0;
}

/* Whether a marker of n bytes may follow a line of a paragraph: an item with text, the first of its list. */
static bool may_interrupt(struct markdown_line line, size_t n)
{
	unsigned number = 0;

	for (size_t i = 0; i + 1 < n; i++)
		number = number * 10 + (unsigned)(line.at[i] - '0');
	take_bytes(&line, n);
	return (n == 1 || number == 1) && !line_is_blank(line);
}

bool line_take_marker(struct markdown_line *line, bool interrupts, unsigned *indent)
{
	struct markdown_line rest = *line;
	unsigned before = line_take_blanks(&rest, UINT_MAX), after;
	size_t n = marker_length(rest);

	if (before > MARKDOWN_INDENT_MAX || !n || (interrupts && !may_interrupt(rest, n)))
		return false;
	take_bytes(&rest, n);
	after = line_count_blanks(rest);
	if (line_is_blank(rest) || after > TAB_STOP) /* nothing, or indented code, follows */
		after = 1;
	line_take_blanks(&rest, after);
	*indent = before + (unsigned)n + after;
	*line = rest;
	return true;
}

/* Takes the blanks and marks that a fence begins with. */
static bool take_fence(struct markdown_line *line, struct markdown_fence *fence)
{
	*fence = (struct markdown_fence){.indent = line_take_blanks(line, UINT_MAX)};
	if (fence->indent > MARKDOWN_INDENT_MAX || line->at == line->end)
		return false;
	fence->mark = *line->at;
	if (fence->mark != '`' && fence->mark != '~')
		return false;
	fence->n = (unsigned)take_run(line, fence->mark);
	return fence->n >= FENCE_MIN;
}

bool line_take_opening(struct markdown_line *line, struct markdown_fence *fence)
{
	struct markdown_line rest = *line;

	if (!take_fence(&rest, fence) ||
	    (fence->mark == '`' && memchr(rest.at, '`', (size_t)(rest.end - rest.at))))
		return false;
	line_take_blanks(&rest, UINT_MAX);
	*line = rest;
	return true;
}

bool line_closes(struct markdown_line line, const struct markdown_fence *open)
{
	struct markdown_fence fence;

	return take_fence(&line, &fence) && fence.mark == open->mark && fence.n >= open->n &&
	       line_is_blank(line);
}

bool line_is_heading(struct markdown_line line)
{
	size_t n;

	if (!take_indent(&line))
		return false;
	n = take_run(&line, '#');
	return n && n <= HEADING_MAX && (line_is_blank(line) || *line.at == ' ' || *line.at == '\t');
}

bool line_is_underline(struct markdown_line line)
{
	return take_indent(&line) && (*line.at == '=' || *line.at == '-') && take_run(&line, *line.at) &&
	       line_is_blank(line);
}

bool line_is_rule(struct markdown_line line)
{
	size_t n = 0;
	char mark;

	if (!take_indent(&line) || !strchr("*-_", mark = *line.at))
		return false;
	while (!line_is_blank(line) && *line.at == mark) {
		n += take_run(&line, mark);
		line_take_blanks(&line, UINT_MAX);
	}
	return n >= RULE_MIN && line_is_blank(line);
}
