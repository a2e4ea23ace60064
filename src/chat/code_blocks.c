#include "chat/code_blocks.h"

#include <limits.h>
#include <string.h>

#include "chat/markdown_line.h"

void code_blocks_begin(struct code_blocks *blocks, const char *text, size_t len)
{
	*blocks = (struct code_blocks){.text = text, .len = len};
}

static struct markdown_line take_line(struct code_blocks *blocks)
{
	const char *at = blocks->text + blocks->at;
	const char *end = memchr(at, '\n', blocks->len - blocks->at);
	struct markdown_line line = {.at = at, .end = end ? end : blocks->text + blocks->len};

	blocks->at = (size_t)(line.end - blocks->text) + (end ? 1 : 0);
	return line;
}

/* Whether a list's item goes on with this line. One that has nothing yet ends with an empty line. */
static bool goes_on(const struct code_blocks *blocks, size_t i, struct markdown_line line)
{
	bool has_nothing = blocks->is_new && i + 1 == blocks->depth;

	return line_count_blanks(line) >= blocks->indents[i] || (line_is_blank(line) && !has_nothing);
}

/* Takes the marks and blanks of the lists and quotes that the line goes on with; returns how many
 * of them it does. */
static size_t take_containers(const struct code_blocks *blocks, struct markdown_line *line)
{
	size_t i;

	for (i = 0; i < blocks->depth; i++) {
		unsigned indent = blocks->indents[i];

		if (!indent ? !line_take_quote_mark(line) : !goes_on(blocks, i, *line))
			break;
		line_take_blanks(line, indent);
	}
	return i;
}

/* Lists and quotes that the line begins. `interrupts`: it would end a paragraph. Whether there was one. */
static bool open_containers(struct code_blocks *blocks, struct markdown_line *line, bool interrupts)
{
	bool found = false;

	while (blocks->depth < CODE_BLOCKS_DEPTH) {
		unsigned indent = 0;

		if (!line_take_quote_mark(line) &&
		    (line_is_rule(*line) || (interrupts && line_is_underline(*line)) ||
		     !line_take_marker(line, interrupts, &indent)))
			break;
		blocks->indents[blocks->depth++] = indent;
		blocks->is_new = indent && line_is_blank(*line);
		interrupts = false;
		found = true;
	}
	return found;
}

/* With the line break that the text has behind the line. */
static void add_code(struct buf *code, struct markdown_line line, const struct markdown_fence *fence,
                     const char *next)
{
	line_take_blanks(&line, fence->indent);
	for (; line.ahead; line.ahead--)
		buf_putc(code, ' ');
	buf_append(code, line.at, (size_t)(next - line.at));
}

/* From behind the opening fence to the closing one, or to the end of the list or quote. */
static void read_block(struct code_blocks *blocks, const struct markdown_fence *fence,
                       struct code_block *block, struct buf *code)
{
	block->start = block->end = blocks->at;
	while (blocks->at < blocks->len) {
		size_t begin = blocks->at;
		struct markdown_line line = take_line(blocks);

		block->end = begin;
		if (take_containers(blocks, &line) < blocks->depth) {
			blocks->at = begin;
			return;
		}
		if (line_closes(line, fence)) {
			block->closed = true;
			return;
		}
		if (code)
			add_code(code, line, fence, blocks->text + blocks->at);
		block->end = blocks->at;
	}
}

/* Whether the line belongs to a block of HTML, or begins one. */
static bool take_html(struct code_blocks *blocks, struct markdown_line line, bool interrupts)
{
	if (!blocks->html)
		blocks->html = line_begins_html(line, interrupts);
	if (!blocks->html)
		return false;
	if (line_ends_html(line, blocks->html))
		blocks->html = 0;
	return true;
}

/* A line outside of blocks of code; true: it opens one. */
static bool pass_line(struct code_blocks *blocks, struct markdown_line *line, struct markdown_fence *fence)
{
	const size_t depth = blocks->depth, n_taken = take_containers(blocks, line);
	const bool was_paragraph = blocks->in_paragraph, interrupts = was_paragraph && n_taken == depth;
	bool is_lazy;

	if (n_taken < depth)
		blocks->html = 0;
	if (blocks->html)
		return !take_html(blocks, *line, false);
	blocks->is_new = blocks->is_new && n_taken == depth && line_is_blank(*line);
	blocks->depth = n_taken;
	is_lazy = !open_containers(blocks, line, interrupts) && was_paragraph;
	blocks->in_paragraph = false;
	if (line_take_opening(line, fence))
		return true;
	if (line_is_blank(*line) || line_is_heading(*line) || line_is_rule(*line) ||
	    (interrupts && is_lazy && line_is_underline(*line)) ||
	    take_html(blocks, *line, is_lazy) ||
	    (!is_lazy && line_count_blanks(*line) > MARKDOWN_INDENT_MAX))
		return false;
	/* A paragraph goes on without the marks of what it stands in. */
	blocks->in_paragraph = true;
	if (is_lazy)
		blocks->depth = depth;
	return false;
}

bool code_blocks_next(struct code_blocks *blocks, struct code_block *block, struct buf *code)
{
	while (blocks->at < blocks->len) {
		struct markdown_line line = take_line(blocks);
		struct markdown_fence fence;

		if (!pass_line(blocks, &line, &fence))
			continue;
		*block = (struct code_block){.language = line.at, .mark = fence.mark, .n_marks = fence.n};
		for (; line.at < line.end && !strchr(" \t\r", *line.at); line.at++)
			block->language_len++;
		blocks->is_new = false;
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

enum status code_blocks_put_end(struct buf *out, const char *text, size_t len)
{
	struct code_block block = {.closed = true};
	struct code_blocks blocks;
	const char *html;

	code_blocks_begin(&blocks, text, len);
	while (code_blocks_next(&blocks, &block, NULL))
		;
	if (blocks.depth) /* what it stands in ends */
		return buf_status(out);
	if (!block.closed && block.end == len) {
		for (unsigned i = 0; i < block.n_marks; i++)
			buf_putc(out, block.mark);
		buf_putc(out, '\n');
	}
	html = blocks.html ? html_block_end(blocks.html) : NULL;
	if (html)
		buf_printf(out, "%s\n", html);
	return buf_status(out);
}
