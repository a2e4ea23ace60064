/* Macros, {% call %}. What each template gives was recorded of Jinja2. */
#include "expressions.h"

#include <criterion/criterion.h>

#define CHECK(cases) check_templates(cases, sizeof cases / sizeof *cases)

Test(macro, arguments)
{
	static const struct expression_case cases[] = {
		{"{% macro m(a, b=2, c=b) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}"
		 " {{ m(1, 3) }} {{ m(1, c=4) }} {{ m(b=5, a=6) }} {{ m() }}",
		 "122 133 124 655 22"},
		{"{% macro m(a) %}{{ a is defined }}{{ a.x }}{% endmacro %}{{ m() }}",
		 "! parameter 'a' was not provided"},
		{"{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}",
		 "! macro 'm' takes not more than 1 argument(s)"},
		{"{% macro m(a, b) %}{% endmacro %}{{ m(1, 2, 3) }}",
		 "! macro 'm' takes not more than 2 argument(s)"},
		{"{% macro m(a) %}{% endmacro %}{{ m(1, a=2) }}",
		 "! macro 'm' takes no keyword argument 'a'"},
		{"{% macro m(a) %}{% endmacro %}{{ m(x=2, y=3) }}",
		 "! macro 'm' takes no keyword argument 'x'"},
		{"{% macro m(*a) %}{% endmacro %}",
		 "! expected token 'name', got '*'"},
		{"{% macro m(a=1) %}{{ a }}{% endmacro %}{{ m(none) }}{{ m(nothing) }}|",
		 "None|"},
		{"{% macro m(a, b, c, d, e, f) %}{{ a ~ b ~ c ~ d ~ e ~ f }}{% endmacro "
		 "%}{{ m(1, 2, 3, 4, 5, 6) }}{{ m(f=1, e=2, d=3, c=4, b=5, a=6) }}",
		 "123456654321"},
	};

	CHECK(cases);
}

Test(macro, defaults_are_evaluated_at_each_call)
{
	static const struct expression_case cases[] = {
		{"{% macro m(a=[]) %}{{ a.append(1) }}{{ a }}{% endmacro %}{{ m() }}{{ m() }}",
		 "None[1]None[1]"},
		{"{% set x = 1 %}{% macro m(a=x) %}{{ a }}{% endmacro %}{{ m() }}{% set x"
		 " = 2 %}{{ m() }}",
		 "12"},
		{"{% macro m(a=b, b=1) %}{{ a }}{{ b }}{% endmacro %}{{ m() }}{{ m(b=3) }}",
		 "133"},
		{"{% macro m(a, b=a ~ '!') %}{{ b }}{% endmacro %}{{ m('x') }}",
		 "x!"},
		{"{% macro m(a=1/0) %}x{% endmacro %}{{ m(2) }}{{ m() }}",
		 "! division by zero"},
	};

	CHECK(cases);
}

Test(macro, objects)
{
	static const struct expression_case cases[] = {
		{"{% macro m() %}{{ caller() }}{% endmacro %}{{ m.caller }}{{ m.explicit_caller"
		 " }}{{ m.nothing.x }}",
		 "! 'jinja2.runtime.Macro object' has no attribute 'nothing'"},
		{"{% macro m() %}x{% endmacro %}{{ m is callable }}{{ m is defined }}{{ m()"
		 " | upper }}{{ m + 1 }}",
		 "! unsupported operand type(s) for +: 'Macro' and 'int'"},
		{"{% set f = 5 %}{{ f() }}",
		 "! 'int' object is not callable"},
		{"{{ nothing() }}",
		 "! 'nothing' is undefined"},
		{"{{ x.y() }}",
		 "! 'str object' has no attribute 'y'"},
		{"{{ 'a'() }}",
		 "! 'str' object is not callable"},
		{"{{ nothing.y() }}",
		 "! 'nothing' is undefined"},
		{"{{ [1]() }}{{ none() }}",
		 "! 'list' object is not callable"},
		{"{{ none() }}",
		 "! 'NoneType' object is not callable"},
	};

	CHECK(cases);
}

Test(macro, call_blocks)
{
	static const struct expression_case cases[] = {
		{"{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}text{% endcall"
		 " %}",
		 "<text>"},
		{"{% macro m() %}{{ caller(1) }}{{ caller(2) }}{% endmacro %}{% call(n) m()"
		 " %}{{ n }};{% endcall %}",
		 "1;2;"},
		{"{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}",
		 "! No caller defined"},
		{"{% macro m() %}{% endmacro %}{% call m() %}{% endcall %}",
		 "! macro 'm' takes no keyword argument 'caller'"},
		{"{% macro m() %}{{ caller(1, 2) }}{% endmacro %}{% call(a) m() %}{% endcall"
		 " %}",
		 "! macro 'call' takes not more than 1 argument(s)"},
		{"{% macro m() %}{{ caller(b=2) }}{% endmacro %}{% call(a) m() %}{% endcall"
		 " %}",
		 "! macro 'call' takes no keyword argument 'b'"},
		{"{% macro m(a) %}{{ a }}{{ caller() }}{% endmacro %}{% set x = 1 %}{% call"
		 " m(x) %}{{ x }}{% set x = 2 %}{{ x }}{% endcall %}{{ x }}",
		 "1121"},
		{"{% macro o() %}[{{ caller() }}]{% endmacro %}{% macro i() %}{% call o()"
		 " %}{{ caller() }}{% endcall %}{% endmacro %}{% call i() %}x{% endcall "
		 "%}",
		 "! No caller defined"},
		{"{% macro o() %}[{{ caller() }}]{% endmacro %}{% macro i() %}{% set c ="
		 " caller %}{% call o() %}{{ c() }}{% endcall %}{% endmacro %}{% call i()"
		 " %}x{% endcall %}",
		 "[x]"},
		{"{% macro m(caller=none) %}{{ caller() if caller else 'no' }}{% endmacro"
		 " %}{{ m() }}{% call m() %}yes{% endcall %}",
		 "noyes"},
		{"{% call(a, b=2) m() %}{% endcall %}",
		 "! 'm' is undefined"},
		{"{% for i in [1, 2] %}{% macro m() %}{{ caller() }}{% endmacro %}{% call"
		 " m() %}{{ i }}{{ loop.index }}{% endcall %}{% endfor %}",
		 "1122"},
	};

	CHECK(cases);
}
