#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/sys.h"
#include "guide/guide_internal.h"

Test(values, are_those_of_this_machine)
{
	struct guide_values values;
	double memory = 0, available = 0, fits = 0;
	int end = 0;

	guide_values_now(&values, 1, 0);
	cr_assert_eq(sscanf(values.memory, "%lf GiB%n", &memory, &end), 1, "%s", values.memory);
	cr_assert_eq(values.memory[end], '\0');
	cr_assert_eq(sscanf(values.free, "%lf GiB", &available), 1, "%s", values.free);
	cr_assert_eq(sscanf(values.fits, "%lf GB", &fits), 1, "%s", values.fits);
	cr_assert_leq(available, memory);
	cr_assert_leq(fits, available * 1.074 + 0.1);
	cr_assert_leq(sys_memory_available(), sys_memory_total());
	cr_assert_str_eq(values.version, PACKAGE_VERSION);
}

Test(values, suggest_in_the_words_of_the_training)
{
	struct guide_values values;
	char article[8], size[8], type[16];
	int end = 0;

	guide_values_now(&values, 1, 0);
	cr_assert_eq(sscanf(values.suggestion, "%7[an] %7[0-9.BM] model in %15[A-Z0-9_]%n", article, size,
	                    type, &end), 3, "%s", values.suggestion);
	cr_assert_eq(values.suggestion[end], '\0');
	cr_assert_str_eq(article, size[0] == '8' ? "an" : "a");
}

Test(values, suggest_what_is_fast_enough)
{
	struct guide_values values;

	double fits = 0;

	guide_values_now(&values, 1, 1e6);
	cr_assert(strstr(values.suggestion, "270M"), "%s", values.suggestion);
	guide_values_now(&values, 1, 2.4e9);
	cr_assert(sscanf(values.fits, "%lf GB", &fits) == 1 && fits > 0.1 && fits < 0.5, "%s", values.fits);
}

Test(values, count_turns_round)
{
	static const struct {
		size_t turn;
		const char *expected;
	} rows[] = {{0, "1"}, {1, "1"}, {2, "2"}, {8, "8"}, {9, "1"}, {SIZE_MAX, NULL}};
	struct guide_values values;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int turn = 0;

		guide_values_now(&values, rows[i].turn, 0);
		if (rows[i].expected)
			cr_assert_str_eq(values.turn, rows[i].expected);
		cr_assert(sscanf(values.turn, "%d", &turn) == 1 && turn >= 1 && turn <= GUIDE_TURNS);
	}
}
