#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "turn/bias_word.h"

Test(bias_word, is_a_key_a_sign_and_a_number)
{
	static const struct {
		const char *word, *number;
		size_t key_len;
		double value;
		int64_t id;
	} rows[] = {
		{"Hello+1.5", "+1.5", 5, 1.5, -1}, {"Hello-.5", "-.5", 5, -0.5, -1},
		{"15043-inf", "-inf", 5, -INFINITY, 15043}, {"a+b-2", "-2", 3, -2, -1},
		{"3-4+5", "+5", 3, 5, -1}, {"+-1", "-1", 1, -1, -1},
		{"0+1000000", "+1000000", 1, 1e6, 0}, {"99999999+1", "+1", 8, 1, 99999999},
		{"99999999999999999999+1", "+1", 20, 1, INT64_MAX},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bias_word bias;
		struct error err;

		cr_assert_eq(bias_word_read(rows[i].word, &bias, &err), STATUS_OK, "%s", rows[i].word);
		cr_expect_eq(bias.key_len, rows[i].key_len, "%s", rows[i].word);
		cr_expect_str_eq(bias.number, rows[i].number);
		cr_expect_eq(bias.value, rows[i].value, "%s: %g", rows[i].word, bias.value);
		cr_expect_eq(bias.id, rows[i].id, "%s", rows[i].word);
	}
}

Test(bias_word, is_nothing_else)
{
	static const char *const rows[] = {"", "foo", "+1", "a+inf", "a+", "a+x", "a+-", "a+1e9", "a+0x1", "a+nan", "a-infinity"};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct bias_word bias;
		struct error err;

		cr_assert_eq(bias_word_read(rows[i], &bias, &err), STATUS_USAGE, "%s", rows[i]);
		cr_expect_not_null(strstr(err.text, "is not TEXT+N, TEXT-N, ID+N or ID-N"));
	}
}
