#include "view/line_flow.h"

#include <string.h>

#include "base/sanitize.h"
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
