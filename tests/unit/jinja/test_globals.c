/* What every template may call; recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(globals, ranges)
{
	static const struct expression_case cases[] = {
		{"range(3)|list", "[0, 1, 2]"},
		{"range(1, 4)|list", "[1, 2, 3]"},
		{"range(5, 0, -2)|list", "[5, 3, 1]"},
		{"range(0)|list", "[]"},
		{"range(3)", "range(0, 3)"},
		{"range(0, 10, 3)", "range(0, 10, 3)"},
		{"range(1, 2, 0)", "! range() arg 3 must not be zero"},
		{"range()", "! range() needs the argument 'stop'"},
		{"range(1, 2, 3, 4)", "! range() takes 3 arguments at most, not 4"},
		{"range('a')", "! 'str' object cannot be interpreted as an integer"},
		{"range(1.0)", "! 'float' object cannot be interpreted as an integer"},
		{"range(true)|list", "[0]"},
		{"range(3)[1]", "1"},
		{"range(3)[-1]", "2"},
		{"2 in range(3)", "True"},
		{"range(2) == range(0, 2)", "True"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(globals, dicts)
{
	static const struct expression_case cases[] = {
		{"dict(a=1, b=2)", "{'a': 1, 'b': 2}"},
		{"dict()", "{}"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(globals, namespaces)
{
	static const struct expression_case cases[] = {
		{"{% set ns = namespace() %}{{ ns.x is undefined }}", "True"},
		{"{% set ns = namespace() %}{{ ns.x + 1 }}",
		 "! 'jinja2.utils.Namespace object' has no attribute 'x'"},
		{"{% set ns = namespace(items=[]) %}{{ ns.items }}", "[]"},
		{"{% set ns = namespace(n=0) %}{% for i in range(4) %}{% set ns.n = ns.n + i "
		 "%}{% endfor %}{{ ns.n }}",
		 "6"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}

Test(globals, exceptions)
{
	static const struct expression_case cases[] = {
		{"{{ raise_exception('no such role') }}", "! no such role"},
		{"{{ raise_exception(12) }}", "! 12"},
		{"{{ raise_exception() }}", "! raise_exception() needs the argument 'message'"},
		{"{% if false %}{{ raise_exception('x') }}{% endif %}ok", "ok"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}
