/* {% for %} and its loop. What each template gives was recorded of Jinja2. */
#include "expressions.h"

#include <criterion/criterion.h>

#define CHECK(cases) check_templates(cases, sizeof cases / sizeof *cases)

Test(loop, attributes)
{
	static const struct expression_case cases[] = {
		{"{% for i in [1, 2, 3] %}{{ loop.previtem }}<{{ i }}>{{ loop.nextitem }}"
		 " {% endfor %}",
		 "<1>2 1<2>3 2<3> "},
		{"{% for i in [1, 2] %}{{ loop.previtem is defined }}{{ loop.nextitem is"
		 " defined }}{% endfor %}",
		 "FalseTrueTrueFalse"},
		{"{% for i in [1] %}{{ loop.previtem.x }}{% endfor %}",
		 "! there is no previous item"},
		{"{% for i in [1] %}{{ loop.nextitem + 1 }}{% endfor %}",
		 "! there is no next item"},
		{"{% for i in [1] %}{{ loop.nothing }}|{{ loop.nothing.x }}{% endfor %}",
		 "! 'jinja2.runtime.LoopContext object' has no attribute 'nothing'"},
		{"{% for i in [1] %}{{ loop['index'] }}{% endfor %}",
		 "1"},
		{"{% for i in {'a': 1, 'b': 2} %}{{ i }}{{ loop.length }}{{ loop.last }}"
		 "{% endfor %}",
		 "a2Falseb2True"},
		{"{% for i in nothing %}{{ i }}{% else %}none{% endfor %}",
		 "none"},
		{"{% for i in [1, 2] | map('string') %}{{ loop.length }}{{ loop.last }}{"
		 "{ i }}{% endfor %}",
		 "2False12True2"},
	};

	CHECK(cases);
}

Test(loop, filters)
{
	static const struct expression_case cases[] = {
		{"{% for i in range(6) if i % 2 %}{{ i }}{{ loop.index }}{{ loop.length }}"
		 "{{ loop.last }}{{ loop.nextitem }} {% endfor %}",
		 "113False3 323False5 533True "},
		{"{% for i in [1, 2] if i > 5 %}{% else %}none{% endfor %}",
		 "none"},
		{"{% for a, b in [[1, 2], [3, 4]] if a > 1 %}{{ a }}{{ b }}{{ loop.previtem"
		 " }}{% endfor %}",
		 "34"},
		{"{% for a, b in [[1, 2], [3, 4]] if a %}{{ loop.nextitem }}{{ loop.previtem"
		 " }}{% endfor %}",
		 "(3, 4)(1, 2)"},
		{"{% set ns = namespace(v=0) %}{% for i in [1, 2, 3] if ns.v < 2 %}{{ i }}"
		 "{% set ns.v = i %}{% endfor %}",
		 "12"},
		{"{% set ns = namespace(v=0) %}{% for i in [1, 2, 3] if ns.v < 2 %}{{ i }}"
		 "{{ loop.last }}{% set ns.v = i %}{% endfor %}",
		 "1False2False3True"},
		{"{% set ns = namespace(v=0) %}{% for i in [1, 2, 3] if ns.v < 2 %}{{ i }}"
		 "{{ loop.length }}{% set ns.v = i %}{% endfor %}",
		 "132333"},
		{"{% for i in [1, 2] if loop.index %}{{ i }}{% endfor %}",
		 "! 'loop' is undefined"},
		{"{% for i in [3, 4] if i + i > 6 %}{{ i }}{% for i in [i] if i %}{{ i }}"
		 "{{ loop.last }}{% endfor %}{% endfor %}",
		 "44True"},
		{"{% for i in [1, 2, 3] if j is undefined %}{% set j = 1 %}{{ i }}{% endfor"
		 " %}",
		 "123"},
		{"{% for i in [1, 'a'] if i + 1 %}{{ i }}{% endfor %}",
		 "! can only concatenate str (not \"int\") to str"},
	};

	CHECK(cases);
}

Test(loop, else_and_control)
{
	static const struct expression_case cases[] = {
		{"{% for i in [] %}x{% else %}E{% endfor %}",
		 "E"},
		{"{% for i in [1, 2, 3] %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{%"
		 " else %}E{% endfor %}",
		 "1"},
		{"{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}"
		 "{% endfor %}",
		 "13"},
		{"{% for i in [1] %}{% continue %}{% else %}E{% endfor %}",
		 "E"},
		{"{% for i in [1] %}{% break %}{% else %}E{% endfor %}",
		 "E"},
		{"{% for i in [1, 2] %}{% for j in [1, 2] %}{% break %}{% endfor %}{{ i }}"
		 "{% endfor %}",
		 "12"},
		{"{% for i in [1, 2] %}{% filter upper %}a{% break %}{% endfilter %}{% endfor"
		 " %}b",
		 "b"},
		{"{% for i in [1, 2] %}{% set a %}a{% continue %}{% endset %}{% endfor %}b",
		 "b"},
		{"{% for i in [1, 2] %}{% for j in [] %}{% else %}{% break %}{% endfor %}"
		 "{{ i }}{% endfor %}",
		 ""},
		{"{% for i in [1, 2] %}{% for j in [1] %}{{ j }}{% else %}{% endfor %}{{"
		 " loop.index }}{% endfor %}",
		 "1112"},
		{"{% for i in [] %}{% set a = 1 %}{% else %}{{ a is defined }}{% set a ="
		 " 2 %}{% endfor %}{{ a is defined }}",
		 "FalseFalse"},
	};

	CHECK(cases);
}

Test(loop, targets)
{
	static const struct expression_case cases[] = {
		{"{% for a, b in {'x': 1}.items() %}{{ a }}{{ b }}{% endfor %}",
		 "x1"},
		{"{% for a, (b, c) in [[1, [2, 3]]] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
		 "123"},
		{"{% for a, b in [1] %}{% endfor %}",
		 "! cannot unpack non-iterable int object"},
		{"{% for a, b in [[1]] %}{% endfor %}",
		 "! not enough values to unpack (expected 2, got 1)"},
		{"{% for a, b in [[1, 2, 3]] %}{% endfor %}",
		 "! too many values to unpack (expected 2)"},
		{"{% for a, b in ['xy', 'z'] %}{{ a }}{{ b }}{% endfor %}",
		 "! not enough values to unpack (expected 2, got 1)"},
		{"{% for a, b in [none] %}{% endfor %}",
		 "! cannot unpack non-iterable NoneType object"},
		{"{% for a, b in [nothing] %}{% endfor %}",
		 "! not enough values to unpack (expected 2, got 0)"},
		{"{% for a in 5 %}{% endfor %}",
		 "! 'int' object is not iterable"},
		{"{% for a in none %}{% endfor %}",
		 "! 'NoneType' object is not iterable"},
		{"{% for a in loop %}{% endfor %}",
		 ""},
		{"{% for a, b in [range(2), {'p': 1, 'q': 2}] %}{{ a }}{{ b }}{% endfor %}",
		 "01pq"},
		{"{% for a, b in [range(3)] %}{% endfor %}",
		 "! too many values to unpack (expected 2)"},
		{"{% for a, b in [[1, 2] | map('string')] %}{{ a ~ b }}{% endfor %}",
		 "12"},
		{"{% set l = [1, 2] %}{% for i in l %}{{ i }}{% if i < 4 %}{{ l.append(i"
		 " + 2) or '' }}{% endif %}{% endfor %}",
		 "12345"},
	};

	CHECK(cases);
}
