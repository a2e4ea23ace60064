#include "view/chat_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/branch.h"
#include "chat/path.h"
#include "markdown/markdown.h"
#include "terminal/cells.h"
#include "terminal/style.h"
#include "terminal/wrap.h"

static const char hint_below[] = "\u2193 new output below";
static const char text_interrupted[] = "(interrupted)";
static const char text_waiting[] = "\u2026";

enum { HEAD_MAX = 120 };

/* A message or a notice: a label row (messages), the text's lines, a row that
 * says so when a reply was interrupted, and a blank row before what follows.
 * What the model thought before a reply is a block of its own above it, which
 * then has the label, and a head row that says whether the rest is folded. */
struct block {
	uint32_t node;  /* 0 for a notice */
	bool is_reasoning;
	bool unfolded;  /* reasoning: its text is shown */
	bool left_out;  /* the model no longer gets it */
	uint32_t after; /* a notice: the message above it, 0 for none */
	struct text_style style; /* its runs count from the text's beginning */
	char *text;     /* owned; a notice's text, a system message's label */
	size_t len;     /* of the text, as of the last sync, without newlines at its end */
	enum node_state state;
	struct wrap wrap;
	struct markdown markdown; /* a reply's, while it is shown as Markdown */
};

/* A row of the transcript. Rows count from the block's first. */
struct place {
	size_t block;
	size_t row;
};

enum row_kind { ROW_LABEL, ROW_HEAD, ROW_TEXT, ROW_MARK, ROW_BLANK };

struct chat_view {
	const struct tree *tree; /* borrowed */
	struct block *blocks;    /* owned */
	size_t n, cap;
	uint32_t *path;          /* owned; room for the ids of the tree's path */
	size_t cap_path;
	int rows, cols;
	int width;               /* columns of text at the most; 0: no limit */
	struct place top;        /* the first row shown, while not following */
	bool following;          /* the end stays in sight */
	bool new_below;
	bool raw;                /* replies are shown as they are written */
	bool shows_reasoning;    /* even after the reply has begun */
	uint32_t picked;         /* the message whose label is marked; 0: none */
	size_t n_left_out;       /* messages: the oldest, system messages aside */
	uint32_t marked;         /* a message with a mark in its text; 0: none */
	struct style_run mark;
	char head[HEAD_MAX];     /* text of the last head row, or of a label with more than a name */
};

struct chat_view *chat_view_create(void)
{
	struct chat_view *view = alloc_array(1, sizeof *view);

	if (view) {
		view->following = true;
		view->rows = 24;
		view->cols = 80;
	}
	return view;
}

static void block_free(struct block *block)
{
	free(block->text);
	wrap_free(&block->wrap);
	markdown_free(&block->markdown);
}

static void free_blocks(struct chat_view *view, size_t from)
{
	for (size_t i = from; i < view->n; i++)
		block_free(&view->blocks[i]);
	view->n = from;
}

void chat_view_free(struct chat_view *view)
{
	if (!view)
		return;
	free_blocks(view, 0);
	free(view->blocks);
	free(view->path);
	free(view);
}

void chat_view_set_tree(struct chat_view *view, const struct tree *tree)
{
	free_blocks(view, 0);
	view->tree = tree;
	chat_view_to_bottom(view);
}

/* The columns that text is wrapped to. Notices use the full width: they have tables, and commands
 * to copy. */
static int text_cols(const struct chat_view *view, const struct block *block)
{
	return block->node && view->width > 0 && view->width < view->cols ? view->width : view->cols;
}

void chat_view_set_left_out(struct chat_view *view, size_t n)
{
	view->n_left_out = n;
}

void chat_view_set_picked(struct chat_view *view, uint32_t message)
{
	view->picked = message;
}

static const char *block_text(const struct chat_view *view, const struct block *block)
{
	const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;

	if (node && block->is_reasoning)
		return node->reasoning;
	return node ? node->text : block->text;
}

static const char *block_label(const struct chat_view *view, const struct block *block)
{
	const struct node *node = tree_node(view->tree, block->node);

	switch (node ? node->role : ROLE_SYSTEM) {
	case ROLE_USER: return "You";
	case ROLE_ASSISTANT: return node->model ? node->model : "Assistant";
	default: return block->text ? block->text : "System";
	}
}

/* "System, from here on (template translator to=German)"; NULL without memory. */
static char *system_label(const struct tree *tree, const struct node *node)
{
	struct buf label;

	buf_init(&label, LIMIT_MESSAGE);
	buf_puts(&label, node->len || !node->whole ? "System" : "No system message");
	if (path_has_talk_before(tree, node))
		buf_puts(&label, node->whole ? ", for the whole conversation" : ", from here on");
	if (node->origin)
		buf_printf(&label, " (template %s)", node->origin);
	return buf_take(&label, NULL);
}

/* Newlines and blanks at a text's end are not worth a row. */
static size_t trimmed(const char *text, size_t len)
{
	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r' || text[len - 1] == ' '))
		len--;
	return len;
}

/* Brings a block up to date with its node; true when something has changed. */
static bool refresh_block(struct chat_view *view, struct block *block)
{
	static const enum theme_role styles[ROLE_COUNT] = {
		[ROLE_SYSTEM] = STYLE_SYSTEM, [ROLE_USER] = STYLE_USER,
		[ROLE_ASSISTANT] = STYLE_ASSISTANT,
	};
	const struct node *node = tree_node(view->tree, block->node);
	size_t len = block->is_reasoning ? trimmed(node->reasoning, node->reasoning_len)
	                                 : trimmed(node->text, node->len);
	bool unfolded = block->is_reasoning &&
	                (view->shows_reasoning || (node->state == NODE_STREAMING && !node->len));
	bool changed = len != block->len || node->state != block->state ||
	               unfolded != block->unfolded;

	if (len < block->len) { /* it has not grown: it is another text */
		wrap_free(&block->wrap);
		markdown_free(&block->markdown);
	}
	block->len = len;
	block->state = node->state;
	block->unfolded = unfolded;
	block->style = (struct text_style){
		.role = block->is_reasoning ? STYLE_THINKING : styles[node->role]};
	if (node->role == ROLE_SYSTEM && !block->text)
		block->text = system_label(view->tree, node);
	return changed;
}

static enum status add_block(struct chat_view *view, struct block block)
{
	if (!alloc_grow(&view->blocks, &view->cap, view->n + 1, sizeof *view->blocks,
	                SIZE_MAX / sizeof *view->blocks))
		return STATUS_NOMEM;
	view->blocks[view->n++] = block;
	return STATUS_OK;
}

static bool has_reasoning(const struct chat_view *view, uint32_t id)
{
	return tree_node(view->tree, id)->reasoning_len > 0;
}

/* How many blocks are still right: those of the path's beginning, each with the notices after it.
 * *n_nodes is how many messages of the path they cover. */
static size_t common_blocks(const struct chat_view *view, size_t n_path, size_t *n_nodes)
{
	size_t i, nodes = 0;
	uint32_t last = 0;
	bool reasoned = false; /* the previous block is this message's reasoning */

	for (i = 0; i < view->n; i++) {
		const struct block *block = &view->blocks[i];

		if (!block->node) {
			if (block->after != last)
				break;
			continue;
		}
		if (nodes == n_path || view->path[nodes] != block->node)
			break;
		if (block->is_reasoning) {
			reasoned = true;
			continue;
		}
		if (reasoned != has_reasoning(view, block->node))
			break;
		reasoned = false;
		last = block->node;
		nodes++;
	}
	*n_nodes = nodes;
	return reasoned ? i - 1 : i; /* the two belong together */
}

static void mark_left_out(struct chat_view *view)
{
	size_t n = 0;

	for (size_t i = 0; i < view->n; i++) {
		struct block *block = &view->blocks[i];
		const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;
		bool is_talk = node && node->role != ROLE_SYSTEM;

		block->left_out = is_talk && n < view->n_left_out;
		n += is_talk && !block->is_reasoning; /* which stands before its reply */
	}
}

enum status chat_view_sync(struct chat_view *view)
{
	size_t n_path = view->tree ? tree_path(view->tree, view->path, view->cap_path) : 0;
	size_t n_nodes, first_new;
	bool changed = false;

	if (n_path > view->cap_path) {
		if (!alloc_grow(&view->path, &view->cap_path, n_path, sizeof *view->path,
		                SIZE_MAX / sizeof *view->path))
			return STATUS_NOMEM;
		n_path = tree_path(view->tree, view->path, view->cap_path);
	}
	first_new = common_blocks(view, n_path, &n_nodes);
	if (first_new < view->n) {
		free_blocks(view, first_new);
		changed = true;
	}
	for (size_t i = 0; i < view->n; i++)
		if (view->blocks[i].node && refresh_block(view, &view->blocks[i]))
			changed = true;
	for (; n_nodes < n_path; n_nodes++) {
		struct block block = {.node = view->path[n_nodes]};

		if (has_reasoning(view, block.node)) {
			struct block reasoning = {.node = block.node, .is_reasoning = true};

			refresh_block(view, &reasoning);
			if (add_block(view, reasoning))
				return STATUS_NOMEM;
		}
		refresh_block(view, &block);
		if (add_block(view, block)) {
			block_free(&block);
			return STATUS_NOMEM;
		}
		changed = true;
	}
	mark_left_out(view);
	if (view->top.block >= view->n)
		view->following = true;
	if (changed && !view->following)
		view->new_below = true;
	return STATUS_OK;
}

enum status chat_view_notice(struct chat_view *view, enum theme_role role, const char *text,
                             size_t len)
{
	struct block block = {.style.role = role, .len = trimmed(text, len)};
	enum status status = chat_view_sync(view);

	if (status || !block.len)
		return status;
	for (size_t i = view->n; i-- > 0 && !block.after;)
		block.after = view->blocks[i].node;
	block.text = alloc_strndup(text, block.len);
	if (!block.text || add_block(view, block)) {
		free(block.text);
		return STATUS_NOMEM;
	}
	if (!view->following)
		view->new_below = true;
	return STATUS_OK;
}

static bool is_markdown(const struct chat_view *view, const struct block *block)
{
	const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;

	return node && node->role == ROLE_ASSISTANT && !block->is_reasoning && !view->raw;
}

/* Code that looks like other text, for want of colours, keeps its backticks. */
static bool code_looks_plain(void)
{
	return style_attr(STYLE_CODE) == style_attr(STYLE_ASSISTANT) &&
	       style_pair(STYLE_CODE) == style_pair(STYLE_ASSISTANT);
}

/* The block's lines; without memory the block shows nothing. */
static size_t wrap_block(struct chat_view *view, struct block *block)
{
	const char *text = block_text(view, block);
	int cols = text_cols(view, block);

	if (!block->len || (block->is_reasoning && !block->unfolded))
		return 0;
	if (is_markdown(view, block))
		return markdown_update(&block->markdown, text, block->len, block->state == NODE_STREAMING,
		                       cols, code_looks_plain())
		       ? 0 : block->markdown.n_rows;
	return wrap_update(&block->wrap, text, block->len, cols) ? 0 : block->wrap.n;
}

/* The byte of the text that a line begins with, and the line that has a byte. */
static size_t line_source(const struct chat_view *view, const struct block *block, size_t line)
{
	return is_markdown(view, block) ? block->markdown.rows[line].source : block->wrap.lines[line].start;
}

static size_t line_of_source(const struct chat_view *view, const struct block *block, size_t source)
{
	return is_markdown(view, block) ? markdown_find(&block->markdown, source)
	                                : wrap_find(&block->wrap, source);
}

/* Rows above the text: a label, which a reply with reasoning has above that, and the reasoning's
 * head. */
static size_t n_label(const struct chat_view *view, const struct block *block)
{
	if (block->is_reasoning)
		return 2;
	return block->node && !has_reasoning(view, block->node) ? 1 : 0;
}

static bool has_mark(const struct chat_view *view, const struct block *block)
{
	if (block->is_reasoning)
		return false;
	return block->state == NODE_INTERRUPTED ||
	       (block->state == NODE_STREAMING && !block->len && !has_reasoning(view, block->node));
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

static size_t block_rows(struct chat_view *view, size_t index)
{
	struct block *block = &view->blocks[index];

	return n_label(view, block) + wrap_block(view, block) + has_mark(view, block) +
	       blank_after(view, index);
}

static enum row_kind row_kind(struct chat_view *view, struct place place, size_t *line)
{
	struct block *block = &view->blocks[place.block];
	size_t lines = wrap_block(view, block), row = place.row;

	if (row < n_label(view, block))
		return row == 0 ? ROW_LABEL : ROW_HEAD;
	row -= n_label(view, block);
	*line = row;
	if (row < lines)
		return ROW_TEXT;
	return row == lines && has_mark(view, block) ? ROW_MARK : ROW_BLANK;
}

/* Moves a place by rows, down or up, as far as there are any; returns how far. */
static size_t move_down(struct chat_view *view, struct place *place, size_t rows)
{
	size_t moved = 0;

	while (place->block < view->n && moved < rows) {
		size_t left = block_rows(view, place->block) - place->row;
		size_t step = rows - moved;

		if (step < left) {
			place->row += step;
			return rows;
		}
		if (place->block + 1 == view->n) {
			step = left ? left - 1 : 0;
			place->row += step;
			return moved + step;
		}
		moved += left;
		place->block++;
		place->row = 0;
	}
	return moved;
}

static size_t move_up(struct chat_view *view, struct place *place, size_t rows)
{
	size_t moved = 0;

	while (moved < rows) {
		size_t step = rows - moved;

		if (step <= place->row) {
			place->row -= step;
			return rows;
		}
		moved += place->row;
		place->row = 0;
		if (!place->block)
			return moved;
		place->block--;
		/* To the last row of the block above. */
		place->row = block_rows(view, place->block);
	}
	return moved;
}

/* The first row shown when the end is in sight. */
static struct place bottom(struct chat_view *view)
{
	struct place place = {view->n, 0};

	if (view->n)
		move_up(view, &place, (size_t)(view->rows > 0 ? view->rows : 1));
	return place;
}

static bool is_before(struct place a, struct place b)
{
	return a.block < b.block || (a.block == b.block && a.row < b.row);
}

static struct place first_shown(struct chat_view *view)
{
	size_t rows;

	if (view->following)
		return bottom(view);
	/* The block may have shrunk (another width). */
	rows = block_rows(view, view->top.block);
	if (view->top.row >= rows)
		view->top.row = rows ? rows - 1 : 0;
	return view->top;
}

static void set_top(struct chat_view *view, struct place place)
{
	struct place end = bottom(view);

	view->top = place;
	view->following = !is_before(place, end);
	if (view->following)
		view->new_below = false;
}

void chat_view_toggle_reasoning(struct chat_view *view)
{
	view->shows_reasoning = !view->shows_reasoning;
	for (size_t i = 0; i < view->n; i++)
		if (view->blocks[i].is_reasoning)
			refresh_block(view, &view->blocks[i]);
	if (!view->following && view->n)
		set_top(view, first_shown(view));
}

/* What is being read stays in place when lines change: the top row is found again by its text. */
struct reading {
	bool in_text;
	size_t source;
};

static struct reading place_read(struct chat_view *view)
{
	struct reading reading = {.in_text = false};
	struct place top;
	size_t line;

	if (view->following)
		return reading;
	top = first_shown(view);
	if (row_kind(view, top, &line) == ROW_TEXT)
		reading = (struct reading){true, line_source(view, &view->blocks[top.block], line)};
	return reading;
}

static void return_to(struct chat_view *view, const struct reading *reading)
{
	if (reading->in_text) {
		struct block *block = &view->blocks[view->top.block];

		if (wrap_block(view, block))
			view->top.row = n_label(view, block) + line_of_source(view, block, reading->source);
	}
	if (!view->following)
		set_top(view, first_shown(view));
}

void chat_view_resize(struct chat_view *view, int rows, int cols, int width)
{
	struct reading reading = {.in_text = false};

	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	if (rows == view->rows && cols == view->cols && width == view->width)
		return;
	if (cols != view->cols || width != view->width)
		reading = place_read(view);
	view->rows = rows;
	view->cols = cols;
	view->width = width;
	return_to(view, &reading);
}

void chat_view_show_raw(struct chat_view *view, bool raw)
{
	struct reading reading;

	if (raw == view->raw)
		return;
	reading = place_read(view);
	view->raw = raw;
	return_to(view, &reading);
}

void chat_view_show_text(struct chat_view *view, uint32_t node, size_t start, size_t end)
{
	view->marked = node;
	view->mark = (struct style_run){(uint32_t)start, (uint32_t)(end - start), STYLE_SELECTION};
	for (size_t i = 0; node && i < view->n; i++) {
		struct block *block = &view->blocks[i];
		struct place place = {i, 0};

		if (block->node != node || block->is_reasoning || !wrap_block(view, block))
			continue;
		place.row = n_label(view, block) + line_of_source(view, block, start);
		move_up(view, &place, (size_t)view->rows / 3); /* with what is before it */
		set_top(view, place);
	}
}

int chat_view_height(struct chat_view *view, int max)
{
	struct place place = {view->n, 0};

	return max > 0 ? (int)move_up(view, &place, (size_t)max) : 0;
}

void chat_view_scroll(struct chat_view *view, int lines)
{
	struct place place;

	if (!view->n || !lines)
		return;
	place = first_shown(view);
	if (lines > 0)
		move_down(view, &place, (size_t)lines);
	else
		move_up(view, &place, (size_t)-(long)lines);
	set_top(view, place);
}

void chat_view_page(struct chat_view *view, int pages)
{
	/* Two rows stay in sight, to read on from. */
	int page = view->rows > 4 ? view->rows - 2 : view->rows > 1 ? view->rows - 1 : 1;

	chat_view_scroll(view, pages * page);
}

void chat_view_to_top(struct chat_view *view)
{
	if (view->n)
		set_top(view, (struct place){0, 0});
}

void chat_view_to_bottom(struct chat_view *view)
{
	view->following = true;
	view->new_below = false;
	view->top = (struct place){0, 0};
}

void chat_view_show(struct chat_view *view, uint32_t message)
{
	size_t block = 0;

	while (block < view->n && view->blocks[block].node != message)
		block++;
	chat_view_to_bottom(view);
	if (block < view->n)
		set_top(view, (struct place){block, 0});
}

/* The text of one row, as a part of a longer one, and its style. */
struct row_text {
	const char *bytes;
	size_t n, from, to;
	struct text_style style;
};

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
static void describe_reasoning(struct chat_view *view, const struct block *block)
{
	const struct node *node = tree_node(view->tree, block->node);
	size_t words;

	if (node->state == NODE_STREAMING && !node->len) {
		snprintf(view->head, sizeof view->head, "\u25BE thinking\u2026");
		return;
	}
	words = count_words(node->reasoning, node->reasoning_len);
	snprintf(view->head, sizeof view->head, "%s thought, %zu word%s (Alt+T %s)",
	         block->unfolded ? "\u25BE" : "\u25B8", words, words == 1 ? "" : "s",
	         block->unfolded ? "folds" : "unfolds");
}

/* Who speaks, and which of several takes it is: "You 2/3 (left out)". */
static const char *describe_label(struct chat_view *view, const struct block *block)
{
	struct branch_take take = branch_take_of(view->tree, block->node);
	const char *name = block_label(view, block);
	char number[32] = "";

	if (take.n == 1 && !block->left_out)
		return name;
	if (take.n > 1)
		snprintf(number, sizeof number, " %zu/%zu", take.index, take.n);
	snprintf(view->head, sizeof view->head, "%.*s%s%s", (int)utf8_cut(name, strlen(name), 60), name,
	         number, block->left_out ? " (left out)" : "");
	return view->head;
}

static bool is_marked(const struct chat_view *view, const struct block *block)
{
	return block->node && block->node == view->marked && !block->is_reasoning;
}

static struct row_text row_text(struct chat_view *view, struct place place)
{
	struct block *block = &view->blocks[place.block];
	const struct text_style hint = {.role = STYLE_HINT};
	struct row_text row = {.bytes = "", .style = block->left_out ? hint : block->style};
	size_t line = 0;

	switch (row_kind(view, place, &line)) {
	case ROW_LABEL:
		row.bytes = describe_label(view, block);
		row.style = block->left_out ? hint : (struct text_style){.role = STYLE_LABEL};
		if (block->node == view->picked)
			row.style = (struct text_style){.role = STYLE_SELECTION};
		break;
	case ROW_HEAD:
		describe_reasoning(view, block);
		row.bytes = view->head;
		row.style = hint;
		break;
	case ROW_TEXT:
		if (is_markdown(view, block)) {
			const struct markdown *markdown = &block->markdown;

			row.bytes = markdown->text.data;
			row.n = markdown->text.len;
			row.from = markdown->rows[line].from;
			row.to = markdown->rows[line].to;
			row.style.runs = block->left_out ? NULL : markdown->runs;
			row.style.n_runs = block->left_out ? 0 : markdown->n_runs;
			if (is_marked(view, block) && line >= markdown_find(markdown, view->mark.from) &&
			    line <= markdown_find(markdown, view->mark.from + view->mark.len - 1))
				row.style = (struct text_style){.role = STYLE_SELECTION};
			return row;
		}
		row.bytes = block_text(view, block);
		row.n = block->len;
		row.from = block->wrap.lines[line].start;
		row.to = block->wrap.lines[line].end;
		if (is_marked(view, block)) {
			row.style.runs = &view->mark;
			row.style.n_runs = 1;
		}
		return row;
	case ROW_MARK:
		row.bytes = block->state == NODE_STREAMING ? text_waiting : text_interrupted;
		row.style = hint;
		break;
	case ROW_BLANK:
		break;
	}
	row.to = row.n = strlen(row.bytes);
	return row;
}

/* The next row down; false at the end. */
static bool next_row(struct chat_view *view, struct place *place)
{
	place->row++;
	while (place->block < view->n && place->row >= block_rows(view, place->block)) {
		place->block++;
		place->row = 0;
	}
	return place->block < view->n;
}

static int draw_row(struct chat_view *view, struct place place, WINDOW *win, int y, int x)
{
	struct row_text text;

	if (place.row >= block_rows(view, place.block))
		return 0;
	text = row_text(view, place);
	return cells_draw_styled(win, y, x, view->cols, &text.style, text.bytes, text.n, text.from,
	                         text.to);
}

static void draw_hint(const struct chat_view *view, WINDOW *win, int y, int x)
{
	int used = cells_width(hint_below, strlen(hint_below));

	used = used < view->cols ? view->cols - used : 0;
	cells_fill(win, y, x, used, STYLE_ASSISTANT);
	cells_puts(win, y, x + used, view->cols - used, STYLE_HINT, hint_below);
}

void chat_view_draw(struct chat_view *view, WINDOW *win, int y, int x)
{
	struct place place = {0, 0};
	bool more = view->n > 0;

	if (more)
		place = first_shown(view);
	for (int row = 0; row < view->rows; row++) {
		int used = more ? draw_row(view, place, win, y + row, x) : 0;

		cells_fill(win, y + row, x + used, view->cols - used, STYLE_ASSISTANT);
		more = more && next_row(view, &place);
	}
	if (view->new_below)
		draw_hint(view, win, y + view->rows - 1, x);
}
