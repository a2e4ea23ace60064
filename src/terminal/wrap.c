#include "terminal/wrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "terminal/cells.h"

void wrap_free(struct wrap *wrap)
{
	free(wrap->lines);
	*wrap = (struct wrap){.n = 0};
}

static bool add_line(struct wrap *wrap, size_t start, size_t end)
{
	if (!alloc_grow(&wrap->lines, &wrap->cap, wrap->n + 1, sizeof *wrap->lines,
	                SIZE_MAX / sizeof *wrap->lines))
		return false;
	wrap->lines[wrap->n++] = (struct wrap_line){(uint32_t)start, (uint32_t)end};
	return true;
}

/* What a piece is to line breaking. */
enum wrap_class {
	WRAP_WORD,
	WRAP_BLANK,
	WRAP_HYPHEN,  /* a break may follow between letters */
	WRAP_DASH,    /* a break may follow */
	WRAP_WIDE,    /* breaks before and after */
	WRAP_OPENING, /* wide, but no break after */
	WRAP_CLOSING, /* wide, but no break before */
};

static enum wrap_class wrap_class(const struct safe_piece *piece, int width)
{
	const uint32_t cp = piece->cps[0];
	static const wchar_t opening[] = L"（［｛〈《「『【〔〖";
	static const wchar_t closing[] = L"、。，．：；？！）］｝〉》」』】〕〗ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";

	if (piece->kind == SAFE_TAB)
		return WRAP_BLANK;
	if (piece->kind != SAFE_TEXT)
		return WRAP_WORD;
	if (piece->n == 1 && (cp == ' ' || cp == 0x3000))
		return WRAP_BLANK;
	if (cp == '-' || cp == 0x2010)
		return WRAP_HYPHEN;
	if (cp == 0x2013 || cp == 0x2014)
		return WRAP_DASH;
	if (width < 2)
		return WRAP_WORD;
	if (wcschr(opening, (wchar_t)cp))
		return WRAP_OPENING;
	if (wcschr(closing, (wchar_t)cp))
		return WRAP_CLOSING;
	return WRAP_WIDE;
}

/* May a line end between two pieces neither of which is blank? `word` is
 * whether a letter or digit stands before a hyphen. */
static bool may_break(enum wrap_class before, enum wrap_class after, bool word, bool letter)
{
	if (after == WRAP_CLOSING || before == WRAP_OPENING)
		return false;
	if (before == WRAP_HYPHEN)
		return word && letter;
	if (before == WRAP_DASH)
		return after != WRAP_DASH;
	return before == WRAP_WIDE || before == WRAP_CLOSING || after == WRAP_WIDE ||
	       after == WRAP_OPENING;
}

/* Greedy: a line depends only on where it starts, so that appended text can change only the last
 * line. */
static enum status wrap_from(struct wrap *wrap, const char *text, size_t len, size_t start)
{
	size_t at = start;
	size_t break_at = 0, break_end = 0; /* the last place to break; none when <= start */
	size_t blank = 0;                   /* start of the blanks before `at` */
	enum wrap_class before = WRAP_BLANK;
	bool word = false, was_letter = false;
	bool begun = true; /* there is such a line even if it is empty */
	struct safe_piece piece;
	int col = 0;

	wrap->sure = (uint32_t)len;
	while (sanitize_next(text, len, at, &piece)) {
		const int width = piece.kind == SAFE_NEWLINE ? 0 : cells_piece_width(&piece, col);
		const enum wrap_class class = wrap_class(&piece, width);
		const bool letter = piece.kind == SAFE_TEXT && iswalnum((wint_t)piece.cps[0]);
		size_t next = piece.end, end = at;

		if (piece.open && at < wrap->sure)
			wrap->sure = (uint32_t)at;
		if (piece.kind == SAFE_NEWLINE) {
			end = before == WRAP_BLANK && at > start ? blank : at;
		} else if (class == WRAP_BLANK) {
			if (before != WRAP_BLANK || at == start)
				blank = at;
			goto accept;
		} else {
			if (at > start && before == WRAP_BLANK && blank > start) {
				break_at = at;
				break_end = blank;
			} else if (at > start && before != WRAP_BLANK &&
			           may_break(before, class, word, letter)) {
				break_at = break_end = at;
			}
			if (width <= wrap->cols - col)
				goto accept;
			if (break_at > start) {
				next = break_at;
				end = break_end;
			} else if (at == start) {
				end = piece.end; /* wider than a line */
			} else { /* in a word, or behind an indentation as wide as this */
				next = at;
				end = before == WRAP_BLANK ? blank : at;
			}
		}
		if (!add_line(wrap, start, end))
			return STATUS_NOMEM;
		begun = piece.kind == SAFE_NEWLINE;
		at = start = next;
		col = 0;
		before = WRAP_BLANK;
		word = was_letter = false;
		continue;
accept:
		word = was_letter;
		was_letter = letter;
		before = class;
		col = col > wrap->cols ? col : col + width;
		at = piece.end;
	}
	if ((begun || start < len) && !add_line(wrap, start, len))
		return STATUS_NOMEM;
	return STATUS_OK;
}

enum status wrap_update(struct wrap *wrap, const char *text, size_t len, int cols)
{
	size_t start = 0;
	enum status status;

	if (len > UINT32_MAX)
		return STATUS_LIMIT;
	if (cols < 1)
		cols = 1;
	if (wrap->n && wrap->cols == cols && wrap->len == len)
		return STATUS_OK;
	if (wrap->cols != cols || len < wrap->len)
		wrap->n = 0;
	wrap->cols = cols;
	/* The last line goes on. The two before may as well: a character at the
	 * end that was not whole may turn out narrower and fit in above. */
	if (wrap->n) {
		size_t line = wrap_find(wrap, wrap->sure);

		wrap->n = line > 2 ? line - 2 : 0;
		start = wrap->lines[wrap->n].start;
	}
	status = wrap_from(wrap, text, len, start);
	if (status)
		wrap_free(wrap);
	else
		wrap->len = (uint32_t)len;
	return status;
}

size_t wrap_find(const struct wrap *wrap, size_t offset)
{
	size_t next = 0;

	BISECT(next, wrap->n, i, wrap->lines[i].start <= offset);
	return next ? next - 1 : 0;
}
