#include <criterion/criterion.h>

#include "base/amount.h"

Test(amount, thousands_are_those_of_the_hub)
{
	static const struct {
		uint64_t n;
		const char *expected;
	} rows[] = {{0, "0 B"}, {999, "999 B"}, {65568, "66 kB"}, {1300000, "1.3 MB"}, {999999999, "1000.0 MB"},
	            {12100000000, "12.10 GB"}, {2000000000000, "2000.00 GB"}};
	char text[AMOUNT_TEXT_MAX];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_assert_str_eq(amount_thousands(text, rows[i].n), rows[i].expected, "%s", text);
}

Test(amount, estimates_have_two_digits)
{
	static const struct {
		double n;
		const char *expected;
	} rows[] = {{0, "<1"},   {0.94, "<1"}, {0.96, "1"},  {1.4, "1"},     {9.4, "9"},
	            {9.6, "10"}, {17.4, "17"}, {99.4, "99"}, {99.6, "100"},  {123, "120"},
	            {996, "1000"}, {1249, "1200"}, {1e300, "1000000000000"}};
	char text[AMOUNT_TEXT_MAX];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_assert_str_eq(amount_estimate(text, rows[i].n), rows[i].expected, "%g: %s", rows[i].n, text);
}
