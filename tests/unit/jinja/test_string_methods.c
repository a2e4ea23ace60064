/* The methods of str; what they give is recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(string_methods, case)
{
	static const struct expression_case cases[] = {
		{"\"hello wORLD\".capitalize()", "Hello world"},
		{"\"ßa\".capitalize()", "Ssa"},
		{"\"ÀÉ\".lower()", "àé"},
		{"\"they're bill's\".title()", "They'Re Bill'S"},
		{"\"straße\".upper()", "STRASSE"},
		{"\"a\".upper(1)", "! upper() takes 0 arguments at most, not 1"},
		{"\"a\".upper(x=1)", "! upper() got an unexpected keyword argument 'x'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(string_methods, searching)
{
	static const struct expression_case cases[] = {
		{"\"hello\".startswith(\"he\")", "True"},
		{"\"hello\".endswith(\"lo\")", "True"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(string_methods, removing_and_replacing)
{
	static const struct expression_case cases[] = {
		{"\"aaa\".replace(\"a\", \"bc\")", "bcbcbc"},
		{"\"aaa\".replace(\"a\", \"bc\", 2)", "bcbca"},
		{"\"aaa\".replace(\"a\", \"\", 0)", "aaa"},
		{"\"aéb\".replace(\"\", \"-\")", "-a-é-b-"},
		{"\"aéb\".replace(\"\", \"-\", 2)", "-a-éb"},
		{"\"\".replace(\"\", \"-\")", "-"},
		{"\"abc\".replace(\"b\", 1)", "! the argument must be str, not int"},
		{"\"abc\".replace(none, \"b\")", "! the argument must be str, not NoneType"},
		{"\"abc\".replace(\"b\")", "! replace() needs the argument 'new'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(string_methods, splitting)
{
	static const struct expression_case cases[] = {
		{"\"  a b\\t\\nc \".split()", "['a', 'b', 'c']"},
		{"\" a b  c \".split(none, 1)", "['a', 'b  c ']"},
		{"\"a b\".split(maxsplit=1)", "['a', 'b']"},
		{"\"\".split()", "[]"},
		{"\"\".split(\",\")", "['']"},
		{"\"a,b,,c\".split(\",\")", "['a', 'b', '', 'c']"},
		{"\"a,b,c\".split(\",\", 1)", "['a', 'b,c']"},
		{"\"a,b,c\".rsplit(\",\", 1)", "['a,b', 'c']"},
		{"\"a,b,c\".rsplit(\",\")", "['a', 'b', 'c']"},
		{"\"a<>b<>c\".split(sep=\"<>\")", "['a', 'b', 'c']"},
		{"\"a\u00a0b\u3000c\".split()", "['a', 'b', 'c']"},
		{"\"abc\".split(\"\")", "! empty separator"},
		{"\"abc\".split(1)", "! the argument must be str, not int"},
		{"\"abc\".split(\" \", \"x\")", "! 'str' object cannot be interpreted as an integer"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(string_methods, stripping)
{
	static const struct expression_case cases[] = {
		{"\"  a b \\n\".strip() ~ \"|\"", "a b|"},
		{"\"\u2003a\u3000\".strip() ~ \"|\"", "a|"},
		{"\"xxaxbxx\".strip(\"x\")", "axb"},
		{"\"xyaxbyx\".strip(\"xy\")", "axb"},
		{"\"éaé\".strip(\"é\")", "a"},
		{"\"  a \".lstrip() ~ \"|\"", "a |"},
		{"\"  a \".rstrip() ~ \"|\"", "  a|"},
		{"\"www.example\".lstrip(\"w.\")", "example"},
		{"\"abc\".rstrip(\"\")", "abc"},
		{"\"abc\".strip(\"cba\") ~ \"|\"", "|"},
		{"\"abc\".strip(1)", "! strip arg must be None or str"},
		{"\"abc\".strip(\"a\", \"b\")", "! strip() takes 1 argument at most, not 2"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(string_methods, others)
{
	static const struct expression_case cases[] = {
		{"\"a\".nothing", ""},
		{"\"a\".nothing()", "! 'str object' has no attribute 'nothing'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

/* Where each byte came from: 1 is the text of x, "ab", 2 that of y, "é\n". */
Test(string_methods, sources_stay)
{
	static const struct expression_case cases[] = {
		{"x.upper() ~ \"ab\".lower()", "1100"},
		{"\"<a>\".replace(\"a\", x)", "0110"},
		{"x.replace(\"a\", \"<>\")", "001"},
		{"x.replace(\"\", y)", "22212221222"},
		{"(x ~ \",\" ~ y).split(\",\")[1].rstrip()", "22"},
		{"(\"  \" ~ x).strip()", "11"},
		{"x.format()", "11"},
	};

	check_sources(cases, sizeof cases / sizeof *cases);
}
