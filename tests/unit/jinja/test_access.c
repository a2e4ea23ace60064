#include "rendering.h"

#include <criterion/criterion.h>
#include <string.h>

#include "jinja/builtins.h"

/* What Python 3.11 and Jinja2 3.1 answer, recorded. */

static struct rendering r;

static void set_up(void)
{
	rendering_begin(&r);
}

static void tear_down(void)
{
	rendering_end(&r);
}

TestSuite(access, .init = set_up, .fini = tear_down);

/* What is undefined, by the message of its use. */
static const char *answer(struct jinja_value out)
{
	if (value_is_undefined(out))
		undefined_fail(&r.render, out);
	return shown(&r, out);
}

Test(access, items)
{
	static const struct {
		const char *op, *value, *key, *result;
	} rows[] = {
		{"item", "'abc'", "0", "'a'"},
		{"item", "'abc'", "-1", "'c'"},
		{"item", "'äßc'", "1", "'ß'"},
		{"item", "'abc'", "3", "str object has no element 3"},
		{"item", "'abc'", "-4", "str object has no element -4"},
		{"item", "'abc'", "True", "'b'"},
		{"item", "'abc'", "'x'", "'str object' has no attribute 'x'"},
		{"item", "'abc'", "1.0", "str object has no element 1.0"},
		{"item", "[1,2]", "1", "2"},
		{"item", "[1,2]", "-2", "1"},
		{"item", "[1,2]", "2", "list object has no element 2"},
		{"item", "[1,2]", "'x'", "'list object' has no attribute 'x'"},
		{"item", "(1,)", "0", "1"},
		{"item", "range(0, 10, 3)", "-1", "9"},
		{"item", "range(0, 3, 1)", "3", "range object has no element 3"},
		{"item", "{'a':1}", "'a'", "1"},
		{"item", "{'a':1}", "'b'", "'dict object' has no attribute 'b'"},
		{"item", "{1:2}", "1.0", "2"},
		{"item", "{1:2}", "True", "2"},
		{"item", "{1:2}", "5", "dict object has no element 5"},
		{"item", "{}", "[]", "dict object has no element []"},
		{"item", "{}", "None", "dict object has no element None"},
		{"item", "{None:1}", "None", "1"},
		{"item", "keys [1]", "0", "dict_keys object has no element 0"},
		{"item", "1", "'x'", "'int object' has no attribute 'x'"},
		{"item", "None", "'x'", "'None' has no attribute 'x'"},
		{"item", "Undefined", "'x'", "'u' is undefined"},
		{"item", "1.5", "0", "float object has no element 0"},
		{"item", "True", "0", "bool object has no element 0"},
	};
	struct jinja_value out;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rendering_reset(&r);
		out = value_getitem(&r.render, literal(&r, rows[i].value),
		                    literal(&r, rows[i].key));
		cr_expect_str_eq(answer(out), rows[i].result, "%s[%s]", rows[i].value,
		                 rows[i].key);
	}
}

Test(access, slices)
{
	static const struct {
		const char *value, *start, *stop, *step, *result;
	} rows[] = {
		{"'abcdef'", "1", "3", "None", "'bc'"},
		{"'abcdef'", "None", "None", "-1", "'fedcba'"},
		{"'häßlich'", "1", "4", "None", "'äßl'"},
		{"'häßlich'", "None", "None", "-1", "'hcilßäh'"},
		{"'häßlich'", "-3", "None", "None", "'ich'"},
		{"'häßlich'", "None", "-1", "2", "'hßi'"},
		{"'häßlich'", "5", "0", "-2", "'clä'"},
		{"'abc'", "5", "9", "None", "''"},
		{"'abc'", "2", "1", "None", "''"},
		{"'abc'", "-9", "9", "None", "'abc'"},
		{"'abc'", "None", "None", "0", "slice step cannot be zero"},
		{"'abc'", "'x'", "None", "None",
		 "slice indices must be integers or None or have an __index__ method"},
		{"'abc'", "None", "1.0", "None",
		 "slice indices must be integers or None or have an __index__ method"},
		{"'abc'", "Undefined", "None", "None",
		 "slice indices must be integers or None or have an __index__ method"},
		{"'abc'", "True", "None", "None", "'bc'"},
		{"'abc'", "None", "None", "9223372036854775807", "'a'"},
		{"'abc'", "None", "None", "-9223372036854775808", "'c'"},
		{"'abc'", "-9223372036854775808", "9223372036854775807", "1", "'abc'"},
		{"[1,2,3,4]", "None", "2", "None", "[1, 2]"},
		{"[1,2,3,4]", "-1", "None", "-2", "[4, 2]"},
		{"(1,2,3,)", "1", "None", "None", "(2, 3)"},
		{"(1,2,3,)", "3", "None", "None", "()"},
		{"range(0, 10, 3)", "1", "None", "None", "[3, 6, 9]"},
		{"range(3, 10, 2)", "None", "None", "-1", "[9, 7, 5, 3]"},
		{"range(3, 10, 2)", "5", "9", "None", "[]"},
		{"1", "1", "2", "None", "'int' object is not subscriptable"},
		{"None", "1", "2", "None", "'NoneType' object is not subscriptable"},
		{"{}", "1", "2", "None", "unhashable type: 'slice'"},
		{"keys [1]", "1", "2", "None", "'dict_keys' object is not subscriptable"},
		{"Undefined", "1", "2", "None", "'u' is undefined"},
	};
	struct jinja_value out;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rendering_reset(&r);
		out = value_slice(&r.render, literal(&r, rows[i].value), literal(&r, rows[i].start),
		                  literal(&r, rows[i].stop), literal(&r, rows[i].step));
		cr_expect_str_eq(shown(&r, out), rows[i].result, "%s[%s:%s:%s]",
		                 rows[i].value, rows[i].start, rows[i].stop, rows[i].step);
	}
}

static const char *attribute(struct jinja_value value, const char *name)
{
	rendering_reset(&r);
	return answer(value_getattr(&r.render, value,
	                            string_new(&r.arena, name, strlen(name), SOURCE_TEMPLATE)));
}

Test(access, attributes)
{
	cr_assert_str_eq(attribute(literal(&r, "{'a': 1}"), "a"), "1");
	cr_assert_str_eq(attribute(literal(&r, "{'a': 1}"), "it's"),
	                 "'dict object' has no attribute \"it's\"");
	cr_assert_str_eq(attribute(literal(&r, "'abc'"), "x"), "'str object' has no attribute 'x'");
	cr_assert_str_eq(attribute(literal(&r, "1"), "x"), "'int object' has no attribute 'x'");
	cr_assert_str_eq(attribute(literal(&r, "None"), "x"), "'None' has no attribute 'x'");
	cr_assert_str_eq(attribute(literal(&r, "Undefined"), "x"), "'u' is undefined");
	cr_assert_str_eq(attribute((struct jinja_value){0}, "x"), "None is undefined");
}

Test(access, methods_come_before_items)
{
	struct jinja_value dict = literal(&r, "{'items': 1, 'a': 2}");
	const struct jinja_string *name = string_new(&r.arena, "items", 5, SOURCE_TEMPLATE);

	cr_assert_eq(value_getattr(&r.render, dict, name).kind, VALUE_OBJECT);
	cr_assert_eq(value_getitem(&r.render, dict, value_from_string(name)).kind, VALUE_INT);
	dict = literal(&r, "{'a': 2}");
	cr_assert_eq(value_getitem(&r.render, dict, value_from_string(name)).kind, VALUE_OBJECT);
}

static bool get_nothing(struct render *render, struct jinja_object *self,
                        const struct jinja_string *name, struct jinja_value *out)
{
	(void)render;
	(void)self;
	*out = value_int(1);
	return string_equals(name, "yes");
}

Test(access, objects_are_asked)
{
	static const struct object_ops ops = {.type_name = "jinja2.utils.Thing",
	                                      .get = get_nothing};
	struct jinja_object object = {.ops = &ops};
	struct jinja_value thing = value_object(&object);

	cr_assert_str_eq(attribute(thing, "yes"), "1");
	cr_assert_str_eq(attribute(thing, "no"),
	                 "'jinja2.utils.Thing object' has no attribute 'no'");
	rendering_reset(&r);
	cr_assert_eq(value_getitem(&r.render, thing, literal(&r, "'yes'")).kind, VALUE_INT);
	cr_assert_str_eq(shown(&r, thing), "<jinja2.utils.Thing object>");
	cr_assert_eq(value_length(&r.render, thing), 0);
	cr_assert_str_eq(shown(&r, thing), "object of type 'Thing' has no len()");
}
