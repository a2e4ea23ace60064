/* What may stand after `is`. */
#include "jinja/builtins.h"
#include "jinja/casing.h"

static enum status give(struct value *out, bool b)
{
	*out = value_bool(b);
	return STATUS_OK;
}

/* ---- kinds ---- */

static enum status test_boolean(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_BOOL);
}

static enum status test_callable(struct render *render, struct value self,
                                 const struct bound *bound, struct value *out)
{
	(void)render, (void)bound;
	/* Python's undefined has a __call__, which fails. */
	return give(out, value_is_callable(self) || value_is_undefined(self));
}

static enum status test_defined(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	(void)render, (void)bound;
	return give(out, !value_is_undefined(self));
}

static enum status test_undefined(struct render *render, struct value self,
                                  const struct bound *bound, struct value *out)
{
	(void)render, (void)bound;
	return give(out, value_is_undefined(self));
}

/* Markup, which we have none of. */
static enum status test_escaped(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_STRING && self.u.string->safe);
}

static enum status test_false(struct render *render, struct value self, const struct bound *bound,
                              struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_BOOL && !self.u.boolean);
}

static enum status test_true(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_BOOL && self.u.boolean);
}

static enum status test_none(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_NONE);
}

static enum status test_float(struct render *render, struct value self, const struct bound *bound,
                              struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_FLOAT);
}

static enum status test_integer(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_INT);
}

static enum status test_number(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	(void)render, (void)bound;
	return give(out, value_is_number(self));
}

static enum status test_string(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_STRING);
}

static enum status test_mapping(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_DICT);
}

/* What has a length and items by number or key; Python's undefined has both. */
static enum status test_sequence(struct render *render, struct value self,
                                 const struct bound *bound, struct value *out)
{
	bool is;

	(void)render, (void)bound;
	if (self.kind == VALUE_LIST)
		is = self.u.list->kind == LIST_LIST || self.u.list->kind == LIST_TUPLE ||
		     self.u.list->kind == LIST_GROUP;
	else
		is = self.kind == VALUE_STRING || self.kind == VALUE_DICT ||
		     self.kind == VALUE_RANGE || self.kind == VALUE_UNDEFINED;
	return give(out, is);
}

static enum status test_iterable(struct render *render, struct value self,
                                 const struct bound *bound, struct value *out)
{
	(void)render, (void)bound;
	return give(out, self.kind == VALUE_STRING || self.kind == VALUE_LIST ||
	                     self.kind == VALUE_DICT || self.kind == VALUE_RANGE ||
	                     self.kind == VALUE_UNDEFINED);
}

/* ---- text ---- */

static enum status is_case(struct render *render, struct value self,
                           bool (*is)(const struct string *), struct value *out)
{
	const struct string *string;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		status = render_bytes(render, string->len);
	return status ? status : give(out, is(string));
}

static enum status test_lower(struct render *render, struct value self, const struct bound *bound,
                              struct value *out)
{
	(void)bound;
	return is_case(render, self, string_is_lower, out);
}

static enum status test_upper(struct render *render, struct value self, const struct bound *bound,
                              struct value *out)
{
	(void)bound;
	return is_case(render, self, string_is_upper, out);
}

/* ---- names ---- */

static enum status is_row(struct render *render, struct value name, const struct builtin *rows,
                          size_t n, struct value *out)
{
	enum status status = value_hash_step(render, name);

	return status ? status : give(out, name.kind == VALUE_STRING && builtin_find(rows, n, name.u.string));
}

static enum status test_filter(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	(void)bound;
	return is_row(render, self, jinja_filters, jinja_n_filters, out);
}

static enum status test_test(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	(void)bound;
	return is_row(render, self, jinja_tests, jinja_n_tests, out);
}

/* ---- numbers ---- */

/* self % by == rest */
static enum status leaves(struct render *render, struct value self, struct value by, int64_t rest,
                          struct value *out)
{
	struct value remainder;
	bool is;
	enum status status = value_binary(render, OP_MOD, self, by, &remainder);

	if (!status)
		status = value_compare_op(render, CMP_EQ, remainder, value_int(rest), &is);
	return status ? status : give(out, is);
}

static enum status test_odd(struct render *render, struct value self, const struct bound *bound,
                            struct value *out)
{
	(void)bound;
	return leaves(render, self, value_int(2), 1, out);
}

static enum status test_even(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	(void)bound;
	return leaves(render, self, value_int(2), 0, out);
}

static enum status test_divisibleby(struct render *render, struct value self,
                                    const struct bound *bound, struct value *out)
{
	return leaves(render, self, bound->args[0], 0, out);
}

/* ---- comparisons ---- */

static enum status compare(struct render *render, enum compare_op op, struct value self,
                           const struct bound *bound, struct value *out)
{
	bool is;
	enum status status = value_compare_op(render, op, self, bound->args[0], &is);

	return status ? status : give(out, is);
}

static enum status test_eq(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_EQ, self, bound, out);
}

static enum status test_ne(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_NE, self, bound, out);
}

static enum status test_lt(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_LT, self, bound, out);
}

static enum status test_le(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_LE, self, bound, out);
}

static enum status test_gt(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_GT, self, bound, out);
}

static enum status test_ge(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_GE, self, bound, out);
}

static enum status test_in(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	return compare(render, CMP_IN, self, bound, out);
}

/* `is` of Python. Numbers and texts are the same when they are equal: which of
 * them share an object is a secret of the interpreter. */
static enum status test_sameas(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	struct value other = bound->args[0];
	bool is = self.kind == other.kind;

	(void)render;
	switch (self.kind) {
	case VALUE_UNDEFINED:
		is = false;
		break;
	case VALUE_LIST:
		is = is && self.u.list == other.u.list;
		break;
	case VALUE_DICT:
		is = is && self.u.dict == other.u.dict;
		break;
	case VALUE_RANGE:
		is = is && self.u.range == other.u.range;
		break;
	case VALUE_OBJECT:
		is = is && self.u.object == other.u.object;
		break;
	default:
		is = is && value_equal(self, other);
	}
	return give(out, is);
}

const struct builtin jinja_tests[] = {
	{"!=", test_ne, "other, /", "_operator.ne", 1},
	{"<", test_lt, "other, /", "_operator.lt", 1},
	{"<=", test_le, "other, /", "_operator.le", 1},
	{"==", test_eq, "other, /", "_operator.eq", 1},
	{">", test_gt, "other, /", "_operator.gt", 1},
	{">=", test_ge, "other, /", "_operator.ge", 1},
	{"boolean", test_boolean, "", "test_boolean", 1},
	{"callable", test_callable, "/", "callable", 1},
	{"defined", test_defined, "", "test_defined", 1},
	{"divisibleby", test_divisibleby, "num", "test_divisibleby", 1},
	{"eq", test_eq, "other, /", "_operator.eq", 1},
	{"equalto", test_eq, "other, /", "_operator.eq", 1},
	{"escaped", test_escaped, "", "test_escaped", 1},
	{"even", test_even, "", "test_even", 1},
	{"false", test_false, "", "test_false", 1},
	{"filter", test_filter, "", "test_filter", 2},
	{"float", test_float, "", "test_float", 1},
	{"ge", test_ge, "other, /", "_operator.ge", 1},
	{"greaterthan", test_gt, "other, /", "_operator.gt", 1},
	{"gt", test_gt, "other, /", "_operator.gt", 1},
	{"in", test_in, "seq", "test_in", 1},
	{"integer", test_integer, "", "test_integer", 1},
	{"iterable", test_iterable, "", "test_iterable", 1},
	{"le", test_le, "other, /", "_operator.le", 1},
	{"lessthan", test_lt, "other, /", "_operator.lt", 1},
	{"lower", test_lower, "", "test_lower", 1},
	{"lt", test_lt, "other, /", "_operator.lt", 1},
	{"mapping", test_mapping, "", "test_mapping", 1},
	{"ne", test_ne, "other, /", "_operator.ne", 1},
	{"none", test_none, "", "test_none", 1},
	{"number", test_number, "", "test_number", 1},
	{"odd", test_odd, "", "test_odd", 1},
	{"sameas", test_sameas, "other", "test_sameas", 1},
	{"sequence", test_sequence, "", "test_sequence", 1},
	{"string", test_string, "", "test_string", 1},
	{"test", test_test, "", "test_test", 2},
	{"true", test_true, "", "test_true", 1},
	{"undefined", test_undefined, "", "test_undefined", 1},
	{"upper", test_upper, "", "test_upper", 1},
};
const size_t jinja_n_tests = sizeof jinja_tests / sizeof *jinja_tests;
