#include <criterion/criterion.h>

#include <stdint.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/limits.h"

static enum status print(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	static const char *const names[] = {"", "null", "false", "true", "n:", "s:", "k:", "{", "}", "[", "]"};

	(void)err;
	buf_printf(ctx, "%s=%s%s ", path, names[item->kind], item->text);
	return STATUS_OK;
}

static void assert_walk(const char *text, const char *expected)
{
	struct buf out = {.max = KIB(64)};
	struct error err = {.text = ""};

	cr_assert_eq(json_walk(text, strlen(text), print, &out, &err), STATUS_OK, "%s: %s", text, err.text);
	cr_assert_str_eq(buf_text(&out), expected, "of %s", text);
	buf_free(&out);
}

Test(json_walk, tells_each_value_with_its_path)
{
	assert_walk("3", "=n:3 ");
	assert_walk("{}", "={ =} ");
	assert_walk("{\"a\": {\"b\": [1, [true], {\"c\": null}]}, \"d\": \"x\"}",
	            "={ a={ a.b=[ a.b.0=n:1 a.b.1=[ a.b.1.0=true a.b.1=] a.b.2={ a.b.2.c=null a.b.2=} a.b=] a=} "
	            "d=s:x =} ");
	assert_walk("[{\"id\": \"a\"}, {\"id\": \"b\"}]", "=[ 0={ 0.id=s:a 0=} 1={ 1.id=s:b 1=} =] ");
}

Test(json_walk, keeps_halves_of_characters_where_that_is_wanted)
{
	static const char text[] = "[\"\xf0\x9f\", \"\\ud83d\", \"\\ud83d\\ude00\"]";
	struct buf out = {.max = KIB(1)};

	cr_assert_eq(json_walk_bytes(text, strlen(text), print, &out, NULL), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "=[ 0=s:\xf0\x9f 1=s:\xed\xa0\xbd 2=s:\xf0\x9f\x98\x80 =] ");
	buf_clear(&out);
	cr_assert_eq(json_walk(text, strlen(text), print, &out, NULL), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "=[ 0=s:\xef\xbf\xbd 1=s:\xef\xbf\xbd 2=s:\xf0\x9f\x98\x80 =] ");
	buf_free(&out);
}

Test(json_walk, passes_over_names_that_no_path_can_tell)
{
	assert_walk("{\"a.b\": 1, \"\": {\"c\": [2]}, \"d\": [3]}", "={ d=[ d.0=n:3 d=] =} ");
	assert_walk("[{\"x.y\": {\"z\": [[]]}}, 4]", "=[ 0={ 0=} 1=n:4 =] ");
}

Test(json_walk, passes_over_paths_that_are_too_long)
{
	struct buf text = {.max = KIB(64)};
	struct buf out = {.max = KIB(64)};

	buf_puts(&text, "{\"k\": ");
	for (int i = 0; i < 300; i++)
		buf_puts(&text, "[");
	for (int i = 0; i < 300; i++)
		buf_puts(&text, "]");
	buf_puts(&text, ", \"after\": 1}");
	cr_assert_eq(json_walk(text.data, text.len, print, &out, NULL), STATUS_OK);
	cr_assert(strstr(buf_text(&out), "after=n:1 "), "%s", buf_text(&out));
	buf_free(&text);
	buf_free(&out);
}

Test(json_walk, takes_one_document_only)
{
	static const char *const wrong[] = {"", " ", "{} {}", "1 2", "{", "[1,]", "{\"a\":}", "nul"};
	struct buf out = {.max = KIB(64)};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_assert_eq(json_walk(wrong[i], strlen(wrong[i]), print, &out, NULL), STATUS_FORMAT, "%s", wrong[i]);
	buf_free(&out);
}

Test(json_walk, matches_paths)
{
	cr_assert(json_path_is("a.0.b", "a.*.b"));
	cr_assert(json_path_is("a.b", "a.b"));
	cr_assert(json_path_is("", ""));
	cr_assert(json_path_is("a", "*"));
	cr_assert_not(json_path_is("a.b", "*"));
	cr_assert_not(json_path_is("a.b", "a"));
	cr_assert_not(json_path_is("a", "a.b"));
	cr_assert_not(json_path_is("a.b.c", "a.*"));
	cr_assert_not(json_path_is("ab", "a"));
}

struct taken {
	struct buf text;
	char name[6];
	uint32_t n;
	uint64_t bytes;
	double price;
	bool is_on;
};

static const struct json_place places[] = {
	{"parts.*.text", JSON_PLACE_BUF, offsetof(struct taken, text), 0},
	{"name", JSON_PLACE_TEXT, offsetof(struct taken, name), 6},
	{"n", JSON_PLACE_U32, offsetof(struct taken, n), 0},
	{"bytes", JSON_PLACE_U64, offsetof(struct taken, bytes), 0},
	{"price", JSON_PLACE_DOUBLE, offsetof(struct taken, price), 0},
	{"on", JSON_PLACE_BOOL, offsetof(struct taken, is_on), 0},
};

static struct taken take(const char *text)
{
	struct taken taken = {.text = {.max = KIB(1)}, .n = 7};

	cr_assert_eq(json_take(text, strlen(text), places, sizeof places / sizeof places[0], &taken, NULL), STATUS_OK);
	return taken;
}

Test(json_walk, takes_what_is_wanted)
{
	struct taken taken = take("{\"parts\": [{\"text\": \"a\"}, {\"x\": 1}, {\"text\": \"b\"}], \"name\": \"gr\xc3\xbc\xc3\xbc\xc3\xbcn\","
	                          "\"n\": 12, \"bytes\": 5000000000, \"price\": \"0.0000004\", \"on\": true, \"z\": []}");

	cr_assert_str_eq(buf_text(&taken.text), "ab");
	cr_assert_str_eq(taken.name, "gr\xc3\xbc");
	cr_assert_eq(taken.n, 12);
	cr_assert_eq(taken.bytes, 5000000000);
	cr_assert_float_eq(taken.price, 4e-7, 1e-12);
	cr_assert(taken.is_on);
	buf_free(&taken.text);
}

Test(json_walk, passes_over_values_of_another_kind)
{
	static const char *const texts[] = {"{\"n\": -1}", "{\"n\": 1.5}", "{\"n\": \"1\"}", "{\"n\": null}", "{\"n\": {}}",
	                                    "{\"parts\": [{\"text\": 3}]}", "{\"on\": 1}", "{\"price\": \"dear\"}"};
	struct taken taken;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		taken = take(texts[i]);
		cr_assert_eq(taken.n, 7, "%s", texts[i]);
		cr_assert_eq(taken.text.len, 0);
		cr_assert_not(taken.is_on);
		cr_assert_eq(taken.price, 0);
	}
	taken = take("{\"n\": 1e300}");
	cr_assert_eq(taken.n, UINT32_MAX);
}
