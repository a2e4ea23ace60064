/* Filters of text; what they give is recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(filters_text, letters)
{
	static const struct expression_case cases[] = {
		{"'hELLO wORLD'|capitalize", "Hello world"},
		{"'ßa'|capitalize", "Ssa"},
		{"'straße ŉ'|upper", "STRASSE ʼN"},
		{"42|upper", "42"},
		{"none|lower", "none"},
		{"undef|upper", ""},
		{"'hello wORLD foo-bar (baz) [q] <x> {y}'|title",
		 "Hello World Foo-Bar (Baz) [Q] <X> {Y}"},
		{"'ßeta éA'|title", "SSeta Éa"},
		{"''|title", ""},
		{"'a'|upper(1)", "! upper() takes 0 arguments at most, not 1"},
		{"'a'|lower(x=1)", "! lower() got an unexpected keyword argument 'x'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, replace)
{
	static const struct expression_case cases[] = {
		{"'Hello World'|replace('Hello', 'Goodbye')", "Goodbye World"},
		{"'abc'|replace('', '-')", "-a-b-c-"},
		{"121|replace(1, 'x')", "x2x"},
		{"'a'|replace('a')", "! replace() needs the argument 'new'"},
		{"'a'|replace", "! replace() needs the argument 'old'"},
		{"'aXbX'|replace('X', none)", "aNonebNone"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, trim)
{
	static const struct expression_case cases[] = {
		{"'['~'  a b \\n'|trim~']'", "[a b]"},
		{"'xxaxx'|trim('x')", "a"},
		{"'abcba'|trim('ab')", "c"},
		{"'['~12|trim~']'", "[12]"},
		{"'\302\240a\342\200\203'|trim", "a"},
		{"'a'|trim(1)", "! strip arg must be None or str"},
		{"'a '|trim(chars=none)", "a"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, indent)
{
	static const struct expression_case cases[] = {
		{"'a\\nb\\n\\nc'|indent", "a\n    b\n\n    c"},
		{"'a\\nb'|indent(2)", "a\n  b"},
		{"'a\\nb'|indent(2, true)", "  a\n  b"},
		{"'a\\n\\nb'|indent(2, blank=true)", "a\n  \n  b"},
		{"'a\\nb\\n'|indent('> ')", "a\n> b\n"},
		{"'a\\r\\nb\\x0bc'|indent(1)", "a\n b\n c"},
		{"''|indent(3)", ""},
		{"''|indent(3, true)", "   "},
		{"'a\\r'|indent(2)", "a"},
		{"1|indent", "! indent needs a str, not int"},
		{"[1]|indent", "! indent needs a str, not list"},
		{"undef|indent", "! 'undef' is undefined"},
		{"'a'|indent(1.5)", "! can't multiply sequence by non-int of type 'float'"},
		{"'a\\nb'|indent(-3)", "a\nb"},
		{"'a\\nb'|indent(width=1, first=true)", " a\n b"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, truncate)
{
	static const struct expression_case cases[] = {
		{"'foo bar baz qux'|truncate(9)", "foo..."},
		{"'foo bar baz qux'|truncate(11)", "foo bar baz qux"},
		{"'abc'|truncate(2)", "! truncate needs a length of at least 3"},
		{"[1, 2]|truncate", "[1, 2]"},
		{"undef|truncate", ""},
		{"'a b c d'|truncate(none)", "! 'NoneType' object cannot be interpreted as an integer"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, wordcount)
{
	static const struct expression_case cases[] = {
		{"'one two_2  three-four'|wordcount", "4"},
		{"''|wordcount", "0"},
		{"'日本 é'|wordcount", "2"},
		{"12.5|wordcount", "2"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_text, string)
{
	static const struct expression_case cases[] = {
		{"[1, 'a']|string", "[1, 'a']"},
		{"12|string|length", "2"},
		{"'<'|safe", "<"},
		{"1|safe", "1"},
		{"undef|string|length", "0"},
		{"'a'|string(1)", "! string() takes 0 arguments at most, not 1"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
