#include "chat/code_blocks.h"

#include <limits.h>
#include <string.h>

enum { FENCE_MIN = 3, INDENT_MAX = 3, TAB_STOP = 4, MARKER_DIGITS_MAX = 9 };

/* What is left of a line. A tab can be taken in parts: `ahead` is what is left of the last one. */
struct line {
	const char *at, *end; /* without the line break */
	unsigned column, ahead;
};

struct fence {
	char mark;
	unsigned n;      /* how many marks */
	unsigned indent; /* columns before them */
};

void code_blocks_begin(struct code_blocks *blocks, const char *text, size_t len)
{
	*blocks = (struct code_blocks){.text = text, .len = len};
}

static struct line take_line(struct code_blocks *blocks)
{
	const char *at = blocks->text + blocks->at;
	const char *end = memchr(at, '\n', blocks->len - blocks->at);
	struct line line = {.at = at, .end = end ? end : blocks->text + blocks->len};

	blocks->at = (size_t)(line.end - blocks->text) + (end ? 1 : 0);
	return line;
}

/* Takes at most so many columns of blanks; returns how many there were. */
static unsigned take_blanks(struct line *line, unsigned most)
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

static unsigned count_blanks(struct line line)
{
	return take_blanks(&line, UINT_MAX);
}

/* A carriage return belongs to the line's end. */
static bool is_blank(struct line line)
{
	take_blanks(&line, UINT_MAX);
	return line.at == line.end || (line.at + 1 == line.end && *line.at == '\r');
}

static void take_bytes(struct line *line, size_t n)
{
	line->at += n;
	line->column += (unsigned)n;
}

static bool take_quote_mark(struct line *line)
{
	struct line rest = *line;

	if (take_blanks(&rest, UINT_MAX) > INDENT_MAX || rest.at == rest.end || *rest.at != '>')
		return false;
	take_bytes(&rest, 1);
	take_blanks(&rest, 1);
	*line = rest;
	return true;
}

/* "-", "+", "*", "12.", "12)"; 0: something else. */
static size_t marker_length(struct line line)
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

/* Takes a list item's marker; *indent: the columns that its text is indented by. */
static bool take_marker(struct line *line, unsigned *indent)
{
	struct line rest = *line;
	unsigned before = take_blanks(&rest, UINT_MAX), after;
	size_t n = marker_length(rest);

	if (before > INDENT_MAX || !n)
		return false;
	take_bytes(&rest, n);
	after = count_blanks(rest);
	if (is_blank(rest) || after > TAB_STOP) /* nothing, or indented code, follows */
		after = 1;
	take_blanks(&rest, after);
	*indent = before + (unsigned)n + after;
	*line = rest;
	return true;
}

/* Takes the marks and blanks of the lists and quotes that the line goes on with; returns how many
 * of them it does. */
static size_t take_containers(const struct code_blocks *blocks, struct line *line)
{
	size_t i;

	for (i = 0; i < blocks->depth; i++) {
		unsigned indent = blocks->indents[i];

		if (!indent ? !take_quote_mark(line) : !is_blank(*line) && count_blanks(*line) < indent)
			break;
		take_blanks(line, indent);
	}
	return i;
}

static void open_containers(struct code_blocks *blocks, struct line *line)
{
	while (blocks->depth < CODE_BLOCKS_DEPTH) {
		unsigned indent = 0;

		if (!take_quote_mark(line) && !take_marker(line, &indent))
			return;
		blocks->indents[blocks->depth++] = indent;
	}
}

/* Takes the blanks and marks that a fence begins with. */
static bool take_fence(struct line *line, struct fence *fence)
{
	*fence = (struct fence){.indent = take_blanks(line, UINT_MAX)};
	if (fence->indent > INDENT_MAX || line->at == line->end)
		return false;
	fence->mark = *line->at;
	if (fence->mark != '`' && fence->mark != '~')
		return false;
	for (; line->at < line->end && *line->at == fence->mark; fence->n++)
		take_bytes(line, 1);
	return fence->n >= FENCE_MIN;
}

static bool opens(struct line line, struct fence *fence, struct code_block *block)
{
	if (!take_fence(&line, fence) ||
	    (fence->mark == '`' && memchr(line.at, '`', (size_t)(line.end - line.at))))
		return false;
	take_blanks(&line, UINT_MAX);
	*block = (struct code_block){.language = line.at};
	for (; line.at < line.end && !strchr(" \t\r", *line.at); line.at++)
		block->language_len++;
	return true;
}

static bool closes(struct line line, const struct fence *open)
{
	struct fence fence;

	return take_fence(&line, &fence) && fence.mark == open->mark && fence.n >= open->n &&
	       is_blank(line);
}

/* With the line break that the text has behind the line. */
static void add_code(struct buf *code, struct line line, const struct fence *fence,
                     const char *next)
{
	take_blanks(&line, fence->indent);
	for (; line.ahead; line.ahead--)
		buf_putc(code, ' ');
	buf_append(code, line.at, (size_t)(next - line.at));
}

/* From behind the opening fence to the closing one, or to the end of the list or quote. */
static void read_block(struct code_blocks *blocks, const struct fence *fence,
                       struct code_block *block, struct buf *code)
{
	block->start = block->end = blocks->at;
	while (blocks->at < blocks->len) {
		size_t begin = blocks->at;
		struct line line = take_line(blocks);

		block->end = begin;
		if (take_containers(blocks, &line) < blocks->depth) {
			blocks->at = begin;
			return;
		}
		if (closes(line, fence)) {
			block->closed = true;
			return;
		}
		if (code)
			add_code(code, line, fence, blocks->text + blocks->at);
		block->end = blocks->at;
	}
}

bool code_blocks_next(struct code_blocks *blocks, struct code_block *block, struct buf *code)
{
	while (blocks->at < blocks->len) {
		struct line line = take_line(blocks);
		struct fence fence;

		blocks->depth = take_containers(blocks, &line);
		open_containers(blocks, &line);
		if (!opens(line, &fence, block))
			continue;
		read_block(blocks, &fence, block, code);
		return true;
	}
	return false;
}

size_t code_blocks_count(const char *text, size_t len)
{
	struct code_blocks blocks;
	struct code_block block;
	size_t n = 0;

	code_blocks_begin(&blocks, text, len);
	while (code_blocks_next(&blocks, &block, NULL))
		n++;
	return n;
}
