/* Which rows of the transcript are in sight. */
#include "view/chat_view_internal.h"

/* The first row shown when the end is in sight. */
static struct place bottom(struct chat_view *view)
{
	struct place place = {view->n, 0};

	if (view->n)
		chat_rows_up(view, &place, (size_t)(view->rows > 0 ? view->rows : 1));
	return place;
}

static bool is_before(struct place a, struct place b)
{
	return a.block < b.block || (a.block == b.block && a.row < b.row);
}

struct place chat_scroll_first(struct chat_view *view)
{
	size_t rows;

	if (view->following)
		return bottom(view);
	/* The block may have shrunk (another width). */
	rows = chat_rows_count(view, view->top.block);
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

void chat_scroll_settle(struct chat_view *view)
{
	if (!view->following && view->n)
		set_top(view, chat_scroll_first(view));
}

/* What is being read stays in place when lines change: the top row is found again by its text. */
enum { NOT_IN_TEXT = -1 };

/* The byte that the top row begins with. */
static int64_t byte_read(struct chat_view *view)
{
	struct place top;
	size_t line;

	if (view->following)
		return NOT_IN_TEXT;
	top = chat_scroll_first(view);
	if (chat_rows_kind(view, top, &line) != ROW_TEXT)
		return NOT_IN_TEXT;
	return (int64_t)chat_rows_source(view, &view->blocks[top.block], line);
}

static void return_to(struct chat_view *view, int64_t byte)
{
	struct block *block = byte != NOT_IN_TEXT ? &view->blocks[view->top.block] : NULL;

	if (block && chat_rows_wrap(view, block))
		view->top.row = chat_rows_above(view, block) +
		                chat_rows_find(view, block, (size_t)byte);
	chat_scroll_settle(view);
}

void chat_view_resize(struct chat_view *view, int rows, int cols, int width)
{
	int64_t byte = NOT_IN_TEXT;

	if (rows < 1)
		rows = 1;
	if (cols < 1)
		cols = 1;
	if (rows == view->rows && cols == view->cols && width == view->width)
		return;
	if (cols != view->cols || width != view->width)
		byte = byte_read(view);
	view->rows = rows;
	view->cols = cols;
	view->width = width;
	return_to(view, byte);
}

void chat_view_show_raw(struct chat_view *view, bool raw)
{
	int64_t byte;

	if (raw == view->raw)
		return;
	byte = byte_read(view);
	view->raw = raw;
	return_to(view, byte);
}

enum status chat_view_set_shade(struct chat_view *view, const struct chat_view_shade *shade)
{
	enum status status = STATUS_OK;
	int64_t byte;

	if (shade->by == view->shade.by && shade->look == view->shade.look && shade->ctx == view->shade.ctx)
		return STATUS_OK;
	byte = byte_read(view);
	view->shade = *shade;
	status = chat_view_sync(view);
	return_to(view, byte);
	return status;
}

/* Not in the last row, which is the first of something longer, perhaps. */
static bool is_in_sight(struct chat_view *view, struct place place)
{
	struct place first = chat_scroll_first(view), last = first;

	chat_rows_down(view, &last, view->rows > 1 ? (size_t)view->rows - 1 : 0);
	return !is_before(place, first) && (is_before(place, last) || view->rows == 1);
}

void chat_view_show_text(struct chat_view *view, uint32_t node, size_t start, size_t end)
{
	view->marked = node;
	view->mark = (struct style_run){(uint32_t)start, (uint32_t)(end - start), STYLE_SELECTION};
	for (size_t i = 0; node && i < view->n; i++) {
		struct block *block = &view->blocks[i];
		struct place place = {i, 0};

		if (block->node != node || block->is_reasoning)
			continue;
		if (block->folded && end > block->folded_rows.from) /* it is in a file */
			chat_view_unfold(view, block, true);
		if (!chat_rows_wrap(view, block))
			continue;
		place.row = chat_rows_above(view, block) + chat_rows_find(view, block, start);
		if (is_in_sight(view, place))
			return;
		chat_rows_up(view, &place, (size_t)view->rows / 3); /* with what is before it */
		set_top(view, place);
	}
}

int chat_view_height(struct chat_view *view, int max)
{
	struct place place = {view->n, 0};

	return max > 0 ? (int)chat_rows_up(view, &place, (size_t)max) : 0;
}

void chat_view_scroll(struct chat_view *view, int lines)
{
	struct place place;

	if (!view->n || !lines)
		return;
	place = chat_scroll_first(view);
	if (lines > 0)
		chat_rows_down(view, &place, (size_t)lines);
	else
		chat_rows_up(view, &place, (size_t)-(long)lines);
	set_top(view, place);
}

void chat_view_page(struct chat_view *view, int pages)
{
	/* Two rows stay in sight, to read on from. */
	int page = view->rows > 4 ? view->rows - 2 : view->rows > 1 ? view->rows - 1 : 1;

	chat_view_scroll(view, pages * page);
}

/* Whether a message begins with the block: with what was thought before it, if anything was. */
static bool begins_message(const struct chat_view *view, size_t index)
{
	const struct block *block = &view->blocks[index];

	return block->node && (!index || view->blocks[index - 1].node != block->node);
}

void chat_view_step(struct chat_view *view, int messages)
{
	struct place place;

	if (!view->n)
		return;
	place = chat_scroll_first(view);
	for (; messages < 0 && (place.block || place.row); messages++) {
		if (!place.row)
			place.block--;
		place.row = 0;
		while (place.block && !begins_message(view, place.block))
			place.block--;
	}
	for (; messages > 0 && place.block < view->n; messages--) {
		place.block++;
		place.row = 0;
		while (place.block < view->n && !begins_message(view, place.block))
			place.block++;
	}
	if (place.block == view->n)
		chat_view_to_bottom(view);
	else
		set_top(view, place);
}

int chat_view_percent(struct chat_view *view)
{
	size_t above = 0, all = 0, rows;

	if (view->following || !view->n)
		return -1;
	for (size_t i = 0; i < view->n; i++) {
		if (i == view->top.block)
			above = all;
		all += view->blocks[i].len + 1; /* none is nothing */
	}
	rows = chat_rows_count(view, view->top.block);
	if (rows)
		above += (view->blocks[view->top.block].len + 1) * view->top.row / rows;
	return (int)(above * 100 / all);
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
