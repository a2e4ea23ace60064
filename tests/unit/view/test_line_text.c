/* How much of a growing text may be printed: what was given out is never more than what is sure, and
 * in the end all of it is. */
#include <criterion/criterion.h>
#include <string.h>

#include "view/line_text.h"

Test(line_text, sentences)
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
		cr_assert_eq(line_text_whole(rows[i].text, strlen(rows[i].text)), rows[i].whole, "%s: %zu",
		             rows[i].text, line_text_whole(rows[i].text, strlen(rows[i].text)));
}

/* A long sentence is given out by words, never in the midst of one. */
Test(line_text, words)
{
	char text[2 * LINE_TEXT_SENTENCE];
	size_t n = 0;

	while (n + 6 < sizeof text) {
		size_t whole;

		memcpy(text + n, "words ", 6);
		n += 6;
		whole = line_text_whole(text, n - 2);
		cr_assert_eq(whole, n - 2 > LINE_TEXT_SENTENCE ? n - 6 : 0, "%zu: %zu", n, whole);
	}
}

/* A word that has no end waits for it: nothing is cut. */
Test(line_text, one_word)
{
	char text[4 * LINE_TEXT_SENTENCE];

	memset(text, 'x', sizeof text);
	cr_assert_eq(line_text_whole(text, sizeof text), 0);
}
