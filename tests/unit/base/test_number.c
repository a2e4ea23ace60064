#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"

Test(number, takes_the_whole_text_or_nothing)
{
	static const char *const good[] = {"0", "-1", "+7", "9223372036854775807",
	                                   "-9223372036854775808"};
	static const char *const bad[] = {"", " 1", "1 ", "0x10", "1e3", "1.0", "9223372036854775808",
	                                  "-", "1,000", "no", "+-1"};
	int64_t value;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		cr_assert(number_parse_int(good[i], &value), "%s", good[i]);
	cr_assert_eq(value, INT64_MIN);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_assert_not(number_parse_int(bad[i], &value), "'%s'", bad[i]);
}

Test(number, reads_decimal_numbers_only)
{
	static const char *const good[] = {"0.8", "-1e3", ".5", "5.", "1E-3"};
	static const char *const bad[] = {"", "inf", "nan", "0x1p3", "1e999", "0,8", "1.2.3", "e5", " 1"};
	double value;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		cr_assert(number_parse_double(good[i], &value), "%s", good[i]);
	cr_assert_float_eq(value, 1e-3, 0);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_assert_not(number_parse_double(bad[i], &value), "'%s'", bad[i]);
}

Test(number, writes_the_shortest_text_that_reads_back)
{
	static const struct {
		float value;
		const char *text;
	} cases[] = {{0.8f, "0.8"}, {0.05f, "0.05"}, {1, "1"}, {-0.1f, "-0.1"}, {1e-9f, "1e-09"}, {10, "10"},
	             {-500000, "-500000"}, {1e6f, "1000000"}, {16777216, "16777216"}, {0, "0"}, {1e12f, "1e+12"}};
	char text[NUMBER_TEXT_MAX];
	uint32_t bits = 1;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		cr_assert_str_eq(number_format_float(cases[i].value, text), cases[i].text);
	for (int i = 0; i < 20000; i++) {
		float value;
		double parsed;

		bits = bits * 1664525u + 1013904223u;
		memcpy(&value, &bits, sizeof value);
		if (!isfinite(value))
			continue;
		cr_assert(number_parse_double(number_format_float(value, text), &parsed));
		cr_assert_eq((float)parsed, value, "%s", text);
	}
	cr_assert_str_eq(number_format_double(0.1, text), "0.1");
	cr_assert_eq(strtod(number_format_double(1.0 / 3, text), NULL), 1.0 / 3);
}

static size_t distance(const char *word, const char *candidate)
{
	struct nearest nearest;

	nearest_init(&nearest, word, strlen(word));
	nearest_offer(&nearest, candidate);
	return nearest.distance;
}

Test(nearest, counts_slips_of_the_finger)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {{"", "", 0}, {"abc", "", 3}, {"top-k", "top-p", 1}, {"tmep", "temp", 1},
	             {"kitten", "sitting", 3}, {"quti", "quit", 1}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cr_assert_eq(distance(cases[i].a, cases[i].b), cases[i].distance, "%s %s", cases[i].a, cases[i].b);
		cr_assert_eq(distance(cases[i].b, cases[i].a), cases[i].distance);
	}
}

Test(nearest, names_only_what_is_near)
{
	static const struct {
		const char *word, *best;
	} cases[] = {{"tmep", "temp"}, {"them", "theme"}, {"th", "theme"}, {"xyzzy", NULL},
	             {"", NULL}, {"temperature-of-the-whole-wide-world-and-then-some-more", NULL}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct nearest nearest;

		nearest_init(&nearest, cases[i].word, strlen(cases[i].word));
		nearest_offer(&nearest, "temp");
		nearest_offer(&nearest, "theme");
		nearest_offer(&nearest, "seed");
		if (cases[i].best)
			cr_assert_str_eq(nearest_best(&nearest), cases[i].best, "%s", cases[i].word);
		else
			cr_assert_null(nearest_best(&nearest), "%s", cases[i].word);
	}
}
