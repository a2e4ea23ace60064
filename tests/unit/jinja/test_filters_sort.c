/* Filters that put in order; what they give is recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

#define PEOPLE \
	"[{'n': 'bob', 'a': 3}, {'n': 'Al', 'a': 5}, {'n': 'carl', 'a': 3}]"
#define OWNERS \
	"[{'n': 'bob', 'a': 3, 'd': {'x': 1}}, " \
	"{'n': 'Al', 'a': 5, 'd': {'x': 0}}, {'n': 'carl', 'a': 3}]"

Test(filters_sort, sorting)
{
	static const struct expression_case cases[] = {
		{"[3, 1, 2]|sort", "[1, 2, 3]"},
		{"[3, 1, 2]|sort(true)", "[3, 2, 1]"},
		{"['b', 'A', 'a', 'B']|sort", "['A', 'a', 'b', 'B']"},
		{"['b', 'A', 'a', 'B']|sort(reverse=true)", "['b', 'B', 'A', 'a']"},
		{PEOPLE "|sort(attribute='n')|map(attribute='n')|list", "['Al', 'bob', 'carl']"},
		{PEOPLE "|sort(attribute='a')|map(attribute='n')|list", "['bob', 'carl', 'Al']"},
		{PEOPLE "|sort(reverse=true, attribute='a')|map(attribute='n')|list",
		 "['Al', 'bob', 'carl']"},
		{"'hello'|sort", "['e', 'h', 'l', 'l', 'o']"},
		{"{'b': 1, 'a': 2}|sort", "['a', 'b']"},
		{"[[2, 1], [1, 3]]|sort(attribute=1)", "[[2, 1], [1, 3]]"},
		{"[1, 'a']|sort", "! '<' not supported between instances of 'str' and 'int'"},
		{"['a', 1]|sort", "! '<' not supported between instances of 'int' and 'str'"},
		{"[none, 1]|sort", "! '<' not supported between instances of 'int' and 'NoneType'"},
		{"[1, undef]|sort", "! 'undef' is undefined"},
		{"[{'a': 1}, {}]|sort",
		 "! '<' not supported between instances of 'dict' and 'dict'"},
		{"[1.5, true, 0]|sort", "[0, True, 1.5]"},
		{"range(200)|sort(reverse=true)|first", "199"},
		{"[(1, 'b'), (1, 'a')]|sort", "[(1, 'a'), (1, 'b')]"},
		{"5|sort", "! 'int' object is not iterable"},
		{"[1]|sort('x')", "! 'str' object cannot be interpreted as an integer"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_sort, dicts)
{
	static const struct expression_case cases[] = {
		{"{'b': 1, 'A': 2, 'c': 0}|dictsort", "[('A', 2), ('b', 1), ('c', 0)]"},
		{"{'b': 1, 'A': 2, 'c': 0}|dictsort(true)", "[('A', 2), ('b', 1), ('c', 0)]"},
		{"{'b': 1, 'A': 2, 'c': 0}|dictsort(by='value')", "[('c', 0), ('b', 1), ('A', 2)]"},
		{"{'b': 1, 'A': 2}|dictsort(reverse=true)", "[('b', 1), ('A', 2)]"},
		{"{'b': 1}|dictsort(by='x')", "! You can only sort by either \"key\" or \"value\""},
		{"[1]|dictsort", "! 'list' object has no attribute 'items'"},
		{"undef|dictsort", "! 'undef' is undefined"},
		{"{'a': 1, 2: 3}|dictsort",
		 "! '<' not supported between instances of 'int' and 'str'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_sort, extremes)
{
	static const struct expression_case cases[] = {
		{"[3, 1, 2]|min", "1"},
		{"[3, 1, 2]|max", "3"},
		{"['b', 'A']|min", "A"},
		{PEOPLE "|max(attribute='a')", "{'n': 'Al', 'a': 5}"},
		{PEOPLE "|min(attribute='n')", "{'n': 'Al', 'a': 5}"},
		{"[]|min is undefined", "True"},
		{"[]|max + 1", "! No aggregated item, sequence was empty."},
		{"[1, 'a']|max", "! '>' not supported between instances of 'str' and 'int'"},
		{"['a', 1]|min", "! '<' not supported between instances of 'int' and 'str'"},
		{"5|min", "! 'int' object is not iterable"},
		{"[1, 1.0, true]|max", "1"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_sort, uniques)
{
	static const struct expression_case cases[] = {
		{"['foo', 'bar', 'foobar', 'FooBar']|unique|list", "['foo', 'bar', 'foobar']"},
		{"[1, 1.0, true, '1']|unique|list", "[1, '1']"},
		{"[[1]]|unique|list", "! unhashable type: 'list'"},
		{"'hello'|unique|join", "helo"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
