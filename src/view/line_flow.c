#include "view/line_flow.h"

#include <string.h>

#include "base/sanitize.h"
#include "base/words.h"
#include "terminal/cells.h"

static bool is_blank(const struct safe_piece *piece)
{
	return piece->kind == SAFE_TAB || (piece->kind == SAFE_TEXT && piece->cps[0] == ' ');
}

/* Where what begins at `at` ends: a word, or one of the wide characters that need no blanks between
 * them. *width: its columns. */
static size_t word_end(const char *text, size_t len, size_t at, int *width)
{
	struct safe_piece piece;

	*width = 0;
	while (sanitize_next(text, len, at, &piece) && piece.kind != SAFE_NEWLINE && !is_blank(&piece)) {
		int columns = cells_piece_width(&piece, 0);
		bool is_wide = piece.kind == SAFE_TEXT && columns > 1;

		if (is_wide && *width)
			break;
		*width += columns;
		at = piece.end;
		if (is_wide)
			break;
	}
	return at;
}

void line_flow_put(struct line_flow *flow, struct buf *to, const char *text, size_t len, int cols)
{
	int carried = flow->blanks; /* of the part before */
	size_t blank = 0, end;      /* where the blanks in this one begin */
	struct safe_piece piece;

	cols = cols > 0 ? cols : 1;
	for (size_t at = 0; sanitize_next(text, len, at, &piece); at = end) {
		int width = 0;

		end = piece.end;
		if (is_blank(&piece)) {
			flow->blanks += cells_piece_width(&piece, flow->col + flow->blanks);
			continue;
		}
		if (piece.kind != SAFE_NEWLINE)
			end = word_end(text, len, at, &width);
		if (piece.kind == SAFE_NEWLINE || (flow->col && flow->col + flow->blanks + width > cols)) {
			buf_putc(to, '\n');
			flow->col = 0;
		} else {
			buf_printf(to, "%*s", carried, "");
			buf_append(to, text + blank, at - blank);
			flow->col += flow->blanks;
		}
		flow->blanks = carried = 0;
		blank = end;
		if (piece.kind == SAFE_NEWLINE)
			continue;
		sanitize_text(to, text + at, end - at);
		flow->col += width;
		if (flow->col > cols)
			flow->col = (flow->col - 1) % cols + 1;
	}
}

void line_flow_text(struct buf *to, const char *text, size_t len, int cols)
{
	struct line_flow flow = {.col = 0};

	line_flow_put(&flow, to, text, len, cols);
}

/* ---- what is still growing ---- */

/* "e.g. ", "3. " and "Dr. " end no sentence: a word of one or two characters before the dot is taken
 * for one of them. */
static bool ends_sentence(const char *text, size_t dot)
{
	size_t word = dot;

	if (text[dot] != '.')
		return true;
	while (word && !words_is_blank(text[word - 1]) && text[word - 1] != '.')
		word--;
	return dot - word > 2;
}

/* Marks that may follow the dot: quotes and brackets. */
static size_t after_marks(const char *text, size_t len, size_t at)
{
	while (at < len && memchr("\"')]*_", text[at], 6))
		at++;
	return at;
}

/* Chinese and Japanese marks that end a sentence without a blank after them. */
static bool is_wide_end(const char *text, size_t len, size_t at)
{
	static const char *const ends[] = {"\343\200\202", "\357\274\201", "\357\274\237"};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (len - at >= 3 && memcmp(text + at, ends[i], 3) == 0)
			return true;
	return false;
}

size_t line_flow_whole(const char *text, size_t len)
{
	size_t whole = 0, word = 0;

	for (size_t at = 0; at < len; at++) {
		size_t next = at + 1;

		if (text[at] == '\n') {
			whole = word = next;
			continue;
		}
		if (words_is_blank(text[at]))
			word = next;
		if (is_wide_end(text, len, at))
			whole = word = at + 3;
		if (!memchr(".!?:", text[at], 4) || !ends_sentence(text, at))
			continue;
		next = after_marks(text, len, next);
		if (next < len && words_is_blank(text[next])) /* only then is it known to have ended */
			whole = next + 1;
	}
	return len - whole > LINE_FLOW_SENTENCE && word > whole ? word : whole;
}
