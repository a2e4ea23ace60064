#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "line/pastes.h"

#define MARK0 "\xf4\x8f\x80\x80" /* U+10F000 */
#define MARK1 "\xf4\x8f\x80\x81"
#define NEITHER "\xf4\x8f\xbf\xbf" /* private, too, but not in the range */

static char *lines(size_t n, bool ends)
{
	char *text = malloc(2 * n + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(text + 2 * i, "x\n", 3);
	text[2 * n - !ends] = '\0';
	return text;
}

Test(pastes, more_than_twenty_lines_are_folded)
{
	for (int ends = 0; ends < 2; ends++) {
		char *short_one = lines(20, ends), *long_one = lines(21, ends);

		cr_assert_not(pastes_wants(short_one, strlen(short_one), true));
		cr_assert(pastes_wants(long_one, strlen(long_one), true));
		cr_assert_not(pastes_wants(long_one, strlen(long_one), false));
		free(short_one);
		free(long_one);
	}
	cr_assert_not(pastes_wants("", 0, true));
	cr_assert(pastes_wants("a" MARK0, 5, false), "it would be taken for a paste");
	cr_assert_not(pastes_wants(NEITHER, 4, false));
	cr_assert_not(pastes_wants("\xf4\x8f", 2, false), "half a character");
}

Test(pastes, stand_for_their_text)
{
	struct pastes pastes = {.n = 0};
	struct buf line = {.max = KIB(4)}, out = {.max = KIB(4)};
	char *long_one = lines(30, true);
	size_t n, shown, point;

	buf_puts(&line, "a ");
	cr_assert_eq(pastes_put(&pastes, long_one, 60, &line), STATUS_OK);
	buf_puts(&line, " b" NEITHER);
	cr_assert_eq(pastes_put(&pastes, MARK0, 4, &line), STATUS_OK);
	cr_assert_str_eq(buf_text(&line), "a " MARK0 " b" NEITHER MARK1);
	cr_assert(pastes_are_in(&pastes, line.data, line.len));
	cr_assert_not(pastes_are_in(&pastes, line.data, 2));
	cr_assert_eq(pastes_at(&pastes, line.data, line.len, 2, &n), &pastes.items[0]);
	cr_assert_eq(n, 4);
	cr_assert_null(pastes_at(&pastes, line.data, line.len, 0, &n));
	cr_assert_eq(pastes_unfold(&pastes, line.data, line.len, &out), STATUS_OK);
	cr_assert_eq(out.len, pastes_length(&pastes, line.data, line.len));
	cr_assert_eq(out.len, 2 + 60 + 2 + 4 + 4);
	cr_assert_str_eq(out.data + 62, " b" NEITHER MARK0, "not unfolded again");
	/* What is shown, and where its bytes are in the line. */
	for (size_t at = 0; at <= line.len; at++) {
		if (at < line.len && (line.data[at] & 0xc0) == 0x80)
			continue;
		buf_clear(&out);
		point = at;
		cr_assert_eq(pastes_show(&pastes, line.data, line.len, &point, &out), STATUS_OK);
		cr_assert_str_eq(buf_text(&out), "a [30 lines pasted] b" NEITHER "[1 line pasted]");
		cr_assert_eq(pastes_find(&pastes, line.data, line.len, point), at, "byte %zu", at);
	}
	for (shown = 2; shown < 19; shown++)
		cr_assert_eq(pastes_find(&pastes, line.data, line.len, shown), 2, "within a label: %zu", shown);
	buf_free(&line);
	buf_free(&out);
	pastes_free(&pastes);
	free(long_one);
}

Test(pastes, a_text_that_comes_back_is_folded_again)
{
	struct pastes pastes = {.n = 0};
	struct buf line = {.max = KIB(4)}, out = {.max = KIB(4)}, text = {.max = KIB(4)};
	char *shorter = lines(21, true), *longer = lines(30, true), *few = lines(20, true);

	cr_assert_eq(pastes_put(&pastes, shorter, 42, &line), STATUS_OK);
	cr_assert_eq(pastes_put(&pastes, longer, 60, &line), STATUS_OK);
	cr_assert_eq(pastes_put(&pastes, few, 40, &line), STATUS_OK);
	buf_printf(&text, "a %s b %s-%s c", longer, shorter, few);
	cr_assert_eq(pastes_fold(&pastes, text.data, text.len, &out), STATUS_OK);
	buf_clear(&line);
	buf_printf(&line, "a %s b %s-%s c", MARK1, MARK0, few);
	cr_assert_str_eq(buf_text(&out), buf_text(&line), "the longest one, and nothing short");
	buf_clear(&line);
	cr_assert_eq(pastes_unfold(&pastes, out.data, out.len, &line), STATUS_OK);
	cr_assert_str_eq(buf_text(&line), buf_text(&text));
	buf_clear(&out);
	cr_assert_eq(pastes_fold(&pastes, "", 0, &out), STATUS_OK);
	cr_assert_eq(out.len, 0);
	buf_free(&line);
	buf_free(&out);
	buf_free(&text);
	pastes_free(&pastes);
	free(shorter);
	free(longer);
	free(few);
}

Test(pastes, too_many_are_refused)
{
	struct pastes pastes = {.n = 0};
	struct buf line = {.max = KIB(16)};

	for (int i = 0; i < PASTES_MAX; i++)
		cr_assert_eq(pastes_put(&pastes, "x", 1, &line), STATUS_OK);
	cr_assert_eq(pastes_put(&pastes, "x", 1, &line), STATUS_LIMIT);
	cr_assert_eq(line.len, 4 * PASTES_MAX);
	cr_assert_eq(pastes_length(&pastes, line.data, line.len), PASTES_MAX);
	buf_free(&line);
	pastes_free(&pastes);
}
