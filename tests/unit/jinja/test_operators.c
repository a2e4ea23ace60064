#include "rendering.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"

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

TestSuite(operators, .init = set_up, .fini = tear_down);

struct row {
	const char *op, *a, *b, *result;
};

static struct jinja_value apply(const char *op, struct jinja_value a, struct jinja_value b)
{
	static const char *const binary[] = {
		[OP_ADD] = "+",       [OP_SUB] = "-", [OP_MUL] = "*",  [OP_DIV] = "/",
		[OP_FLOORDIV] = "//", [OP_MOD] = "%",
	};
	static const char *const compare[] = {
		[CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_LT] = "<",  [CMP_LE] = "<=",
		[CMP_GT] = ">",  [CMP_GE] = ">=", [CMP_IN] = "in", [CMP_NOT_IN] = "not in",
	};

	for (int i = OP_ADD; i <= OP_MOD; i++) {
		if (!strcmp(op, binary[i]))
			return value_binary(&r.render, (enum binary_op)i, a, b);
	}
	for (int i = CMP_EQ; i <= CMP_NOT_IN; i++) {
		if (!strcmp(op, compare[i]))
			return value_bool(value_compare_op(&r.render, (enum compare_op)i, a, b));
	}
	if (!strcmp(op, "neg"))
		return value_negate(&r.render, a);
	if (!strcmp(op, "list"))
		return value_to_list(&r.render, a, LIST_LIST);
	cr_assert_str_eq(op, "len");
	return value_int((int64_t)value_length(&r.render, a));
}

static void check(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct jinja_value out;

		rendering_reset(&r);
		out = apply(rows[i].op, literal(&r, rows[i].a), literal(&r, rows[i].b));
		cr_expect_str_eq(shown(&r, out), rows[i].result, "%s %s %s", rows[i].a,
		                 rows[i].op, rows[i].b);
	}
}

Test(operators, arithmetic)
{
	static const struct row rows[] = {
		{"+", "1", "2", "3"},
		{"+", "True", "True", "2"},
		{"+", "9223372036854775807", "1", "integer overflow: the result does not fit in 64 bits"},
		{"-", "-9223372036854775808", "1", "integer overflow: the result does not fit in 64 bits"},
		{"*", "4611686018427387904", "2", "integer overflow: the result does not fit in 64 bits"},
		{"*", "4611686018427387904", "-2", "-9223372036854775808"},
		{"+", "1", "1.5", "2.5"},
		{"-", "0.5", "1", "-0.5"},
		{"*", "3", "0.1", "0.30000000000000004"},
		{"/", "1", "3", "0.3333333333333333"},
		{"/", "6", "3", "2.0"},
		{"/", "9007199254740993", "1", "9007199254740992.0"},
		{"/", "-9223372036854775808", "3", "-3.0744573456182584e+18"},
		{"/", "9223372036854775807", "7", "1.3176245766935393e+18"},
		{"/", "0", "-5", "-0.0"},
		{"/", "1", "0", "division by zero"},
		{"/", "1.0", "0", "division by zero"},
		{"/", "True", "2", "0.5"},
		{"//", "7", "2", "3"},
		{"//", "-7", "2", "-4"},
		{"//", "7", "-2", "-4"},
		{"//", "-9223372036854775808", "-1",
		 "integer overflow: the result does not fit in 64 bits"},
		{"//", "1", "0", "division by zero"},
		{"//", "7.5", "2", "3.0"},
		{"//", "-7.5", "2", "-4.0"},
		{"//", "inf", "1", "nan"},
		{"//", "1", "0.0", "division by zero"},
		{"%", "7", "3", "1"},
		{"%", "-7", "3", "2"},
		{"%", "7", "-3", "-2"},
		{"%", "-9223372036854775808", "-1", "0"},
		{"%", "1", "0", "division by zero"},
		{"%", "5.5", "2", "1.5"},
		{"%", "-5.5", "2", "0.5"},
		{"%", "5.5", "-2", "-0.5"},
		{"%", "1", "0.0", "division by zero"},
		{"%", "-1", "inf", "inf"},
		{"+", "'a'", "'ß'", "'aß'"},
		{"+", "'a'", "1", "can only concatenate str (not \"int\") to str"},
		{"+", "1", "'a'", "unsupported operand type(s) for +: 'int' and 'str'"},
		{"+", "'a'", "Undefined", "'u' is undefined"},
		{"+", "Undefined", "1", "'u' is undefined"},
		{"+", "[1]", "[2]", "[1, 2]"},
		{"+", "[1]", "(2,)", "can only concatenate list (not \"tuple\") to list"},
		{"+", "(1,)", "(2,)", "(1, 2)"},
		{"+", "(1,)", "[2]", "can only concatenate tuple (not \"list\") to tuple"},
		{"+", "None", "1", "unsupported operand type(s) for +: 'NoneType' and 'int'"},
		{"+", "{}", "{}", "unsupported operand type(s) for +: 'dict' and 'dict'"},
		{"+", "range(0, 3, 1)", "range(0, 3, 1)",
		 "unsupported operand type(s) for +: 'range' and 'range'"},
		{"*", "'ab'", "3", "'ababab'"},
		{"*", "3", "'ab'", "'ababab'"},
		{"*", "'ab'", "-1", "''"},
		{"*", "'ab'", "True", "'ab'"},
		{"*", "'ab'", "1.5", "can't multiply sequence by non-int of type 'float'"},
		{"*", "'ab'", "'c'", "can't multiply sequence by non-int of type 'str'"},
		{"*", "[1,2]", "2", "[1, 2, 1, 2]"},
		{"*", "2", "(1,)", "(1, 1)"},
		{"*", "[1]", "None", "can't multiply sequence by non-int of type 'NoneType'"},
		{"*", "None", "[1]", "can't multiply sequence by non-int of type 'NoneType'"},
		{"*", "{}", "2", "unsupported operand type(s) for *: 'dict' and 'int'"},
		{"*", "Undefined", "2", "'u' is undefined"},
		{"*", "[1]", "Undefined", "'u' is undefined"},
		{"-", "'a'", "1", "unsupported operand type(s) for -: 'str' and 'int'"},
		{"/", "'a'", "1", "unsupported operand type(s) for /: 'str' and 'int'"},
		{"//", "None", "1", "unsupported operand type(s) for //: 'NoneType' and 'int'"},
		{"%", "[]", "1", "unsupported operand type(s) for %: 'list' and 'int'"},
	};

	check(rows, sizeof rows / sizeof *rows);
}

Test(operators, comparing)
{
	static const struct row rows[] = {
		{"==", "1", "1.0", "True"},
		{"==", "True", "1", "True"},
		{"==", "9007199254740993", "9007199254740992.0", "False"},
		{"==", "1", "'1'", "False"},
		{"==", "nan", "nan", "False"},
		{"==", "[1,(2,)]", "[1.0,(2,)]", "True"},
		{"==", "(1,)", "[1]", "False"},
		{"==", "{1:2,3:4}", "{3:4,1:2}", "True"},
		{"==", "{1:2}", "{1:3}", "False"},
		{"==", "Undefined", "Undefined", "True"},
		{"==", "Undefined", "None", "False"},
		{"==", "None", "None", "True"},
		{"==", "range(0, 3, 2)", "range(0, 4, 2)", "True"},
		{"==", "range(0, 0, 1)", "range(1, 1, 1)", "True"},
		{"!=", "'a'", "'b'", "True"},
		{"!=", "1", "1", "False"},
		{"<", "1", "2", "True"},
		{"<", "9007199254740992", "9007199254740992.0", "False"},
		{"<", "9007199254740992.0", "9007199254740993", "True"},
		{"<", "-9223372036854775808", "-inf", "False"},
		{"<", "'a'", "'b'", "True"},
		{"<", "'Z'", "'a'", "True"},
		{"<", "'\\uffff'", "'𐀀'", "True"},
		{"<", "'a'", "'ab'", "True"},
		{"<", "[1,2]", "[1,3]", "True"},
		{"<", "[1]", "[1,0]", "True"},
		{"<", "(1,'a',)", "(1,'b',)", "True"},
		{">=", "[1,2]", "[1,2]", "True"},
		{"<", "nan", "1", "False"},
		{">=", "nan", "1", "False"},
		{"<", "[nan]", "[1]", "False"},
		{"<=", "[1,2]", "[1]", "False"},
		{"<", "1", "'a'", "'<' not supported between instances of 'int' and 'str'"},
		{">", "'a'", "1", "'>' not supported between instances of 'str' and 'int'"},
		{"<=", "None", "1", "'<=' not supported between instances of 'NoneType' and 'int'"},
		{">=", "[1]", "(1,)", "'>=' not supported between instances of 'list' and 'tuple'"},
		{"<", "[1,'a']", "[1,2]", "'<' not supported between instances of 'str' and 'int'"},
		{"<", "{}", "{}", "'<' not supported between instances of 'dict' and 'dict'"},
		{"<", "Undefined", "1", "'u' is undefined"},
		{"<", "1", "Undefined", "'u' is undefined"},
		{"<", "True", "2", "True"},
		{"in", "'b'", "'abc'", "True"},
		{"in", "''", "'abc'", "True"},
		{"in", "''", "''", "True"},
		{"in", "'x'", "'abc'", "False"},
		{"in", "1", "'abc'", "'in <string>' requires string as left operand, not int"},
		{"in", "None", "'abc'", "'in <string>' requires string as left operand, not NoneType"},
		{"in", "1", "[1.0]", "True"},
		{"in", "nan", "[1]", "False"},
		{"in", "'a'", "('b','a',)", "True"},
		{"in", "'a'", "{'a':1}", "True"},
		{"in", "1", "{1.0:2}", "True"},
		{"in", "[]", "{}", "unhashable type: 'list'"},
		{"in", "([],)", "{}", "unhashable type: 'tuple'"},
		{"in", "3", "range(0, 10, 3)", "True"},
		{"in", "4", "range(0, 10, 3)", "False"},
		{"in", "-3", "range(3, -9, -3)", "True"},
		{"in", "3.0", "range(0, 5, 1)", "True"},
		{"in", "3.5", "range(0, 5, 1)", "False"},
		{"in", "'a'", "range(0, 5, 1)", "False"},
		{"in", "True", "range(0, 5, 1)", "True"},
		{"in", "1", "1", "argument of type 'int' is not iterable"},
		{"in", "1", "None", "argument of type 'NoneType' is not iterable"},
		{"in", "1", "Undefined", "False"},
		{"in", "Undefined", "[1]", "False"},
		{"not in", "1", "[2]", "True"},
		{"not in", "'a'", "'abc'", "False"},
		{"in", "'a'", "keys ['a', 'b']", "True"},
		{"in", "[]", "keys ['a']", "False"},
	};

	check(rows, sizeof rows / sizeof *rows);
}

Test(operators, signs_lengths_and_lists)
{
	static const struct row rows[] = {
		{"neg", "1", "None", "-1"},
		{"neg", "True", "None", "-1"},
		{"neg", "-9223372036854775808", "None",
		 "integer overflow: the result does not fit in 64 bits"},
		{"neg", "1.5", "None", "-1.5"},
		{"neg", "0.0", "None", "-0.0"},
		{"neg", "'a'", "None", "bad operand type for unary -: 'str'"},
		{"neg", "None", "None", "bad operand type for unary -: 'NoneType'"},
		{"neg", "Undefined", "None", "'u' is undefined"},
		{"len", "'häß'", "None", "3"},
		{"len", "''", "None", "0"},
		{"len", "[1,2]", "None", "2"},
		{"len", "(1,)", "None", "1"},
		{"len", "{1:2}", "None", "1"},
		{"len", "range(0, 10, 3)", "None", "4"},
		{"len", "keys [1, 2]", "None", "2"},
		{"len", "Undefined", "None", "0"},
		{"len", "1", "None", "object of type 'int' has no len()"},
		{"len", "None", "None", "object of type 'NoneType' has no len()"},
		{"len", "1.5", "None", "object of type 'float' has no len()"},
		{"list", "'häß'", "None", "['h', 'ä', 'ß']"},
		{"list", "''", "None", "[]"},
		{"list", "[1,2]", "None", "[1, 2]"},
		{"list", "(1,)", "None", "[1]"},
		{"list", "{1:2}", "None", "[1]"},
		{"list", "range(0, 10, 3)", "None", "[0, 3, 6, 9]"},
		{"list", "keys [1, 2]", "None", "[1, 2]"},
		{"list", "Undefined", "None", "[]"},
		{"list", "range(5, 0, -2)", "None", "[5, 3, 1]"},
		{"list", "1", "None", "'int' object is not iterable"},
		{"list", "None", "None", "'NoneType' object is not iterable"},
		{"list", "True", "None", "'bool' object is not iterable"},
	};

	check(rows, sizeof rows / sizeof *rows);
}

Test(operators, iterators_are_gone_through_once)
{
	struct jinja_value iterator = literal(&r, "iter [1, 2, 3]"), item;
	struct iteration it = value_iterate(&r.render, iterator);

	cr_assert(iteration_next(&r.render, &it, &item));
	cr_assert_eq(item.u.integer, 1);
	cr_assert(value_compare_op(&r.render, CMP_IN, value_int(2), iterator));
	cr_assert_str_eq(shown(&r, value_to_list(&r.render, iterator, LIST_TUPLE)), "(3,)");
	cr_assert_not(iteration_next(&r.render, &it, &item));
	cr_assert_str_eq(shown(&r, apply("len", iterator, item)),
	                 "object of type 'generator' has no len()");
}

Test(operators, a_list_may_grow_while_it_is_gone_through)
{
	struct jinja_value list = literal(&r, "[1, 2]"), item;
	struct iteration it = value_iterate(&r.render, list);
	int n = 0;

	while (iteration_next(&r.render, &it, &item)) {
		if (++n < 5)
			cr_assert(list_push(&r.arena, list.u.list, item));
	}
	cr_assert_eq(n, 6);
	cr_assert_not(r.render.failed);
}

/* Every byte of a result is from where the byte is from that it copies: text i
 * of a string says so by its letter. */
Test(operators, sources_follow_the_bytes)
{
	struct jinja_value a = value_text(&r.arena, "a\xC3\xA4", 3, 1);
	struct jinja_value b = value_text(&r.arena, "bcd", 3, 2);
	struct jinja_value joined, out, items[3] = {a, value_int(7), b};
	static const uint32_t from[] = {1, 1, 1, 2, 2, 2};
	static const uint32_t reversed[] = {2, 2, 2, 1, 1, 1};
	static const uint32_t concat[] = {1, 1, 1, 0, 2, 2, 2};

	joined = value_binary(&r.render, OP_ADD, a, b);
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(string_source_at(joined.u.string, i), from[i]);
	out = value_binary(&r.render, OP_MUL, joined, value_int(3));
	cr_assert_eq(out.u.string->len, 18);
	for (size_t i = 0; i < 18; i++)
		cr_assert_eq(string_source_at(out.u.string, i), from[i % 6]);
	out = value_slice(&r.render, joined, value_none(), value_none(), value_int(-1));
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(string_source_at(out.u.string, i), reversed[i]);
	out = value_concat(&r.render, items, 3);
	for (size_t i = 0; i < 7; i++)
		cr_assert_eq(string_source_at(out.u.string, i), concat[i]);
	out = value_getitem(&r.render, joined, value_int(1));
	cr_assert_eq(out.u.string->source, 1);
	out = value_getitem(&r.render, joined, value_int(-1));
	cr_assert_eq(out.u.string->source, 2);
	cr_assert_not(r.render.failed);
}

Test(operators, what_is_too_large_is_refused_before_it_is_made)
{
	static const struct row rows[] = {
		{"*", "'ab'", "9223372036854775807", "the template takes too much: memory"},
		{"*", "'ab'", "100000000", "the template takes too much: memory"},
		{"*", "[1]", "9223372036854775807", "the template takes too much: memory"},
		{"*", "[1]", "30000000", "the template takes too much: steps"},
		{"*", "''", "9223372036854775807", "''"},
		{"*", "()", "9223372036854775807", "()"},
	};
	size_t before = r.arena.used;

	check(rows, sizeof rows / sizeof *rows);
	cr_assert(r.arena.used < before + MIB(1));
}

Test(operators, fuel_ends_what_goes_on)
{
	struct jinja_value a = literal(&r, "[1]"), b = literal(&r, "[1]");

	for (int i = 0; i < 60; i++) {
		struct jinja_value twice = value_list(&r.arena, LIST_LIST);
		struct jinja_value other = value_list(&r.arena, LIST_LIST);

		cr_assert(list_push(&r.arena, twice.u.list, a));
		cr_assert(list_push(&r.arena, twice.u.list, a));
		cr_assert(list_push(&r.arena, other.u.list, b));
		cr_assert(list_push(&r.arena, other.u.list, b));
		a = twice;
		b = other;
	}
	cr_assert_str_eq(shown(&r, apply("==", a, b)),
	                 "the template takes too much: steps");
	rendering_reset(&r);
	cr_assert_str_eq(shown(&r, apply("<", a, b)),
	                 "the template takes too much: steps");
}

/* With any amount of memory an operation does its work or says that it could not. */
Test(operators, memory_may_end_anywhere)
{
	static const struct row rows[] = {
		{"+", "'abcdefghijklmnop'", "'abcdefghijklmnop'", ""},
		{"*", "'a\u00e4'", "300", ""},
		{"+", "[1, 2, 3]", "[4, 5, 6]", ""},
		{"*", "(1, 2)", "50", ""},
		{"list", "'abc\u00e4\u00f6\u00fc'", "None", ""},
		{"list", "range(0, 100)", "None", ""},
		{"%", "'%s-%s'", "('a', [1, 2])", ""},
		{"+", "1", "'a'", ""},
		{"+", "Undefined", "'a'", ""},
	};
	struct jinja_value a, b;
	struct arena small;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		a = literal(&r, rows[i].a);
		b = literal(&r, rows[i].b);
		for (size_t memory = 0; memory < 3000; memory += 13) {
			rendering_reset(&r);
			arena_init(&small, memory);
			r.render.arena = &small;
			cr_assert(value_to_string(&r.render, apply(rows[i].op, a, b)));
			cr_assert_eq(r.render.failed, r.err.status != STATUS_OK);
			cr_assert(r.err.status == STATUS_OK || r.err.status == STATUS_LIMIT ||
			          r.err.status == STATUS_FORMAT);
			arena_free(&small);
		}
	}
	r.render.arena = &r.arena;
}
