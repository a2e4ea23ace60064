#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/utf8.h"
#include "pad.h"
#include "terminal/cells.h"

static const struct {
	const char *text, *drawn;
	int cols;
} rows[] = {
	{"plain", "plain", 5},
	{"a\tb", "a       b", 9},
	{"a\nb", "a b", 3},
	{"\x1B[2J", "^[[2J", 5},
	{"\u202E" "abc", "<U+202E>abc", 11},
	{"\u4E2D\u6587", "\u4E2D\u6587", 4},
	{"e\u0301x", "e\u0301x", 2},
	{"\u0301", "<U+0301>", 8},
	/* more marks than a cell holds */
	{"a\u0301\u0302\u0303\u0304\u0305\u0306", "a\u0301\u0302\u0303\u0304<2 hidden>", 11},
	{"a\u0301\u0302\u0303\u0304\u0305", "a\u0301\u0302\u0303\u0304<U+0305>", 9},
	/* emoji: parts of a family, without joiners and selectors */
	{"\U0001F469\u200D\U0001F467!", "\U0001F469\U0001F467!", 5},
	{"\u2764\uFE0F!", "\u2764!", 2},
	{"1\uFE0F\u20E3", "1\u20E3", 1},
	{"\U0001F44D\U0001F3FD", "\U0001F44D\U0001F3FD", 4},
	{"\U0001F1E9\U0001F1EA", "\U0001F1E9\U0001F1EA", 2},
	/* Persian with a non-joiner, Hangul from letters, a lone vowel without width */
	{"\u06CC\u200C\u062E", "\u06CC\u200C\u062E", 2},
	{"\u1112\u1161\u11AB", "\u1112\u1161\u11AB", 2},
	{"x\u1161", "x<U+1161>", 9},
	{"\u0915\u093F", "\u0915\u093F", 2},
};

Test(cells, draws_clusters_and_marks)
{
	WINDOW *win = pad_open(1, 60);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].text);

		werase(win);
		cr_assert_eq(cells_draw(win, 0, 0, 60, STYLE_USER, rows[i].text, n), rows[i].cols,
		             "row %zu", i);
		cr_assert_str_eq(pad_row(win, 0), rows[i].drawn, "row %zu", i);
		cr_assert_eq(cells_width(rows[i].text, n), rows[i].cols, "row %zu", i);
	}
}

Test(cells, marks_have_their_own_style)
{
	WINDOW *win = pad_open(1, 60);

	cells_puts(win, 0, 0, 60, STYLE_ERROR, "a\x1B" "b\u202E");
	cr_assert(pad_has_role(win, 0, 0, STYLE_ERROR));
	cr_assert(pad_has_role(win, 0, 1, STYLE_HIDDEN));
	cr_assert(pad_has_role(win, 0, 2, STYLE_HIDDEN));
	cr_assert(pad_has_role(win, 0, 3, STYLE_ERROR));
	cr_assert(pad_has_role(win, 0, 4, STYLE_HIDDEN));
}

Test(cells, draws_no_half_of_a_wide_character_and_nothing_past_the_edge)
{
	WINDOW *win = pad_open(2, 5);

	cr_assert_eq(cells_puts(win, 0, 0, 3, STYLE_USER, "\u4E2D\u6587"), 2);
	cr_assert_str_eq(pad_row(win, 0), "\u4E2D");
	werase(win);
	cr_assert_eq(cells_puts(win, 0, 1, 100, STYLE_USER, "abcdefgh"), 4);
	cr_assert_str_eq(pad_row(win, 0), " abcd");
	cr_assert_str_eq(pad_row(win, 1), "");
	/* A cluster of two cells is left out whole, not cut. */
	werase(win);
	cr_assert_eq(cells_puts(win, 0, 0, 3, STYLE_USER, "x\U0001F44D\U0001F3FDy"), 1);
	cr_assert_str_eq(pad_row(win, 0), "x");
	cr_assert_eq(cells_puts(win, 1, 0, 0, STYLE_USER, "a"), 0);
	cr_assert_eq(cells_puts(win, 1, 0, -3, STYLE_USER, "a"), 0);
	cr_assert_eq(cells_puts(win, 7, 0, 3, STYLE_USER, "a"), 0);
	cr_assert_eq(cells_puts(win, 0, 9, 3, STYLE_USER, "a"), 0);
	cr_assert_eq(cells_puts(win, -1, -1, 3, STYLE_USER, "a"), 0);
	cells_fill(win, 9, 9, 9, STYLE_USER);
}

Test(cells, the_middle_of_a_text_looks_as_in_the_whole)
{
	WINDOW *win = pad_open(1, 40);
	const char *text = "one \u06CC\u200C\u062E two";

	/* Up to behind the non-joiner: what follows keeps it fine. */
	cells_draw_part(win, 0, 0, 40, STYLE_USER, text, strlen(text), 4, 9);
	cr_assert_str_eq(pad_row(win, 0), "\u06CC\u200C");
}

/* Every code point that has no width of its own is spelled out, and curses
 * agrees with us about where the next cell is. */
Test(cells, every_code_point_takes_the_columns_it_says)
{
	WINDOW *win = pad_open(1, 40);

	for (uint32_t cp = 0x20; cp < 0x30000; cp++) {
		char text[8];
		size_t n;
		int cols;

		if (cp >= 0xD800 && cp < 0xE000)
			continue;
		if (cp >= 0x3400 && cp < 0xFB00 && cp % 64) /* CJK and Hangul: samples */
			continue;
		n = utf8_encode(cp, text);
		text[n++] = '|';
		werase(win);
		cols = cells_draw(win, 0, 0, 40, STYLE_USER, text, n);
		cr_assert_eq(cols, cells_width(text, n));
		cr_assert_geq(cols, 2);
		cr_assert_eq(mvwinch(win, 0, cols - 1) & A_CHARTEXT, '|', "U+%04X", cp);
	}
}

Test(cells, runs_are_drawn_in_their_own_styles)
{
	WINDOW *win = pad_open(1, 60);
	/* one after the other, with a gap, of wide characters, an empty one, one past the end */
	static const char text[] = "ab" "cd" "ef" "\u4E2D\u6587" "g";
	const struct style_run runs[] = {
		{2, 2, STYLE_CODE}, {4, 0, STYLE_ERROR}, {6, 3, STYLE_LINK}, {9, 3, STYLE_QUOTE},
		{12, 100, STYLE_HEADING},
	};
	const struct text_style style = {STYLE_USER, runs, sizeof runs / sizeof *runs};
	static const enum theme_role roles[] = {
		STYLE_USER, STYLE_USER, STYLE_CODE,  STYLE_CODE,  STYLE_USER,    STYLE_USER,
		STYLE_LINK, STYLE_LINK, STYLE_QUOTE, STYLE_QUOTE, STYLE_HEADING};

	cr_assert_eq(cells_draw_styled(win, 0, 0, 60, &style, text, strlen(text), 0, strlen(text)), 11);
	cr_assert_str_eq(pad_row(win, 0), text);
	for (int x = 0; x < 11; x++)
		cr_assert(pad_has_role(win, 0, x, roles[x]), "column %d", x);
	/* a part of it begins in the middle of a run */
	werase(win);
	cr_assert_eq(cells_draw_styled(win, 0, 0, 60, &style, text, strlen(text), 3, 9), 5);
	for (int x = 0; x < 5; x++)
		cr_assert(pad_has_role(win, 0, x, roles[x + 3]), "column %d", x);
}

/* What is foreign stays harmless where runs cut it into pieces. */
Test(cells, runs_do_not_split_what_is_sanitised)
{
	static const char *const texts[] = {
		"\x1B[31mred", "\x1B]0;title\x07", "\xC3\x28", "e\u0301\u0301x", "\u202E" "abc",
		"\U0001F469\u200D\U0001F467!", "\u4E2D\u6587", "a\tb", "\xE4\xB8", "\xC2\x9B" "2J",
	};
	WINDOW *win = pad_open(1, 80);

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct style_run runs[40];
		const struct text_style style = {STYLE_USER, runs, strlen(texts[i])};
		size_t n = strlen(texts[i]);
		char plain[400];
		int cols;

		for (size_t k = 0; k < n; k++) /* a run each byte */
			runs[k] = (struct style_run){(uint32_t)k, 1, k % 2 ? STYLE_CODE : STYLE_LINK};
		werase(win);
		cols = cells_draw(win, 0, 0, 80, STYLE_USER, texts[i], n);
		strcpy(plain, pad_row(win, 0));
		werase(win);
		cr_assert_eq(cells_draw_styled(win, 0, 0, 80, &style, texts[i], n, 0, n), cols, "text %zu", i);
		cr_assert_str_eq(pad_row(win, 0), plain, "text %zu", i);
		for (int x = 0; x < cols; x++)
			cr_assert(pad_has_role(win, 0, x, STYLE_CODE) || pad_has_role(win, 0, x, STYLE_LINK) ||
			          pad_has_role(win, 0, x, STYLE_HIDDEN), "text %zu, column %d", i, x);
	}
}
