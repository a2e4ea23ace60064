#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"

static void assert_json(const char *text, size_t len, const char *expected)
{
	struct buf out;

	buf_init(&out, KIB(4));
	json_put_text(&out, text, len);
	cr_assert_str_eq(buf_text(&out), expected);
	buf_free(&out);
}

Test(json, escapes_what_a_string_may_not_have)
{
	assert_json("", 0, "\"\"");
	assert_json("a \xc3\xa9", 4, "\"a \xc3\xa9\"");
	assert_json("\"\\\n\t\x1b", 5, "\"\\\"\\\\\\n\\u0009\\u001b\"");
	assert_json("\0\x7f\xc2\x9b", 4, "\"\\u0000\\u007f\\u009b\"");
	assert_json("a\xff" "b\xc3", 4, "\"a\xef\xbf\xbd" "b\xef\xbf\xbd\"");
}

/* A reply is longer than any metadata. */
Test(json, takes_long_texts)
{
	size_t n = MIB(1);
	char *text = malloc(n);
	struct buf out;

	cr_assert_not_null(text);
	memset(text, 'x', n);
	buf_init(&out, MIB(2));
	json_put_text(&out, text, n);
	cr_assert_eq(out.len, n + 2);
	buf_free(&out);
	free(text);
}
