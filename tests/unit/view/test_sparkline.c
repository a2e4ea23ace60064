#include <criterion/criterion.h>
#include <math.h>

#include "base/limits.h"
#include "view/sparkline.h"

static struct buf out;
static struct sparkline_range range;

static const char *put(const double *values, size_t n, int cols)
{
	buf_free(&out);
	buf_init(&out, KIB(4));
	range = sparkline_put(&out, values, n, cols);
	cr_assert_eq(buf_status(&out), STATUS_OK);
	return buf_text(&out);
}

Test(sparkline, a_column_each)
{
	const double values[] = {0, 1, 3.5, 7, NAN, 2};

	cr_assert_str_eq(put(values, 6, 10), "▁▂▅█ ▃");
	cr_assert_eq(range.least, 0);
	cr_assert_eq(range.most, 7);
	cr_assert_str_eq(put(values, 1, 10), "▁");
	cr_assert_str_eq(put((const double[]){5, 5, 5}, 3, 3), "███");
	buf_free(&out);
}

Test(sparkline, means_of_several)
{
	const double values[] = {1, 3, NAN, 4, 8, 8, NAN, NAN};

	cr_assert_str_eq(put(values, 8, 4), "▃▅█ ");
	cr_assert_eq(range.least, 2);
	cr_assert_eq(range.most, 8);
	cr_assert_str_eq(put(values, 8, 1), "█");
	cr_assert_eq(range.most, 4.8);
	buf_free(&out);
}

Test(sparkline, of_nothing)
{
	cr_assert_str_eq(put(NULL, 0, 10), "");
	cr_assert(isnan(range.most) && isnan(range.least));
	cr_assert_str_eq(put((const double[]){NAN, NAN}, 2, 10), "");
	cr_assert_str_eq(put((const double[]){1}, 1, 0), "");
	cr_assert_str_eq(put((const double[]){1}, 1, -3), "");
	buf_free(&out);
}

/* Four tokens are a column of speed at the least; the first one's time is not known. */
Test(sparkline, of_a_reply)
{
	struct kept *kept = kept_create();
	struct error err;

	cr_assert_not_null(kept);
	cr_assert_eq(kept_begin(kept, 1, 0, "m", &(struct turn_begin){.n_vocab = 10}, &err), STATUS_OK);
	for (uint32_t i = 0; i < 8; i++) {
		struct token_candidate candidate = {.id = 3, .probability = 1, .chosen_p = 1};
		struct token token = {.id = 3, .bytes = "a", .len = 1, .candidates = &candidate, .n_candidates = 1,
		                      .entropy = (float)i * logf(2)};

		cr_assert_eq(kept_add(kept, 1, &token, i == 0 ? 0 : i < 4 ? 10000 : 20000, &err), STATUS_OK);
	}
	buf_init(&out, KIB(4));
	range = sparkline_put_speed(&out, kept_reply(kept, 1), 10);
	cr_assert_str_eq(buf_text(&out), "█▅");
	cr_assert_float_eq(range.most, 100, 1e-6);
	cr_assert_float_eq(range.least, 50, 1e-6);
	buf_clear(&out);
	range = sparkline_put_entropy(&out, kept_reply(kept, 1), 10);
	cr_assert_str_eq(buf_text(&out), "▁▂▃▄▅▆▇█");
	cr_assert_float_eq(range.most, 7, 1e-5);
	buf_free(&out);
	kept_free(kept);
}
