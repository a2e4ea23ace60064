#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "line/input_layout.h"
#include "support/cpu_time.h"
#include "terminal/cells.h"
#include "terminal/term.h"

static const struct {
	const char *text;
	size_t caret;
	int width, max;           /* the prompt takes two columns */
	int height, row, col;     /* the caret's cell */
	bool above, below;
} rows[] = {
	{"", 0, 20, 5, 1, 0, 2, false, false},
	{"abc", 3, 20, 5, 1, 0, 5, false, false},
	{"abc", 1, 20, 5, 1, 0, 3, false, false},
	/* Wide characters and clusters count by their columns. */
	{"\346\227\245\346\234\254", 6, 20, 5, 1, 0, 6, false, false},
	{"e\314\201x", 3, 20, 5, 1, 0, 3, false, false},
	{"a\033b", 3, 20, 5, 1, 0, 6, false, false}, /* shown as a^[b */
	/* Wrapping at the edge; the caret after a full row waits on the next. */
	{"abcdefgh", 8, 10, 5, 2, 1, 2, false, false},
	{"abcdefghi", 9, 10, 5, 2, 1, 3, false, false},
	{"abcdefghi", 8, 10, 5, 2, 1, 2, false, false},
	{"abcdefg\346\227\245", 7, 10, 5, 2, 1, 2, false, false},
	/* Line breaks. */
	{"a\nb", 3, 20, 5, 2, 1, 3, false, false},
	{"a\nb", 1, 20, 5, 2, 0, 3, false, false},
	{"a\n", 2, 20, 5, 2, 1, 2, false, false},
	{"abcdefgh\nx", 8, 10, 5, 2, 0, 9, false, false},
	/* More rows than fit. */
	{"1\n2\n3\n4\n5", 9, 20, 3, 3, 2, 3, true, false},
	{"1\n2\n3\n4\n5", 0, 20, 3, 3, 0, 2, false, true},
	{"1\n2\n3\n4\n5", 4, 20, 1, 1, 0, 2, true, true},
	/* No room at all is no reason to fall over. */
	{"abc", 3, 1, 1, 1, 0, 0, true, false},
	{"\346\227\245", 3, 2, 0, 1, 0, 1, true, false},
};

Test(input_layout, puts_the_caret_where_readline_has_it)
{
	term_set_locale();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct input_layout layout = {.n_rows = 0};

		input_layout_update(&layout, "> ", rows[i].text, strlen(rows[i].text), rows[i].caret,
		                    rows[i].width, rows[i].max);
		cr_expect_eq(layout.height, rows[i].height, "row %zu: height %d", i, layout.height);
		cr_expect_eq(layout.caret_row, rows[i].row, "row %zu: row %d", i, layout.caret_row);
		cr_expect_eq(layout.caret_col, rows[i].col, "row %zu: column %d", i, layout.caret_col);
		cr_expect_eq(layout.above, rows[i].above, "row %zu: above", i);
		cr_expect_eq(layout.below, rows[i].below, "row %zu: below", i);
		input_layout_deinit(&layout);
	}
}

Test(input_layout, scrolls_no_more_than_the_caret_needs)
{
	const char *text = "1\n2\n3\n4\n5";
	struct input_layout layout = {.n_rows = 0};

	term_set_locale();
	input_layout_update(&layout, "> ", text, 9, 9, 20, 3);
	cr_expect_eq(layout.caret_row, 2);
	input_layout_update(&layout, "> ", text, 9, 6, 20, 3); /* up one row: nothing scrolls */
	cr_expect_eq(layout.caret_row, 1);
	input_layout_update(&layout, "> ", text, 9, 2, 20, 3);
	cr_expect_eq(layout.caret_row, 0);
	cr_expect(layout.above && layout.below);
	input_layout_deinit(&layout);
}

Test(input_layout, moves_by_rows_and_keeps_the_column)
{
	const char *text = "abcd\nx\n\346\227\245\346\234\254\350\252\236";
	size_t n = strlen(text), caret = 3;
	struct input_layout layout = {.n_rows = 0};

	term_set_locale();
	input_layout_update(&layout, "> ", text, n, caret, 20, 5);
	cr_expect_not(input_layout_move(&layout, -1, text, n, &caret), "the first row is the edge");
	cr_expect(input_layout_move(&layout, 1, text, n, &caret));
	cr_expect_eq(caret, 6, "the short row's end: %zu", caret);
	caret = 3;
	input_layout_update(&layout, "> ", text, n, 13, 20, 5); /* column 4 of the last row */
	caret = 13;
	cr_expect_not(input_layout_move(&layout, 1, text, n, &caret));
	cr_expect(input_layout_move(&layout, -1, text, n, &caret));
	cr_expect_eq(caret, 6);
	input_layout_deinit(&layout);
}

Test(input_layout, megabytes_take_no_longer_than_a_line)
{
	size_t n = 8 << 20;
	char *text = malloc(n);
	struct input_layout layout = {.n_rows = 0};
	uint64_t start;

	cr_assert_not_null(text);
	term_set_locale();
	memset(text, 'a', n);
	start = test_cpu_ms();
	for (size_t caret = n - 5; caret <= n; caret++) {
		input_layout_update(&layout, "> ", text, n, caret, 80, 8);
		cr_assert_eq(layout.height, 8);
		cr_assert(layout.above);
	}
	/* Laying out all of it takes seconds. */
	cr_expect_lt(test_cpu_ms() - start, 500);
	input_layout_deinit(&layout);
	free(text);
}

Test(input_layout, counts_the_rows_above)
{
	static const struct {
		const char *prompt, *text;
		int cols, rows;
	} lines[] = {
		{"> ", "", 10, 0},
		{"> ", "1234567", 10, 0},
		{"> ", "12345678", 10, 1},   /* the caret waits in the next row */
		{"> ", "123456789012345678", 10, 2},
		{"You: ", "123", 4, 2},
		{"> ", "\346\227\245\346\234\254\346\227\245", 7, 1}, /* wide ones are not cut */
		{"> ", "e\314\201e\314\201", 5, 0}, /* and what takes no room does not count */
		{"> ", "a\nb", 6, 1},        /* shown as ^J */
		{"> ", "a\tb", 20, 0},
		{"> ", "\377\377", 10, 0},
	};

	term_set_locale();
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		cr_expect_eq(input_layout_rows_above(lines[i].prompt, lines[i].text, strlen(lines[i].text), lines[i].cols),
		             lines[i].rows, "row %zu", i);
	cr_expect_eq(input_layout_rows_above("> ", "12345678901234567890", 3, 10), 0);
}
