/* Trees as Jinja2 3.1 builds them. Every row was compared with it. */
#include "dump.h"

#include <criterion/criterion.h>
#include <string.h>

#include "jinja/jinja.h"

static const struct dump_case expressions[] = {
	{"{{ a }}", "a"},
	{"{{ true, True, false, False, none, None, TRUE }}",
	 "(tuple true true false false none none TRUE)"},
	{"{{ a + b - c }}", "(- (+ a b) c)"},
	{"{{ a + b * c }}", "(+ a (* b c))"},
	{"{{ a ~ b + c ~ d * e }}", "(+ (~ a b) (~ c (* d e)))"},
	{"{{ a * b ~ c }}", "(~ (* a b) c)"},
	{"{{ a / b // c % d }}", "(% (// (/ a b) c) d)"},
	{"{{ -1|abs }}", "(| (neg 1) abs)"},
	{"{{ not a == b }}", "(not (compare a == b))"},
	{"{{ not a and b }}", "(and (not a) b)"},
	{"{{ not not a }}", "(not (not a))"},
	{"{{ a and b or c and d }}", "(or (and a b) (and c d))"},
	{"{{ a or b or c }}", "(or a b c)"},
	{"{{ (a or b) or c }}", "(or a b c)"},
	{"{{ a not in b }}", "(compare a notin b)"},
	{"{{ a + b in c }}", "(compare (+ a b) in c)"},
	{"{{ a ~ b in c }}", "(compare (~ a b) in c)"},
	{"{{ a if b }}", "(cond a b -)"},
	{"{{ a if b else c }}", "(cond a b c)"},
	{"{{ a if b else c if d else e }}", "(cond a b (cond c d e))"},
	{"{{ a if b if c }}", "(cond (cond a b -) c -)"},
	{"{{ (a if b) ~ c }}", "(~ (cond a b -) c)"},
	{"{{ a or b if c and d else e }}", "(cond (or a b) (and c d) e)"},
	{"{{ a.b.c }}", "(. (. a b) c)"},
	{"{{ a.0 }}", "([] a 0)"},
	{"{{ a['b'][0] }}", "([] ([] a 'b') 0)"},
	{"{{ a[1, 2] }}", "t:1: expected token ']', got ','"},
	{"{{ a[] }}", "([] a (tuple))"},
	{"{{ a[:] }}", "(slice a - - -)"},
	{"{{ a[1:] }}", "(slice a 1 - -)"},
	{"{{ a[:1] }}", "(slice a - 1 -)"},
	{"{{ a[::2] }}", "(slice a - - 2)"},
	{"{{ a[1:2:3] }}", "(slice a 1 2 3)"},
	{"{{ a[1::] }}", "(slice a 1 - -)"},
	{"{{ a[-1:] }}", "(slice a (neg 1) - -)"},
	{"{{ a[b:c][d] }}", "([] (slice a b c -) d)"},
	{"{{ f() }}", "(call f)"},
	{"{{ f(a, 1,) }}", "(call f a 1)"},
	{"{{ f(a, b=1, *c, **d) }}", "t:1: '*' before an argument is not supported"},
	{"{{ f(*a, b=1) }}", "t:1: '*' before an argument is not supported"},
	{"{{ f(a)(b).c(d) }}", "(call (. (call (call f a) b) c) d)"},
	{"{{ a|upper|lower }}", "(| (| a upper) lower)"},
	{"{{ a|default(b) }}", "(| a default b)"},
	{"{{ a|join(',')|upper }}", "(| (| a join ',') upper)"},
	{"{{ a.b|upper }}", "(| (. a b) upper)"},
	{"{{ a + b|upper }}", "(+ a (| b upper))"},
	{"{{ (a + b)|upper }}", "(| (+ a b) upper)"},
	{"{{ a is defined }}", "(is a defined)"},
	{"{{ a is not defined }}", "(not (is a defined))"},
	{"{{ not a is defined }}", "(not (is a defined))"},
	{"{{ a is divisibleby(3) }}", "(is a divisibleby 3)"},
	{"{{ a|upper is string }}", "(is (| a upper) string)"},
	{"{{ a is string|upper }}", "(| (is a string) upper)"},
	{"{{ () }}", "(tuple)"},
	{"{{ (1,) }}", "(tuple 1)"},
	{"{{ 1, }}", "(tuple 1)"},
	{"{{ 1, 2 }}", "(tuple 1 2)"},
	{"{{ (1, 2), 3 }}", "(tuple (tuple 1 2) 3)"},
	{"{{ [] }}", "(list)"},
	{"{{ [1, 2,] }}", "(list 1 2)"},
	{"{{ {} }}", "(dict)"},
	{"{{ {1: 2, 'a': b,} }}", "(dict 1 2 'a' b)"},
	{"{{ [a if b else c, *d] }}", "t:1: unexpected '*'"},
	{"{{ not }}", "t:1: unexpected 'end of print statement'"},
	{"{{ in }}", "in"},
	{"{{ if }}", "if"},
	{"{{ x|upper(1)(2) }}", "(call (| x upper 1) 2)"},
	{"{{ a == not b }}", "t:1: expected token 'end of print statement', got 'b'"},
	{"{{ -a.b }}", "(neg (. a b))"},
	{"{{ 'a'.upper() }}", "(call (. 'a' upper))"},
	{"{{ 'a' 'b'.c }}", "(. 'ab' c)"},
	{"{{ {'a': 1}.a }}", "(. (dict 'a' 1) a)"},
	{"{{ [1][0] }}", "([] (list 1) 0)"},
	{"{{ (1).real }}", "(. 1 real)"},
	{"{{ 1 .real }}", "(. 1 real)"},
};

Test(jinja_parser, binds_as_jinja2_does)
{
	dump_check(expressions, sizeof expressions / sizeof *expressions, false);
}

static const struct dump_case statements[] = {
	{"{% if a %}1{% endif %}", "(if (a '1'))"},
	{"{% if a %}1{% elif b %}2{% elif c %}3{% else %}4{% endif %}",
	 "(if (a '1') (b '2') (c '3') (else '4'))"},
	{"{% if a, b %}1{% endif %}", "(if ((tuple a b) '1'))"},
	{"{% for a in b %}1{% endfor %}", "(for a b (do '1'))"},
	{"{% for a in b %}1{% else %}2{% endfor %}", "(for a b (do '1') (else '2'))"},
	{"{% for a, b in c %}1{% endfor %}", "(for (tuple a b) c (do '1'))"},
	{"{% for (a, (b, c)) in d %}1{% endfor %}", "(for (tuple a (tuple b c)) d (do '1'))"},
	{"{% for a in b if c %}1{% endfor %}", "(for a b if c (do '1'))"},
	{"{% for a in 1, 2 %}1{% endfor %}", "(for a (tuple 1 2) (do '1'))"},
	{"{% for a in (b if c) %}1{% endfor %}", "(for a (cond b c -) (do '1'))"},
	{"{% for a in b %}{% break %}{% continue %}{% endfor %}",
	 "(for a b (do (break) (continue)))"},
	{"{% for a in b %}{% if c %}{% break %}{% endif %}{% endfor %}",
	 "(for a b (do (if (c (break)))))"},
	{"{% for a in b %}{% for c in d %}{% else %}{% break %}{% endfor %}{% endfor %}",
	 "(for a b (do (for c d (do) (else (break)))))"},
	{"{% set a = 1 %}", "(set a 1)"},
	{"{% set a, b = 1, 2 %}", "(set (tuple a b) (tuple 1 2))"},
	{"{% set (a, b) = c %}", "(set (tuple a b) c)"},
	{"{% set a.b = 1 %}", "(set a.b 1)"},
	{"{% set a %}1{% endset %}", "(setblock a '1')"},
	{"{% set a = b if c else d %}", "(set a (cond b c d))"},
	{"{% macro m() %}1{% endmacro %}", "(macro (m) '1')"},
	{"{% macro m(a, b=1, c=d) %}1{% endmacro %}", "(macro (m a b=1 c=d) '1')"},
	{"{% macro m() %}{{ caller() }}{% endmacro %}", "(macro (m +caller) (call caller))"},
	{"{% macro m(caller=none) %}{{ caller }}{% endmacro %}", "(macro (m caller=none) caller)"},
	{"{% macro m() %}{% macro n() %}{{ caller() }}{% endmacro %}{% endmacro %}",
	 "(macro (m +caller) (macro (n +caller) (call caller)))"},
	{"{% call m() %}1{% endcall %}", "(callblock () (call m) '1')"},
	{"{% call(a, b=1) m(c) %}{{ a }}{% endcall %}", "(callblock ( a b=1) (call m c) a)"},
	{"{% filter upper %}1{% endfilter %}", "(filter (| - upper) '1')"},
	{"{% filter default(1)|upper %}1{% endfilter %}",
	 "(filter (| (| - default 1) upper) '1')"},
	{"{% generation %}1{% endgeneration %}", "(generation '1')"},
	{"{% if a: %}1{% endif %}", "(if (a '1'))"},
	{"{% for a in b: %}1{% endfor %}", "(for a b (do '1'))"},
	{"{% macro true_() %}{% endmacro %}", "(macro (true_))"},
	{"a{{ b }}c\n{{ d }}", "'a' b 'c\\n' d"},
};

Test(jinja_parser, reads_all_statements)
{
	dump_check(statements, sizeof statements / sizeof *statements, false);
}

static const struct dump_case lines[] = {
	{"{{ a\n.b\n.c }}", "(. (. a@1 b)@2 c)@3"},
	{"{{ a\n.0\n[1]\n(2) }}", "(call ([] ([] a@1 0@2)@2 1@3)@3 2@4)@4"},
	{"{{ a\n+ b\n+ c }}", "(+ (+ a@1 b@2)@1 c@3)@3"},
	{"{{ a\n* b\n+ c }}", "(+ (* a@1 b@2)@1 c@3)@1"},
	{"{{ a\n~ b\n~ c }}", "(~ a@1 b@2 c@3)@1"},
	{"{{ a\n|upper\n|lower }}", "(| (| a@1 upper)@2 lower)@3"},
	{"{{ a\nis\nnot\nodd }}", "(not (is a@1 odd)@2)@2"},
	{"{{ a\nand b\nand c }}", "(and a@1 b@2 c@3)@3"},
	{"{{ a\n<\nb\n- c\n}}", "(compare a@1 < (- b@3 c@4)@3)@5"},
	{"{{ a\nif b\nif c }}", "(cond (cond a@1 b@2 -)@1 c@3 -)@3"},
	{"{{ a\nif b\nelse\nc }}", "(cond a@1 b@2 c@4)@1"},
	{"{{ f\n(\na\n) }}", "(call f@1 a@3)@2"},
	{"{{\nnot\na\n}}", "(not a@3)@2"},
	{"{{\n-\na\n}}", "(neg a@3)@2"},
	{"{{ a\n,\nb\n}}", "(tuple a@1 b@3)@2"},
	{"{{ (\na,\nb) }}", "(tuple a@2 b@3)@2"},
	{"{{ [\na,\nb] }}", "(list a@2 b@3)@1"},
	{"\n{% if a\n%}{% elif\nb %}\n{% endif %}", "'\\n'@1 (if (a@2) (b@4))@2"},
	{"\n{% for\na in b\n%}\nx\n{{ c }}{% endfor %}\nd",
	 "'\\n'@1 (for a b@3 (do 'x\\n'@5 c@6))@2 'd'@7"},
	{"{{ a -}}\n\n{{ b }}", "a@1 b@3"},
	{"{# \n #}\n{{ a }}\n\n  {%- set a = 1 %}\n{% raw %}\n{{\n{% endraw %}\n{{ b }}",
	 "a@3 (set a 1@5)@5 '\\n{{\\n'@6 b@9"},
};

Test(jinja_parser, nodes_have_jinja2s_lines)
{
	dump_check(lines, sizeof lines / sizeof *lines, true);
}

/* ---- names ---- */

struct names_case {
	const char *source, *names;
};

static const struct names_case names_cases[] = {
	{"{{ b }}{{ a.c }}{{ a }}", "a b"},
	{"{{ range(n) }}{{ namespace }}{{ raise_exception('x') }}", "n"},
	{"{% for a in b %}{{ a }}{{ loop.index }}{% else %}{{ a }}{% endfor %}", "a b"},
	{"{% for a in b if a and c %}{% endfor %}", "b c"},
	{"{% for a in b %}{% set c = 1 %}{% endfor %}{{ c }}", "b c"},
	{"{{ loop }}", "loop"},
	{"{% set a = a %}{{ a }}", "a"},
	{"{% set a = 1 %}{{ a }}", ""},
	{"{{ a }}{% set a = 1 %}", "a"},
	{"{% if a %}{% set b = 1 %}{% else %}{% set b = 2 %}{% endif %}{{ b }}", "a"},
	{"{% if a %}{% set b = 1 %}{% elif c %}{% else %}{% set b = 2 %}{% endif %}{{ b }}",
	 "a c"},
	{"{% if a %}{% set b = 1 %}{% endif %}{{ b }}", "a"},
	{"{% if not d is defined %}{% set d = 1 %}{% endif %}", "d"},
	{"{% macro m(a, b=c) %}{{ a }}{{ b }}{{ caller() }}{{ m }}{% endmacro %}", "c"},
	{"{% macro m() %}{{ a }}{% endmacro %}{% set a = 1 %}", ""},
	{"{% macro m() %}{% set a = 1 %}{% endmacro %}{{ a }}", "a"},
	{"{% call(a) f(b) %}{{ a }}{% endcall %}", "b f"},
	{"{% set a %}{{ b }}{% endset %}{{ a }}", "b"},
	{"{% set ns.a = 1 %}", "ns"},
	{"{% set ns = namespace() %}{% set ns.a = b %}", "b"},
	{"{% filter default(a) %}{% set b = 1 %}{% endfilter %}{{ b }}", "a b"},
	{"{% generation %}{{ a }}{% endgeneration %}{{ b }}", "a b"},
	{"{{ a if b else c }}{{ d|default(e, boolean=f) }}{{ g(h, x=i) }}{{ j is sameas(k) }}",
	 "a b c d e f g h i j k"},
	{"{{ a[b:c] }}{{ {d: e} }}{{ (f, [g]) }}", "a b c d e f g"},
};

Test(jinja_parser, knows_what_a_template_wants)
{
	for (size_t i = 0; i < sizeof names_cases / sizeof *names_cases; i++) {
		const struct names_case *row = &names_cases[i];
		struct jinja_template *tmpl;
		struct error err = {0};
		const char *const *names;
		struct buf text;
		size_t n;

		cr_assert_eq(jinja_parse(&tmpl, "t", row->source, strlen(row->source), NULL, &err),
		             STATUS_OK, "%s", err.text);
		names = jinja_free_names(tmpl, &n);
		buf_init(&text, 1000);
		for (size_t k = 0; k < n; k++)
			buf_printf(&text, "%s%s", k ? " " : "", names[k]);
		cr_expect_str_eq(buf_text(&text), row->names, "%s: %s", row->source,
		                 buf_text(&text));
		buf_free(&text);
		jinja_free(tmpl);
	}
}

Test(jinja_parser, names_are_one_string_each)
{
	static const char source[] = "{{ abc.abc }}{% set abc = ab %}{{ f(abc=1)|default }}";
	struct jinja_template *tmpl;
	struct error err;
	const struct jinja_string *abc;

	cr_assert_eq(jinja_parse(&tmpl, "t", source, strlen(source), NULL, &err), STATUS_OK);
	abc = template_intern(tmpl, "abc", 3);
	cr_assert_not_null(abc);
	cr_assert_eq(tmpl->body.items[0]->expr->name, abc);
	cr_assert_eq(tmpl->body.items[0]->expr->items[0]->name, abc);
	cr_assert_eq(tmpl->body.items[1]->target->name, abc);
	cr_assert_null(template_intern(tmpl, "abcd", 4));
	cr_assert_null(template_intern(tmpl, "", 0));
	cr_assert_not_null(template_intern(tmpl, "ab", 2));
	jinja_free(tmpl);
	jinja_free(NULL);
}
