/* Expressions and assignments. What each template gives was recorded of Jinja2. */
#include "expressions.h"

#include <criterion/criterion.h>

#define CHECK(cases) check_templates(cases, sizeof cases / sizeof *cases)

Test(eval, operands_are_evaluated_once_and_as_far_as_needed)
{
	static const struct expression_case cases[] = {
		{"{{ 0 and 1/0 }}{{ 1 or 1/0 }}{{ [] or 'x' }}{{ 1 and 2 and 3 }}{{ 0 or"
		 " '' or none }}",
		 "01x3None"},
		{"{{ 1 if 1 else 1/0 }}{{ 1/0 if 0 else 2 }}",
		 "12"},
		{"{{ not 1 }}{{ not nothing }}{{ not '' == '' }}",
		 "FalseTrueFalse"},
	};

	CHECK(cases);
}

Test(eval, conditional_expressions)
{
	static const struct expression_case cases[] = {
		{"{{ 1 if 0 }}|{{ (1 if 0) is defined }}",
		 "|False"},
		{"{{ (1 if 0).x }}",
		 "! the inline if-expression on line 1 evaluated to false and no else section"
		 " was defined."},
		{"\n\n{{ (1 if 0) + 1 }}",
		 "! the inline if-expression on line 3 evaluated to false and no else section"
		 " was defined."},
		{"{{ 'a' if nothing else 'b' if 0 else 'c' }}",
		 "c"},
	};

	CHECK(cases);
}

Test(eval, literals)
{
	static const struct expression_case cases[] = {
		{"{{ [1, 'a', none, true, 1.5, nothing] }}",
		 "[1, 'a', None, True, 1.5, Undefined]"},
		{"{{ (1,) }}{{ () }}{{ (1, 2) }}{{ 1, 2 }}",
		 "(1,)()(1, 2)(1, 2)"},
		{"{{ {'a': 1, 2: 'b', none: [], 1.5: {}} }}",
		 "{'a': 1, 2: 'b', None: [], 1.5: {}}"},
		{"{{ {[]: 1} }}",
		 "! unhashable type: 'list'"},
		{"{{ {'a': 1, 'a': 2} }}",
		 "{'a': 2}"},
		{"{% set l = [] %}{{ l.append(1) }}{{ l }}{% for i in [1, 2] %}{% set m ="
		 " [] %}{{ m.append(i) }}{{ m }}{% endfor %}",
		 "None[1]None[1]None[2]"},
		{"{{ 'a' 'b' }}{{ 1 ~ 2 ~ none ~ [] ~ nothing ~ 'x' ~ 1.0 }}",
		 "ab12None[]x1.0"},
	};

	CHECK(cases);
}

Test(eval, missing_filters_and_tests_are_errors_where_they_are_reached)
{
	static const struct expression_case cases[] = {
		{"{% if 0 %}{{ 1 | nofilter }}{% endif %}{{ 1 if 1 else (1 is notest) }}x",
		 "1x"},
		{"{% if 1 %}{{ 1 | nofilter }}{% endif %}", "! filter 'nofilter' is not supported"},
		{"{{ (1 is notest) if 1 }}", "! test 'notest' is not supported"},
		{"{{ 1 | nofilter }}", "! filter 'nofilter' is not supported"},
		{"{{ 1 is notest }}", "! test 'notest' is not supported"},
	};

	CHECK(cases);
}

Test(eval, assignments)
{
	static const struct expression_case cases[] = {
		{"{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set a, b = b, a %}{{ a }}{{ b }}",
		 "1221"},
		{"{% set a, b = 'abc' %}",
		 "! too many values to unpack (expected 2)"},
		{"{% set a, b = [1] %}",
		 "! not enough values to unpack (expected 2, got 1)"},
		{"{% set a, b = 1 %}",
		 "! cannot unpack non-iterable int object"},
		{"{% set a, b = none %}",
		 "! cannot unpack non-iterable NoneType object"},
		{"{% set a, b = nothing %}",
		 "! not enough values to unpack (expected 2, got 0)"},
		{"{% set (a, b), c = [[1, 2], 3] %}{{ a }}{{ b }}{{ c }}",
		 "123"},
		{"{% set x.y = 1 %}",
		 "! cannot assign attribute on non-namespace object"},
		{"{% set nothing.y = 1/0 %}",
		 "! cannot assign attribute on non-namespace object"},
		{"{% set ns = {} %}{% set ns.b %}{% endset %}",
		 "! cannot assign attribute on non-namespace object"},
	};

	CHECK(cases);
}

Test(eval, undefined)
{
	static const struct expression_case cases[] = {
		{"{{ nothing }}|{{ nothing ~ 1 }}|{{ nothing | default('d') }}{{ nothing"
		 " == other }}{{ [nothing] }}",
		 "|1|dTrue[Undefined]"},
		{"{{ nothing.x }}",
		 "! 'nothing' is undefined"},
		{"{{ x.nothing.y }}",
		 "! 'str object' has no attribute 'nothing'"},
		{"{{ x['nothing'].y }}",
		 "! 'str object' has no attribute 'nothing'"},
		{"{{ [][0].y }}",
		 "! list object has no element 0"},
		{"{{ nothing + 1 }}",
		 "! 'nothing' is undefined"},
		{"{{ 1 + nothing }}",
		 "! 'nothing' is undefined"},
		{"{{ nothing < 1 }}",
		 "! 'nothing' is undefined"},
		{"{{ -nothing }}",
		 "! 'nothing' is undefined"},
		{"{{ nothing[0] }}",
		 "! 'nothing' is undefined"},
		{"{{ nothing[1:] }}",
		 "! 'nothing' is undefined"},
		{"{{ 'a' in nothing }}{{ nothing in [nothing] }}",
		 "FalseTrue"},
		{"{% for i in nothing %}{% endfor %}{{ nothing | length }}{{ nothing | list"
		 " }}",
		 "0[]"},
	};

	CHECK(cases);
}

/* The line that a traceback of Jinja2 gives. */
Test(eval, errors_say_where)
{
	static const struct expression_case cases[] = {
		{"\n{{ nothing.x }}",
		 "! t:2: 'nothing' is undefined"},
		{"{% if 1 %}\n\n{{ 1/0 }}{% endif %}",
		 "! t:3: division by zero"},
		{"{% macro m(a) %}\n{{ a.b.c }}{% endmacro %}\n\n{{ m(1) }}",
		 "! t:2: 'int object' has no attribute 'b'"},
		{"{% macro m(a) %}{% endmacro %}\n\n{{ m(1, 2) }}",
		 "! t:3: macro 'm' takes not more than 1 argument(s)"},
		{"{% macro m(a=1/0) %}\n{% endmacro %}\n{{ m() }}",
		 "! t:1: division by zero"},
		{"{% for i in [1] %}\n\n{% endfor %}{{ 1 }}\n{% for i in 5 %}{% endfor %}",
		 "! t:4: 'int' object is not iterable"},
		{"\n{% for a, b in [\n[1]] %}\n{% endfor %}",
		 "! t:2: not enough values to unpack (expected 2, got 1)"},
		{"{% for i in [1, 0] if\n1 / i %}\n{% endfor %}",
		 "! t:2: division by zero"},
		{"{% for i in 5 if\ni %}{% endfor %}",
		 "! t:2: 'int' object is not iterable"},
		{"{% set a %}\n\n{{ 1 }}{% endset %}\n{% set a\n= 1/0 %}",
		 "! t:4: division by zero"},
		{"{% filter abs %}\n\n{{ x }}{% endfilter %}",
		 "! t:1: bad operand type for abs(): 'str'"},
		{"{% if 0 %}{% elif\n\n1/0 %}{% endif %}",
		 "! t:3: division by zero"},
		{"{% if 1\n and 1/0 %}{% endif %}",
		 "! t:1: division by zero"},
		{"{% call nothing() %}\n\n{% endcall %}",
		 "! t:1: 'nothing' is undefined"},
		{"{% macro m() %}\n{{ caller() }}{% endmacro %}\n{% call m() %}\n{{ 1/0 }}"
		 "{% endcall %}",
		 "! t:4: division by zero"},
		{"{{ 'a' ~\n(1\n/ 0) }}",
		 "! t:1: division by zero"},
		{"{{ x\n| abs }}",
		 "! t:2: bad operand type for abs(): 'str'"},
		{"{{ x[0]\n.a\n.b }}",
		 "! t:3: 'str object' has no attribute 'a'"},
		{"{{ [1,\n2](\n3) }}",
		 "! t:2: 'list' object is not callable"},
		{"{% set x.y =\n1 %}",
		 "! t:1: cannot assign attribute on non-namespace object"},
		{"\n{% set a, b =\n1 %}",
		 "! t:2: cannot unpack non-iterable int object"},
		{"{{ (1\nif 0).x }}",
		 "! t:2: the inline if-expression on line 1 evaluated to false and no else"
		 " section was defined."},
	};

	CHECK(cases);
}
