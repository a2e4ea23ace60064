/* The rows of the transcript's blocks. */
#include <string.h>

#include "terminal/style.h"
#include "view/chat_view_internal.h"

/* The columns that text is wrapped to. Notices use the full width: they have tables, and commands
 * to copy. */
static int text_cols(const struct chat_view *view, const struct block *block)
{
	return block->node && view->width > 0 && view->width < view->cols ? view->width : view->cols;
}

const char *chat_rows_text(const struct chat_view *view, const struct block *block)
{
	const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;

	if (node && block->is_reasoning)
		return node->reasoning;
	if (node && block->folded)
		return block->folded;
	return node ? node->text : block->text;
}

bool chat_rows_are_markdown(const struct chat_view *view, const struct block *block)
{
	const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;

	return node && node->role == ROLE_ASSISTANT && !block->is_reasoning && !view->raw && !block->bands.shade;
}

/* Code that looks like other text, for want of colours, keeps its backticks. */
static bool code_looks_plain(void)
{
	const struct style code = style_of(STYLE_CODE), text = style_of(STYLE_ASSISTANT);

	return code.attr == text.attr && code.pair == text.pair;
}

size_t chat_rows_wrap(struct chat_view *view, struct block *block)
{
	const char *text = chat_rows_text(view, block);
	int cols = text_cols(view, block);

	if (!block->len || (block->is_reasoning && !block->unfolded))
		return 0;
	if (chat_rows_are_markdown(view, block))
		return markdown_update(&block->markdown, text, block->len, block->state == NODE_STREAMING,
		                       cols, code_looks_plain())
		       ? 0 : block->markdown.n_rows;
	return wrap_update(&block->wrap, text, block->len, cols) ? 0 : block->wrap.n;
}

size_t chat_rows_source(const struct chat_view *view, const struct block *block, size_t line)
{
	return chat_rows_are_markdown(view, block) ? block->markdown.rows[line].source : block->wrap.lines[line].start;
}

size_t chat_rows_find(const struct chat_view *view, const struct block *block, size_t source)
{
	return chat_rows_are_markdown(view, block) ? markdown_find(&block->markdown, source)
	                                : wrap_find(&block->wrap, source);
}

void chat_rows_line(const struct chat_view *view, const struct block *block, size_t line,
                    struct row_text *row)
{
	const struct markdown *markdown = &block->markdown;

	if (chat_rows_are_markdown(view, block)) {
		row->bytes = markdown->text.data;
		row->n = markdown->text.len;
		row->from = markdown->rows[line].from;
		row->to = markdown->rows[line].to;
	} else {
		row->bytes = chat_rows_text(view, block);
		row->n = block->len;
		row->from = block->wrap.lines[line].start;
		row->to = block->wrap.lines[line].end;
	}
}

/* Of a blank line nothing is drawn but what surrounds it: a quote's bar. */
static bool is_blank(const struct chat_view *view, const struct block *block, size_t line)
{
	struct row_text row;

	chat_rows_line(view, block, line, &row);
	while (row.from < row.to && memchr(" \t\r", row.bytes[row.from], 3))
		row.from++;
	return row.from == row.to;
}

const struct sampling_mark *chat_rows_mark(const struct chat_view *view, const struct block *block, size_t line)
{
	if (!block->marks.n || block->is_reasoning || !is_blank(view, block, line))
		return NULL;
	for (size_t i = 0; i < block->marks.n; i++) {
		size_t row = block->marks.items[i].source ? chat_rows_find(view, block, block->marks.items[i].source)
		                                          : line + 1;

		/* In Markdown a blank row counts to what is below it. */
		if (row == line || (row + 1 == line && !is_blank(view, block, row)))
			return &block->marks.items[i];
	}
	return NULL;
}

size_t chat_rows_above(const struct chat_view *view, const struct block *block)
{
	if (block->is_reasoning)
		return 2;
	return block->node && !chat_view_has_reasoning(view, block->node) ? 1 : 0;
}

static bool has_mark(const struct chat_view *view, const struct block *block)
{
	if (block->is_reasoning)
		return false;
	return block->state == NODE_INTERRUPTED ||
	       (block->state == NODE_STREAMING && !block->len && !chat_view_has_reasoning(view, block->node));
}

/* There is no blank row between notices. */
static bool blank_after(const struct chat_view *view, size_t index)
{
	if (index + 1 >= view->n)
		return false;
	if (view->blocks[index].is_reasoning) /* a blank row only between two texts */
		return view->blocks[index].unfolded &&
		       (view->blocks[index + 1].len || has_mark(view, &view->blocks[index + 1]));
	return view->blocks[index].node || view->blocks[index + 1].node;
}

size_t chat_rows_count(struct chat_view *view, size_t index)
{
	struct block *block = &view->blocks[index];

	return chat_rows_above(view, block) + chat_rows_wrap(view, block) + has_mark(view, block) +
	       blank_after(view, index);
}

enum row_kind chat_rows_kind(struct chat_view *view, struct place place, size_t *line)
{
	struct block *block = &view->blocks[place.block];
	size_t lines = chat_rows_wrap(view, block), row = place.row;

	if (row < chat_rows_above(view, block))
		return row == 0 ? ROW_LABEL : ROW_HEAD;
	row -= chat_rows_above(view, block);
	*line = row;
	if (row < lines)
		return ROW_TEXT;
	return row == lines && has_mark(view, block) ? ROW_MARK : ROW_BLANK;
}

size_t chat_rows_down(struct chat_view *view, struct place *place, size_t rows)
{
	size_t left = rows;

	while (place->block < view->n && left) {
		/* The rows from the place on, its own one too. */
		size_t here = chat_rows_count(view, place->block) - place->row;

		if (left < here || place->block + 1 == view->n) {
			size_t step = left < here ? left : here ? here - 1 : 0;

			place->row += step;
			return rows - left + step;
		}
		left -= here;
		*place = (struct place){place->block + 1, 0};
	}
	return rows - left;
}

size_t chat_rows_up(struct chat_view *view, struct place *place, size_t rows)
{
	size_t left = rows, step;

	while (left > place->row && place->block) {
		left -= place->row;
		place->block--;
		place->row = chat_rows_count(view, place->block); /* behind its last row */
	}
	step = left < place->row ? left : place->row;
	place->row -= step;
	return rows - left + step;
}
