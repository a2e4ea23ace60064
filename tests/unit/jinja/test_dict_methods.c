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
		{"{}.update(5)", "! the argument must be a dict, not int"},
		{"{}.update([5])", "! the argument must be a dict, not list"},
		{"{}.update([\"abc\"])", "! the argument must be a dict, not list"},
		{"{}.update([], [])", "! update expected at most 1 argument, got 2"},
		{"{}.update(nowhere)", "! 'nowhere' is undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
