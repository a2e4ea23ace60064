/* What is wrong with a template, in Jinja2's words and on its lines: every row was
 * compared with version 3.1. */
#include "dump.h"

#include <criterion/criterion.h>

static const struct dump_case errors[] = {
	{"{{ }}", "t:1: Expected an expression, got 'end of print statement'"},
	{"{{", "t:1: unexpected 'end of template'"},
	{"{{ a", "t:1: unexpected end of template, expected 'end of print statement'."},
	{"{{ a b }}", "t:1: expected token 'end of print statement', got 'b'"},
	{"{{ a. }}", "t:1: expected name or number"},
	{"{{ a.'b' }}", "t:1: expected name or number"},
	{"{{ a[ }}", "t:1: unexpected '}', expected ']'"},
	{"{{ a[1,] }}", "t:1: unexpected ']'"},
	{"{{ a[,] }}", "t:1: unexpected ','"},
	{"{{ a[1:2:3:4] }}", "t:1: expected token ',', got ':'"},
	{"{{ f(a b) }}", "t:1: expected token ',', got 'b'"},
	{"{{ f(,) }}", "t:1: unexpected ','"},
	{"{{ f(a=1, b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(**a, b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(**a, *b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(*a, b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(*a, *b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(**a, **b) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(**a, b=1) }}", "t:1: invalid syntax for function call expression"},
	{"{{ f(a for a in b) }}", "t:1: expected token ',', got 'for'"},
	{"{{ [a b] }}", "t:1: expected token ',', got 'b'"},
	{"{{ {a} }}", "t:1: expected token ':', got '}'"},
	{"{{ {a:} }}", "t:1: unexpected '}'"},
	{"{{ a| }}", "t:1: expected token 'name', got 'end of print statement'"},
	{"{{ a|1 }}", "t:1: expected token 'name', got 'integer'"},
	{"{{ a is }}", "t:1: expected token 'name', got 'end of print statement'"},
	{"{{ a is 1 }}", "t:1: expected token 'name', got 'integer'"},
	{"{{ a is odd is even }}", "t:1: You cannot chain multiple tests with is"},
	{"{{ a not b }}", "t:1: expected token 'end of print statement', got 'not'"},
	{"{{ a not }}", "t:1: expected token 'end of print statement', got 'not'"},
	{"{{ a if }}", "t:1: unexpected 'end of print statement'"},
	{"{{ a if b else }}", "t:1: unexpected 'end of print statement'"},
	{"{{ a + }}", "t:1: unexpected 'end of print statement'"},
	{"{{ * a }}", "t:1: unexpected '*'"},
	{"{{ a; b }}", "t:1: expected token 'end of print statement', got ';'"},
	{"{{ a = b }}", "t:1: expected token 'end of print statement', got '='"},
	{"{% %}", "t:1: tag name expected"},
	{"{% 1 %}", "t:1: tag name expected"},
	{"\n{% nope %}", "t:2: Encountered unknown tag 'nope'."},
	{"{% endif %}", "t:1: Encountered unknown tag 'endif'."},
	{"{% else %}", "t:1: Encountered unknown tag 'else'."},
	{"{% if %}{% endif %}", "t:1: Expected an expression, got 'end of statement block'"},
	{"{% if a %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'el"
	 "if' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'."},
	{"{% if a %}{% else %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dif'. The innermost block that needs to be closed is 'if'."},
	{"{% if a %}\n{% endfor %}",
	 "t:2: Encountered unknown tag 'endfor'. Jinja was looking for the following tag"
	 "s: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is"
	 " 'if'."},
	{"{% if a %}{% elif %}{% endif %}",
	 "t:1: Expected an expression, got 'end of statement block'"},
	{"{% if a %}{% else %}{% else %}{% endif %}",
	 "t:1: Encountered unknown tag 'else'. Jinja was looking for the following tags:"
	 " 'endif'. The innermost block that needs to be closed is 'if'."},
	{"{% if a %}{% else %}{% elif b %}{% endif %}",
	 "t:1: Encountered unknown tag 'elif'. Jinja was looking for the following tags:"
	 " 'endif'. The innermost block that needs to be closed is 'if'."},
	{"{% for %}{% endfor %}", "t:1: Expected an expression, got 'end of statement block'"},
	{"{% for a %}{% endfor %}", "t:1: expected token 'in', got 'end of statement block'"},
	{"{% for a in %}{% endfor %}",
	 "t:1: Expected an expression, got 'end of statement block'"},
	{"{% for a in b %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dfor' or 'else'. The innermost block that needs to be closed is 'for'."},
	{"{% for a in b %}\n{% if c %}\n{% endfor %}",
	 "t:3: Encountered unknown tag 'endfor'. You probably made a nesting mistake. Ji"
	 "nja is expecting this tag, but currently looking for 'elif' or 'else' or 'endi"
	 "f'. The innermost block that needs to be closed is 'if'."},
	{"{% for a, in b %}{% endfor %}", "t:1: expected token 'in', got 'b'"},
	{"{% for a.b in c %}{% endfor %}", "t:1: expected token 'in', got '.'"},
	{"{% for 1 in c %}{% endfor %}", "t:1: can't assign to 'const'"},
	{"{% for a in b if c if d %}{% endfor %}", "(for a b if (cond c d -) (do))"},
	{"{% for a in b %}{% else %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dfor'. The innermost block that needs to be closed is 'for'."},
	{"{% set %}", "t:1: Expected an expression, got 'end of statement block'"},
	{"{% set a = %}", "t:1: Expected an expression, got 'end of statement block'"},
	{"{% set a", "t:1: unexpected end of template, expected 'end of statement block'."},
	{"{% set a = 1", "t:1: unexpected end of template, expected 'end of statement block'."},
	{"{% set a %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dset'. The innermost block that needs to be closed is 'set'."},
	{"{% set 1 = a %}", "t:1: can't assign to 'const'"},
	{"{% set a.b.c = 1 %}", "t:1: expected token 'end of statement block', got '.'"},
	{"{% set a[0] = 1 %}", "t:1: expected token 'end of statement block', got '['"},
	{"{% set a, b.c = 1 %}", "t:1: expected token 'end of statement block', got '.'"},
	{"{% set true = 1 %}", "t:1: can't assign to 'const'"},
	{"{% set [a] = 1 %}", "t:1: can't assign to 'list'"},
	{"{% set (a + b) = 1 %}", "t:1: can't assign to 'add'"},
	{"{% set a |nope = 1 %}", "t:1: expected token 'end of statement block', got '='"},
	{"{% macro %}{% endmacro %}", "t:1: expected token 'name', got 'end of statement block'"},
	{"{% macro m %}{% endmacro %}", "t:1: expected token '(', got 'end of statement block'"},
	{"{% macro m( %}{% endmacro %}", "t:1: expected token 'name', got '%'"},
	{"{% macro m(a=1, b) %}{% endmacro %}",
	 "t:1: non-default argument follows default argument"},
	{"{% macro m(a b) %}{% endmacro %}", "t:1: expected token ',', got 'b'"},
	{"{% macro m(1) %}{% endmacro %}", "t:1: expected token 'name', got 'integer'"},
	{"{% macro m(true) %}{% endmacro %}", "t:1: can't assign to 'name'"},
	{"{% macro none() %}{% endmacro %}", "t:1: can't assign to 'name'"},
	{"{% macro m() %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dmacro'. The innermost block that needs to be closed is 'macro'."},
	{"{% call %}{% endcall %}", "t:1: unexpected 'end of statement block'"},
	{"{% call m %}{% endcall %}", "t:1: expected call"},
	{"\n{% call(a) m %}{% endcall %}", "t:2: expected call"},
	{"{% call m() %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dcall'. The innermost block that needs to be closed is 'call'."},
	{"{% filter %}{% endfilter %}",
	 "t:1: expected token 'name', got 'end of statement block'"},
	{"{% filter upper %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dfilter'. The innermost block that needs to be closed is 'filter'."},
	{"{% filter nope %}{% endfilter %}", "t:1: filter 'nope' is not supported"},
	{"{% with a %}{% endwith %}", "t:1: expected token '=', got 'end of statement block'"},
	{"{% with a = 1 b = 2 %}{% endwith %}", "t:1: expected token ',', got 'b'"},
	{"{% with a, b = 1, 2 %}{% endwith %}", "t:1: can't assign to 'const'"},
	{"{% with a = 1 %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dwith'. The innermost block that needs to be closed is 'with'."},
	{"{% generation %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dgeneration'. The innermost block that needs to be closed is 'generation'."},
	{"\n\n{{ a|nope }}", "t:3: filter 'nope' is not supported"},
	{"{{ a|no.pe(1) }}", "t:1: filter 'no.pe' is not supported"},
	{"{{ a is nope }}", "t:1: test 'nope' is not supported"},
	{"{% for a in b|nope %}{% endfor %}", "t:1: filter 'nope' is not supported"},
	{"{% set a | nope %}{% endset %}", "t:1: filter 'nope' is not supported"},
	{"{% macro m(a=b|nope) %}{% endmacro %}", "t:1: filter 'nope' is not supported"},
	{"{% macro m(caller) %}{{ caller() }}{% endmacro %}",
	 "t:1: the parameter 'caller' needs a default"},
	{"\n{% for a in b %}{% set loop = 1 %}{% endfor %}",
	 "t:2: Can't assign to special loop variable in for-loop target"},
	{"{% for loop in b %}{% endfor %}",
	 "t:1: Can't assign to special loop variable in for-loop target"},
	{"{% for a in b %}{% if c %}{% for d, loop in e %}{% endfor %}{% endif %}{% endf"
	 "or %}",
	 "t:1: Can't assign to special loop variable in for-loop target"},
	{"{% break %}", "t:1: 'break' outside loop"},
	{"{% continue %}", "t:1: 'continue' not properly in loop"},
	{"{% for a in b %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}",
	 "t:1: 'break' outside loop"},
	{"{% macro m(a, b, a) %}{% endmacro %}",
	 "t:1: duplicate argument 'a' in function definition"},
	{"{{ f(a=1, b=2, a=3) }}", "t:1: keyword argument repeated: a"},
	{"{% call(a, a) f() %}{% endcall %}",
	 "t:1: duplicate argument 'a' in function definition"},
	{"{% if a %}x{{ 'a\n\n b }}", "t:1: unexpected char \"'\" at 14"},
	{"{% raw %}a{% endraw", "t:1: Missing end of raw directive"},
	{"{% for x in y %}{% for x in y %}{% if x %}{% macro f() %}{% endfor %}",
	 "t:1: Encountered unknown tag 'endfor'. You probably made a nesting mistake. Ji"
	 "nja is expecting this tag, but currently looking for 'endmacro'. The innermost"
	 " block that needs to be closed is 'macro'."},
};

Test(jinja_parse_errors, are_those_of_jinja2)
{
	dump_check(errors, sizeof errors / sizeof *errors, false);
}

static const struct dump_case not_here[] = {
	{"{% include 'x' %}", "t:1: 'include' is not supported"},
	{"\n{% import 'x' as y %}", "t:2: 'import' is not supported"},
	{"{% from 'x' import y %}", "t:1: 'from' is not supported"},
	{"{% extends 'x' %}", "t:1: 'extends' is not supported"},
	{"{% block a %}{% endblock %}", "t:1: 'block' is not supported"},
	{"\n{% autoescape true %}{% endautoescape %}", "t:2: 'autoescape' is not supported"},
	{"{% for a in b recursive %}{% endfor %}", "t:1: 'recursive' is not supported"},
	{"{% print a %}", "t:1: 'print' is not supported"},
	{"{{ a|wordwrap }}", "t:1: filter 'wordwrap' is not supported"},
	{"{{ a[1:2, 3] }}", "t:1: invalid syntax: a slice among other subscripts"},
};

Test(jinja_parse_errors, say_what_there_is_not)
{
	dump_check(not_here, sizeof not_here / sizeof *not_here, false);
}
