#include "screen/svg.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* In tenths of a pixel, to keep the numbers short and exact. */
enum { CELL_W = 84, CELL_H = 190, MARGIN = 160, BAR = 360, BASELINE = 142, FONT = 14 };

static const struct {
	uint8_t r, g, b;
} palette[16] = {
	{0x28, 0x2c, 0x34}, {0xe0, 0x6c, 0x75}, {0x98, 0xc3, 0x79}, {0xe5, 0xc0, 0x7b},
	{0x61, 0xaf, 0xef}, {0xc6, 0x78, 0xdd}, {0x56, 0xb6, 0xc2}, {0xab, 0xb2, 0xbf},
	{0x5c, 0x63, 0x70}, {0xf0, 0x8c, 0x94}, {0xb5, 0xd9, 0x9c}, {0xf0, 0xd3, 0x9a},
	{0x8b, 0xc6, 0xf5}, {0xd7, 0x9d, 0xe8}, {0x85, 0xce, 0xd7}, {0xe6, 0xe9, 0xef},
};
static const uint32_t default_fg = 0xd5d9e0, default_bg = 0x1b1d23, frame = 0x2a2d35;

struct look {
	uint32_t fg, bg;
	bool bold, italic, underline;
	bool struck; /* by U+0336, which the fonts of pictures do not place */
};

static uint32_t rgb_of(struct screen *s, VTermColor color)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&color))
		return default_fg;
	if (VTERM_COLOR_IS_DEFAULT_BG(&color))
		return default_bg;
	if (VTERM_COLOR_IS_INDEXED(&color) && color.indexed.idx < 16) {
		uint8_t i = color.indexed.idx;

		return (uint32_t)palette[i].r << 16 | (uint32_t)palette[i].g << 8 | palette[i].b;
	}
	vterm_screen_convert_color_to_rgb(s->cells, &color);
	return (uint32_t)color.rgb.red << 16 | (uint32_t)color.rgb.green << 8 | color.rgb.blue;
}

enum { STROKE = 0x336 };

static bool is_struck(const VTermScreenCell *cell)
{
	for (size_t i = 1; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		if (cell->chars[i] == STROKE)
			return true;
	return false;
}

static struct look look_of(struct screen *s, const VTermScreenCell *cell)
{
	struct look look = {
		.fg = rgb_of(s, cell->fg),
		.bg = rgb_of(s, cell->bg),
		.bold = cell->attrs.bold,
		.italic = cell->attrs.italic,
		.underline = cell->attrs.underline != 0,
		.struck = is_struck(cell),
	};

	if (cell->attrs.reverse) {
		uint32_t swap = look.fg;

		look.fg = look.bg;
		look.bg = swap;
	}
	return look;
}

static bool same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->italic == b->italic &&
	       a->underline == b->underline && a->struck == b->struck;
}

static void put_tenths(FILE *f, int value)
{
	fprintf(f, value % 10 ? "%d.%d" : "%d", value / 10, value % 10);
}

static void put_box(FILE *f, int x, int y, int w, int h, uint32_t color)
{
	fputs("<rect x=\"", f);
	put_tenths(f, x);
	fputs("\" y=\"", f);
	put_tenths(f, y);
	fputs("\" width=\"", f);
	put_tenths(f, w);
	fputs("\" height=\"", f);
	put_tenths(f, h);
	fprintf(f, "\" fill=\"#%06x\"/>\n", color);
}

/* Lines from the middle of the cell: fonts leave gaps between rows. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, ROUND = 16, HEAVY = 32 };

static unsigned line_arms(uint32_t cp)
{
	static const struct {
		uint32_t cp;
		unsigned arms;
	} rows[] = {
		{0x2500, LEFT | RIGHT}, {0x2501, LEFT | RIGHT | HEAVY}, {0x2502, UP | DOWN}, {0x2503, UP | DOWN | HEAVY},
		{0x250c, DOWN | RIGHT}, {0x2510, DOWN | LEFT}, {0x2514, UP | RIGHT}, {0x2518, UP | LEFT},
		{0x251c, UP | DOWN | RIGHT}, {0x2524, UP | DOWN | LEFT}, {0x252c, DOWN | LEFT | RIGHT},
		{0x2534, UP | LEFT | RIGHT}, {0x253c, UP | DOWN | LEFT | RIGHT},
		{0x256d, DOWN | RIGHT | ROUND}, {0x256e, DOWN | LEFT | ROUND},
		{0x256f, UP | LEFT | ROUND}, {0x2570, UP | RIGHT | ROUND},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].cp == cp)
			return rows[i].arms;
	return 0;
}

/* Those that are one shape when several stand side by side: lines and bars. */
static bool joins(uint32_t cp)
{
	return cp == 0x2500 || cp == 0x2501 || cp == 0x2588;
}

/* True when the character was drawn as a shape, n of them side by side (1 if they do not join). */
static bool put_shape(FILE *f, uint32_t cp, int n, int x, int y, uint32_t color)
{
	unsigned arms = line_arms(cp);
	int half = arms & HEAVY ? 15 : 5; /* of a line's width */
	int mid_x = x + CELL_W / 2, mid_y = y + CELL_H / 2;

	if (cp == 0x2588) {
		put_box(f, x, y, n * CELL_W, CELL_H, color);
		return true;
	}
	if (cp > 0x2588 && cp <= 0x258f) { /* left part, eighths */
		put_box(f, x, y, CELL_W * (int)(0x2590 - cp) / 8, CELL_H, color);
		return true;
	}
	if (cp >= 0x2581 && cp < 0x2588) { /* lower part, eighths */
		int h = CELL_H * (int)(cp - 0x2580) / 8;

		put_box(f, x, y + CELL_H - h, CELL_W, h, color);
		return true;
	}
	if (!arms)
		return false;
	if (arms & ROUND) {
		int to_x = arms & LEFT ? x : x + CELL_W, to_y = arms & UP ? y : y + CELL_H;

		fprintf(f, "<path d=\"M%d.%d %d.%dQ%d.%d %d.%d %d.%d %d.%d\" fill=\"none\" stroke=\"#%06x\"/>\n",
		        to_x / 10, to_x % 10, mid_y / 10, mid_y % 10, mid_x / 10, mid_x % 10, mid_y / 10,
		        mid_y % 10, mid_x / 10, mid_x % 10, to_y / 10, to_y % 10, color);
		return true;
	}
	if (arms & (LEFT | RIGHT)) {
		int from = arms & LEFT ? x : mid_x - half, to = arms & RIGHT ? x + n * CELL_W : mid_x + half;

		put_box(f, from, mid_y - half, to - from, 2 * half, color);
	}
	if (arms & (UP | DOWN)) {
		int from = arms & UP ? y : mid_y - half, to = arms & DOWN ? y + CELL_H : mid_y + half;

		put_box(f, mid_x - half, from, 2 * half, to - from, color);
	}
	return true;
}

static void put_escaped(FILE *f, const VTermScreenCell *cell)
{
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++) {
		char bytes[UTF8_MAX];

		if (cell->chars[i] == STROKE)
			continue;
		if (cell->chars[i] == '<')
			fputs("&lt;", f);
		else if (cell->chars[i] == '&')
			fputs("&amp;", f);
		else
			fwrite(bytes, 1, utf8_encode(cell->chars[i], bytes), f);
	}
}

static bool is_blank(const VTermScreenCell *cell)
{
	return cell->chars[0] == 0 || cell->chars[0] == ' ';
}

/* Cells [from, to) of a row, all of one look and of single width (or one wide cell). */
static void put_run(FILE *f, struct screen *s, int row, int from, int to, const struct look *look)
{
	int x = MARGIN + from * CELL_W, y = BAR + row * CELL_H;
	int end = to;

	while (end > from && !look->underline) {
		VTermScreenCell cell = screen_cell(s, row, end - 1);

		if (!is_blank(&cell))
			break;
		end--;
	}
	if (end == from)
		return;
	fputs("<text x=\"", f);
	put_tenths(f, x);
	fputs("\" y=\"", f);
	put_tenths(f, y + BASELINE);
	fputs("\" textLength=\"", f);
	put_tenths(f, (end - from) * CELL_W);
	fprintf(f, "\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#%06x\"%s%s%s>", look->fg,
	        look->bold ? " font-weight=\"bold\"" : "", look->italic ? " font-style=\"italic\"" : "",
	        look->struck ? " text-decoration=\"line-through\""
	        : look->underline ? " text-decoration=\"underline\"" : "");
	for (int col = from; col < end; col++) {
		VTermScreenCell cell = screen_cell(s, row, col);

		if (cell.chars[0] == 0)
			fputc(' ', f);
		else if (cell.chars[0] != (uint32_t)-1)
			put_escaped(f, &cell);
	}
	fputs("</text>\n", f);
}

static void put_row(FILE *f, struct screen *s, int row)
{
	int y = BAR + row * CELL_H;

	for (int col = 0; col < s->cols;) { /* backgrounds */
		VTermScreenCell cell = screen_cell(s, row, col);
		uint32_t bg = look_of(s, &cell).bg;
		int from = col;

		while (++col < s->cols) {
			cell = screen_cell(s, row, col);
			if (look_of(s, &cell).bg != bg)
				break;
		}
		if (bg != default_bg)
			put_box(f, MARGIN + from * CELL_W, y, (col - from) * CELL_W, CELL_H, bg);
	}
	for (int col = 0; col < s->cols;) {
		VTermScreenCell cell = screen_cell(s, row, col);
		struct look look = look_of(s, &cell), next;
		uint32_t cp = cell.chars[0];
		int from = col, n = 1;

		while (joins(cp) && col + n < s->cols) {
			cell = screen_cell(s, row, col + n);
			next = look_of(s, &cell);
			if (cell.chars[0] != cp || !same_look(&look, &next))
				break;
			n++;
		}
		if (put_shape(f, cp, n, MARGIN + col * CELL_W, y, look.fg)) {
			col += n;
			continue;
		}
		cell = screen_cell(s, row, col);
		if (cell.width == 2) {
			put_run(f, s, row, col, col + 2, &look);
			col += 2;
			continue;
		}
		while (++col < s->cols) {
			cell = screen_cell(s, row, col);
			next = look_of(s, &cell);
			if (!same_look(&look, &next) || cell.width == 2 || line_arms(cell.chars[0]) ||
			    (cell.chars[0] >= 0x2580 && cell.chars[0] <= 0x258f))
				break;
		}
		put_run(f, s, row, from, col, &look);
	}
}

void svg_write(struct screen *s, const char *title, const char *path)
{
	int width = 2 * MARGIN + s->cols * CELL_W, height = BAR + s->rows * CELL_H + MARGIN;
	VTermScreenCell corner = screen_cell(s, 0, s->cols - 1);
	VTermPos cursor = screen_cursor(s);
	FILE *f = fopen(path, "w");

	if (!f)
		test_fail(__FILE__, __LINE__, "%s: %s", path, strerror(errno));
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
	        "height=\"%d\" font-family=\"'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,"
	        "monospace\" font-size=\"%d\" xml:space=\"preserve\">\n<title>%s</title>\n",
	        width / 10, height / 10, width / 10, height / 10, FONT, title);
	fprintf(f, "<rect width=\"%d\" height=\"%d\" rx=\"9\" fill=\"#%06x\"/>\n", width / 10, height / 10,
	        rgb_of(s, corner.bg)); /* a theme's ground goes on around its text */
	fprintf(f, "<path d=\"M0 28V9a9 9 0 0 1 9-9H%da9 9 0 0 1 9 9V28Z\" fill=\"#%06x\"/>\n",
	        width / 10 - 9, frame);
	fprintf(f, "<circle cx=\"18\" cy=\"14\" r=\"5.5\" fill=\"#%06x\"/>"
	        "<circle cx=\"36\" cy=\"14\" r=\"5.5\" fill=\"#%06x\"/>"
	        "<circle cx=\"54\" cy=\"14\" r=\"5.5\" fill=\"#%06x\"/>\n", 0xe06c75u, 0xe5c07bu, 0x98c379u);
	fprintf(f, "<text x=\"%d\" y=\"19\" text-anchor=\"middle\" fill=\"#9aa1ad\">%s</text>\n",
	        width / 20, title);
	for (int row = 0; row < s->rows; row++)
		put_row(f, s, row);
	if (!(s->checker.modes & MODE_CURSOR_HIDDEN))
		fprintf(f, "<rect x=\"%d.%d\" y=\"%d.%d\" width=\"8.4\" height=\"19\" fill=\"#%06x\" "
		        "opacity=\"0.75\"/>\n", (MARGIN + cursor.col * CELL_W) / 10,
		        (MARGIN + cursor.col * CELL_W) % 10, (BAR + cursor.row * CELL_H) / 10,
		        (BAR + cursor.row * CELL_H) % 10, default_fg);
	fputs("</svg>\n", f);
	if (fclose(f) != 0)
		test_fail(__FILE__, __LINE__, "%s: %s", path, strerror(errno));
}
