/* Scopes and names, as Jinja2 has them. What each template gives was recorded of Jinja2. */
#include "expressions.h"

#include <criterion/criterion.h>

#define CHECK(cases) check_templates(cases, sizeof cases / sizeof *cases)

Test(scope, top_level_assignments_are_seen_in_blocks_and_macros)
{
	static const struct expression_case cases[] = {
		{"{% macro m() %}{{ a }}{% endmacro %}{% set a = 1 %}{{ m() }}{% set a ="
		 " 2 %}{{ m() }}",
		 "12"},
	};

	CHECK(cases);
}

Test(scope, assignments_in_loops_end_with_the_iteration)
{
	static const struct expression_case cases[] = {
		{"{% set a = 0 %}{% for i in [1, 2] %}{{ a }}{% set a = i %}{{ a }}{% endfor"
		 " %}{{ a }}",
		 "01020"},
		{"{% set a = 0 %}{% for i in [1, 2] %}{% set a = a + 1 %}{{ a }}{% endfor"
		 " %}{{ a }}",
		 "110"},
		{"{% for i in [1, 2] %}{{ a is defined }}{% set a = 1 %}{{ a }}{% endfor"
		 " %}{{ a is defined }}",
		 "False1False1False"},
		{"{% set a = 0 %}{% for i in [1, 2] %}{% if i == 1 %}{% set a = 5 %}{% endif"
		 " %}{{ a }}{% endfor %}{{ a }}",
		 "500"},
		{"{% for i in [1, 2] %}{% if i == 1 %}{% set b = 5 %}{% endif %}{{ b }}|"
		 "{% endfor %}",
		 "5||"},
		{"{% set ns = namespace(v=0) %}{% for i in [1, 2] %}{% set ns.v = ns.v +"
		 " i %}{% endfor %}{{ ns.v }}",
		 "3"},
		{"{% for i in [1, 2] %}{% for j in [1] %}{% set i = 9 %}{{ i }}{% endfor"
		 " %}{{ i }}{% endfor %}",
		 "9192"},
		{"{% for i in [1] %}{% else %}{% endfor %}{{ i is defined }}",
		 "False"},
		{"{% set i = 7 %}{% for i in [1] %}{{ i }}{% endfor %}{{ i }}",
		 "17"},
		{"{% for x in x %}{{ x }},{% endfor %}{{ x }}",
		 "a,b,ab"},
		{"{% for x in [x, x] %}{% for x in x %}{{ x }}{% endfor %};{% endfor %}",
		 "ab;ab;"},
	};

	CHECK(cases);
}

Test(scope, branches_without_a_value_take_the_one_outside)
{
	static const struct expression_case cases[] = {
		{"{% if false %}{% set x = 1 %}{% endif %}{{ x }}",
		 "ab"},
		{"{% if true %}{% set x = 1 %}{% endif %}{{ x }}",
		 "1"},
		{"{% if false %}{% set a = 1 %}{% else %}{{ a is defined }}{% endif %}{{"
		 " a is defined }}",
		 "FalseFalse"},
		{"{% macro m() %}{% if false %}{% set x = 1 %}{% endif %}{{ x }}{% endmacro"
		 " %}{{ m() }}",
		 "ab"},
		{"{% set a = 1 %}{% macro m(n) %}{% if n == 1 %}{% set a = 2 %}{% elif n"
		 " == 2 %}{% set a = 3 %}{% endif %}{{ a }}{% endmacro %}{{ m(0) }}{{ m(1)"
		 " }}{{ m(2) }}{{ a }}",
		 "1231"},
		{"{% set a = 1 %}{% for i in [0, 1] %}{% if i %}{% set a = 2 %}{% elif i"
		 " == 5 %}{% set a = 3 %}{% else %}{% set a = 4 %}{% endif %}{{ a }}{% endfor"
		 " %}{{ a }}",
		 "421"},
		{"{% for i in [0] %}{% if i %}{% if i %}{% set x = 2 %}{% endif %}{% endif"
		 " %}{{ x }}{% endfor %}",
		 "ab"},
		{"{% if x %}{{ a is defined }}{% set a = 1 %}{% endif %}{{ a }}",
		 "False1"},
		{"{% macro m() %}{{ x }}{% set x = 1 %}{{ x }}{% endmacro %}{{ m() }}{{ x }}",
		 "ab1ab"},
		{"{% macro m(q) %}{% if q %}{% set x = 1 %}{% elif not q %}{% set x = 2 "
		 "%}{% else %}{% set x = 3 %}{% endif %}{{ x }}{% endmacro %}{{ m(0) }}{"
		 "{ m(1) }}",
		 "21"},
	};

	CHECK(cases);
}

Test(scope, with_set_and_filter_blocks_have_scopes)
{
	static const struct expression_case cases[] = {
		{"{% set a %}{% set b = 1 %}{{ b }}{% endset %}{{ a }}{{ b is defined }}",
		 "1False"},
		{"{% set a %}x{{ a is defined }}{% endset %}{{ a }}{% set a %}y{{ a }}{%"
		 " endset %}{{ a }}",
		 "xFalseyxFalse"},
		{"{% filter upper %}{% set b = 'q' %}{{ b }}{% endfilter %}{{ b is defined }}",
		 "QFalse"},
		{"{% filter replace('a', b) %}{% set b = 'q' %}aa{% endfilter %}",
		 "qq"},
		{"{% set ns = namespace() %}{% set ns.v %}text{% endset %}{{ ns.v }}",
		 "text"},
		{"{% generation %}{% set a = 1 %}{{ a }}{% endgeneration %}{{ a is defined }}",
		 "1False"},
		{"{% set a = 1 %}{% filter upper %}{% for i in [1] %}{% set a = 'z' %}{{"
		 " a }}{% endfor %}{{ a }}{% endfilter %}",
		 "Z1"},
	};

	CHECK(cases);
}

Test(scope, closures_see_variables_as_they_are_when_called)
{
	static const struct expression_case cases[] = {
		{"{% set a = 1 %}{% macro m() %}{{ a }}{% endmacro %}{% for a in [2] %}{"
		 "{ m() }}{% endfor %}",
		 "1"},
		{"{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor"
		 " %}{{ m is defined }}",
		 "12False"},
		{"{% for i in [1] %}{% set a = 1 %}{% macro m() %}{{ a }}{% endmacro %}{"
		 "% set a = 2 %}{{ m() }}{% endfor %}",
		 "2"},
		{"{% macro o(a) %}{% macro i() %}{{ a }}{% endmacro %}{{ i() }}{% set a ="
		 " 5 %}{{ i() }}{% endmacro %}{{ o(1) }}",
		 "15"},
		{"{% set ns = namespace(v=0) %}{% macro o(a) %}{% macro i() %}{{ a }}{% endmacro"
		 " %}{% set ns.v = i %}{% endmacro %}{{ o(7) }}{{ ns.v() }}",
		 "7"},
		{"{% macro m() %}{{ n() }}{% endmacro %}{% macro n() %}late{% endmacro %}"
		 "{{ m() }}",
		 "late"},
		{"{% macro f(n) %}{{ n }}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro "
		 "%}{{ f(3) }}",
		 "3210"},
		{"{% set f = 1 %}{% macro g() %}{% set f = 2 %}{{ f }}{% endmacro %}{{ g()"
		 " }}{{ f }}",
		 "21"},
		{"{% set ns = namespace(v=0) %}{% for i in [1, 2] %}{% macro m() %}{{ i }}"
		 "{% endmacro %}{% if loop.first %}{% set ns.v = m %}{% else %}{{ ns.v()"
		 " }}{% endif %}{% endfor %}",
		 "2"},
	};

	CHECK(cases);
}

Test(scope, globals_and_the_context)
{
	static const struct expression_case cases[] = {
		{"{{ x }}{% set x = 1 %}{{ x }}",
		 "ab1"},
		{"{{ range is defined }}{% set range = 3 %}{{ range }}",
		 "True3"},
		{"{% macro m() %}{{ x }}{% endmacro %}{{ m() }}",
		 "ab"},
		{"{% for i in [1] %}{{ x }}{{ dict(a=x) }}{% endfor %}",
		 "ab{'a': 'ab'}"},
		{"{{ nothing }}|{{ nothing is defined }}",
		 "|False"},
		{"{% set loop = 3 %}{{ loop }}{% for i in [1] %}{{ loop.index }}{% endfor"
		 " %}{{ loop }}",
		 "313"},
		{"{% for i in [1] if loop is undefined %}{{ i }}{% endfor %}",
		 "1"},
		{"{% for j in [1, 2] %}{% for i in [1] if loop.index == 2 %}{{ i }}{{ loop.index"
		 " }}{% endfor %}{% endfor %}",
		 "11"},
	};

	CHECK(cases);
}
