/* A segment of Markdown to rows: what md4c reports, in the order of the text. */
#include "ui/markdown_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <md4c.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"

enum {
	NESTING = 64,   /* what is nested deeper is shown at that depth */
	MARKER_MAX = 16,
};

/* What a paragraph is in: each draws something before its rows. */
struct container {
	bool is_quote;
	bool is_new;              /* nothing of it has been drawn: an item's marker */
	char marker[MARKER_MAX];  /* "12. " */
};

struct list {
	bool ordered;
	char mark;       /* . or ) */
	uint32_t number; /* of the next item */
};

struct block {
	struct markdown *markdown;
	const char *text;   /* the reply's */
	size_t start, end;  /* of the segment in it */
	const char *copy;   /* what is parsed */
	size_t n_copy;
	struct prepared prepared; /* how it relates to the segment */
	size_t last;        /* the byte of the reply behind the last one shown */
	size_t n_rows;      /* when the segment began */
	uint32_t *number;   /* of the last item of an ordered list at the top, in and out */
	struct container containers[NESTING];
	size_t n_containers; /* may be more than NESTING, as n_lists */
	struct list lists[NESTING];
	size_t n_lists;
	struct styled para; /* the paragraph, heading or code that is being read */
	struct styled first, rest; /* what stands before its rows */
	struct styled *target; /* para, or a table's cell */
	struct table *table;
	bool head;          /* of the table */
	unsigned heading, code, strong, emphasis, link, quote; /* how deep in each */
	unsigned level;     /* of the heading */
	bool fenced;
	struct styled info; /* what stands behind the fence */
	size_t lang_len;
	size_t link_from;   /* where the link's text begins in target */
	size_t indent;      /* of the segment's first line, a list's: kept where it is not that of code */
	bool failed;
};

static enum theme_role role_of(const struct block *block)
{
	if (block->code)
		return STYLE_CODE;
	if (block->link)
		return STYLE_LINK;
	if (block->heading || block->head)
		return STYLE_HEADING;
	if (block->strong)
		return STYLE_STRONG;
	if (block->emphasis)
		return STYLE_EMPHASIS;
	return block->quote ? STYLE_QUOTE : STYLE_ASSISTANT;
}

static bool check(struct block *block, bool ok)
{
	block->failed |= !ok;
	return !block->failed;
}

static bool puts_as(struct block *block, const char *text, enum theme_role role)
{
	return check(block, styled_puts(block->target, text, role, block->last));
}

static int marker_width(const struct container *container)
{
	return cells_width(container->marker, strlen(container->marker));
}

/* What stands before the first row and the others. Where that would take more than half of the
 * width, markers have rows of their own, and there is no indentation. */
static bool make_prefixes(struct block *block)
{
	size_t n = block->n_containers < NESTING ? block->n_containers : NESTING, width = block->indent;
	bool fits, ok;

	styled_clear(&block->first);
	styled_clear(&block->rest);
	for (size_t i = 0; i < n; i++)
		width += block->containers[i].is_quote ? 2 : (size_t)marker_width(&block->containers[i]);
	fits = width <= (size_t)block->markdown->cols / 2;
	ok = !fits || (styled_fill(&block->first, " ", block->indent, STYLE_ASSISTANT, 0) &&
	               styled_fill(&block->rest, " ", block->indent, STYLE_ASSISTANT, 0));
	for (size_t i = 0; ok && i < n; i++) {
		struct container *container = &block->containers[i];
		size_t blanks = container->is_quote ? 0 : (size_t)marker_width(container);

		if (container->is_new && !container->is_quote)
			ok = styled_puts(&block->first, container->marker, STYLE_ASSISTANT, block->last);
		else if (fits)
			ok = container->is_quote ? styled_puts(&block->first, "\u2502 ", STYLE_HINT, 0)
			                         : styled_fill(&block->first, " ", blanks, STYLE_ASSISTANT, 0);
		if (fits)
			ok = ok && (container->is_quote
			            ? styled_puts(&block->rest, "\u2502 ", STYLE_HINT, 0)
			            : styled_fill(&block->rest, " ", blanks, STYLE_ASSISTANT, 0));
		container->is_new = false;
	}
	if (ok && !fits && block->first.text.len) {
		ok = markdown_rows(block->markdown, &block->first, NULL, NULL);
		styled_clear(&block->first);
	}
	return check(block, ok);
}

static int text_cols(const struct block *block)
{
	return block->markdown->cols - cells_width(buf_text(&block->first.text), block->first.text.len);
}

/* Whether the line that has the byte stands behind a blank one, the quotation's marks aside.
 * `above`: lines between the two, such as that of a fence. */
static bool is_after_blank(const struct block *block, size_t at, int above)
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
static bool begin_rows(struct block *block, size_t source, int above)
{
	struct styled *before = &block->rest;
	bool ok = true;

	if (block->markdown->n_rows > block->n_rows && is_after_blank(block, source, above)) {
		styled_clear(before);
		for (size_t i = 0; ok && i < block->n_containers && i < NESTING; i++) {
			const struct container *container = &block->containers[i];

			if (container->is_new)
				break;
			ok = container->is_quote
			     ? styled_puts(before, "\u2502 ", STYLE_HINT, 0)
			     : styled_fill(before, " ", (size_t)marker_width(container), STYLE_ASSISTANT, 0);
		}
		markdown_row_begin(block->markdown, source);
		ok = ok && (before->text.len > (size_t)block->markdown->cols / 2 ||
		            markdown_row_add(block->markdown, before, 0, before->text.len)) &&
		     markdown_row_end(block->markdown);
	}
	return check(block, ok) && make_prefixes(block);
}

/* The paragraph's end, where there is one: its rows. */
static bool flush(struct block *block)
{
	struct styled *para = &block->para;
	bool ok;

	if (block->failed || !para->text.len || block->table)
		return !block->failed;
	ok = begin_rows(block, styled_source(para, 0), 0) &&
	     markdown_rows(block->markdown, para, &block->first, &block->rest);
	styled_clear(para);
	return check(block, ok);
}

static bool flush_code(struct block *block)
{
	struct styled *code = &block->para;
	const struct highlight_language *language = highlight_find(buf_text(&block->info.text), block->lang_len);
	unsigned state = 0;
	size_t source = code->n_places ? styled_source(code, 0) : block->last;
	bool ok = begin_rows(block, source, block->fenced ? 1 : 0);

	if (code->text.len && code->text.data[code->text.len - 1] == '\n') {
		buf_remove(&code->text, code->text.len - 1, 1);
		ok = ok && styled_highlight(code, language, &state);
	}
	if (ok && block->fenced) {
		ok = markdown_rule(block->markdown, buf_text(&block->info.text), block->info.text.len, source,
		                   &block->first, &block->rest, text_cols(block));
		ok = ok && (!code->n_places || markdown_rows(block->markdown, code, &block->rest, &block->rest)) &&
		     markdown_rule(block->markdown, "", 0, block->last, &block->rest, &block->rest,
		                   text_cols(block));
	} else if (ok) {
		ok = markdown_rows(block->markdown, code, &block->first, &block->rest);
	}
	styled_clear(code);
	return check(block, ok);
}

/* Turns a part of what is parsed into that of the text; false for the parser's own bytes. Of what
 * is not shown, nothing is left. */
static bool find_source(const struct block *block, const char **text, size_t *n)
{
	const struct prepared *prepared = &block->prepared;
	size_t at;

	if (!*n || *text < block->copy || *text >= block->copy + block->n_copy)
		return false;
	at = (size_t)(*text - block->copy);
	if (at >= prepared->n_shown)
		*n = at = 0;
	else if (*n > prepared->n_shown - at)
		*n = prepared->n_shown - at;
	if (at >= prepared->shift_at) {
		at -= prepared->shift;
	} else if (prepared->shift && at + *n > prepared->shift_at - prepared->shift) {
		size_t most = prepared->shift_at - prepared->shift; /* in the row that was lengthened */

		at = at < most ? at : most;
		*n = *n < most - at ? *n : most - at;
	}
	*text = block->text + block->start + at;
	return true;
}

enum { LOOK_AHEAD = 4 << 10 };

/* The end of what stands for n bytes at `at` of what is parsed, perhaps with backslashes; 0 if
 * something else stands there. */
static size_t match_end(const struct block *block, size_t at, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++, at++) {
		if (at + 1 < block->prepared.n_shown && block->copy[at] == '\\' && block->copy[at + 1] == text[i])
			at++;
		if (at >= block->prepared.n_shown || block->copy[at] != text[i])
			return 0;
	}
	return at;
}

/* An attribute with escapes is in memory of the parser's: it is looked for behind what was shown
 * last, since letters that stand for other bytes may be in it. */
static void find_escaped(const struct block *block, const char **text, size_t *n)
{
	const struct prepared *prepared = &block->prepared;
	size_t at = block->last - block->start, end;

	if (!memchr(*text, MARKDOWN_LETTER, *n))
		return;
	if (at >= prepared->shift_at - prepared->shift)
		at += prepared->shift;
	for (size_t stop = at + LOOK_AHEAD; at < prepared->n_shown && at < stop; at++) {
		const char *found = block->copy + at;

		end = match_end(block, at, *text, *n);
		if (!end)
			continue;
		end -= at;
		if (find_source(block, &found, &end)) {
			*text = found;
			*n = end;
		}
		return;
	}
}

/* An attribute: as it stands in the text, where it does; one line. */
static bool add_attribute(struct block *block, struct styled *out, const MD_ATTRIBUTE *attribute,
                          enum theme_role role)
{
	const char *text = attribute->text;
	size_t n = attribute->size;

	if (!n)
		return true;
	if (!find_source(block, &text, &n))
		find_escaped(block, &text, &n);
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && !memchr("\n\r\t", text[end], 3); end++)
			;
		if (!styled_insert(out, text + i, end - i, role, block->last) ||
		    (end < n && !styled_puts(out, " ", role, block->last)))
			return check(block, false);
	}
	return true;
}

/* Behind a link's text: where it leads, unless the text says so. */
static bool put_target(struct block *block, const MD_ATTRIBUTE *target, const MD_ATTRIBUTE *title)
{
	const char *shown = buf_text(&block->target->text) + block->link_from;
	size_t n = block->target->text.len - block->link_from;
	bool same = target->size >= n && n && memcmp(target->text + target->size - n, shown, n) == 0 &&
	            (target->size == n || (target->size == n + 7 && memcmp(target->text, "mailto:", 7) == 0) ||
	             (target->size == n + 7 && memcmp(target->text, "http://", 7) == 0));

	if ((same || !target->size) && !title->size)
		return true;
	puts_as(block, n ? " (" : "(", STYLE_HINT);
	if (!same)
		add_attribute(block, block->target, target, STYLE_HINT);
	if (title->size) {
		puts_as(block, same || !target->size ? "\"" : " \"", STYLE_HINT);
		add_attribute(block, block->target, title, STYLE_HINT);
		puts_as(block, "\"", STYLE_HINT);
	}
	return puts_as(block, ")", STYLE_HINT);
}

static int marker_of_item(struct block *block, const MD_BLOCK_LI_DETAIL *item, char *out)
{
	size_t depth = block->n_lists < NESTING ? block->n_lists : NESTING;
	struct list *list = depth ? &block->lists[depth - 1] : NULL;

	if (item->is_task)
		return snprintf(out, MARKER_MAX, "[%c] ", item->task_mark);
	if (!list || !list->ordered)
		return snprintf(out, MARKER_MAX, "%s ", depth % 2 ? "\u2022" : "\u25E6");
	return snprintf(out, MARKER_MAX, "%u%c ", (unsigned)list->number++, list->mark);
}

static void push_container(struct block *block, const struct container *container)
{
	if (block->n_containers < NESTING)
		block->containers[block->n_containers] = *container;
	block->n_containers++;
}

static void push_list(struct block *block, const struct list *list)
{
	if (block->n_lists < NESTING)
		block->lists[block->n_lists] = *list;
	block->n_lists++;
}

static void begin_code(struct block *block, const MD_BLOCK_CODE_DETAIL *code)
{
	block->fenced = code->fence_char != 0;
	block->code++;
	styled_clear(&block->info);
	add_attribute(block, &block->info, &code->info, STYLE_HINT);
	block->lang_len = code->lang.size < block->info.text.len ? code->lang.size : block->info.text.len;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct block *block = ctx;
	struct container container = {.is_new = true};

	flush(block);
	switch (type) {
	case MD_BLOCK_QUOTE:
		block->quote++;
		push_container(block, &(struct container){.is_quote = true, .is_new = true});
		break;
	case MD_BLOCK_UL:
		push_list(block, &(struct list){.ordered = false});
		break;
	case MD_BLOCK_OL: {
		const MD_BLOCK_OL_DETAIL *list = detail;
		bool at_top = block->n_lists == 0 && block->n_containers == 0;
		uint32_t number = list->start;

		/* "1. 1. 1." counts, as in a list that was not cut. */
		if (at_top && *block->number && (number == 1 || number == *block->number))
			number = *block->number + 1;
		push_list(block, &(struct list){.ordered = true, .mark = list->mark_delimiter, .number = number});
		break;
	}
	case MD_BLOCK_LI:
		marker_of_item(block, detail, container.marker);
		push_container(block, &container);
		break;
	case MD_BLOCK_HR:
		if (begin_rows(block, block->last, 0))
			check(block, markdown_rule(block->markdown, "", 0, block->last, &block->first, &block->rest,
			                           text_cols(block)));
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
		check(block, block->table != NULL);
		break;
	case MD_BLOCK_THEAD:
		block->head = true;
		break;
	case MD_BLOCK_TBODY:
		block->head = false;
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD: {
		MD_ALIGN align = ((const MD_BLOCK_TD_DETAIL *)detail)->align;

		block->target = table_cell(block->table, block->head, align == MD_ALIGN_RIGHT ? TABLE_RIGHT
		                           : align == MD_ALIGN_CENTER ? TABLE_CENTER : TABLE_LEFT);
		check(block, block->target != NULL);
		break;
	}
	default:
		break;
	}
	return block->failed;
}

static bool end_table(struct block *block)
{
	struct table *table = block->table;
	bool ok;

	block->table = NULL;
	block->target = &block->para;
	block->head = false;
	ok = begin_rows(block, block->last, 2) &&
	     table_lay_out(table, block->markdown, &block->first, &block->rest, text_cols(block));
	table_free(table);
	return check(block, ok);
}

/* An item without text still has a row. */
static bool end_item(struct block *block)
{
	struct styled empty;
	bool ok = true;

	if (block->n_containers <= NESTING && block->containers[block->n_containers - 1].is_new) {
		styled_init(&empty);
		ok = make_prefixes(block) &&
		     (!block->first.text.len || markdown_rows(block->markdown, &empty, &block->first, &block->rest));
		styled_free(&empty);
	}
	block->n_containers--;
	return check(block, ok);
}

/* The largest heading has a line below it. */
static bool end_heading(struct block *block)
{
	size_t at = block->markdown->n_rows;
	bool ok = flush(block);

	block->heading--;
	if (ok && block->level == 1 && block->markdown->n_rows > at) {
		const struct markdown_row *row = &block->markdown->rows[block->markdown->n_rows - 1];
		int width = cells_width(buf_text(&block->markdown->text) + row->from, row->to - row->from);
		int before = cells_width(buf_text(&block->rest.text), block->rest.text.len);

		if (block->markdown->n_rows > at + 1 || width - before > text_cols(block))
			width = before + text_cols(block);
		ok = markdown_rule(block->markdown, "", 0, row->source, &block->rest, &block->rest,
		                   width - before);
	}
	return check(block, ok);
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct block *block = ctx;

	(void)detail;
	if (block->failed)
		return 1;
	if (type == MD_BLOCK_CODE) {
		flush_code(block);
		block->code--;
		return block->failed;
	}
	if (type == MD_BLOCK_H) {
		end_heading(block);
		return block->failed;
	}
	if (!flush(block))
		return 1;
	switch (type) {
	case MD_BLOCK_QUOTE:
		block->quote--;
		block->n_containers--;
		break;
	case MD_BLOCK_OL:
		if (block->n_lists == 1 && block->n_containers == 0)
			*block->number = block->lists[0].number - 1;
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
	return block->failed;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct block *block = ctx;

	(void)detail;
	switch (type) {
	case MD_SPAN_EM: block->emphasis++; break;
	case MD_SPAN_STRONG: block->strong++; break;
	case MD_SPAN_A:
	case MD_SPAN_IMG:
		if (!block->link++)
			block->link_from = block->target->text.len;
		break;
	case MD_SPAN_CODE:
		block->code++;
		if (block->markdown->ticks)
			puts_as(block, "`", STYLE_CODE);
		break;
	case MD_SPAN_DEL: puts_as(block, "~~", role_of(block)); break;
	default: break;
	}
	return block->failed;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct block *block = ctx;

	switch (type) {
	case MD_SPAN_EM: block->emphasis--; break;
	case MD_SPAN_STRONG: block->strong--; break;
	case MD_SPAN_A: {
		const MD_SPAN_A_DETAIL *a = detail;

		block->link--;
		put_target(block, &a->href, &a->title);
		break;
	}
	case MD_SPAN_IMG: {
		const MD_SPAN_IMG_DETAIL *image = detail;

		block->link--;
		put_target(block, &image->src, &image->title);
		break;
	}
	case MD_SPAN_CODE:
		if (block->markdown->ticks)
			puts_as(block, "`", STYLE_CODE);
		block->code--;
		break;
	case MD_SPAN_DEL: puts_as(block, "~~", role_of(block)); break;
	default: break;
	}
	return block->failed;
}

/* "&amp;" and its kin; those that are not known, or stand for a control character, are left as they
 * are written. */
static size_t decode_entity(const char *text, size_t n, char out[UTF8_MAX])
{
	static const struct {
		const char *name;
		uint32_t cp;
	} names[] = {
		{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"nbsp", 0xA0},
		{"copy", 0xA9}, {"reg", 0xAE}, {"deg", 0xB0}, {"plusmn", 0xB1}, {"middot", 0xB7},
		{"times", 0xD7}, {"divide", 0xF7}, {"ndash", 0x2013}, {"mdash", 0x2014}, {"lsquo", 0x2018},
		{"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D}, {"bull", 0x2022}, {"hellip", 0x2026},
		{"euro", 0x20AC}, {"trade", 0x2122}, {"larr", 0x2190}, {"rarr", 0x2192}, {"ne", 0x2260},
		{"le", 0x2264}, {"ge", 0x2265}, {"auml", 0xE4}, {"ouml", 0xF6}, {"uuml", 0xFC},
		{"szlig", 0xDF}, {"eacute", 0xE9}, {"pi", 0x3C0},
	};
	uint32_t cp = 0;

	if (n > 3 && text[1] == '#') {
		bool hex = text[2] == 'x' || text[2] == 'X';

		for (size_t i = hex ? 3 : 2; i + 1 < n && cp < 0x110000; i++) {
			int digit = text[i] <= '9' ? text[i] - '0' : (text[i] | 0x20) - 'a' + 10;

			cp = cp * (hex ? 16 : 10) + (uint32_t)digit;
		}
	}
	for (size_t i = 0; n > 2 && i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i].name) == n - 2 && memcmp(names[i].name, text + 1, n - 2) == 0)
			cp = names[i].cp;
	return cp < ' ' || cp == 0x7F ? 0 : utf8_encode(cp, out);
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *ctx)
{
	struct block *block = ctx;
	char entity[UTF8_MAX];
	size_t n = size, decoded;
	bool found;

	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR)
		return !puts_as(block, "\n", role_of(block));
	found = find_source(block, &text, &n);
	if (found && !n)
		return 0; /* it only closes what was open */
	if (found)
		block->last = (size_t)(text - block->text);
	decoded = type == MD_TEXT_ENTITY ? decode_entity(text, n, entity) : 0;
	check(block, decoded ? styled_insert(block->target, entity, decoded, role_of(block), block->last)
	             : found ? styled_add(block->target, text, n, role_of(block), block->last)
	                     : styled_insert(block->target, text, n, role_of(block), block->last));
	block->last += found ? n : 0;
	return block->failed;
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
                           uint32_t *number)
{
	MD_PARSER parser = {
		.flags = MD_FLAG_NOHTMLBLOCKS | MD_FLAG_NOHTMLSPANS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH |
		         MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_PERMISSIVEWWWAUTOLINKS,
		.enter_block = enter_block, .leave_block = leave_block,
		.enter_span = enter_span, .leave_span = leave_span, .text = add_text,
	};
	struct block block = {
		.markdown = markdown, .text = text, .start = segment->start, .end = segment->end,
		.last = segment->start, .n_rows = markdown->n_rows, .number = number,
		.indent = item_indent(text, segment),
	};
	uint32_t before = *number;
	struct buf copy;
	enum status status;
	const char *first_end = memchr(text + segment->start, '\n', segment->end - segment->start);
	size_t bars = 0;

	for (const char *c = text + segment->start; first_end && c < first_end; c++)
		bars += *c == '|';
	if (bars >= MARKDOWN_COLUMNS - 1)
		parser.flags &= ~(unsigned)MD_FLAG_TABLES;
	buf_init(&copy, 2 * LIMIT_MESSAGE);
	status = markdown_prepare(&copy, text + segment->start, segment->end - segment->start,
	                          markdown->growing && segment->last, &block.prepared);
	if (!status) {
		block.copy = buf_text(&copy);
		block.n_copy = copy.len;
		styled_init(&block.para);
		styled_init(&block.first);
		styled_init(&block.rest);
		styled_init(&block.info);
		block.target = &block.para;
		if (md_parse(block.copy, (MD_SIZE)copy.len, &parser, &block) || block.failed)
			status = STATUS_NOMEM;
		if (!status && markdown->n_rows > block.n_rows) /* with what stands before its text */
			markdown->rows[block.n_rows].source = (uint32_t)segment->start;
		if (*number == before)
			*number = 0;
		styled_free(&block.para);
		styled_free(&block.first);
		styled_free(&block.rest);
		styled_free(&block.info);
		table_free(block.table);
	}
	buf_free(&copy);
	return status;
}
