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
		is = self.u.list->kind == LIST_LIST || self.u.list->kind == LIST_TUPLE;
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
	{"!=", test_ne, "other"},
	{"<", test_lt, "other"},
	{"<=", test_le, "other"},
	{"==", test_eq, "other"},
	{">", test_gt, "other"},
	{">=", test_ge, "other"},
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
	{"le", test_le, "other"},
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
const size_t jinja_n_tests = sizeof jinja_tests / sizeof *jinja_tests;
