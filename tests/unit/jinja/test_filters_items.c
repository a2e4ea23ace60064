/* Filters of sequences; what they give is recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

#define PEOPLE \
	"[{'n': 'bob', 'a': 3}, {'n': 'Al', 'a': 5}, {'n': 'carl', 'a': 3}]"
#define OWNERS \
	"[{'n': 'bob', 'a': 3, 'd': {'x': 1}}, " \
	"{'n': 'Al', 'a': 5, 'd': {'x': 0}}, {'n': 'carl', 'a': 3}]"

Test(filters_items, one_item)
{
	static const struct expression_case cases[] = {
		{"[1, 2]|first", "1"},
		{"''|first", ""},
		{"[]|first is undefined", "True"},
		{"[]|first + 1", "! No first item, sequence was empty."},
		{"{'a': 1}|first", "a"},
		{"5|first", "! 'int' object is not iterable"},
		{"[1, 2]|last", "2"},
		{"'äöü'|last", "ü"},
		{"[]|last is undefined", "True"},
		{"[]|last + 1", "! No last item, sequence was empty."},
		{"{'a': 1, 'b': 2}|last", "b"},
		{"range(5)|last", "4"},
		{"[1]|map('abs')|last", "! 'generator' object is not reversible"},
		{"5|last", "! 'int' object is not reversible"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, defaults)
{
	static const struct expression_case cases[] = {
		{"undef|default", ""},
		{"undef|d('x')", "x"},
		{"''|default('x')", ""},
		{"''|default('x', true)", "x"},
		{"0|d(5, boolean=true)", "5"},
		{"none|default(1)", "None"},
		{"undef|default(default_value=3)", "3"},
		{"undef|default(x=3)", "! default() got an unexpected keyword argument 'x'"},
		{"1|default(1, 2, 3)", "! default() takes 2 arguments at most, not 3"},
		{"undef.x|default(1)", "! 'undef' is undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, lengths)
{
	static const struct expression_case cases[] = {
		{"[1, 2]|length", "2"},
		{"'äö'|count", "2"},
		{"{'a': 1}|length", "1"},
		{"range(7)|length", "7"},
		{"5|length", "! object of type 'int' has no len()"},
		{"undef|length", "0"},
		{"[1]|map('abs')|length", "! object of type 'generator' has no len()"},
		{"[1]|length(2)", "! length() takes 0 arguments at most, not 1"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, lists)
{
	static const struct expression_case cases[] = {
		{"'abc'|list", "['a', 'b', 'c']"},
		{"{'a': 1}|list", "['a']"},
		{"range(3)|list", "[0, 1, 2]"},
		{"undef|list", "[]"},
		{"5|list", "! 'int' object is not iterable"},
		{"{'a': 1, 'b': 2}|items|list", "[('a', 1), ('b', 2)]"},
		{"undef|items|list", "[]"},
		{"[1]|items|list", "! Can only get item pairs from a mapping."},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, joins)
{
	static const struct expression_case cases[] = {
		{"[1, 2, 3]|join('|')", "1|2|3"},
		{"[1, 2, 3]|join", "123"},
		{"['a', none, 1.0, [2]]|join(', ')", "a, None, 1.0, [2]"},
		{"[1, 2]|join(0)", "102"},
		{PEOPLE "|join(', ', attribute='n')", "bob, Al, carl"},
		{"undef|join(',')", ""},
		{"5|join", "! 'int' object is not iterable"},
		{"'abc'|join('.')", "a.b.c"},
		{"[1]|join(x=1)", "! join() got an unexpected keyword argument 'x'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, sums)
{
	static const struct expression_case cases[] = {
		{"[1, 2, 3]|sum", "6"},
		{"[]|sum", "0"},
		{"['a']|sum", "! unsupported operand type(s) for +: 'int' and 'str'"},
		{"[undef]|sum", "! 'undef' is undefined"},
		{"[true, 2]|sum", "3"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, reversing)
{
	static const struct expression_case cases[] = {
		{"'äbc'|reverse", "cbä"},
		{"[1, 2, 3]|reverse|list", "[3, 2, 1]"},
		{"(1, 2)|reverse|list", "[2, 1]"},
		{"{'a': 1, 'b': 2}|reverse|list", "['b', 'a']"},
		{"range(3)|reverse|list", "[2, 1, 0]"},
		{"[1, 2]|map('abs')|reverse", "[2, 1]"},
		{"5|reverse", "! argument must be iterable"},
		{"undef|reverse|list", "[]"},
		{"{'a': 1}.items()|reverse|list", "[('a', 1)]"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, mapping)
{
	static const struct expression_case cases[] = {
		{"[1.7, '5']|map('int')|list", "[1, 5]"},
		{PEOPLE "|map(attribute='n')|list", "['bob', 'Al', 'carl']"},
		{PEOPLE "|map(attribute='x', default='-')|list", "['-', '-', '-']"},
		{"['a', 'b']|map('upper')|join", "AB"},
		{"['ax']|map('replace', 'a', 'b')|list", "['bx']"},
		{"[[2, 1]]|map('sort', reverse=true)|list", "[[2, 1]]"},
		{"[[1], [2, 3]]|map(attribute=1)|list", "[Undefined, 3]"},
		{"[1]|map('nosuch')|list", "! filter 'nosuch' is not supported"},
		{"[1]|map|list", "! map requires a filter argument"},
		{"[1]|map(attribute='a', x=1)|list", "! Unexpected keyword argument 'x'"},
		{"[1]|map(5)|list", "! the name of a filter must be str, not int"},
		{"undef|map('upper')|list", "[]"},
		{"[[1, 2]]|map('map', 'string')|map('list')|list", "[['1', '2']]"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_items, selecting)
{
	static const struct expression_case cases[] = {
		{"[1, 2, 3]|select('odd')|list", "[1, 3]"},
		{"[0, 1, '']|select|list", "[1]"},
		{"[1, 2, 3]|reject('odd')|list", "[2]"},
		{"[0, 1, '']|reject|list", "[0, '']"},
		{"[1, 2, 3]|select('divisibleby', 3)|list", "[3]"},
		{"[1, 2, 3]|select('gt', 1)|list", "[2, 3]"},
		{PEOPLE "|selectattr('a', 'equalto', 3)|map(attribute='n')|list",
		 "['bob', 'carl']"},
		{PEOPLE "|rejectattr('a', 'in', [5])|map(attribute='n')|list", "['bob', 'carl']"},
		{OWNERS "|selectattr('d')|map(attribute='n')|list", "['bob', 'Al']"},
		{OWNERS "|rejectattr('d')|map(attribute='n')|list", "['carl']"},
		{OWNERS "|selectattr('d', 'defined')|list|length", "2"},
		{"[1]|selectattr|list", "! selectattr() needs the argument 'attribute'"},
		{"[1]|select('nosuch')|list", "! test 'nosuch' is not supported"},
		{"undef|selectattr('x')|list", "[]"},
		{"5|select|list", "! 'int' object is not iterable"},
		{"[1]|select('odd', 2)|list", "! odd() takes 0 arguments at most, not 1"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
