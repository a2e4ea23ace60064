#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"

static void assert_json(const char *text, size_t len, const char *expected)
{
	struct buf out = {.max = KIB(4)};

	json_put_text(&(struct json_writer){.out = &out}, NULL, text, len);
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
	struct buf out = {.max = MIB(2)};

	cr_assert_not_null(text);
	memset(text, 'x', n);
	json_put_text(&(struct json_writer){.out = &out}, NULL, text, n);
	cr_assert_eq(out.len, n + 2);
	buf_free(&out);
	free(text);
}

static void put_empty(struct json_writer *json)
{
	json_put_begin(json, NULL, '[');
	json_put_end(json, ']');
}

static void put_values(struct json_writer *json)
{
	json_put_begin(json, NULL, '{');
	json_put_string(json, "string", "a\"b");
	json_put_text(json, "a \"key\"", "xyz", 2);
	json_put_string(json, "none", NULL);
	json_put_null(json, "null");
	json_put_bool(json, "yes", true);
	json_put_bool(json, "no", false);
	json_put_number(json, "number", "%.3g", 0.25);
	json_put_end(json, '}');
}

static void put_nested(struct json_writer *json)
{
	json_put_begin(json, NULL, '[');
	put_empty(json);
	json_put_begin(json, NULL, '{');
	json_put_begin(json, "list", '[');
	for (int i = 0; i < 3; i++)
		json_put_number(json, NULL, "%d", i);
	json_put_end(json, ']');
	json_put_begin(json, "object", '{');
	json_put_end(json, '}');
	json_put_end(json, '}');
	put_empty(json);
	json_put_end(json, ']');
}

static void put_lines(struct json_writer *json)
{
	json_put_begin(json, NULL, '[');
	for (int i = 0; i < 2; i++) {
		json_put_line(json, "\n  ");
		put_empty(json);
		json_put_line(json, "\n");
	}
	json_put_end(json, ']');
}

Test(json, writes_values_with_the_commas_between_them)
{
	static const struct {
		void (*put)(struct json_writer *json);
		const char *expected;
	} cases[] = {
		{put_empty, "[]"},
		{put_values, "{\"string\": \"a\\\"b\", \"a \\\"key\\\"\": \"xy\", \"none\": null, "
		             "\"null\": null, \"yes\": true, \"no\": false, \"number\": 0.25}"},
		{put_nested, "[[], {\"list\": [0, 1, 2], \"object\": {}}, []]"},
		{put_lines, "[\n  [],\n  []\n]"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct json_writer json = {0};
		struct buf out = {.max = KIB(4)};

		json.out = &out;
		cases[i].put(&json);
		cr_assert_str_eq(buf_text(&out), cases[i].expected, "case %zu: %s", i, buf_text(&out));
		buf_free(&out);
	}
}

/* What is written may leave the buffer before the next value comes. */
Test(json, streams)
{
	struct json_writer json = {0};
	struct buf out = {.max = 8}, sent = {.max = KIB(1)};

	json.out = &out;
	json_put_begin(&json, NULL, '[');
	for (int i = 0; i < 100; i++) {
		buf_append(&sent, buf_text(&out), out.len);
		buf_clear(&out);
		json_put_number(&json, NULL, "%d", i % 10);
	}
	cr_assert(!buf_status(&out));
	cr_assert_str_eq(buf_text(&out), ", 9");
	cr_assert_eq(strncmp(buf_text(&sent), "[0, 1, 2, ", 10), 0);
	json_put_string(&json, NULL, "too long for the buffer");
	cr_assert_eq(buf_status(&out), STATUS_LIMIT);
	buf_free(&out);
	buf_free(&sent);
}

Test(json, has_null_for_what_is_no_number)
{
	struct buf out = {.max = KIB(4)};
	struct json_writer json = {.out = &out};

	json_put_begin(&json, NULL, '[');
	json_put_real(&json, NULL, 0.1);
	json_put_real(&json, NULL, (double)INFINITY);
	json_put_real(&json, NULL, (double)NAN);
	json_put_end(&json, ']');
	cr_assert_str_eq(buf_text(&out), "[0.1, null, null]");
	buf_free(&out);
}
