/* Filters for HTML, URLs and JSON; what they give is recorded from Jinja2 3.1,
 * and from json.dumps. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(filters_html, escape)
{
	static const struct expression_case cases[] = {
		{"'<'|safe", "<"},
		{"1|safe", "1"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_html, tojson)
{
	static const struct expression_case cases[] = {
		{"{'b': [1, 2.5, none, true], 'a': 'é<\\'>'}|tojson",
		 "{\"b\": [1, 2.5, null, true], \"a\": \"é<'>\"}"},
		{"{'b': 1, 'a': {'c': []}}|tojson(indent=2, sort_keys=true)",
		 "{\n  \"a\": {\n    \"c\": []\n  },\n  \"b\": 1\n}"},
		{"[1, [2]]|tojson(indent='--')", "[\n--1,\n--[\n----2\n--]\n]"},
		{"'é'|tojson(true)", "\"\\u00e9\""},
		{"[1, {'a': 2}]|tojson(separators=(',', ':'))", "[1,{\"a\":2}]"},
		{"[1]|tojson(indent=0)", "[\n1\n]"},
		{"[1]|tojson(separators=(',',))", "! separators must be two str"},
		{"[1]|tojson(separators=1)", "! separators must be two str"},
		{"1|tojson(zz=1)", "! tojson() got an unexpected keyword argument 'zz'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
