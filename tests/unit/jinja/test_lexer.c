/* Tokens as Jinja2 3.1 cuts them with trim_blocks and lstrip_blocks on. Every row
 * was compared with it. */
#include "dump.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct dump_case spaces[] = {
	{"a", "'a'"},
	{"a\n", "'a'"},
	{"a\n\n", "'a\\n'"},
	{"a\r\nb\rc\n", "'a\\nb\\nc'"},
	{"", ""},
	{"\n", ""},
	{"  {{ x }}  \n b", "'  ' x '  \\n b'"},
	{"  {{- x -}}  \n b", "x 'b'"},
	{"  {{+ x }}", "'  ' x"},
	{"a  {%- if x -%}  \n b {%- endif %}\n c", "'a' (if (x 'b')) ' c'"},
	{"  {% if x %}\n  a\n  {% endif %}\n b", "(if (x '  a\\n')) ' b'"},
	{"  {%+ if x %}\n  a\n  {%+ endif %}\n b", "'  ' (if (x '  a\\n  ')) ' b'"},
	{"{% if x +%}\na{% endif +%}\nb", "(if (x '\\na')) '\\nb'"},
	{"a {% if x %} b{% endif %}", "'a ' (if (x ' b'))"},
	{"{% if x %}  {% endif %}c", "(if (x '  ')) 'c'"},
	{"\n\n  {%- if x %}\n\n a{% endif %}", "(if (x '\\n a'))"},
	{"a{# c #}\nb", "'a' 'b'"},
	{"a {#- c -#} \n b", "'a' 'b'"},
	{"  {# c #}  b", "'  b'"},
	{"  {#+ c +#}\nb", "'  ' '\\nb'"},
	{"a\n  {# c #}\n  {# d #}\nb", "'a\\n' 'b'"},
	{"{#-#}a", "'a'"},
	{"{#}#}a", "'a'"},
	{"a{#", "'a'"},
	{"a{% raw %}", "'a'"},
	{"{% raw %} {{ x }} {% endraw %}\nb", "' {{ x }} ' 'b'"},
	{"a\n  {% raw %}\n b\n  {% endraw %}\nc", "'a\\n' '\\n b\\n' 'c'"},
	{"a {%- raw -%} \n b \n {%- endraw -%} \n c", "'a' 'b' 'c'"},
	{"a {%+ raw %} b {%+ endraw +%}\nc", "'a ' ' b ' '\\nc'"},
	{"{% raw %}{% raw %}{% endraw %}", "'{% raw %}'"},
	{"{%raw%}a{%endraw%}", "'a'"},
	{"{%-raw-%} a {%-endraw-%}", "'a'"},
	{"{% raw %}a{% endraw x %}{% endraw %}", "'a{% endraw x %}'"},
	{"a\302\240\342\200\203{%- if x %}b{% endif %}", "'a' (if (x 'b'))"},
	{"a\n\302\240\342\200\203{% if x %}b{% endif %}", "'a\\n' (if (x 'b'))"},
	{"a\n\013\034{% if x %}b{% endif %}", "'a\\n' (if (x 'b'))"},
	{"{{ {'a': {}} }}", "(dict 'a' (dict))"},
	{"{{ {'a': {'b': 1}}}}", "(dict 'a' (dict 'b' 1))"},
	{"{{{}}}", "(dict)"},
	{"{{-1}}", "1"},
	{"{{ - 1 }}", "(neg 1)"},
	{"{{ 1 -}}  2", "1 '2'"},
	{"{% set x = 1 %}\n{% set y = 2 -%}\n\n z", "(set x 1) (set y 2) 'z'"},
	{"{ { x } }", "'{ { x } }'"},
	{"{", "'{'"},
	{"{{ x }}{", "x '{'"},
	{"a\n{% if x %}\n\n\nb\n{% endif %}\n\nc", "'a\\n' (if (x '\\n\\nb\\n')) '\\nc'"},
	{"\n{% set a = 1 %}\n", "'\\n' (set a 1)"},
	{"x\n   \n  {%- set a = 1 %}y", "'x' (set a 1) 'y'"},
	{" \t{% set a = 1 %}y", "(set a 1) 'y'"},
	{"a\n \t{% set a = 1 %} \t\ny", "'a\\n' (set a 1) ' \\x09\\ny'"},
};

Test(jinja_lexer, takes_whitespace_off_as_jinja2_does)
{
	dump_check(spaces, sizeof spaces / sizeof *spaces, false);
}

static const struct dump_case literals[] = {
	{"{{ 0 }}", "0"},
	{"{{ 1.5 }}", "1.5"},
	{"{{ 1e5 }}", "100000.0"},
	{"{{ 1E+2 }}", "100.0"},
	{"{{ 1e400 }}", "inf"},
	{"{{ 1.e }}", "(. 1 e)"},
	{"{{ 1.5.2 }}", "([] 1.5 2)"},
	{"{{ a.1.2 }}", "([] ([] a 1) 2)"},
	{"{{ a.1e5 }}", "t:1: expected token 'end of print statement', got 'e5'"},
	{"{{ 9223372036854775807 }}", "9223372036854775807"},
	{"{{ 007 }}", "7"},
	{"{{ 0b2 }}", "t:1: expected token 'end of print statement', got 'b2'"},
	{"{{ 1__0 }}", "t:1: expected token 'end of print statement', got '__0'"},
	{"{{ 1_ }}", "t:1: expected token 'end of print statement', got '_'"},
	{"{{ .5 }}", "t:1: unexpected '.'"},
	{"{{ 'a\\n\\t\\\\\\'\\\"\\r\\x7f' }}", "'a\\n\\x09\\x5c\\x27\"\\x0d\\x7f'"},
	{"{{ 'a\r\nb' }}", "'a\\nb'"},
	{"{{ '\\q\\8' }}", "'\\x5cq\\x5c8'"},
	{"{{ 'a' \"b\"\n'c' }}", "'abc'"},
	{"{{ '' }}", "''"},
	{"{{ '\\x4' }}", "t:1: truncated escape in a string"},
	{"{{ '\\xg0' }}", "t:1: truncated escape in a string"},
	{"\n{{ 'abc }}", "t:2: unexpected character '''"},
	{"{{ \"abc }}", "t:1: unexpected character '\"'"},
	{"{{ 'a\\' }}", "t:1: unexpected character '''"},
	{"{{ a ? b }}", "t:1: unexpected character '?'"},
	{"\303\251{{ $ }}", "t:1: unexpected character '$'"},
	{"{{ \\ }}", "t:1: unexpected character '\\'"},
	{"{{ \001 }}", "t:1: unexpected character U+0001"},
	{"{{ \342\200\234x\342\200\235 }}", "t:1: unexpected character '\342\200\234'"},
	{"{{ \342\200\213 }}", "t:1: unexpected character U+200B"},
	{"{{ a ! b }}", "t:1: unexpected character '!'"},
	{"{{ \303\251_1 + \316\251 }}", "(+ \303\251_1 \316\251)"},
	{"{{ (a] }}", "t:1: unexpected ']', expected ')'"},
	{"{{ a) }}", "t:1: unexpected ')'"},
	{"{{ {[} }}", "t:1: unexpected '}', expected ']'"},
	{"{{ (a }}", "t:1: unexpected '}', expected ')'"},
	{"{% if (a %}", "t:1: unexpected '}', expected ')'"},
	{"a\n{# b", "t:2: Missing end of comment tag"},
	{"a\n{% raw %}\nb", "t:2: Missing end of raw directive"},
	{"{{ a // b <= c }}{{ a >= b }}{{ a != b }}{{ a == b }}",
	 "(compare (// a b) <= c) (compare a >= b) (compare a != b) (compare a == b)"},
	{"{{ 0xg }}", "t:1: expected token 'end of print statement', got 'xg'"},
	{"{{ 1if a else 2 }}", "(cond 1 a 2)"},
};

Test(jinja_lexer, reads_literals_as_jinja2_does)
{
	dump_check(literals, sizeof literals / sizeof *literals, false);
}

/* Where Jinja2 does otherwise, or Python cannot say it in a source. */
static const struct dump_case own[] = {
	{"{{ 9223372036854775808 }}", "t:1: integer is too large"},
	{"a\xff\xfe{{ '\xc3' }}", "'a\\xef\\xbf\\xbd\\xef\\xbf\\xbd' '\\xef\\xbf\\xbd'"},
};

Test(jinja_lexer, has_limits_of_its_own)
{
	dump_check(own, sizeof own / sizeof *own, false);
}

Test(jinja_lexer, a_nul_is_a_character_like_others)
{
	struct buf out = {.max = 1000};

	dump_source(&out, "a\0b", 3, false);
	cr_assert_str_eq(buf_text(&out), "'a\\x00b'");
	buf_clear(&out);
	dump_source(&out, "{{ \0 }}", 7, false);
	cr_assert_str_eq(buf_text(&out), "t:1: unexpected character U+0000");
	buf_free(&out);
}
