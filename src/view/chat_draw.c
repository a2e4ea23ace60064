/* The transcript's rows on the screen. */
#include <string.h>

#include "base/utf8.h"
#include "base/words.h"
#include "chat/branch.h"
#include "view/chat_view_internal.h"

static const char hint_below[] = "\u2193 new output below";

static const char *block_label(const struct chat_view *view, const struct block *block)
{
	const struct node *node = tree_node(view->tree, block->node);

	if (node && node->role != ROLE_SYSTEM)
		return tree_speaker(node);
	return block->text ? block->text : "System";
}

static size_t count_words(const char *text, size_t len)
{
	size_t n = 0;
	bool in_word = false;

	for (size_t i = 0; i < len; i++) {
		bool blank = words_is_blank(text[i]);

		n += !blank && !in_word;
		in_word = !blank;
	}
	return n;
}

/* "thinking", or how much was thought and how to see it. */
static void describe_reasoning(struct buf *out, const struct chat_view *view,
                               const struct block *block)
{
	const struct node *node = tree_node(view->tree, block->node);
	size_t words;

	if (node->state == NODE_STREAMING && !node->len) {
		buf_puts(out, "\u25BE thinking\u2026");
		return;
	}
	words = count_words(node->reasoning, node->reasoning_len);
	buf_printf(out, "%s thought, %zu word%s (%s %s)", block->unfolded ? "\u25BE" : "\u25B8",
	           words, words == 1 ? "" : "s", view->fold_key,
	           block->unfolded ? "folds" : "unfolds");
}

/* Who speaks, which of several takes it is, whether the model gets it, and what was changed above its first
 * blank line: "You 2/3 (left out)", "Model (temp 0.8 → 0.2 after 57 tokens)". */
static void describe_label(struct buf *out, const struct chat_view *view, const struct block *block)
{
	struct branch_take take = branch_take_of(view->tree, block->node);
	const struct node *node = tree_node(view->tree, block->node);
	const char *name = block_label(view, block);
	const char *mark = block->left_out ? block->left_out : node && node->pinned ? "pinned" : NULL;
	bool is_changed = block->marks.n && !block->marks.items[0].source;
	bool is_more = take.n > 1 || mark || is_changed || block->unshaded;
	const size_t most = is_more ? 60 : KIB(4); /* more than any row has */

	buf_append(out, name, utf8_cut(name, strlen(name), most));
	if (take.n > 1)
		buf_printf(out, " %zu/%zu", take.index, take.n);
	if (mark)
		buf_printf(out, " (%s)", mark);
	if (is_changed) {
		buf_puts(out, " (");
		sampling_mark_put(out, &block->marks.items[0]);
		buf_puts(out, ")");
	}
	if (block->unshaded)
		buf_printf(out, " (%s)", block->unshaded);
}

/* That the reply was cut, and what goes on with it: only with the last message, and one that is sent. */
static void describe_cut(struct buf *out, const struct chat_view *view, const struct block *block)
{
	buf_puts(out, "(interrupted)");
	if (view->continue_key && block->node == tree_leaf(view->tree) &&
	    !tree_node(view->tree, block->node)->dropped)
		buf_printf(out, " %s goes on", view->continue_key);
}

static bool is_marked(const struct chat_view *view, const struct block *block)
{
	return block->node && block->node == view->marked && !block->is_reasoning;
}

/* Stretches of a block's text that is shown as it is. */
static void set_runs(struct chat_view *view, const struct block *block, struct text_style *style)
{
	const struct band_runs none = {.n = 0}, *bands = block->left_out ? &none : &block->bands;

	if (block->folded && !block->left_out) {
		style->runs = &block->folded_rows;
		style->n_runs = 1;
	} else if (bands->n) {
		style->runs = bands->items;
		style->n_runs = bands->n;
	}
	if (!is_marked(view, block))
		return;
	band_runs_with(&view->marked_bands, bands, view->mark);
	style->runs = view->marked_bands.n ? view->marked_bands.items : &view->mark;
	style->n_runs = view->marked_bands.n ? view->marked_bands.n : 1;
}

/* One of the lines that a message itself has. */
static void set_line(struct chat_view *view, struct block *block, size_t line, struct row_text *row)
{
	const struct markdown *markdown = &block->markdown;

	chat_rows_line(view, block, line, row);
	if (!chat_rows_are_markdown(view, block)) {
		set_runs(view, block, &row->style);
		return;
	}
	row->style.runs = block->left_out ? NULL : markdown->runs;
	row->style.n_runs = block->left_out ? 0 : markdown->n_runs;
	if (is_marked(view, block) && line >= markdown_find(markdown, view->mark.from) &&
	    line <= markdown_find(markdown, view->mark.from + view->mark.len - 1))
		row->style = (struct text_style){.role = STYLE_SELECTION};
}

static struct row_text row_text(struct chat_view *view, struct place place)
{
	struct block *block = &view->blocks[place.block];
	const struct text_style hint = {.role = STYLE_HINT};
	const struct sampling_mark *change;
	struct row_text row = {.style = block->left_out ? hint : block->style};
	struct buf *own = &view->own;
	size_t line = 0;

	buf_clear(own);
	switch (chat_rows_kind(view, place, &line)) {
	case ROW_LABEL:
		describe_label(own, view, block);
		row.style = (struct text_style){.role = block->node == view->picked ? STYLE_SELECTION
		                                        : block->left_out ? STYLE_HINT
		                                        : block->style.role == STYLE_USER ? STYLE_PROMPT
		                                        : STYLE_LABEL};
		break;
	case ROW_HEAD:
		describe_reasoning(own, view, block);
		row.style = hint;
		break;
	case ROW_TEXT:
		change = chat_rows_mark(view, block, line);
		if (change) {
			buf_puts(own, "\u2500\u2500 ");
			sampling_mark_put(own, change);
			buf_puts(own, " \u2500\u2500");
			row.style = hint;
			break;
		}
		set_line(view, block, line, &row);
		return row;
	case ROW_MARK:
		if (block->state == NODE_STREAMING)
			buf_puts(own, "\u2026");
		else
			describe_cut(own, view, block);
		row.style = hint;
		break;
	case ROW_BLANK:
		break;
	}
	row.bytes = buf_text(own);
	row.to = row.n = own->len;
	return row;
}

static int draw_row(struct chat_view *view, struct place place, WINDOW *win, int y, int x)
{
	struct row_text text;

	if (place.row >= chat_rows_count(view, place.block))
		return 0;
	text = row_text(view, place);
	return cells_draw_styled(win, y, x, view->cols, &text.style, text.bytes, text.n, text.from,
	                         text.to);
}

static void draw_hint(const struct chat_view *view, WINDOW *win, int y, int x)
{
	int used = cells_text_width(hint_below);

	used = used < view->cols ? view->cols - used : 0;
	cells_fill(win, y, x, used, STYLE_ASSISTANT);
	cells_puts(win, y, x + used, view->cols - used, STYLE_HINT, hint_below);
}

void chat_view_draw(struct chat_view *view, WINDOW *win, int y, int x)
{
	struct place place = {0, 0};
	bool more = view->n > 0;

	if (more)
		place = chat_scroll_first(view);
	for (int row = 0; row < view->rows; row++) {
		int used = more ? draw_row(view, place, win, y + row, x) : 0;

		cells_fill(win, y + row, x + used, view->cols - used, STYLE_ASSISTANT);
		more = more && chat_rows_down(view, &place, 1);
	}
	if (view->new_below)
		draw_hint(view, win, y + view->rows - 1, x);
}
