#include "line/line_rows.h"

#include <string.h>
#include <wchar.h>

#include "base/utf8.h"

struct screen_place {
	int row, col;
};

/* As readline shows it: control characters as ^X, tabs as blanks. */
static void advance(struct screen_place *place, const char *text, size_t n, int cols)
{
	for (size_t i = 0, taken; i < n; i += taken) {
		int32_t cp;
		int width;

		taken = utf8_decode(text + i, n - i, &cp);
		taken = taken ? taken : 1;
		width = cp == '\t' ? 8 - place->col % 8 : cp >= 0 && cp < ' ' ? 2 : cp < 0 ? 1 : wcwidth((wchar_t)cp);
		width = width < 0 ? 1 : width;
		if (place->col + width > cols) { /* a wide one waits for the next row; what is long goes on there */
			place->row++;
			place->col = width > 1 && cp >= 0x80 ? 0 : place->col - cols;
		}
		place->col += width;
		if (place->col == cols) {
			place->row++;
			place->col = 0;
		}
	}
}

int line_rows_above(const char *prompt, const char *text, size_t at, int cols)
{
	struct screen_place place = {0, 0};

	if (cols < 1)
		return 0;
	advance(&place, prompt, strlen(prompt), cols);
	advance(&place, text, at, cols);
	return place.row;
}
