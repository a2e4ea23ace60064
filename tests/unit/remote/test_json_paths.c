#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "remote/json_paths.h"

static enum status print(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	(void)err;
	return buf_printf(ctx, "%s=%d%s;", path, (int)item->kind, item->kind == JSON_NUMBER ? item->text : "");
}

static enum status walk(const char *json, struct buf *out, struct error *err)
{
	buf_clear(out);
	return json_paths(NULL, json, strlen(json), print, out, err);
}

Test(json_paths, each_value_has_its_path)
{
	struct buf out = {.max = KIB(64)}, expected = {.max = KIB(4)};
	struct error err;

	cr_assert_eq(walk("{\"a\": [{\"b\": 1}, [2], {}], \"c\": {\"d\": {\"e\": 3}}, \"f\": 4}", &out, &err), STATUS_OK);
	buf_printf(&expected, "=%d;a=%d;a[]=%d;a[].b=%d1;a[]=%d;a[]=%d;a[][]=%d2;a[]=%d;a[]=%d;a[]=%d;a=%d;", JSON_OBJECT,
	           JSON_ARRAY, JSON_OBJECT, JSON_NUMBER, JSON_OBJECT_END, JSON_ARRAY, JSON_NUMBER, JSON_ARRAY_END,
	           JSON_OBJECT, JSON_OBJECT_END, JSON_ARRAY_END);
	buf_printf(&expected, "c=%d;c.d=%d;c.d.e=%d3;c.d=%d;c=%d;f=%d4;=%d;", JSON_OBJECT, JSON_OBJECT, JSON_NUMBER,
	           JSON_OBJECT_END, JSON_OBJECT_END, JSON_NUMBER, JSON_OBJECT_END);
	cr_assert_str_eq(buf_text(&out), buf_text(&expected));
	cr_assert_eq(walk("[1,2]", &out, &err), STATUS_OK);
	cr_assert_eq(walk("7", &out, &err), STATUS_OK);
	cr_assert_eq(out.len, strlen("=47;"), "%s", buf_text(&out));
	buf_free(&out);
	buf_free(&expected);
}

Test(json_paths, one_whole_document)
{
	static const char *const wrong[] = {"", "  ", "{} {}", "[1] x", "{\"a\": ", "<html>", "{\"a\" 1}"};
	struct buf out = {.max = KIB(64)};
	struct error err;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_assert_eq(walk(wrong[i], &out, &err), STATUS_FORMAT, "'%s'", wrong[i]);
	buf_free(&out);
}

/* What is behind a path that is too long is passed over, and what comes after it is found again. */
Test(json_paths, long_keys_and_deep_lists)
{
	char json[4096], key[300];
	struct buf out = {.max = KIB(64)};
	struct error err;
	uint64_t value = 0;

	memset(key, 'k', sizeof key);
	snprintf(json, sizeof json, "{\"%.*s\": {\"x\": 1}, \"a\\u0000b\": 5, \"y\": 2}", (int)sizeof key, key);
	cr_assert_eq(walk(json, &out, &err), STATUS_OK);
	cr_assert_null(strstr(buf_text(&out), "k"));
	cr_assert_not_null(strstr(buf_text(&out), "y="));
	cr_assert_null(strstr(buf_text(&out), "5"));
	memset(json, '[', 1000);
	memset(json + 1000, ']', 1000);
	cr_assert_eq(json_paths(NULL, json, 2000, print, &out, &err), STATUS_OK);
	memset(json, '[', 1500);
	cr_assert_eq(json_paths(NULL, json, 1500, print, &out, &err), STATUS_FORMAT);
	cr_assert(json_find_uint("{\"a.b_length\": 1.5, \"c.b_length\": 77}", 37, "*b_length", UINT32_MAX, &value));
	cr_assert_eq(value, 77);
	buf_free(&out);
}

Test(json_paths, numbers_and_words)
{
	const char *json = "{\"n\": 1e3, \"neg\": -1, \"half\": 0.5, \"huge\": 1e300, \"s\": \"text\", \"caps\": [\"a\", \"b\"]}";
	size_t len = strlen(json);
	uint64_t n = 0;
	char text[4];

	cr_assert(json_find_uint(json, len, "n", 5000, &n) && n == 1000);
	cr_assert(json_find_uint(json, len, "huge", 5000, &n) && n == 5000);
	cr_assert_not(json_find_uint(json, len, "neg", 5000, &n));
	cr_assert_not(json_find_uint(json, len, "half", 5000, &n));
	cr_assert_not(json_find_uint(json, len, "s", 5000, &n));
	cr_assert(json_find_string(json, len, "s", text, sizeof text));
	cr_assert_str_eq(text, "tex");
	cr_assert_not(json_find_string(json, len, "n", text, sizeof text));
	cr_assert_str_eq(text, "");
	cr_assert(json_find_word(json, len, "caps[]", "b"));
	cr_assert_not(json_find_word(json, len, "caps[]", "c"));
}
