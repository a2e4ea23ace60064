/* The methods of list, tuple and range; recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(list_methods, changing)
{
	static const struct expression_case cases[] = {
		{"[3, 1].append(2)", "None"},
		{"[1, 2].extend(5)", "! 'int' object is not iterable"},
		{"[1].insert(\"x\", 1)", "! 'str' object cannot be interpreted as an integer"},
		{"[1].pop()", "1"},
		{"[1, 2, 3].pop(0)", "1"},
		{"[1, 2, 3].pop(-2)", "2"},
		{"[].pop()", "! pop from empty list"},
		{"[1].pop(1)", "! pop index out of range"},
		{"[1].pop(\"x\")", "! 'str' object cannot be interpreted as an integer"},
		{"[1].append()", "! append() needs the argument 'object'"},
		{"[1].append(1, 2)", "! append() takes 1 argument at most, not 2"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(list_methods, looking)
{
	static const struct expression_case cases[] = {
		{"(1, 2).append is defined", "False"},
		{"range(2).append is defined", "False"},
		{"{\"a\": 1}.items().append is defined", "False"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(list_methods, what_they_leave)
{
	static const struct expression_case cases[] = {
		{"{% set l = [1, 2] %}{% set x = l.extend(l) %}{% set x = l.extend(\"ab\") %}{% set x = l.extend({\"k\": 1}) %}{{ l }}",
		 "[1, 2, 1, 2, 'a', 'b', 'k']"},
		{"{% set l = [1, 2] %}{% set x = [l.insert(0, \"a\"), l.insert(-1, \"b\"), l.insert(99, \"c\"), l.insert(-99, \"d\")] %}{{ l }}",
		 "['d', 'a', 1, 'b', 2, 'c']"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}
