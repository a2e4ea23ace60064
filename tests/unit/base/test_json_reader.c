#include <criterion/criterion.h>

#include <string.h>

#include "base/json_reader.h"
#include "base/limits.h"

/* The items as a line: {} [] as they are, k:key, s:string, n:number, words. */
static enum status read_all(const char *text, size_t len, struct buf *out, struct error *err)
{
	struct json_reader reader;
	struct json_item item;
	enum status status;

	json_begin(&reader, "file", text, len);
	do {
		static const char *const names[] = {"", "null", "false", "true", "n:", "s:", "k:", "{", "}",
		                                    "[", "]"};

		status = json_next(&reader, &item, err);
		if (!status)
			buf_printf(out, "%s%s ", names[item.kind], item.text);
	} while (!status && item.kind != JSON_END);
	json_end(&reader);
	return status;
}

static void assert_items(const char *text, const char *expected)
{
	struct error err = {.text = ""};
	struct buf out = {.max = KIB(64)};

	cr_assert_eq(read_all(text, strlen(text), &out, &err), STATUS_OK, "%s: %s", text, err.text);
	cr_assert_str_eq(buf_text(&out), expected, "of %s", text);
	buf_free(&out);
}

Test(json_reader, takes_documents_apart)
{
	assert_items("", " ");
	assert_items(" \n\t", " ");
	assert_items("{}", "{ }  ");
	assert_items("[]", "[ ]  ");
	assert_items("[1, -2.5e+3 ,0]", "[ n:1 n:-2.5e+3 n:0 ]  ");
	assert_items("{\"a\": [true,false,null], \"b\":{\"c\":\"d\"}}",
	             "{ k:a [ true false null ] k:b { k:c s:d } }  ");
	assert_items("{\"a\":1}\n{\"b\":2}\n", "{ k:a n:1 } { k:b n:2 }  ");
	assert_items("\xef\xbb\xbf[]", "[ ]  ");
	assert_items("[[],[{}]]", "[ [ ] [ { } ] ]  ");
}

Test(json_reader, undoes_escapes)
{
	assert_items("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s:\"\\/\b\f\n\r\t  ");
	assert_items("\"\\u00e9\\u4F60\"", "s:\xc3\xa9\xe4\xbd\xa0  ");
	assert_items("\"\\ud83d\\ude00\"", "s:\xf0\x9f\x98\x80  "); /* as Python writes it */
	assert_items("\"\\ud83d x\"", "s:\xef\xbf\xbd x  ");
	assert_items("\"\\ud83d\\u0041\\ude00\"", "s:\xef\xbf\xbd" "A\xef\xbf\xbd  ");
	assert_items("\"a\xff\"", "s:a\xef\xbf\xbd  ");
	assert_items("\"\xff\xff\xff\xff\"", "s:\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd  ");
}

Test(json_reader, says_where_it_is_wrong)
{
	static const char *const wrong[] = {
		"[", "{", "]", "}", "[1", "[1 2]", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
		"{\"a\" 1}", "{\"a\":1 \"b\":2}", "{1:2}", "[1}", "{\"a\":1]", "\"a", "\"a\\", "\"\\x\"", "\"\\u12\"",
		"\"\\u12g4\"", "\"a\nb\"", "01", "-", "1.", "1e", "+1", ".5", "nul", "tru", "'a'", "x", "NaN", "[1]]",
		"{\"a\":1,,}", "\"\\ud83d\\u12\"",
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct error err = {.text = ""};
		struct buf out = {.max = KIB(64)};

		cr_assert_eq(read_all(wrong[i], strlen(wrong[i]), &out, &err), STATUS_FORMAT, "%s: %s", wrong[i],
		             buf_text(&out));
		cr_assert(strncmp(err.text, "file:", 5) == 0 && strstr(err.text, "not JSON: "), "%s: %s", wrong[i],
		          err.text);
		buf_free(&out);
	}
	for (size_t i = 0; i < 1; i++) {
		struct error err;
		struct buf out = {.max = KIB(64)};

		cr_assert_eq(read_all("[\n1,\n2 3]", 9, &out, &err), STATUS_FORMAT);
		cr_assert_str_eq(err.text, "file:3: not JSON: ',' or ']' was expected");
		buf_free(&out);
	}
}

Test(json_reader, has_a_greatest_depth)
{
	char text[2 * JSON_DEPTH + 3];
	struct error err;
	struct buf out = {.max = KIB(64)};

	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	cr_assert_eq(read_all(text, 2 * JSON_DEPTH, &out, &err), STATUS_OK);
	memset(text, '[', JSON_DEPTH + 1);
	memset(text + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	cr_assert_eq(read_all(text, 2 * JSON_DEPTH + 2, &out, &err), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "file:1: not JSON: too many levels");
	buf_free(&out);
}
