/* The methods of lists and dicts; recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(container_methods, of_lists)
{
	static const struct expression_case cases[] = {
		{"[3, 1].append(2)", "None"},
		{"[1].pop()", "1"},
		{"[1, 2, 3].pop(0)", "1"},
		{"[1, 2, 3].pop(-2)", "2"},
		{"[].pop()", "! pop from empty list"},
		{"[1].pop(1)", "! pop index out of range"},
		{"[1].pop(\"x\")", "! 'str' object cannot be interpreted as an integer"},
		{"[1].append()", "! append() needs the argument 'object'"},
		{"[1].append(1, 2)", "! append() takes 1 argument at most, not 2"},
		{"(1, 2).append is defined", "False"},
		{"range(2).append is defined", "False"},
		{"{\"a\": 1}.items().append is defined", "False"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(container_methods, what_they_leave)
{
	static const struct expression_case cases[] = {
		{"{% set l = [1, 2, 3] %}{% set x = [l.pop(0), l.append('a')] %}{{ l }}",
		 "[2, 3, 'a']"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}

Test(container_methods, of_dicts)
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
		{"{}.keys()", "dict_keys([])"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
