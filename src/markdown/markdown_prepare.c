/* What is done to Markdown before md4c parses it. */
#include "markdown/markdown_internal.h"

#include <string.h>

/* The end of the code that begins with the backticks at `at`; that of the backticks for none. */
static size_t code_end(const char *text, size_t n, size_t at)
{
	size_t ticks = run_of(text, n, at), run;

	for (size_t i = at + ticks; i < n; i += run) {
		run = 1;
		if (text[i] == '`') {
			run = run_of(text, n, i);
			if (run == ticks)
				return i + run;
		}
	}
	return at + ticks;
}

static void mask(char *copy, size_t from, size_t to)
{
	for (; from < to; from++)
		if (copy[from] != '\n' && copy[from] != ' ')
			copy[from] = MARKDOWN_LETTER;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c & 0x80);
}

/* The end of maths between single dollars, 0 if there is none: on one line, with no blank within
 * the dollars and no word around them, so that prices and variables of a shell are none. */
static size_t dollar_end(const char *text, size_t n, size_t at)
{
	if (at + 1 == n || is_space(text[at + 1]) || (at && is_word(text[at - 1])))
		return 0;
	for (size_t end = at + 1; end < n && text[end] != '\n' && text[end] != '`'; end++) {
		if (text[end] == '\\')
			end++;
		else if (text[end] == '$')
			return is_space(text[end - 1]) || (end + 1 < n && is_word(text[end + 1])) ? 0 : end + 1;
	}
	return 0;
}

/* What closes maths that two bytes open; NULL: they do not. */
static const char *closing_mark(const char *open)
{
	return memcmp(open, "\\(", 2) == 0 ? "\\)" : memcmp(open, "\\[", 2) == 0 ? "\\]"
	       : memcmp(open, "$$", 2) == 0 ? "$$" : NULL;
}

/* The end of maths behind its first mark, 0 if there is none: no blank line is in it. Where the text grows
 * and the end has not come yet, up to the end. */
static size_t marked_end(const char *text, size_t n, size_t at, const char *close, bool growing)
{
	for (; at + 1 < n; at++) {
		if (memcmp(text + at, close, 2) == 0)
			return at + 2;
		if (text[at] == '\n' && text[at + 1] == '\n')
			return 0;
	}
	return growing ? n : 0;
}

/* \( ... \), \[ ... \], $$ ... $$ and $ ... $ are text. */
static void mask_maths(char *copy, size_t n, bool growing)
{
	for (size_t at = 0, end; at + 1 < n; at = end) {
		const char *close = closing_mark(copy + at);
		size_t maths = close ? marked_end(copy, n, at + 2, close, growing)
		               : copy[at] == '$' ? dollar_end(copy, n, at) : 0;

		mask(copy, at, maths);
		end = maths ? maths : copy[at] == '`' ? code_end(copy, n, at)
		      : copy[at] == '\\' && !close ? at + 2 : at + 1;
	}
}

/* A star between letters or digits is one of those that multiply. */
static bool is_product(const char *text, size_t n, size_t at)
{
	return text[at] == '*' && at && at + 1 < n && is_word(text[at - 1]) && is_word(text[at + 1]) &&
	       !((text[at - 1] | text[at + 1]) & 0x80);
}

/* A single tilde: "about" or, in pairs, below the line. Two of them strike out. */
static bool is_single_tilde(const char *text, size_t n, size_t at)
{
	return text[at] == '~' && (!at || text[at - 1] != '~') && (at + 1 == n || text[at + 1] != '~');
}

/* Control characters are shown by their names; definitions of links ("[name]: target") as they are
 * written, since what refers to them may have been laid out long before. */
static void mask_bytes(char *copy, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)copy[i];

		if ((c < ' ' && c != '\n' && c != '\t' && !(c == '\r' && i + 1 < n && copy[i + 1] == '\n')) ||
		    c == 0x7F || (c == ':' && i && copy[i - 1] == ']') || is_product(copy, n, i) ||
		    is_single_tilde(copy, n, i))
			copy[i] = MARKDOWN_LETTER;
	}
}

enum { OPEN_MAX = 16 };

/* What is open at a text's end. */
struct open_marks {
	struct {
		char mark;
		size_t n;
	} stack[OPEN_MAX];
	size_t n;
	size_t code;   /* backticks that have opened code; 0: none */
	size_t target; /* of a link: parentheses that are open */
};

static bool flanks_left(const char *text, size_t n, size_t end)
{
	return end < n && !is_space(text[end]);
}

static void emphasis(struct open_marks *open, const char *text, size_t n, size_t at, size_t end)
{
	size_t len = end - at;
	bool right = at && !is_space(text[at - 1]);
	bool in_word = right && flanks_left(text, n, end) && text[at] == '_' &&
	               (text[at - 1] & 0x80 || strchr("*_~([{\"'", text[at - 1]) == NULL);

	if (text[at] == '~' && len > 2)
		return;
	while (right && !in_word && len && open->n && open->stack[open->n - 1].mark == text[at]) {
		size_t *left = &open->stack[open->n - 1].n;
		size_t both = *left < len ? *left : len;

		*left -= both;
		len -= both;
		if (!*left)
			open->n--;
	}
	if (len && !in_word && flanks_left(text, n, end) && open->n < OPEN_MAX) {
		open->stack[open->n].mark = text[at];
		open->stack[open->n++].n = len;
	}
}

/* What is open in the paragraph text[0, n). */
static void find_open(struct open_marks *open, const char *text, size_t n)
{
	for (size_t at = 0, end; at < n; at = end) {
		const char c = text[at];

		end = at + 1;
		if (c == '`' || c == '*' || c == '_' || c == '~')
			while (end < n && text[end] == c)
				end++;
		if (open->code) {
			if (c == '`' && end - at == open->code)
				open->code = 0;
		} else if (c == '\\') {
			end = at + 2;
		} else if (c == '`') {
			if (end < n)
				open->code = end - at;
		} else if (open->target) {
			if (c == '(')
				open->target++;
			else if (c == ')')
				open->target--;
		} else if (c == ']' && end < n && text[end] == '(') {
			open->target = 1;
			end++;
		} else if (c == '*' || c == '_' || c == '~') {
			emphasis(open, text, n, at, end);
		}
	}
}

/* The last paragraph's beginning: behind a blank line or the beginning of an item. */
static size_t last_paragraph(const char *text, size_t n)
{
	for (size_t at = n; at > 0; at--) {
		size_t i = at;

		if (text[at - 1] != '\n')
			continue;
		while (i < n && (text[i] == ' ' || text[i] == '\t' || text[i] == '>'))
			i++;
		if (i == n)
			continue;
		if (text[i] == '\n')
			return i + 1;
		if (i + 1 < n && strchr("-+*", text[i]) && text[i + 1] == ' ')
			return i + 2;
		if (text[i] >= '0' && text[i] <= '9') {
			while (i < n && text[i] >= '0' && text[i] <= '9')
				i++;
			if (i + 1 < n && (text[i] == '.' || text[i] == ')') && text[i + 1] == ' ')
				return i + 2;
		}
	}
	return n > 1 && strchr("-+*", text[0]) && text[1] == ' ' ? 2 : 0;
}

/* A row of |---|---| that has as many columns as the row above. */
static bool makes_table(const char *copy, size_t n, size_t begin)
{
	size_t above = begin ? begin - 1 : 0, bars[2] = {0, 0};

	if (!begin || copy[n - 1] != '|')
		return false;
	for (size_t i = begin; i < n; i++)
		bars[0] += copy[i] == '|';
	while (above && copy[above - 1] != '\n')
		bars[1] += copy[--above] == '|';
	return bars[0] > 1 && bars[0] == bars[1];
}

/* The last line, which still grows, may become something else as long as it has nothing but
 * marks: it is not shown yet. */
static void hold_back_line(char *copy, size_t n)
{
	size_t begin = n, at;

	while (begin && copy[begin - 1] != '\n')
		begin--;
	for (at = begin; at < n; at++)
		if (!strchr(" \t#-+*=_`~>|:", copy[at]) || !copy[at])
			return;
	if (begin < n && makes_table(copy, n, begin))
		return;
	memset(copy + begin, ' ', n - begin);
}

/* The same for marks at a line's end, which may open or close something, and for the beginning of
 * a <br>. */
static size_t hold_back_marks(const char *copy, size_t n)
{
	static const char tag[] = "<br /";
	size_t begin = n;

	for (size_t len = 1; len < sizeof tag && len <= n; len++)
		if (copy[n - len] == '<')
			return memcmp(copy + n - len, tag, len) == 0 ? n - len : n;
	while (begin && strchr("*_~`", copy[begin - 1]) && copy[begin - 1])
		begin--;
	if (begin && copy[begin - 1] == '\\')
		return n;
	return begin;
}

/* Closes what is open at the end of a growing text. */
static enum status close_end(struct buf *copy, size_t n, size_t *n_shown)
{
	struct open_marks open = {.n = 0};
	size_t begin, end, shown;
	char *text = copy->data;

	end = n;
	while (end && is_space(text[end - 1]))
		end--;
	begin = last_paragraph(text, end);
	shown = hold_back_marks(text, end);
	if (shown < begin)
		shown = begin;
	/* Marks at the end close what they match; the rest of them is not shown yet. */
	find_open(&open, text + begin, shown - begin);
	while (shown > begin && is_space(text[shown - 1]))
		shown--;
	*n_shown = copy->len = shown;
	text[shown] = '\0';
	if (open.target)
		for (; open.target; open.target--)
			buf_putc(copy, ')');
	for (; open.code; open.code--)
		buf_putc(copy, '`');
	while (open.n) {
		open.n--;
		for (size_t i = 0; i < open.stack[open.n].n; i++)
			buf_putc(copy, open.stack[open.n].mark);
	}
	return buf_status(copy);
}

/* The next bar between the cells of a table's row, or the row's end: code and \\| have none. */
static size_t next_bar(const char *text, size_t at, size_t end)
{
	for (; at < end && text[at] != '|'; at++) {
		if (text[at] == '\\')
			at++;
		else if (text[at] == '`')
			at = code_end(text, end, at) - 1;
	}
	return at < end ? at : end;
}

/* Cuts the bars around a row off, with what stands before it: marks of a quotation or an item. */
static void trim_row(const char *text, size_t *from, size_t *to)
{
	size_t at = *from, mark;

	while (at < *to && (is_space(text[at]) || text[at] == '>'))
		at++;
	for (mark = at; mark < *to && text[mark] >= '0' && text[mark] <= '9'; mark++)
		;
	if (mark + 1 < *to && memchr("-+*.)", text[mark], 5) && text[mark + 1] == ' ')
		for (at = mark + 1; at < *to && is_space(text[at]); at++)
			;
	if (at < *to && text[at] == '|')
		*from = at + 1;
	while (*to > *from && is_space(text[*to - 1]))
		--*to;
	if (*to > *from && text[*to - 1] == '|')
		--*to;
}

static size_t columns(const char *text, size_t from, size_t to)
{
	size_t n = 1;

	trim_row(text, &from, &to);
	for (from = next_bar(text, from, to); from < to; from = next_bar(text, from + 1, to))
		n++;
	return n;
}

/* |---|:-:|, perhaps in a quotation. */
static bool is_delimiter_row(const char *text, size_t from, size_t to)
{
	size_t bars = 0, cells = 0;

	while (from < to && (is_space(text[from]) || text[from] == '>'))
		from++;
	while (from < to) {
		if (text[from] == '|') {
			bars++;
			from++;
		}
		while (from < to && is_space(text[from]))
			from++;
		if (from == to)
			break;
		from += text[from] == ':';
		if (from == to || text[from] != '-')
			return false;
		cells++;
		from += run_of(text, to, from);
		from += from < to && text[from] == ':';
		while (from < to && is_space(text[from]))
			from++;
		if (from < to && text[from] != '|')
			return false;
	}
	return bars && cells;
}

bool markdown_opens_table(const char *text, size_t from, size_t to, size_t delimiter, size_t end)
{
	return memchr(text + from, '|', to - from) && is_delimiter_row(text, delimiter, end) &&
	       columns(text, from, to) == columns(text, delimiter, end);
}

static void mask_bars(char *copy, size_t from, size_t to, size_t n_left)
{
	for (from = next_bar(copy, from, to); from < to; from = next_bar(copy, from + 1, to)) {
		if (n_left)
			n_left--;
		else
			copy[from] = MARKDOWN_LETTER;
	}
}

/* The parser drops cells that a table has no column for: they become a part of the last one. What
 * has other columns than its head is no table. */
static void mask_surplus_bars(char *copy, size_t n)
{
	size_t n_cols = 0, above = 0, end;

	for (size_t at = 0; at < n; above = at, at = end + 1) {
		size_t from = at, to;

		end = to = line_end(copy, n, at);
		if (!n_cols && is_delimiter_row(copy, at, end)) {
			n_cols = columns(copy, at, end);
			if (at && columns(copy, above, at - 1) != n_cols) {
				mask_bars(copy, at, end, 0);
				n_cols = 0;
			}
		} else if (n_cols) {
			while (from < to && (is_space(copy[from]) || copy[from] == '>'))
				from++;
			if (from == to)
				n_cols = 0; /* a blank line ends it */
			trim_row(copy, &from, &to);
			if (n_cols)
				mask_bars(copy, from, to, n_cols - 1);
		}
	}
}

/* md4c takes a row of |-|-| for one only where it has three dashes for each column: they are put in,
 * and the bytes behind are shifted by as much. */
static enum status lengthen_dashes(struct buf *copy, const char *text, size_t n, struct prepared *out)
{
	size_t begin = line_end(text, n, 0) + 1, end;

	if (begin >= n)
		return STATUS_OK;
	end = line_end(text, n, begin);
	if (!markdown_opens_table(text, 0, begin, begin, end))
		return STATUS_OK;
	copy->len = begin;
	for (size_t i = begin; i < end; i++) {
		buf_putc(copy, text[i]);
		if (text[i] == '-' && text[i - 1] != '-')
			buf_puts(copy, "--");
	}
	out->shift_at = copy->len;
	out->shift = copy->len - end;
	return buf_append(copy, text + end, n - end);
}

enum status markdown_prepare(struct buf *copy, const char *text, size_t n, bool growing,
                             struct prepared *out)
{
	*out = (struct prepared){.n_shown = n, .shift_at = n};
	if (buf_append(copy, text, n) || lengthen_dashes(copy, text, n, out))
		return buf_status(copy);
	n = out->n_shown = copy->len;
	if (growing)
		hold_back_line(copy->data, n);
	mask_bytes(copy->data, n);
	markdown_join_cjk(copy->data, n);
	mask_maths(copy->data, n, growing);
	mask_surplus_bars(copy->data, n);
	return growing ? close_end(copy, n, &out->n_shown) : STATUS_OK;
}
