/* The methods of dict; recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(dict_methods, looking)
{
	static const struct expression_case cases[] = {
		{"{\"a\": 1, 2: \"b\"}.items()", "dict_items([('a', 1), (2, 'b')])"},
		{"{\"a\": 1, 2: \"b\"}.keys()", "dict_keys(['a', 2])"},
		{"{\"a\": 1, 2: \"b\"}.values()", "dict_values([1, 'b'])"},
		{"{\"a\": 1}.items() | list", "[('a', 1)]"},
		{"{\"a\": 1}.get(\"a\")", "1"},
		{"{\"a\": 1}.get(\"b\")", "None"},
		{"{\"a\": 1}.get(\"b\", 5)", "5"},
		{"{1: \"x\"}.get(1.0)", "x"},
		{"{\"a\": 1}.get([])", "! unhashable type: 'list'"},
		{"{\"a\": 1}.get()", "! get() needs the argument 'key'"},
		{"{\"a\": {\"b\": 1}}.copy()", "{'a': {'b': 1}}"},
		{"{}.keys()", "dict_keys([])"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(dict_methods, changing)
{
	static const struct expression_case cases[] = {
		{"{\"a\": 1}.pop(\"a\")", "1"},
		{"{\"a\": 1}.pop(\"b\")", "! 'b'"},
		{"{\"a\": 1}.pop(\"b\", none)", "None"},
		{"{\"a\": 1}.pop()", "! pop() needs the argument 'key'"},
		{"{\"a\": 1}.setdefault(\"a\", 2)", "1"},
		{"{\"a\": 1}.setdefault(\"b\")", "None"},
		{"{}.setdefault([], 1)", "! unhashable type: 'list'"},
		{"{}.update({\"a\": 1})", "None"},
		{"{}.update(5)", "! 'int' object is not iterable"},
		{"{}.update([5])",
		 "! cannot convert dictionary update sequence element #0 to a sequence"},
		{"{}.update([\"abc\"])",
		 "! dictionary update sequence element #0 has length 3; 2 is required"},
		{"{}.update([], [])", "! update expected at most 1 argument, got 2"},
		{"{}.update(nowhere)", "! 'nowhere' is undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(dict_methods, what_they_leave)
{
	static const struct expression_case cases[] = {
		{"{% set d = {\"a\": 1} %}{% set x = d.update({\"a\": 2, \"z\": 3}) %}{% set x = d.update([(\"q\", 4), \"uv\"]) %}{% set x = d.update(w=5, a=6) %}{{ d }}",
		 "{'a': 6, 'z': 3, 'q': 4, 'u': 'v', 'w': 5}"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}
