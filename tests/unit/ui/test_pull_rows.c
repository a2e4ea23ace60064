/* What is to be had under a name, as rows. */
#include <criterion/criterion.h>
#include <string.h>

#include "ui/pull_rows.h"

#define T(text) ((char[]){text}) /* the fields are not const */

static struct pull_choice choices[] = {
	{.quant = T("Q2_K"), .n = 1, .n_bytes = 1600000000, .bits = 3.4, .fits = MODEL_FITS, .memory = 1 << 30, .speed = 12.3},
	{.quant = T("Q4_K_M"), .n = 1, .n_bytes = 2500000000, .bits = 4.86, .fits = MODEL_FITS, .memory = (uint64_t)3 << 30,
	 .speed = 9.1},
	{.quant = T("BF16"), .n = 3, .n_bytes = 80000000000, .bits = 16, .fits = MODEL_TOO_LARGE, .memory = (uint64_t)80 << 30},
};
static const struct pull_offer offer = {.choices = choices, .n_choices = 3, .chosen = 1, .licence = T("apache-2.0"),
                                        .notes = T("mmproj-x.gguf is not fetched.\nTwo lines.\n")};

Test(pull_rows, each_choice_is_one)
{
	struct pull_rows rows;

	cr_assert(pull_rows_make(&rows, &offer, (uint64_t)8 << 30, true));
	cr_assert_eq(rows.n, 3);
	cr_expect_str_eq(rows.items[1].text, "Q4_K_M (best here)");
	cr_expect_str_eq(rows.items[1].columns[0], "2.50 GB");
	cr_expect_str_eq(rows.items[1].columns[1], "4.9");
	cr_expect_str_eq(rows.items[1].columns[2], "9");
	cr_expect_str_eq(rows.items[1].columns[3], "fits");
	cr_expect_str_eq(rows.items[1].note, "this one suits this machine \302\267 2.50 GB \302\267 needs 3.00 GiB of 8.00 GiB free \302\267 "
	                 "licence: apache-2.0 \302\267 mmproj-x.gguf is not fetched. \302\267 Two lines.");
	cr_expect_str_eq(rows.items[2].columns[3], "too large");
	cr_expect_str_eq(rows.items[2].columns[2], "");
	cr_expect_not_null(strstr(rows.items[2].note, "in 3 files"));
	cr_expect_str_eq(pull_rows_first(&rows, &offer), "1");
	pull_rows_free(&rows);
}

/* What is said of all is said once. */
Test(pull_rows, in_lines_each_says_what_is_its_own)
{
	struct buf notes = {.max = 1000};
	struct pull_rows rows;

	cr_assert(pull_rows_make(&rows, &offer, (uint64_t)8 << 30, false));
	cr_expect_str_eq(rows.items[1].note, "this one suits this machine \302\267 needs 3.00 GiB of 8.00 GiB free");
	cr_expect_str_eq(rows.items[2].note, "needs 80.0 GiB of 8.00 GiB free \302\267 in 3 files");
	pull_rows_free(&rows);
	pull_rows_put_notes(&notes, &offer);
	cr_expect_str_eq(buf_text(&notes), "licence: apache-2.0 \302\267 mmproj-x.gguf is not fetched. \302\267 Two lines.");
	buf_free(&notes);
}

/* What was begun goes before what suits the machine. */
Test(pull_rows, what_is_here_is_said)
{
	struct pull_choice some[] = {choices[0], choices[1], choices[2]};
	struct pull_offer begun = {.choices = some, .n_choices = 3, .chosen = 1};
	struct pull_rows rows;

	some[0].n_stored = some[0].n_bytes;
	some[2].n_stored = some[2].n_bytes / 4;
	cr_assert(pull_rows_make(&rows, &begun, 0, true));
	cr_expect_str_eq(rows.items[0].columns[3], "on this machine");
	cr_expect_str_eq(rows.items[2].columns[3], "25 % is here");
	cr_expect_str_eq(pull_rows_first(&rows, &begun), "2");
	cr_expect_not_null(strstr(rows.items[0].note, "licence: it does not say"));
	pull_rows_free(&rows);
}

Test(pull_rows, there_may_be_none)
{
	struct pull_offer none = {.n_choices = 0};
	struct pull_rows rows;

	cr_assert(pull_rows_make(&rows, &none, 0, true));
	cr_expect_null(pull_rows_first(&rows, &none));
	pull_rows_free(&rows);
}
