/* What Jinja2 has and no template uses: an error that names it. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(not_supported, filters_tests_and_methods)
{
	static const struct expression_case cases[] = {
		{"x|e", "! filter 'e' is not supported"},
		{"x|escape", "! filter 'escape' is not supported"},
		{"1.5|round", "! filter 'round' is not supported"},
		{"[1]|map('round')|list", "! filter 'round' is not supported"},
		{"x|wordwrap", "! filter 'wordwrap' is not supported"},
		{"1 is le(2)", "! test 'le' is not supported"},
		{"[1]|select('==', 1)|list", "! test '==' is not supported"},
		{"[1]|reject('!=', 1)|list", "! test '!=' is not supported"},
		{"[1]|select('<', 1)|list", "! test '<' is not supported"},
		{"[1]|select('>=', 1)|list", "! test '>=' is not supported"},
		{"x.find('a')", "! 'str object' has no attribute 'find'"},
		{"x.count('a')", "! 'str object' has no attribute 'count'"},
		{"x.join([])", "! 'str object' has no attribute 'join'"},
		{"x.splitlines()", "! 'str object' has no attribute 'splitlines'"},
		{"x.removeprefix('a')", "! 'str object' has no attribute 'removeprefix'"},
		{"x.isdigit()", "! 'str object' has no attribute 'isdigit'"},
		{"[].extend([])", "! 'list object' has no attribute 'extend'"},
		{"[].insert(0, 1)", "! 'list object' has no attribute 'insert'"},
		{"{}.update({})", "! 'dict object' has no attribute 'update'"},
		{"{}.pop(1)", "! 'dict object' has no attribute 'pop'"},
		{"{}.copy()", "! 'dict object' has no attribute 'copy'"},
		{"{}.setdefault(1)", "! 'dict object' has no attribute 'setdefault'"},
		{"cycler(1)", "! 'cycler' is undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(not_supported, arguments)
{
	static const struct expression_case cases[] = {
		{"[1]|sum(start=1)", "! sum() got an unexpected keyword argument 'start'"},
		{"['a']|sort(case_sensitive=true)",
		 "! sort() got an unexpected keyword argument 'case_sensitive'"},
		{"['a']|sort(true, true)", "! sort() takes 1 argument at most, not 2"},
		{"['a']|max(true)", "! max() takes 0 arguments at most, not 1"},
		{"['a']|unique(true)", "! unique() takes 0 arguments at most, not 1"},
		{"x|truncate(9, true)", "! truncate() takes 1 argument at most, not 2"},
		{"x|replace('a', 'b', 1)", "! replace() takes 2 arguments at most, not 3"},
		{"x|float(1)", "! float() takes 0 arguments at most, not 1"},
		{"[]|map(attribute='a.b')", "! the attribute 'a.b' is not supported"},
		{"[]|selectattr('a.b')", "! the attribute 'a.b' is not supported"},
		{"[]|sort(attribute='a,b')|length", "0"},
		{"[]|join(attribute='0')", "! the attribute '0' is not supported"},
		{"x.startswith(('a', 'b'))", "! the argument must be str, not tuple"},
		{"x.rsplit()", "! rsplit() needs the argument 'sep'"},
		{"dict({})", "! dict() takes 0 arguments at most, not 1"},
		{"namespace({})", "! namespace() takes 0 arguments at most, not 1"},
		{"f(*x)", "! '*' before an argument is not supported"},
		{"f(**x)", "! '**' before an argument is not supported"},
		{"1 is divisibleby 3", "! an argument of a test without brackets is not supported"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(not_supported, operators_and_literals)
{
	static const struct expression_case cases[] = {
		{"2 ** 3", "! '**' is not supported"},
		{"-x ** 3", "! '**' is not supported"},
		{"+1", "! '+' before a value is not supported"},
		{"1 < 2 < 3", "! a comparison of a comparison is not supported"},
		{"1 in x not in x", "! a comparison of a comparison is not supported"},
		{"'%s' % 1", "! formatting with '%' is not supported"},
		{"'%s' % nowhere", "! formatting with '%' is not supported"},
		{"'\\u00e9'", "! the escape '\\u' is not supported"},
		{"'\\U000000e9'", "! the escape '\\U' is not supported"},
		{"'\\a'", "! the escape '\\a' is not supported"},
		{"'\\101'", "! the escape '\\1' is not supported"},
		{"'\\N{DASH}'", "! the escape '\\N' is not supported"},
		{"'a\\\nb'", "! a '\\' at the end of a line is not supported"},
		{"'\\d\\'\\\"\\\\\\x41'", "\\d'\"\\A"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(not_supported, statements_and_names)
{
	static const struct expression_case cases[] = {
		{"{% with a = 1 %}{% endwith %}", "! 'with' is not supported"},
		{"{% block a %}{% endblock %}", "! 'block' is not supported"},
		{"{% include 'a' %}", "! 'include' is not supported"},
		{"{% for i in x recursive %}{% endfor %}", "! 'recursive' is not supported"},
		{"{% set a | upper %}{% endset %}", "! a filter of a set block is not supported"},
		{"{% macro m() %}{{ varargs }}{% endmacro %}",
		 "! t:1: 'varargs' of a macro is not supported"},
		{"\n{% call m() %}{% if kwargs %}{% endif %}{% endcall %}",
		 "! t:2: 'kwargs' of a macro is not supported"},
		{"{% macro m(kwargs) %}{% set varargs = kwargs %}{{ varargs }}{% endmacro %}{{ m(1) }}",
		 "1"},
		{"{% for i in x %}{{ loop.revindex }}{% endfor %}", "! 'loop.revindex' is not supported"},
		{"{% for i in x %}{{ loop.cycle(1) }}{% endfor %}", "! 'loop.cycle' is not supported"},
		{"{% for i in x %}{{ loop|length }}{% endfor %}",
		 "! object of type 'LoopContext' has no len()"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}
