#include <criterion/criterion.h>

#include "compare/text.h"

static void count_up(int32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ids[i] = (int32_t)i + 1;
}

/* Of windows of 8 tokens the rows 4 to 6 count: they expect tokens 5 to 7. */
Test(text, cut)
{
	struct compared_text text = {0};
	struct error err;
	int32_t ids[27];

	count_up(ids, 27);
	cr_assert_eq(text_cut(&text, ids, 27, 8, 99, &err), STATUS_OK);
	cr_assert_eq(text.n_windows, 3);
	cr_assert_eq(text.n, 24);
	cr_assert_eq(text_longest(&text), 8);
	cr_assert_eq(text_n_counted(&text), 9);
	for (size_t i = 0; i < 24; i++) {
		size_t row = i % 8;

		cr_assert_eq(text.ids[i], row ? (int32_t)i + 1 : 99);
		cr_assert_eq(text.counts[i], row >= 4 && row < 7, "row %zu", i);
		cr_assert_eq(text_next(&text, &text.windows[i / 8], i), row < 7 ? (int32_t)i + 2 : -1);
	}
	text_free(&text);
}

Test(text, keeps_its_first_tokens)
{
	struct compared_text text = {0};
	int32_t ids[16];

	count_up(ids, 16);
	cr_assert_eq(text_cut(&text, ids, 16, 8, -1, NULL), STATUS_OK);
	cr_assert_eq(text.ids[0], 1);
	cr_assert_eq(text.ids[8], 9);
	text_free(&text);
}

Test(text, too_short)
{
	struct compared_text text = {0};
	struct error err;
	int32_t ids[15];

	count_up(ids, 15);
	cr_assert_not(text_has_windows(15, 8));
	cr_assert(text_has_windows(16, 8));
	cr_assert_eq(text_cut(&text, ids, 15, 3, -1, &err), STATUS_USAGE);
	cr_assert_eq(text_cut(&text, ids, 15, 16, -1, &err), STATUS_OK);
	cr_assert_eq(text.n_windows, 0);
	cr_assert_eq(text_cut(&text, ids, 15, 8, -1, &err), STATUS_OK);
	cr_assert_eq(text.n_windows, 1);
	text_free(&text);
}

Test(text, whole)
{
	struct compared_text text = {0};
	const bool counts[] = {false, true, false, true, true};
	int32_t ids[5];

	count_up(ids, 5);
	cr_assert_eq(text_add(&text, ids, counts, 5, NULL), STATUS_OK);
	cr_assert_eq(text_add(&text, ids, NULL, 3, NULL), STATUS_OK);
	cr_assert_eq(text_n_counted(&text), 6);
	cr_assert_eq(text_longest(&text), 5);
	cr_assert_eq(text.windows[1].at, 5);
	cr_assert_eq(text_next(&text, &text.windows[0], 4), -1);
	cr_assert_eq(text_next(&text, &text.windows[1], 5), 2);
	text_free(&text);
}
