/* The tests, which follow `is`. */
#include "jinja/builtins.h"
#include "jinja/casing.h"

/* ---- kinds ---- */

/* A test that one expression answers. */
#define QUESTION(name, is) \
	static BUILTIN(name) \
	{ \
		return value_bool(is); \
	}
QUESTION(test_boolean, self.kind == VALUE_BOOL)
/* Python's undefined has a __call__, which fails. */
QUESTION(test_callable, value_is_callable(self) || value_is_undefined(self))
QUESTION(test_defined, !value_is_undefined(self))
QUESTION(test_undefined, value_is_undefined(self))
QUESTION(test_escaped, self.kind == VALUE_STRING && self.u.string->safe)
QUESTION(test_false, self.kind == VALUE_BOOL && !self.u.boolean)
QUESTION(test_true, self.kind == VALUE_BOOL && self.u.boolean)
QUESTION(test_none, self.kind == VALUE_NONE)
QUESTION(test_float, self.kind == VALUE_FLOAT)
QUESTION(test_integer, self.kind == VALUE_INT || self.kind == VALUE_LONG)
QUESTION(test_number, value_is_number(self) || self.kind == VALUE_LONG)
QUESTION(test_string, self.kind == VALUE_STRING)
QUESTION(test_mapping, self.kind == VALUE_DICT)
QUESTION(test_iterable, value_is_iterable(self))

/* What has a length and items by number or key; Python's undefined has both. */
QUESTION(test_sequence, value_is_sequence(self) || self.kind == VALUE_STRING ||
                                self.kind == VALUE_DICT || self.kind == VALUE_RANGE ||
                                self.kind == VALUE_UNDEFINED)

/* ---- text ---- */

static bool is_case(struct render *render, struct jinja_value self,
                    bool (*is)(const struct jinja_string *))
{
	const struct jinja_string *string = value_to_string(render, self);

	return render_bytes(render, string->len) && is(string);
}

QUESTION(test_lower, is_case(render, self, string_is_lower))
QUESTION(test_upper, is_case(render, self, string_is_upper))

/* ---- names ---- */

static bool is_row(struct render *render, struct jinja_value name,
                   const struct builtin_table *table)
{
	return value_hash_step(render, name) && name.kind == VALUE_STRING &&
	       builtin_find(table, name.u.string);
}

QUESTION(test_filter, is_row(render, self, render->filters))
QUESTION(test_test, is_row(render, self, render->tests))

/* ---- numbers ---- */

/* self % by == rest */
static bool leaves(struct render *render, struct jinja_value self, struct jinja_value by,
                   int64_t rest)
{
	struct jinja_value remainder = value_binary(render, OP_MOD, self, by);

	return value_compare_op(render, CMP_EQ, remainder, value_int(rest));
}

QUESTION(test_odd, leaves(render, self, value_int(2), 1))
QUESTION(test_even, leaves(render, self, value_int(2), 0))
QUESTION(test_divisibleby, leaves(render, self, bound->args[0], 0))

/* ---- comparisons ---- */

QUESTION(test_eq, value_compare_op(render, CMP_EQ, self, bound->args[0]))
QUESTION(test_ne, value_compare_op(render, CMP_NE, self, bound->args[0]))
QUESTION(test_lt, value_compare_op(render, CMP_LT, self, bound->args[0]))
QUESTION(test_gt, value_compare_op(render, CMP_GT, self, bound->args[0]))
QUESTION(test_ge, value_compare_op(render, CMP_GE, self, bound->args[0]))
QUESTION(test_in, value_compare_op(render, CMP_IN, self, bound->args[0]))

/* Python's `is`. Numbers and texts are the same if they are equal: which of them share an
 * object depends on the interpreter. */
static BUILTIN(test_sameas)
{
	struct jinja_value other = bound->args[0];
	bool is = self.kind == other.kind;

	switch (self.kind) {
	case VALUE_UNDEFINED:
		return value_bool(false);
	case VALUE_LIST:
		return value_bool(is && self.u.list == other.u.list);
	case VALUE_DICT:
		return value_bool(is && self.u.dict == other.u.dict);
	case VALUE_OBJECT:
		return value_bool(is && self.u.object == other.u.object);
	default:
		return value_bool(is && value_equal(self, other));
	}
}

static const struct builtin rows[] = {
	{"boolean", test_boolean, ""},
	{"callable", test_callable, ""},
	{"defined", test_defined, ""},
	{"divisibleby", test_divisibleby, "num"},
	{"eq", test_eq, "other"},
	{"equalto", test_eq, "other"},
	{"escaped", test_escaped, ""},
	{"even", test_even, ""},
	{"false", test_false, ""},
	{"filter", test_filter, ""},
	{"float", test_float, ""},
	{"ge", test_ge, "other"},
	{"greaterthan", test_gt, "other"},
	{"gt", test_gt, "other"},
	{"in", test_in, "seq"},
	{"integer", test_integer, ""},
	{"iterable", test_iterable, ""},
	{"lessthan", test_lt, "other"},
	{"lower", test_lower, ""},
	{"lt", test_lt, "other"},
	{"mapping", test_mapping, ""},
	{"ne", test_ne, "other"},
	{"none", test_none, ""},
	{"number", test_number, ""},
	{"odd", test_odd, ""},
	{"sameas", test_sameas, "other"},
	{"sequence", test_sequence, ""},
	{"string", test_string, ""},
	{"test", test_test, ""},
	{"true", test_true, ""},
	{"undefined", test_undefined, ""},
	{"upper", test_upper, ""},
};
const struct builtin_table jinja_tests = {rows, sizeof rows / sizeof *rows};
