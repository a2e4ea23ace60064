/* The tests, which follow `is`. */
#include "jinja/builtins.h"
#include "jinja/casing.h"

static enum status give(struct jinja_value *out, bool b)
{
	*out = value_bool(b);
	return STATUS_OK;
}

/* ---- kinds ---- */

/* A test that only looks at the value. */
#define QUESTION(name, is) \
	static BUILTIN(name) \
	{ \
		return give(out, is); \
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
static BUILTIN(test_sequence)
{
	bool is;

	if (self.kind == VALUE_LIST)
		is = self.u.list->kind == LIST_LIST || self.u.list->kind == LIST_TUPLE;
	else
		is = self.kind == VALUE_STRING || self.kind == VALUE_DICT ||
		     self.kind == VALUE_RANGE || self.kind == VALUE_UNDEFINED;
	return give(out, is);
}

/* ---- text ---- */

static enum status is_case(struct render *render, struct jinja_value self,
                           bool (*is)(const struct jinja_string *), struct jinja_value *out)
{
	const struct jinja_string *string;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		status = render_bytes(render, string->len);
	return status ? status : give(out, is(string));
}

static BUILTIN(test_lower)
{
	return is_case(render, self, string_is_lower, out);
}

static BUILTIN(test_upper)
{
	return is_case(render, self, string_is_upper, out);
}

/* ---- names ---- */

static enum status is_row(struct render *render, struct jinja_value name,
                          const struct builtin_table *table, struct jinja_value *out)
{
	enum status status = value_hash_step(render, name);

	if (status)
		return status;
	return give(out, name.kind == VALUE_STRING && builtin_find(table, name.u.string));
}

static BUILTIN(test_filter)
{
	return is_row(render, self, render->filters, out);
}

static BUILTIN(test_test)
{
	return is_row(render, self, render->tests, out);
}

/* ---- numbers ---- */

/* self % by == rest */
static enum status leaves(struct render *render, struct jinja_value self, struct jinja_value by,
                          int64_t rest, struct jinja_value *out)
{
	struct jinja_value remainder;
	bool is;
	enum status status = value_binary(render, OP_MOD, self, by, &remainder);

	if (!status)
		status = value_compare_op(render, CMP_EQ, remainder, value_int(rest), &is);
	return status ? status : give(out, is);
}

static BUILTIN(test_odd)
{
	return leaves(render, self, value_int(2), 1, out);
}

static BUILTIN(test_even)
{
	return leaves(render, self, value_int(2), 0, out);
}

static BUILTIN(test_divisibleby)
{
	return leaves(render, self, bound->args[0], 0, out);
}

/* ---- comparisons ---- */

static enum status compare(struct render *render, enum compare_op op, struct jinja_value self,
                           const struct bound *bound, struct jinja_value *out)
{
	bool is;
	enum status status = value_compare_op(render, op, self, bound->args[0], &is);

	return status ? status : give(out, is);
}

#define COMPARISON(name, op) \
	static BUILTIN(name) \
	{ \
		return compare(render, op, self, bound, out); \
	}
COMPARISON(test_eq, CMP_EQ)
COMPARISON(test_ne, CMP_NE)
COMPARISON(test_lt, CMP_LT)
COMPARISON(test_gt, CMP_GT)
COMPARISON(test_ge, CMP_GE)
COMPARISON(test_in, CMP_IN)

/* Python's `is`. Numbers and texts are the same if they are equal: which of them share an
 * object depends on the interpreter. */
static BUILTIN(test_sameas)
{
	struct jinja_value other = bound->args[0];
	bool is = self.kind == other.kind;

	switch (self.kind) {
	case VALUE_UNDEFINED:
		return give(out, false);
	case VALUE_LIST:
		return give(out, is && self.u.list == other.u.list);
	case VALUE_DICT:
		return give(out, is && self.u.dict == other.u.dict);
	case VALUE_OBJECT:
		return give(out, is && self.u.object == other.u.object);
	default:
		return give(out, is && value_equal(self, other));
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
