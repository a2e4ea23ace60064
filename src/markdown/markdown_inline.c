/* The text of Markdown: what is within its blocks, with its styles. */
#include "markdown/markdown_block.h"

#include <string.h>

#include "base/sanitize.h"
#include "base/utf8.h"

static enum theme_role role_of(const struct md_block *block)
{
	if (block->code)
		return STYLE_CODE;
	if (block->link)
		return STYLE_LINK;
	if (block->heading || block->head)
		return STYLE_HEADING;
	if (block->struck)
		return STYLE_STRUCK;
	if (block->strong)
		return block->emphasis ? STYLE_STRONG_EMPHASIS : STYLE_STRONG;
	if (block->emphasis)
		return STYLE_EMPHASIS;
	return block->quote ? STYLE_QUOTE : STYLE_ASSISTANT;
}

static void puts_as(struct md_block *block, const char *text, enum theme_role role)
{
	styled_puts(block->target, text, role, block->last);
}

/* Turns a part of what is parsed into that of the text; false for the parser's own bytes. Of what
 * is not shown, nothing is left. */
static bool find_source(const struct md_block *block, const char **text, size_t *n)
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
static size_t match_end(const struct md_block *block, size_t at, const char *text, size_t n)
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
static void find_escaped(const struct md_block *block, const char **text, size_t *n)
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
void block_add_attribute(struct md_block *block, struct styled *out, const MD_ATTRIBUTE *attribute,
                         enum theme_role role)
{
	const char *text = attribute->text;
	size_t n = attribute->size;

	if (!n)
		return;
	if (!find_source(block, &text, &n))
		find_escaped(block, &text, &n);
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && !memchr("\n\r\t", text[end], 3); end++)
			;
		styled_insert(out, text + i, end - i, role, block->last);
		if (end < n)
			styled_puts(out, " ", role, block->last);
	}
}

/* Behind a link's text: where it leads, unless the text says so. */
static void put_target(struct md_block *block, const MD_ATTRIBUTE *target,
                       const MD_ATTRIBUTE *title)
{
	const char *shown = buf_text(&block->target->text) + block->link_from;
	size_t n = block->target->text.len - block->link_from;
	bool same = target->size >= n && n && memcmp(target->text + target->size - n, shown, n) == 0 &&
	            (target->size == n || (target->size == n + 7 && memcmp(target->text, "mailto:", 7) == 0) ||
	             (target->size == n + 7 && memcmp(target->text, "http://", 7) == 0));

	block->link--;
	if ((same || !target->size) && !title->size)
		return;
	puts_as(block, n ? " (" : "(", STYLE_HINT);
	if (!same)
		block_add_attribute(block, block->target, target, STYLE_HINT);
	if (title->size) {
		puts_as(block, same || !target->size ? "\"" : " \"", STYLE_HINT);
		block_add_attribute(block, block->target, title, STYLE_HINT);
		puts_as(block, "\"", STYLE_HINT);
	}
	puts_as(block, ")", STYLE_HINT);
}

int block_enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct md_block *block = ctx;

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
	case MD_SPAN_DEL:
		block->struck++;
		if (block->markdown->ticks)
			puts_as(block, "~~", role_of(block));
		break;
	default: break;
	}
	return 0;
}

int block_leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct md_block *block = ctx;

	switch (type) {
	case MD_SPAN_EM: block->emphasis--; break;
	case MD_SPAN_STRONG: block->strong--; break;
	case MD_SPAN_A: {
		const MD_SPAN_A_DETAIL *a = detail;

		put_target(block, &a->href, &a->title);
		break;
	}
	case MD_SPAN_IMG: {
		const MD_SPAN_IMG_DETAIL *image = detail;

		put_target(block, &image->src, &image->title);
		break;
	}
	case MD_SPAN_CODE:
		if (block->markdown->ticks)
			puts_as(block, "`", STYLE_CODE);
		block->code--;
		break;
	case MD_SPAN_DEL:
		if (block->markdown->ticks)
			puts_as(block, "~~", role_of(block));
		block->struck--;
		break;
	default: break;
	}
	return 0;
}

size_t markdown_entity(const char *text, size_t n, char *out)
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

/* The bytes of a <br>, which begins with '<'; 0 for something else. */
static size_t break_len(const char *text, size_t n)
{
	size_t at = 3;

	if (n < 4 || (text[1] | 0x20) != 'b' || (text[2] | 0x20) != 'r')
		return 0;
	while (at < n && text[at] == ' ')
		at++;
	at += at < n && text[at] == '/';
	return at < n && text[at] == '>' ? at + 1 : 0;
}

/* Code in a table's cell: its bars have backslashes there, and there alone. */
static void add_cell_code(struct md_block *block, const char *text, size_t n, size_t source)
{
	size_t from = 0;

	for (size_t at = 0; at + 1 < n; at++)
		if (text[at] == '\\' && text[at + 1] == '|') {
			styled_add(block->target, text + from, at - from, STYLE_CODE, source + from);
			from = at + 1;
		}
	styled_add(block->target, text + from, n - from, STYLE_CODE, source + from);
}

/* A stroke over each character: no attribute of curses has one. */
static void add_struck(struct md_block *block, const char *text, size_t n, enum theme_role role,
                       size_t source)
{
	struct safe_piece piece;

	for (size_t at = 0; sanitize_next(text, n, at, &piece); at = piece.end) {
		styled_add(block->target, text + at, piece.end - at, role, source + at);
		if (piece.kind == SAFE_TEXT && piece.cps[0] != ' ')
			styled_puts(block->target, "\u0336", role, source + at);
	}
}

enum { FOOTNOTE_DIGITS = 4 };

/* The digits of "[^12]", which begins at text[0]; 0: it is no reference to a footnote. */
static size_t footnote_digits(const char *text, size_t n)
{
	size_t digits = 0;

	if (n < 4 || text[1] != '^')
		return 0;
	while (digits < FOOTNOTE_DIGITS && 2 + digits < n && text[2 + digits] >= '0' && text[2 + digits] <= '9')
		digits++;
	return 2 + digits < n && text[2 + digits] == ']' ? digits : 0;
}

/* Footnotes are no Markdown for the parser: "[^1]", there and where it is explained, is shown as "[1]",
 * like a link. Names other than numbers may be anything, such as a pattern, and stay. */
static void add_text(struct md_block *block, const char *text, size_t n, enum theme_role role,
                     size_t source)
{
	size_t from = 0;

	if (block->struck && !block->markdown->ticks) {
		add_struck(block, text, n, role, source);
		return;
	}
	for (const char *at = text; (at = memchr(at, '[', n - (size_t)(at - text))) != NULL; at++) {
		size_t to = (size_t)(at - text), digits = footnote_digits(at, n - to);

		if (!digits)
			continue;
		styled_add(block->target, text + from, to - from, role, source + from);
		styled_add(block->target, at, 1, STYLE_LINK, source + to);
		styled_add(block->target, at + 2, digits + 1, STYLE_LINK, source + to + 2);
		from = to + 2 + digits + 1;
	}
	styled_add(block->target, text + from, n - from, role, source + from);
}

/* Text of a table's cell: Markdown has nothing for a line's end there, so that <br> is written. */
static void add_cell_text(struct md_block *block, const char *text, size_t n, enum theme_role role,
                          size_t source)
{
	size_t from = 0;

	for (const char *at; (at = memchr(text + from, '<', n - from)) != NULL;) {
		size_t to = (size_t)(at - text), len = break_len(at, n - to);

		add_text(block, text + from, to + !len - from, role, source + from);
		if (len)
			styled_puts(block->target, "\n", role, source + to);
		from = to + (len ? len : 1);
	}
	add_text(block, text + from, n - from, role, source + from);
}

int block_add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *ctx)
{
	struct md_block *block = ctx;
	enum theme_role role = role_of(block);
	char entity[UTF8_MAX];
	size_t n = size, decoded;
	bool found;

	if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
		puts_as(block, "\n", role);
		return 0;
	}
	found = find_source(block, &text, &n);
	if (found && !n)
		return 0; /* it only closes what was open */
	if (found)
		block->last = (size_t)(text - block->text);
	decoded = type == MD_TEXT_ENTITY ? markdown_entity(text, n, entity) : 0;
	if (decoded)
		styled_insert(block->target, entity, decoded, role, block->last);
	else if (!found)
		styled_insert(block->target, text, n, role, block->last);
	else if (block->table && block->code)
		add_cell_code(block, text, n, block->last);
	else if (block->table)
		add_cell_text(block, text, n, role, block->last);
	else if (!block->code)
		add_text(block, text, n, role, block->last);
	else
		styled_add(block->target, text, n, role, block->last);
	block->last += found ? n : 0;
	return 0;
}
