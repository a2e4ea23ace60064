/* A segment of Markdown to rows: what md4c reports, in the order of the text. */
#include "markdown/markdown_block.h"

#include <stdio.h>
#include <string.h>

static int marker_width(const struct container *container)
{
	return cells_text_width(container->marker);
}

/* What a container draws before rows but its first one. */
static void put_container(struct styled *out, const struct container *container)
{
	if (container->is_quote)
		styled_puts(out, "\u2502 ", STYLE_HINT, 0);
	else
		styled_fill(out, " ", (size_t)marker_width(container), STYLE_ASSISTANT, 0);
}

/* What stands before the first row and the others. Where that would take more than half of the
 * width, markers have rows of their own, and there is no indentation. */
static void make_prefixes(struct md_block *block)
{
	size_t n = block->n_containers < NESTING ? block->n_containers : NESTING, width = block->indent;
	bool fits;

	styled_clear(&block->first);
	styled_clear(&block->rest);
	for (size_t i = 0; i < n; i++)
		width += block->containers[i].is_quote ? 2 : (size_t)marker_width(&block->containers[i]);
	fits = width <= (size_t)block->markdown->cols / 2;
	if (fits) {
		styled_fill(&block->first, " ", block->indent, STYLE_ASSISTANT, 0);
		styled_fill(&block->rest, " ", block->indent, STYLE_ASSISTANT, 0);
	}
	for (size_t i = 0; i < n; i++) {
		struct container *container = &block->containers[i];

		if (container->is_new && !container->is_quote)
			styled_puts(&block->first, container->marker, STYLE_ASSISTANT, block->last);
		else if (fits)
			put_container(&block->first, container);
		if (fits)
			put_container(&block->rest, container);
		container->is_new = false;
	}
	if (!fits && block->first.text.len) {
		markdown_rows(block->markdown, &block->first, NULL, NULL);
		styled_clear(&block->first);
	}
}

static int text_cols(const struct md_block *block)
{
	return block->markdown->cols - cells_width(buf_text(&block->first.text), block->first.text.len);
}

/* Whether the line that has the byte stands behind a blank one, the quotation's marks aside.
 * `above`: lines between the two, such as that of a fence. */
static bool is_after_blank(const struct md_block *block, size_t at, int above)
{
	bool newline = false;

	for (; at > block->start; at--) {
		const char c = block->text[at - 1];

		if (c == '\n') {
			if (newline && above-- <= 0)
				return true;
			newline = true;
		} else if (above > 0 && newline) {
			for (; at > block->start && block->text[at - 1] != '\n'; at--)
				;
			at++;
			newline = false;
			above--;
		} else if (newline && c != ' ' && c != '\t' && c != '\r' && c != '>') {
			return false;
		}
	}
	return false;
}

/* A blank row where the text has a blank line. Only what surrounds it is drawn, not what begins
 * behind it. */
static void begin_rows(struct md_block *block, size_t source, int above)
{
	struct styled *before = &block->rest;
	bool fits;

	if (block->markdown->n_rows > block->n_rows && is_after_blank(block, source, above)) {
		styled_clear(before);
		for (size_t i = 0; i < block->n_containers && i < NESTING && !block->containers[i].is_new; i++)
			put_container(before, &block->containers[i]);
		fits = before->text.len <= (size_t)block->markdown->cols / 2;
		markdown_row_begin(block->markdown, fits ? before : NULL, source);
		markdown_row_end(block->markdown);
	}
	make_prefixes(block);
}

/* The paragraph's end, where there is one: its rows. */
static void flush(struct md_block *block)
{
	struct styled *para = &block->para;

	if (!para->text.len || block->table)
		return;
	begin_rows(block, styled_source(para, 0), 0);
	markdown_rows(block->markdown, para, &block->first, &block->rest);
	styled_clear(para);
}

static void flush_code(struct md_block *block)
{
	struct styled *code = &block->para;
	const struct highlight_language *language = highlight_find(buf_text(&block->info.text), block->lang_len);
	unsigned state = 0;
	size_t source = code->n_places ? styled_source(code, 0) : block->last;

	begin_rows(block, source, block->fenced ? 1 : 0);
	if (code->text.len && code->text.data[code->text.len - 1] == '\n') {
		buf_remove(&code->text, code->text.len - 1, 1);
		styled_highlight(code, language, &state);
	}
	if (block->fenced)
		markdown_code_head(block->markdown, buf_text(&block->info.text), block->info.text.len,
		                   ++block->place->n_code, source, &block->first, &block->rest,
		                   text_cols(block));
	if (!block->fenced || code->n_places)
		markdown_code_rows(block->markdown, code, block->fenced ? &block->rest : &block->first,
		                   &block->rest, false);
	if (block->fenced)
		markdown_rule(block->markdown, block->last, &block->rest, &block->rest, text_cols(block));
	styled_clear(code);
}

static int marker_of_item(struct md_block *block, const MD_BLOCK_LI_DETAIL *item, char *out)
{
	size_t depth = block->n_lists < NESTING ? block->n_lists : NESTING;
	struct md_list *list = depth ? &block->lists[depth - 1] : NULL;

	if (item->is_task)
		return snprintf(out, MARKER_MAX, "[%c] ", item->task_mark);
	if (!list || !list->ordered)
		return snprintf(out, MARKER_MAX, "%s ", depth % 2 ? "\u2022" : "\u25E6");
	return snprintf(out, MARKER_MAX, "%u%c ", (unsigned)list->number++, list->mark);
}

static void push_container(struct md_block *block, const struct container *container)
{
	if (block->n_containers < NESTING)
		block->containers[block->n_containers] = *container;
	block->n_containers++;
}

static void push_list(struct md_block *block, const struct md_list *list)
{
	if (block->n_lists < NESTING)
		block->lists[block->n_lists] = *list;
	block->n_lists++;
}

static void begin_code(struct md_block *block, const MD_BLOCK_CODE_DETAIL *code)
{
	block->fenced = code->fence_char != 0;
	block->code++;
	styled_clear(&block->info);
	block_add_attribute(block, &block->info, &code->info, STYLE_HINT);
	block->lang_len = code->lang.size < block->info.text.len ? code->lang.size : block->info.text.len;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct md_block *block = ctx;
	struct container container = {.is_new = true};

	flush(block);
	switch (type) {
	case MD_BLOCK_QUOTE:
		block->quote++;
		push_container(block, &(struct container){.is_quote = true, .is_new = true});
		break;
	case MD_BLOCK_UL:
		push_list(block, &(struct md_list){.ordered = false});
		break;
	case MD_BLOCK_OL: {
		const MD_BLOCK_OL_DETAIL *list = detail;
		bool at_top = block->n_lists == 0 && block->n_containers == 0;
		uint32_t number = list->start;

		/* "1. 1. 1." counts, as in a list that was not cut. */
		if (at_top && block->place->number && (number == 1 || number == block->place->number))
			number = block->place->number + 1;
		push_list(block, &(struct md_list){.ordered = true, .mark = list->mark_delimiter,
		                                   .number = number});
		break;
	}
	case MD_BLOCK_LI:
		marker_of_item(block, detail, container.marker);
		push_container(block, &container);
		break;
	case MD_BLOCK_HR:
		begin_rows(block, block->last, 0);
		markdown_rule(block->markdown, block->last, &block->first, &block->rest, text_cols(block));
		break;
	case MD_BLOCK_H:
		block->heading++;
		block->level = ((const MD_BLOCK_H_DETAIL *)detail)->level;
		break;
	case MD_BLOCK_CODE:
		begin_code(block, detail);
		break;
	case MD_BLOCK_TABLE:
		block->table = table_create(((const MD_BLOCK_TABLE_DETAIL *)detail)->col_count);
		return !block->table;
	case MD_BLOCK_THEAD:
		block->head = true;
		break;
	case MD_BLOCK_TBODY:
		block->head = false;
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: {
		MD_ALIGN align = ((const MD_BLOCK_TD_DETAIL *)detail)->align;

		block->target = table_cell(block->table, align == MD_ALIGN_RIGHT ? TABLE_RIGHT
		                           : align == MD_ALIGN_CENTER ? TABLE_CENTER : TABLE_LEFT);
		return !block->target;
	}
	default:
		break;
	}
	return 0;
}

static void end_table(struct md_block *block)
{
	struct table *table = block->table;
	int above;
	size_t source = table_source(table, block->last, &above);

	block->table = NULL;
	block->head = false;
	begin_rows(block, source, above);
	table_lay_out(table, block->markdown, &block->first, &block->rest, text_cols(block));
	table_free(table);
}

/* An item without text still has a row. */
static void end_item(struct md_block *block)
{
	const struct styled empty = STYLED_EMPTY;

	if (block->n_containers <= NESTING && block->containers[block->n_containers - 1].is_new) {
		make_prefixes(block);
		if (block->first.text.len)
			markdown_rows(block->markdown, &empty, &block->first, &block->rest);
	}
	block->n_containers--;
}

/* The largest heading has a line below it. */
static void end_heading(struct md_block *block)
{
	size_t at = block->markdown->n_rows;

	flush(block);
	block->heading--;
	if (block->level == 1 && block->markdown->n_rows > at) {
		const struct markdown_row *row = &block->markdown->rows[block->markdown->n_rows - 1];
		int width = cells_width(buf_text(&block->markdown->text) + row->from, row->to - row->from);
		int before = cells_width(buf_text(&block->rest.text), block->rest.text.len);

		if (block->markdown->n_rows > at + 1 || width - before > text_cols(block))
			width = before + text_cols(block);
		markdown_rule(block->markdown, row->source, &block->rest, &block->rest, width - before);
	}
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct md_block *block = ctx;

	(void)detail;
	if (type == MD_BLOCK_CODE)
		flush_code(block);
	else if (type == MD_BLOCK_H)
		end_heading(block);
	else
		flush(block);
	switch (type) {
	case MD_BLOCK_CODE:
		block->code--;
		break;
	case MD_BLOCK_QUOTE:
		block->quote--;
		block->n_containers--;
		break;
	case MD_BLOCK_OL:
		if (block->n_lists == 1 && block->n_containers == 0)
			block->place->number = block->lists[0].number - 1;
		block->n_lists--;
		break;
	case MD_BLOCK_UL:
		block->n_lists--;
		break;
	case MD_BLOCK_LI:
		end_item(block);
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		block->target = &block->para;
		break;
	case MD_BLOCK_TABLE:
		end_table(block);
		break;
	default:
		break;
	}
	return 0;
}

/* The blanks that an item stands behind, where its list was cut from the one above: it may have been
 * meant as a part of that. */
static size_t item_indent(const char *text, const struct segment *segment)
{
	size_t n = 0;

	while (segment->start + n < segment->end && n < 3 && text[segment->start + n] == ' ')
		n++;
	return segment->start + n < segment->end && strchr("-+*0123456789", text[segment->start + n]) ? n : 0;
}

enum status markdown_block(struct markdown *markdown, const char *text, const struct segment *segment,
                           struct markdown_place *place)
{
	MD_PARSER parser = {
		.flags = MARKDOWN_FLAGS, .enter_block = enter_block, .leave_block = leave_block,
		.enter_span = block_enter_span, .leave_span = block_leave_span, .text = block_add_text,
	};
	struct md_block block = {
		.markdown = markdown, .text = text, .start = segment->start, .end = segment->end,
		.last = segment->start, .n_rows = markdown->n_rows, .place = place,
		.indent = item_indent(text, segment), .target = &block.para, .para = STYLED_EMPTY,
		.first = STYLED_EMPTY, .rest = STYLED_EMPTY, .info = STYLED_EMPTY,
	};
	uint32_t before = place->number;
	struct buf copy = {.max = 2 * LIMIT_MESSAGE};
	enum status status;
	const char *first_end = memchr(text + segment->start, '\n', segment->end - segment->start);
	size_t bars = 0;

	for (const char *c = text + segment->start; first_end && c < first_end; c++)
		bars += *c == '|';
	if (bars >= MARKDOWN_COLUMNS - 1)
		parser.flags &= ~(unsigned)MD_FLAG_TABLES;
	status = markdown_prepare(&copy, text + segment->start, segment->end - segment->start,
	                          markdown->growing && segment->last, &block.prepared);
	if (!status) {
		block.copy = buf_text(&copy);
		block.n_copy = copy.len;
		if (md_parse(block.copy, (MD_SIZE)copy.len, &parser, &block) ||
		    buf_status(&block.para.text) || buf_status(&block.info.text) ||
		    buf_status(&block.first.text) || buf_status(&block.rest.text))
			status = STATUS_NOMEM;
		if (!status && markdown->n_rows > block.n_rows) /* with what stands before its text */
			markdown->rows[block.n_rows].source = (uint32_t)segment->start;
		if (place->number == before)
			place->number = 0;
		styled_free(&block.para);
		styled_free(&block.first);
		styled_free(&block.rest);
		styled_free(&block.info);
		table_free(block.table);
	}
	buf_free(&copy);
	return status;
}
