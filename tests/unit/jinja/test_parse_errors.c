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
	{"{% for a in b recursive if c %}{% endfor %}",
	 "t:1: expected token 'end of statement block', got 'if'"},
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
	{"{% filter nope %}{% endfilter %}", "t:1: No filter named 'nope'."},
	{"{% with a %}{% endwith %}", "t:1: expected token '=', got 'end of statement block'"},
	{"{% with a = 1 b = 2 %}{% endwith %}", "t:1: expected token ',', got 'b'"},
	{"{% with a, b = 1, 2 %}{% endwith %}", "t:1: can't assign to 'const'"},
	{"{% with a = 1 %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dwith'. The innermost block that needs to be closed is 'with'."},
	{"{% block %}{% endblock %}", "t:1: expected token 'name', got 'end of statement block'"},
	{"{% block a-b %}{% endblock %}",
	 "t:1: Block names in Jinja have to be valid Python identifiers and may not cont"
	 "ain hyphens, use an underscore instead."},
	{"{% block 'a' %}{% endblock %}", "t:1: expected token 'name', got 'string'"},
	{"{% block a %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dblock'. The innermost block that needs to be closed is 'block'."},
	{"{% block a %}{% endblock b %}",
	 "t:1: expected token 'end of statement block', got 'b'"},
	{"\n{% block a %}{% endblock %}\n{% block a %}{% endblock %}",
	 "t:3: block 'a' defined twice"},
	{"{% block a %}{% block a %}{% endblock %}{% endblock %}",
	 "t:1: block 'a' defined twice"},
	{"{% block a required %}x{% endblock %}",
	 "t:1: Required blocks can only contain comments or whitespace"},
	{"{% autoescape %}{% endautoescape %}", "t:1: unexpected 'end of statement block'"},
	{"{% generation %}",
	 "t:1: Unexpected end of template. Jinja was looking for the following tags: 'en"
	 "dgeneration'. The innermost block that needs to be closed is 'generation'."},
	{"{% print a, %}", "t:1: unexpected 'end of statement block'"},
	{"\n\n{{ a|nope }}", "t:3: No filter named 'nope'."},
	{"{{ a|no.pe(1) }}", "t:1: No filter named 'no.pe'."},
	{"{{ a is nope }}", "t:1: No test named 'nope'."},
	{"{% if a %}{% for b in c %}{{ b|nope }}{% endfor %}{% endif %}",
	 "t:1: No filter named 'nope'."},
	{"{% for a in b|nope %}{% endfor %}", "t:1: No filter named 'nope'."},
	{"{% set a | nope %}{% endset %}", "t:1: No filter named 'nope'."},
	{"{% macro m(a=b|nope) %}{% endmacro %}", "t:1: No filter named 'nope'."},
	{"{% macro m(caller) %}{{ caller() }}{% endmacro %}",
	 "t:1: When defining macros or call blocks the special \"caller\" argument must "
	 "be omitted or be given a default."},
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
	{"{% for a in b recursive %}{% else %}{% continue %}{% endfor %}",
	 "t:1: 'continue' not properly in loop"},
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
	{"{% include 'x' %}", "t:1: 'include' is not available: templates stand alone here"},
	{"\n{% import 'x' as y %}",
	 "t:2: 'import' is not available: templates stand alone here"},
	{"{% from 'x' import y %}", "t:1: 'from' is not available: templates stand alone here"},
	{"{% extends 'x' %}", "t:1: 'extends' is not available: templates stand alone here"},
	{"{{ a[1:2, 3] }}", "t:1: invalid syntax: a slice among other subscripts"},
};

Test(jinja_parse_errors, say_what_there_is_not)
{
	dump_check(not_here, sizeof not_here / sizeof *not_here, false);
}
