/* Tests; what they say is recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

#define KINDS(value) \
	"{% for t in ['boolean', 'callable', 'defined', 'escaped', 'false', 'float', 'integer', " \
	"'iterable', 'mapping', 'none', 'number', 'sequence', 'string', 'true', 'undefined']" \
	" if [" value "]|select(t)|list %}{{ t }} {% endfor %}"

Test(tests, kinds)
{
	static const struct expression_case cases[] = {
		{KINDS("undef"), "callable iterable sequence undefined "},
		{KINDS("none"), "defined none "},
		{KINDS("true"), "boolean defined number true "},
		{KINDS("1"), "defined integer number "},
		{KINDS("1.0"), "defined float number "},
		{KINDS("'a'"), "defined iterable sequence string "},
		{KINDS("[]"), "defined iterable sequence "},
		{KINDS("()"), "defined iterable sequence "},
		{KINDS("{}"), "defined iterable mapping sequence "},
		{KINDS("range(2)"), "defined iterable sequence "},
		{KINDS("[1]|map('abs')"), "defined iterable "},
		{KINDS("{}.keys()"), "defined iterable "},
		{KINDS("namespace()"), "defined "},
		{KINDS("range"), "callable defined "},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}

Test(tests, numbers)
{
	static const struct expression_case cases[] = {
		{"3 is odd", "True"},
		{"4 is odd", "False"},
		{"-3 is odd", "True"},
		{"2.0 is even", "True"},
		{"true is odd", "True"},
		{"'a' is odd", "! formatting with '%' is not supported"},
		{"undef is even", "! 'undef' is undefined"},
		{"9 is divisibleby(3)", "True"},
		{"9 is divisibleby(2)", "False"},
		{"9 is divisibleby(0)", "! division by zero"},
		{"[] is even", "! unsupported operand type(s) for %: 'list' and 'int'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(tests, letters)
{
	static const struct expression_case cases[] = {
		{"'abc1' is lower", "True"},
		{"'aB' is lower", "False"},
		{"'' is lower", "False"},
		{"'ABC' is upper", "True"},
		{"'Abc' is upper", "False"},
		{"none is upper", "False"},
		{"1 is lower", "False"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(tests, comparisons)
{
	static const struct expression_case cases[] = {
		{"1 is eq(1.0)", "True"},
		{"1 is equalto(2)", "False"},
		{"1 is ne(2)", "True"},
		{"1 is sameas(1)", "True"},
		{"1 is sameas(true)", "False"},
		{"true is sameas(true)", "True"},
		{"none is sameas(none)", "True"},
		{"[] is sameas([])", "False"},
		{"2 is gt(1)", "True"},
		{"2 is greaterthan(3)", "False"},
		{"2 is ge(2)", "True"},
		{"1 is lt(2)", "True"},
		{"1 is lessthan(0)", "False"},
		{"1 is in([1, 2])", "True"},
		{"'b' is in('abc')", "True"},
		{"1 is in(5)", "! argument of type 'int' is not iterable"},
		{"undef is eq(undef)", "True"},
		{"1 is eq", "! eq() needs the argument 'other'"},
		{"1 is not eq(1)", "False"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(tests, names)
{
	static const struct expression_case cases[] = {
		{"'upper' is filter", "True"},
		{"'nosuch' is filter", "False"},
		{"1 is filter", "False"},
		{"[] is filter", "! unhashable type: 'list'"},
		{"'odd' is test", "True"},
		{"'x' is test", "False"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
