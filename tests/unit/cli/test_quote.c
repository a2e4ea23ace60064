#include <criterion/criterion.h>

#include "base/limits.h"
#include "cli/quote.h"

static void expect(const char *text, size_t len, const char *expected)
{
	struct buf out = {.max = KIB(1)};

	quote_put(&out, text, len);
	cr_assert_str_eq(buf_text(&out), expected);
	buf_free(&out);
}

Test(quote, keeps_characters_and_escapes_what_is_none)
{
	expect("", 0, "\"\"");
	expect(" a\xc3\xa9", 4, "\" a\xc3\xa9\"");
	expect("\"\\\n\t", 4, "\"\\\"\\\\\\n\\t\"");
	expect("\0\x1b\x7f\xc2\x9b", 5, "\"\\x00\\x1b\\x7f\\xc2\\x9b\"");
	expect("\xe2\x82" "b\xff", 4, "\"\\xe2\\x82b\\xff\"");
}
