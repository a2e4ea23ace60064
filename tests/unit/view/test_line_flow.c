/* Text broken between words: whatever comes in, no row is wider than the terminal unless a single word
 * is, and only blanks become line ends. */
#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/limits.h"
#include "support/random.h"
#include "terminal/cells.h"
#include "view/line_flow.h"

static void expect(const char *text, int cols, const char *expected)
{
	struct buf out = {.max = MIB(1)};

	line_flow_text(&out, text, strlen(text), cols);
	cr_expect_str_eq(buf_text(&out), expected, "%d columns: '%s'", cols, buf_text(&out));
	buf_free(&out);
}

Test(line_flow, breaks_between_words)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	expect("", 10, "");
	expect("one download one", 10, "one\ndownload\none");
	expect("one two", 7, "one two");
	expect("one two ", 6, "one\ntwo");
	expect("one  two three", 8, "one  two\nthree");
	expect("one\n\n  two\n", 8, "one\n\n  two\n");
	expect("\tcode and\tmore", 40, "\tcode and\tmore");
	expect("well-known words", 8, "well-known words"); /* the terminal goes on in the next row */
	expect("see /a/path/that/is/long now", 10, "see\n/a/path/that/is/long\nnow");
	expect("\346\227\245\346\234\254\346\227\245\346\234\254", 5, "\346\227\245\346\234\254\n\346\227\245\346\234\254");
	expect("a\033[2Jb c", 20, "a^[[2Jb c");
}

static int width_of(const char *row, size_t len)
{
	return cells_width(row, len);
}

/* In parts that end between words it is the same. */
Test(line_flow, breaks_any_words_in_any_parts)
{
	static const char *const words[] = {"a", "of", "the", "download", "unbelievably", "\303\251t\303\251", "x-ray",
	                                    "\346\227\245\346\234\254"};
	struct test_random random = {18};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (int round = 0; round < 500; round++) {
		int cols = 12 + (int)test_random_below(&random, 40);
		struct line_flow flow = {.col = 0};
		struct buf text = {.max = MIB(1)}, whole = {.max = MIB(1)}, parts = {.max = MIB(1)};
		const char *row;

		for (int i = 0; i < 40; i++) {
			size_t from = text.len;

			buf_printf(&text, "%s%s", words[test_random_below(&random, 8)], test_random_below(&random, 9) ? " " : "\n");
			line_flow_put(&flow, &parts, buf_text(&text) + from, text.len - from, cols);
		}
		line_flow_text(&whole, buf_text(&text), text.len, cols);
		cr_assert_str_eq(buf_text(&parts), buf_text(&whole), "%d columns", cols);
		for (row = buf_text(&whole); *row; row += strcspn(row, "\n"), row += *row == '\n')
			cr_assert_leq(width_of(row, strcspn(row, "\n")), cols, "%d columns: %s", cols, row);
		/* Only blanks have become line ends, or what stands between wide characters. */
		for (size_t a = 0, b = 0; a < text.len || b < whole.len;) {
			const char *s = buf_text(&text), *t = buf_text(&whole);

			if (s[a] == t[b] && s[a]) {
				a++;
				b++;
			} else if (t[b] == '\n' && s[a] == ' ') {
				a++;
				b++;
			} else if (t[b] == '\n' && (unsigned char)s[a] >= 0xe0) {
				b++;
			} else if (s[a] == ' ') { /* at a row's end */
				a++;
			} else {
				cr_assert_fail("%d columns: '%s' at %zu, %zu", cols, t, a, b);
			}
		}
		buf_free(&text);
		buf_free(&whole);
		buf_free(&parts);
	}
}

/* How much of a growing text may be printed: what was given out is never more than what is sure, and
 * in the end all of it is. */
Test(line_flow, sentences)
{
	static const struct {
		const char *text;
		size_t whole;
	} rows[] = {
		{"", 0},
		{"One", 0},
		{"One. ", 5},
		{"No. 5", 0},      /* as short as "e.g. " */
		{"Done.", 0},       /* "Done.txt" is possible yet */
		{"Done. ", 6},
		{"Done. And", 6},
		{"Done! (Really?) Yes", 16},
		{"He said \"stop.\" Then", 16},
		{"see e.g. this", 0},
		{"1. first", 0},
		{"Version 3.14 of it", 0},
		{"a line\nanother", 7},
		{"a line\n\n", 8},
		{"\346\230\257\343\200\202\345\220\227", 6}, /* a full stop without a blank behind it */
		{"Steps: one", 7},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_assert_eq(line_flow_whole(rows[i].text, strlen(rows[i].text)), rows[i].whole, "%s: %zu",
		             rows[i].text, line_flow_whole(rows[i].text, strlen(rows[i].text)));
}

/* A long sentence is given out by words, never in the midst of one. */
Test(line_flow, words)
{
	char text[2 * LINE_FLOW_SENTENCE];
	size_t n = 0;

	while (n + 6 < sizeof text) {
		size_t whole;

		memcpy(text + n, "words ", 6);
		n += 6;
		whole = line_flow_whole(text, n - 2);
		cr_assert_eq(whole, n - 2 > LINE_FLOW_SENTENCE ? n - 6 : 0, "%zu: %zu", n, whole);
	}
}

/* A word that has no end waits for it: nothing is cut. */
Test(line_flow, one_word)
{
	char text[4 * LINE_FLOW_SENTENCE];

	memset(text, 'x', sizeof text);
	cr_assert_eq(line_flow_whole(text, sizeof text), 0);
}
