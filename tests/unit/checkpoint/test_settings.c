/* JSON documents as tables of paths. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "checkpoint/settings.h"

static struct error err;

static struct settings_tree *parse(const char *json)
{
	struct settings_tree *tree;

	cr_assert_eq(settings_tree_parse(&tree, "config.json", json, strlen(json), &err), STATUS_OK, "%s", err.text);
	return tree;
}

static void must_fail(const char *json, enum status status, const char *words)
{
	struct settings_tree *tree;

	err = (struct error){0};
	cr_assert_eq(settings_tree_parse(&tree, "config.json", json, strlen(json), &err), status, "%.60s: %s", json, err.text);
	cr_expect(strstr(err.text, words) && strstr(err.text, "config.json"), "'%s' has no '%s'", err.text, words);
}

Test(checkpoint_settings, values_have_paths)
{
	struct settings_tree *tree = parse("{\"a\":{\"b\":[1,2.5,{\"c\":\"x\\u0000y\"}],\"d\":null},\"e\":true,\"f\":1e400}");

	cr_expect_eq(settings_tree_number(tree, "a.b.0", 0), 1);
	cr_expect_eq(settings_tree_get(tree, "a.b.0")->kind, SETTING_INT);
	cr_expect_eq(settings_tree_get(tree, "a.b.1")->kind, SETTING_FLOAT);
	cr_expect_eq(settings_tree_get(tree, "a.b")->kind, SETTING_ARRAY);
	cr_expect_eq(settings_tree_get(tree, "a.b")->number, 3);
	cr_expect_eq(settings_tree_get(tree, "a")->number, 2);
	cr_expect_eq(settings_tree_get(tree, "a.b.2.c")->len, 3);
	cr_expect_str_eq(settings_tree_text(tree, "a.b.2.c", "-"), "x");
	cr_expect_eq(settings_tree_get(tree, "a.d")->kind, SETTING_NULL);
	cr_expect(settings_tree_bool(tree, "e", false));
	cr_expect_eq(settings_tree_number(tree, "e", 7), 7); /* another kind */
	cr_expect_eq(settings_tree_number(tree, "a.d", 7), 7);
	cr_expect_null(settings_tree_get(tree, "a.x"));
	cr_expect_eq(settings_tree_n(tree), 10);
	cr_expect_str_eq(settings_tree_at(tree, 0)->path, "");
	cr_expect_str_eq(settings_tree_at(tree, 2)->path, "a.b");
	settings_tree_free(tree);
}

Test(checkpoint_settings, the_last_of_a_name_counts_with_all_in_it)
{
	struct settings_tree *tree = parse("{\"a\":{\"x\":1,\"y\":2},\"b\":3,\"a\":{\"x\":4},\"b\":5}");

	cr_expect_eq(settings_tree_number(tree, "a.x", 0), 4);
	cr_expect_null(settings_tree_get(tree, "a.y"));
	cr_expect_eq(settings_tree_number(tree, "b", 0), 5);
	cr_expect_eq(settings_tree_n(tree), 4);
	settings_tree_free(tree);
}

Test(checkpoint_settings, an_object_is_laid_over_the_root)
{
	struct settings_tree *tree = parse("{\"rope\":{\"a\":1,\"b\":2},\"n\":1,\"kept\":9,\"text_config\":{\"rope\":{\"a\":3},\"n\":2,\"new\":4}}");

	cr_assert_eq(settings_tree_merge(tree, "text_config", &err), STATUS_OK);
	cr_expect_eq(settings_tree_number(tree, "rope.a", 0), 3);
	cr_expect_null(settings_tree_get(tree, "rope.b"));
	cr_expect_eq(settings_tree_number(tree, "n", 0), 2);
	cr_expect_eq(settings_tree_number(tree, "new", 0), 4);
	cr_expect_eq(settings_tree_number(tree, "kept", 0), 9);
	cr_expect_eq(settings_tree_number(tree, "text_config.n", 0), 2);
	settings_tree_free(tree);
}

Test(checkpoint_settings, hostile_documents_are_refused)
{
	struct buf json = {.max = MIB(100)};

	must_fail("", STATUS_FORMAT, "empty");
	must_fail("[]", STATUS_FORMAT, "not a JSON object");
	must_fail("{}{}", STATUS_FORMAT, "something follows");
	must_fail("{\"a\":}", STATUS_FORMAT, "not JSON");
	must_fail("{\"a\\u0000\":1}", STATUS_FORMAT, "a name with a NUL in it");
	for (int i = 0; i < 40; i++)
		buf_puts(&json, "{\"a\":");
	must_fail(json.data, STATUS_LIMIT, "more than 32 nested objects and lists");
	buf_clear(&json);
	buf_puts(&json, "{\"a\":[");
	for (int i = 0; i < LIMIT_SETTINGS_VALUES; i++)
		buf_puts(&json, i ? ",0" : "0");
	buf_puts(&json, "]}");
	must_fail(json.data, STATUS_LIMIT, "more than 1000000 values");
	buf_clear(&json);
	buf_puts(&json, "{\"");
	for (int i = 0; i <= LIMIT_SETTINGS_PATH; i++)
		buf_putc(&json, 'x');
	buf_puts(&json, "\":1}");
	must_fail(json.data, STATUS_LIMIT, "too long");
	buf_free(&json);
}

/* Names that are there over and over, which a list in the wrong order would make quadratic. */
Test(checkpoint_settings, many_doubled_names_take_no_longer)
{
	struct buf json = {.max = MIB(100)};
	struct settings_tree *tree;

	buf_putc(&json, '{');
	for (int i = 0; i < 400000; i++)
		buf_printf(&json, "%s\"k%d\":%d", i ? "," : "", i < 200000 ? i : 399999 - i, i);
	buf_putc(&json, '}');
	tree = parse(json.data);
	cr_expect_eq(settings_tree_n(tree), 200001);
	cr_expect_eq(settings_tree_number(tree, "k0", 0), 399999);
	settings_tree_free(tree);
	buf_free(&json);
}
