#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "import/value.h"

static int64_t date(enum json_kind kind, const char *text)
{
	return date_of(&(struct value){.kind = kind, .text = text, .len = (uint32_t)strlen(text), .key = ""});
}

Test(import_date, of_numbers_by_their_size)
{
	static const char *const same[] = {"1710000001", "1710000001000", "1710000001000000", "1710000001000000000",
	                                   "1710000001.0", "1.710000001e9"};

	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		cr_expect_eq(date(JSON_NUMBER, same[i]), 1710000001000, "%s", same[i]);
		cr_expect_eq(date(JSON_STRING, same[i]), 1710000001000, "%s", same[i]);
	}
	cr_expect_eq(date(JSON_NUMBER, "0"), 0);
	cr_expect_eq(date(JSON_NUMBER, "-5"), 0);
	cr_expect_eq(date(JSON_NUMBER, "1e300"), 0);
	cr_expect_eq(date(JSON_NUMBER, "1710000000.25"), 1710000000250);
}

Test(import_date, of_texts)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{"2025-01-01T10:00:00.000000Z", 1735725600000}, {"2025-01-01T10:00:00", 1735725600000},
		{"2025-01-01T12:00:00.5+02:00", 1735725600500}, {"2025-01-01 05:30:00-0430", 1735725600000},
		{"2025-01-01", 1735689600000}, {"2024-02-29T23:59:59Z", 1709251199000},
		{"April 26, 2024 6:06am", 1714111560000}, {"Apr 26, 2024 12:06 AM", 1714089960000},
		{"April 26, 2024 6:06pm", 1714154760000}, {"2024-4-26@06h06m00s", 1714111560000},
		{"2024-04-26 @06h 06m 01s 5ms", 1714111561000}, {"1970-01-01T00:00:01Z", 1000},
		{"", 0}, {"x", 0}, {"2025", 2025000}, {"2025-13-01", 0}, {"2025-01-01T25:00:00", 0}, {"May", 0}, {"May 1", 0},
		{"Maybe", 0}, {"2025-", 0}, {"2025-01-", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		cr_expect_eq(date(JSON_STRING, cases[i].text), cases[i].ms, "%s: %" PRId64, cases[i].text,
		             date(JSON_STRING, cases[i].text));
	cr_expect_eq(date(JSON_TRUE, ""), 0);
	cr_expect_eq(date_of(NULL), 0);
}
