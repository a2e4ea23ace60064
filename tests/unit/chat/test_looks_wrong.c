#include "chat/looks_wrong.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"

/* `head`, and `part` n times, of which the last may be cut. */
static const struct {
	const char *head, *part;
	size_t n, cut;
	enum wrong_look look, firm_look;
} rows[] = {
	{"", "", 0, 0, LOOKS_WELL, LOOKS_WELL},
	{"Hello, how are you?", "", 0, 0, LOOKS_WELL, LOOKS_WELL},
	{"He ", "drew ", 23, 0, LOOKS_WELL, LOOKS_WELL},
	{"He ", "drew ", 40, 0, LOOKS_LIKE_A_LOOP, LOOKS_WELL},
	{"He ", "drew ", 80, 2, LOOKS_LIKE_A_LOOP, LOOKS_LIKE_A_LOOP},
	{"", "!", 30, 0, LOOKS_LIKE_A_LOOP, LOOKS_WELL},
	{"a title\n", "=", 200, 0, LOOKS_WELL, LOOKS_WELL},
	{"a table\n", "|---", 100, 0, LOOKS_WELL, LOOKS_WELL},
	{"a rule ", "\u2500", 100, 0, LOOKS_WELL, LOOKS_WELL},
	{"an end", "\n", 100, 0, LOOKS_WELL, LOOKS_WELL},
	{"text ", "I am sure that I am here, and that you are not. ", 5, 7, LOOKS_WELL, LOOKS_WELL},
	{"text ", "I am sure that I am here, and that you are not. ", 6, 7, LOOKS_LIKE_A_LOOP, LOOKS_WELL},
	{"text ", "I am sure that I am here, and that you are not. ", 16, 0, LOOKS_LIKE_A_LOOP, LOOKS_LIKE_A_LOOP},
	{"\xE4\xBD\xA0", "\xE5\xA5\xBD", 30, 0, LOOKS_LIKE_A_LOOP, LOOKS_WELL},
	{"one \uFFFD, two \uFFFD, three \uFFFD.", "", 0, 0, LOOKS_WELL, LOOKS_WELL},
	{"\uFFFD\uFFFD\uFFFDa\uFFFD", "", 0, 0, LOOKS_UNKNOWN, LOOKS_WELL},
	{"\uFFFDa\uFFFD", "", 0, 0, LOOKS_WELL, LOOKS_WELL},
};

Test(looks_wrong, where_it_ends_with_the_same_again_and_again)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf text = {.max = KIB(64)};
		struct wrong wrong;
		size_t len = strlen(rows[i].part);

		buf_puts(&text, rows[i].head);
		for (size_t k = 0; k < rows[i].n; k++)
			buf_puts(&text, rows[i].part);
		wrong = looks_wrong(buf_text(&text), text.len - rows[i].cut, NULL, 0, false);
		cr_expect_eq(wrong.look, rows[i].look, "row %zu: %d", i, (int)wrong.look);
		if (wrong.look == LOOKS_LIKE_A_LOOP)
			cr_expect(wrong.len == len && wrong.start + wrong.len == text.len - rows[i].cut &&
			          wrong.n <= rows[i].n && wrong.n + 2 > rows[i].n, "row %zu: %zu of %zu", i, wrong.n, rows[i].n);
		cr_expect_eq(looks_wrong(buf_text(&text), text.len - rows[i].cut, NULL, 0, true).look, rows[i].firm_look,
		             "row %zu, firmly", i);
		buf_free(&text);
	}
}

Test(looks_wrong, names_a_token_that_is_all_there_is)
{
	int32_t ids[40];
	char text[200];

	for (size_t i = 0; i < 40; i++) {
		ids[i] = 7;
		memcpy(text + 5 * i, "drew ", 5);
	}
	cr_assert_eq(looks_wrong(text, sizeof text, ids, 40, false).look, LOOKS_LIKE_ONE_TOKEN);
	ids[20] = 8;
	cr_assert_eq(looks_wrong(text, sizeof text, ids, 40, false).look, LOOKS_LIKE_A_LOOP);
}

/* Any text, and one that is longer than what is looked at. */
Test(looks_wrong, takes_any_text)
{
	size_t n = KIB(64);
	char *text = malloc(n);

	cr_assert_not_null(text);
	memset(text, 'x', n);
	cr_assert_eq(looks_wrong(text, n, NULL, 0, true).start, n - 1);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)(i * i >> 3);
	for (size_t len = 0; len < 3000; len++)
		(void)looks_wrong(text, len, NULL, 0, false);
	free(text);
}
