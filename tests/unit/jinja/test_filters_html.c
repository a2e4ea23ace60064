/* Filters for HTML, URLs and JSON; what they give is recorded from Jinja2 3.1,
 * and from json.dumps. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(filters_html, escape)
{
	static const struct expression_case cases[] = {
		{"'<a href=\"x\">\\'&amp;</a>'|escape",
		 "&lt;a href=&#34;x&#34;&gt;&#39;&amp;amp;&lt;/a&gt;"},
		{"'<'|e", "&lt;"},
		{"[1, '<']|escape", "[1, &#39;&lt;&#39;]"},
		{"none|e", "None"},
		{"'&lt;'|forceescape", "&amp;lt;"},
		{"'<'|safe", "<"},
		{"1|safe", "1"},
		{"'a'|e(1)",
		 "! markupsafe._speedups.escape() takes exactly one argument (2 given)"},
		{"'a'|forceescape(1)",
		 "! do_forceescape() takes 1 positional argument but 2 were given"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_html, striptags)
{
	static const struct expression_case cases[] = {
		{"'<p>a  <b>b</b>\\n c</p>'|striptags", "a b c"},
		{"'a <!-- <b>x --> c'|striptags", "a c"},
		{"'a < b'|striptags", "a < b"},
		{"'<!-- a'|striptags", "<!-- a"},
		{"'<!-->x-->'|striptags", ""},
		{"'&lt;b&gt; &amp;amp; &copy; &copy &eacute; &euro; &euro &notit; "
		 "&nosuch;'|striptags",
		 "<b> &amp; © © é € &euro ¬it; &nosuch;"},
		{"'&#65;&#x42;&#X43 &#128; &#0; &#1; &#xd800; &#; &#x; &'|striptags",
		 "ABC € �  � &#; &#x; &"},
		{"'&ampx &ltx'|striptags", "&x <x"},
		{"12|striptags", "12"},
		{"'&#13;x'|striptags|length", "2"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_html, urlencode)
{
	static const struct expression_case cases[] = {
		{"'a b/c?d=é&~-_.'|urlencode", "a%20b/c%3Fd%3D%C3%A9%26~-_."},
		{"{'a b': 1, 'c/': 'd e+'}|urlencode", "a+b=1&c%2F=d+e%2B"},
		{"[('a', 1), ['b', '/']]|urlencode", "a=1&b=%2F"},
		{"'ab'|urlencode", "ab"},
		{"12|urlencode", "12"},
		{"none|urlencode", "None"},
		{"['ab', 'cd']|urlencode", "a=b&c=d"},
		{"[1]|urlencode", "! cannot unpack non-iterable int object"},
		{"['a']|urlencode", "! not enough values to unpack (expected 2, got 1)"},
		{"['abc']|urlencode", "! too many values to unpack (expected 2)"},
		{"undef|urlencode", ""},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_html, xmlattr)
{
	static const struct expression_case cases[] = {
		{"{'class': 'my_list', 'missing': none, 'id': 'list-42'}|xmlattr",
		 " class=\"my_list\" id=\"list-42\""},
		{"{'a': '<\"'}|xmlattr(false)", "a=\"&lt;&#34;\""},
		{"{}|xmlattr", ""},
		{"{'a b': 1}|xmlattr", "! Invalid character in attribute name: 'a b'"},
		{"{'a>': 1}|xmlattr", "! Invalid character in attribute name: 'a>'"},
		{"[1]|xmlattr", "! 'list' object has no attribute 'items'"},
		{"undef|xmlattr", "! 'undef' is undefined"},
		{"{'u': undef, 'v': 0}|xmlattr", " v=\"0\""},
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
		{"[1]|tojson(separators=(',',))",
		 "! not enough values to unpack (expected 2, got 1)"},
		{"[1]|tojson(separators=1)", "! cannot unpack non-iterable int object"},
		{"1|tojson(zz=1)", "! tojson() got an unexpected keyword argument 'zz'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_html, pprint)
{
	static const struct expression_case cases[] = {
		{"{'b': 1, 'a': [2, 'x']}|pprint", "{'a': [2, 'x'], 'b': 1}"},
		{"['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', "
		 "'cccccccccccccccccccccccccccccc']|pprint",
		 "['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',\n 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',\n "
		 "'cccccccccccccccccccccccccccccc']"},
		{"{'key': ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', "
		 "'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'], 2: "
		 "('cccccccccccccccccccccccccccccccccccccccccccccccccc', "
		 "('dddddddddddddddddddddddddddddddddddddddddddddddddd',))}|pprint",
		 "{2: ('cccccccccccccccccccccccccccccccccccccccccccccccccc',\n     "
		 "('dddddddddddddddddddddddddddddddddddddddddddddddddd',)),\n 'key': "
		 "['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',\n         "
		 "'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb']}"},
		{"('lorem ipsum dolor ' * 8)|pprint",
		 "('lorem ipsum dolor lorem ipsum dolor lorem ipsum dolor lorem ipsum dolor '\n "
		 "'lorem ipsum dolor lorem ipsum dolor lorem ipsum dolor lorem ipsum dolor ')"},
		{"'a\\nb'|pprint", "'a\\nb'"},
		{"{2: 1, 'a': 2, 1.5: 3, none: 4, true: 5}|pprint",
		 "{None: 4, True: 5, 1.5: 3, 2: 1, 'a': 2}"},
		{"[]|pprint", "[]"},
		{"undef|pprint", "Undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
