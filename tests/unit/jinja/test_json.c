/* json.dumps() as chat templates know it; recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(json, values)
{
	static const struct expression_case cases[] = {
		{"[none, true, false, 1, -5, 1.0, 0.1, 1e16, 1e-7] | tojson",
		 "[null, true, false, 1, -5, 1.0, 0.1, 1e+16, 1e-07]"},
		{"[range(9)|sum * 1e308, -range(9)|sum * 1e308] | tojson",
		 "! bad operand type for unary -: 'range'"},
		{"\"a\\\"b\\\\c\\n\\r\\t\\x08\\x0c\\x00\\x1f\\x7f/é😀\342\200\250\" | tojson",
		 "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0000\\u001f\177/é😀\342\200\250\""},
		{"\"<b>&'</b>\" | tojson", "\"<b>&'</b>\""},
		{"\"é😀\" | tojson(ensure_ascii=true)", "\"\\u00e9\\ud83d\\ude00\""},
		{"[] | tojson ~ {} | tojson ~ [[]] | tojson ~ () | tojson", "[]{}[[]][]"},
		{"(1, \"a\", [2]) | tojson", "[1, \"a\", [2]]"},
		{"{\"a\": 1, \"b\": [1, {\"c\": none}]} | tojson",
		 "{\"a\": 1, \"b\": [1, {\"c\": null}]}"},
		{"{1: 2, 1.5: 3, none: 4, false: 5, \"é\": 6} | tojson",
		 "{\"1\": 2, \"1.5\": 3, \"null\": 4, \"false\": 5, \"é\": 6}"},
		{"{\"b\": 1, \"a\": 2} | tojson(sort_keys=true)", "{\"a\": 2, \"b\": 1}"},
		{"{\"b\": 1, 1: 2} | tojson(sort_keys=true)",
		 "! '<' not supported between instances of 'int' and 'str'"},
		{"{\"a\": 1, \"b\": [1, {\"c\": none}], \"d\": [], \"e\": {}} | tojson(indent=2)",
		 "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {\n      \"c\": null\n    }\n  ],\n  \"d\": [],\n  \"e\": {}\n}"},
		{"[1, [2]] | tojson(indent=0)", "[\n1,\n[\n2\n]\n]"},
		{"[1, [2]] | tojson(indent=-3)", "[\n1,\n[\n2\n]\n]"},
		{"[1, [2]] | tojson(indent=\"\\t\")", "[\n\t1,\n\t[\n\t\t2\n\t]\n]"},
		{"[1, {\"a\": 2}] | tojson(separators=(\",\", \":\"))", "[1,{\"a\":2}]"},
		{"[1, {\"a\": 2}] | tojson(separators=(\" ; \", \" = \"), indent=1)",
		 "[\n 1 ; \n {\n  \"a\" = 2\n }\n]"},
		{"5 | tojson(indent=4)", "5"},
		{"[1]|tojson(separators=(',',))", "! separators must be two str"},
		{"[1]|tojson(separators=1)", "! separators must be two str"},
		{"1|tojson(zz=1)", "! tojson() got an unexpected keyword argument 'zz'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(json, what_has_no_form)
{
	static const struct expression_case cases[] = {
		{"nowhere | tojson", "! Object of type Undefined is not JSON serializable"},
		{"range(3) | tojson", "! Object of type range is not JSON serializable"},
		{"{\"a\": 1}.items() | tojson", "! Object of type dict_items is not JSON serializable"},
		{"[1].append | tojson",
		 "! Object of type builtin_function_or_method is not JSON serializable"},
		{"{(1, 2): 3} | tojson", "! keys must be str, int, float, bool or None, not tuple"},
		{"namespace(a=1) | tojson", "! Object of type Namespace is not JSON serializable"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(json, of_itself)
{
	static const struct expression_case cases[] = {
		{"{% set l = [1] %}{% set x = l.append(l) %}{{ l | tojson }}",
		 "! Circular reference detected"},
		{"{% set l = [] %}{% set d = {'l': l} %}{% set x = l.append(d) %}{{ d | tojson(indent=1) }}",
		 "! Circular reference detected"},
		{"{% set l = [1] %}{{ [l, l] | tojson }}",
		 "[[1], [1]]"},
	};

	check_templates(cases, sizeof cases / sizeof *cases);
}

/* Where each byte came from: 1 is the text of x, "ab", 2 that of y, "é\n". */
Test(json, sources_stay)
{
	static const struct expression_case cases[] = {
		{"{\"k\": x, y: 1} | tojson", "0000000110000222200000"},
		{"[y] | tojson(ensure_ascii=true)", "002222222200"},
	};

	check_sources(cases, sizeof cases / sizeof *cases);
}
