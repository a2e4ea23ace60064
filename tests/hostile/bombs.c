/* `text` is 256 KiB of 'x ' from the conversation, `numbers` the first 1000. */
#include "bombs.h"

#define ONE(name, source) {name, source, "", "", 0}

const struct bomb bombs[] = {
	/* deep and long sources */
	{"brackets", "{{ ", "(", "", 100000},
	{"lists", "{{ ", "[", "", 100000},
	{"dicts", "{{ ", "{1:", "", 100000},
	{"signs", "{{ ", "-", "1 }}", 500000},
	{"nots", "{{ ", "not ", "1 }}", 200000},
	{"conditions", "{{ ", "a if a else ", "a }}", 50000},
	{"sums", "{{ 1", "+1", " }}", 400000},
	{"products", "{{ 1", "*1", " }}", 300000},
	{"attributes", "{{ a", ".a", " }}", 400000},
	{"filters", "{{ 1", "|int", " }}", 200000},
	{"calls", "{{ a", "()", " }}", 400000},
	{"subscripts", "{{ a", "[0]", " }}", 300000},
	{"tests", "{{ a is sameas(", "a is sameas(", "", 80000},
	{"arguments", "{{ range(", "range(", "", 100000},
	{"ifs", "", "{% if 1 %}", "", 100000},
	{"loops", "", "{% for a in b %}", "", 60000},
	{"macros", "", "{% macro a() %}", "", 60000},
	{"set blocks", "", "{% set a %}", "", 90000},
	{"filter blocks", "", "{% filter upper %}", "", 50000},
	{"call blocks", "", "{% call a() %}", "", 70000},
	{"targets", "{% for ", "(", "", 100000},
	{"a long list", "{{ [", "1,", "] }}", 500000},
	{"a long list of names", "{{ [", "a,", "] }}", 500000},
	{"many conditions", "{% if a %}", "{% elif a %}", "{% endif %}{{ 1 // 0 }}", 80000},
	{"many prints", "", "{{a}}", "", 200000},
	{"many sets", "", "{%set a=1%}", "{{ 1 // 0 }}", 90000},
	{"many blanks", "{{ a", " ", "", 1000000},
	{"many comments", "", "{#", "", 500000},
	{"many raws", "", "{% raw %}", "", 110000},
	{"many braces", "", "{%", "", 500000},
	{"a long number", "{{ ", "9", " }}", 1000000},
	{"a long fraction", "{{ 0.", "9", "[1].a }}", 1000000},
	{"many macros with loops", "",
	 "{% macro a() %}{% for a in b %}{{ loop }}{% endfor %}{% endmacro %}", "{{ a( }}", 15000},

	/* loops */
	ONE("a loop", "{% for a in range(1000000000) %}{% endfor %}"),
	ONE("a backward loop", "{% for a in range(1000000000, 0, -1) %}{% endfor %}"),
	ONE("a range of ranges", "{% for a in range(100000) %}{% for b in range(100000) %}"
	                         "{% endfor %}{% endfor %}"),
	ONE("ten loops", "{% set r = range(10) %}{% for a in r %}{% for a in r %}{% for a in r %}"
	                 "{% for a in r %}{% for a in r %}{% for a in r %}{% for a in r %}"
	                 "{% for a in r %}{% for a in r %}{% for a in r %}x"
	                 "{% endfor %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}"
	                 "{% endfor %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}"),
	ONE("printing loops", "{% for a in range(1000000) %}{{ text }}{% endfor %}"),
	ONE("a list that grows as it is gone through",
	    "{% set l = [1] %}{% for a in l %}{{ l.append(a) or '' }}{% endfor %}"),

	/* recursion */
	ONE("a macro calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
	ONE("two macros call each other",
	    "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}"),
	ONE("a macro calls itself twice",
	    "{% macro m(n) %}{{ m(n - 1) ~ m(n - 1) if n }}{% endmacro %}{{ m(60) }}"),
	ONE("a macro doubles what it gives",
	    "{% macro m(n) %}{% set a %}{{ m(n - 1) if n else text }}{% endset %}{{ a }}{{ a }}"
	    "{% endmacro %}{{ m(60) }}"),
	ONE("a caller calls itself",
	    "{% macro m() %}{{ caller() }}{% endmacro %}{% macro n() %}{% call m() %}{{ n() }}"
	    "{% endcall %}{% endmacro %}{{ n() }}"),
	ONE("a caller is handed on",
	    "{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}"),
	ONE("a macro inside filters", "{% macro m(a) %}{{ [m(a)]|map('upper')|join|trim }}"
	                              "{% endmacro %}{{ m(1) }}"),
	ONE("recursion in a default", "{% macro m(a=m()) %}{% endmacro %}{{ m() }}"),
	{"recursion at the end of a long sum", "{% macro m() %}{{ m()", "+1",
	 " }}{% endmacro %}{{ m() }}", 250},
	{"recursion inside many brackets", "{% macro m() %}{{ ", "not ", "m() }}{% endmacro %}{{ m() }}",
	 120},
	ONE("recursion inside ifs and loops",
	    "{% macro m() %}{% if 1 %}{% if 1 %}{% for a in [1] %}{% for b in [1] %}{% if 1 %}"
	    "{% set c %}{% filter upper %}{{ m() }}{% endfilter %}{% endset %}{{ c }}"
	    "{% endif %}{% endfor %}{% endfor %}{% endif %}{% endif %}{% endmacro %}{{ m() }}"),

	/* strings that grow */
	ONE("a string times a number", "{{ 'x' * 1000000000 }}"),
	ONE("a string times the largest number", "{{ 'x' * 9223372036854775807 }}"),
	ONE("a string times and times", "{{ 'x' * 10000 * 10000 * 10000 }}"),
	ONE("a text times", "{{ (text * 1000)|length }}"),
	ONE("a string doubled",
	    "{% set ns = namespace(a='x') %}{% for i in range(100) %}{% set ns.a = ns.a + ns.a %}"
	    "{% endfor %}"),
	ONE("a string doubled by ~",
	    "{% set ns = namespace(a='x') %}{% for i in range(100) %}{% set ns.a = ns.a ~ ns.a %}"
	    "{% endfor %}"),
	ONE("a string grown by one",
	    "{% set ns = namespace(a=text) %}{% for i in range(1000000) %}{% set ns.a = 'x' ~ ns.a %}"
	    "{% endfor %}"),
	ONE("a set block doubled",
	    "{% set ns = namespace(a='x') %}{% for i in range(100) %}{% set ns.a %}{{ ns.a }}"
	    "{{ ns.a }}{% endset %}{% endfor %}"),
	ONE("format", "{{ ('{0}' * 100000).format(text) }}"),
	ONE("a field of many digits", "{{ ('{' ~ '9' * 1000000 ~ '}').format('x') }}"),
	ONE("indent", "{{ 'a\n\nb'|indent(1000000000, blank=true) }}"),
	ONE("indents", "{{ ('a\n' * 10000)|indent(10000) }}"),
	ONE("replace", "{{ text.replace('x', text) }}"),
	ONE("replace nothing", "{{ text.replace('', text) }}"),
	ONE("the filter replace", "{{ text|replace('x', text) }}"),
	ONE("join", "{{ text|join(text) }}"),
	ONE("join of a range", "{{ range(1000000)|join(text) }}"),
	ONE("truncate", "{% for i in range(1000000) %}{% set a = text|truncate(200000) %}{% endfor %}"),
	ONE("repr of repr", "{% set ns = namespace(a=['\\\\']) %}{% for i in range(60) %}"
	                    "{% set ns.a = [ns.a|string] %}{% endfor %}"),
	ONE("tojson of tojson", "{% set ns = namespace(a='\"') %}{% for i in range(60) %}"
	                        "{% set ns.a = ns.a|tojson %}{% endfor %}"),
	ONE("tojson's indent", "{{ [1, 2]|tojson(indent=1000000000) }}"),
	ONE("escape of escape", "{% set ns = namespace(a='&' * 99) %}{% for i in range(1000000) %}"
	                        "{% set ns.a = ''|safe + ('' ~ ns.a) %}{% endfor %}"),
	ONE("string of many", "{{ ([text] * 1000)|string }}"),
	ONE("strftime", "{{ strftime_now('%c' * 1000000) }}"),
	ONE("casing", "{% for i in range(1000000) %}{% set a = text|upper|lower|title %}{% endfor %}"),
	ONE("finding", "{% for i in range(1000000) %}{% set a = 'xxy' in text %}{% endfor %}"),
	ONE("splitting from behind", "{{ ('a' * 200000).rsplit('a' * 100000 ~ 'b') }}{{ 1 // 0 }}"),
	ONE("splitting", "{% for i in range(1000000) %}{% set a = text.split('x') %}{% endfor %}"),
	ONE("taking apart", "{% for i in range(1000000) %}{% set a = text[::-1] %}{% endfor %}"),
	ONE("looking for a long one", "{{ ('a' * 200000) in ('a' * 199999 ~ 'b') * 2 }}"
	                              "{{ 1 // 0 }}"),
	ONE("wordcount", "{% for i in range(1000000) %}{% set a = text|wordcount %}{% endfor %}"),

	/* numbers */
	ONE("a large product", "{{ 9223372036854775807 * 9223372036854775807 }}"),
	ONE("the least by minus one", "{{ (-9223372036854775807 - 1) // -1 }}"),
	ONE("a long text as a number", "{{ ('9' * 1000000)|int(base=36) }}{{ 1 // 0 }}"),

	/* lists and dicts */
	ONE("a list times a number", "{{ [1] * 1000000000 }}"),
	ONE("a list times the largest number", "{{ [1, 2] * 9223372036854775807 }}"),
	ONE("a list doubled",
	    "{% set ns = namespace(a=[1]) %}{% for i in range(100) %}{% set ns.a = ns.a + ns.a %}"
	    "{% endfor %}"),
	ONE("a range as a list", "{{ range(1000000000)|list }}"),
	ONE("many ranges as lists", "{% for i in range(1000) %}{% set a = range(1000000)|list %}"
	                            "{% endfor %}"),
	ONE("the sum of a range", "{{ range(1000000000)|sum }}"),
	ONE("sort", "{% for i in range(1000000) %}{% set a = numbers|sort(reverse=true) %}{% endfor %}"),
	ONE("sort of long texts", "{{ ([text ~ 'a', text ~ 'b'] * 10000)|sort|length }}"),
	ONE("unique", "{% for i in range(1000000) %}{% set a = numbers|unique|list %}{% endfor %}"),
	ONE("unique of long texts", "{{ ([text] * 100000)|unique|list|length }}"),
	ONE("looking in a list", "{% for i in range(1000000) %}{% set a = -1 in numbers %}{% endfor %}"),
	ONE("taking out", "{% for i in range(1000000) %}{% set l = numbers + [] %}"
	                  "{% for i in numbers %}{{ l.pop(0) and '' }}{% endfor %}{% endfor %}"),
	ONE("map of map", "{{ range(1000000)|map('string')|map('length')|map('string')|map('upper')"
	                  "|map('lower')|map('title')|list }}"),
	ONE("select", "{{ range(1000000000)|select('odd')|list }}"),
	ONE("a list in a list a thousand times",
	    "{% set ns = namespace(a=[]) %}{% for i in range(1000000) %}{% set ns.a = [ns.a] %}"
	    "{% endfor %}{{ ns.a }}"),
	ONE("deep lists compared",
	    "{% set ns = namespace(a=[], b=[]) %}{% for i in range(10000) %}{% set ns.a = [ns.a] %}"
	    "{% set ns.b = [ns.b] %}{% endfor %}{{ ns.a == ns.b }}{{ ns.a < ns.b }}"),
	ONE("a tree of equal halves",
	    "{% set ns = namespace(a=[], b=[]) %}{% for i in range(100) %}"
	    "{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}"
	    "{{ ns.a == ns.b }}{{ 1 // 0 }}"),
	ONE("a tree of equal halves printed",
	    "{% set ns = namespace(a=[]) %}{% for i in range(100) %}{% set ns.a = [ns.a, ns.a] %}"
	    "{% endfor %}{{ ns.a }}"),
	ONE("a tree of equal halves in JSON",
	    "{% set ns = namespace(a=[]) %}{% for i in range(100) %}{% set ns.a = [ns.a, ns.a] %}"
	    "{% endfor %}{{ ns.a|tojson }}"),
	ONE("a tree of equal halves as a key",
	    "{% set ns = namespace(a=()) %}{% for i in range(100) %}{% set ns.a = (ns.a, ns.a) %}"
	    "{% endfor %}{{ {ns.a: 1} }}"),
	ONE("a tree of equal halves sorted",
	    "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(100) %}"
	    "{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}"
	    "{{ [ns.a, ns.b]|sort }}"),
	ONE("a list that holds itself, in JSON",
	    "{% set l = [] %}{{ l.append(l) or '' }}{{ l|tojson }}"),
	ONE("a list that holds itself, twice, printed",
	    "{% set l = [] %}{{ l.append(l) or l.append(l) or '' }}{{ l }}{{ 1 // 0 }}"),
	ONE("lists that hold each other, compared",
	    "{% set a = [] %}{% set b = [] %}{{ a.append(b) or b.append(a) or '' }}{{ a == b }}"
	    "{{ a < b }}"),
	ONE("a list that holds itself twice, compared",
	    "{% set a = [] %}{% set b = [] %}{{ a.append(a) or a.append(a) or b.append(b) or b.append(b) or '' }}"
	    "{{ a == b }}{{ 1 // 0 }}"),
	ONE("a list that holds itself, sorted",
	    "{% set l = [] %}{{ l.append(l) or l.append(l) or '' }}{{ l|sort }}{{ 1 // 0 }}"),
	ONE("a list that holds itself, as text",
	    "{% set l = [] %}{{ l.append(l) or l.append(l) or '' }}{{ l|string|length }}"
	    "{{ '{}'.format(l) }}{{ l|join }}{{ 1 // 0 }}"),
	ONE("a list in a dict that holds it, in JSON",
	    "{% set l = [] %}{% set d = {'a': l, 'b': l} %}{{ l.append(d) or '' }}{{ d|tojson }}"),
	ONE("a list in a dict that holds it, in JSON of many lines",
	    "{% set l = [] %}{% set d = {'a': l, 'b': l} %}{{ l.append(d) or '' }}"
	    "{{ d|tojson(indent=4) }}"),
	ONE("dicts with the same keys",
	    "{% for i in range(1000000) %}{% set a = dict(a=1, b=2, c=i) %}{% endfor %}"),
	ONE("items of a dict of many", "{% set d = dict(a=1) %}{% for i in range(1000000) %}"
	                               "{% for k, v in d.items() %}{% endfor %}{% endfor %}"),
	ONE("a namespace that holds itself",
	    "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}{{ [ns]|tojson }}"),
	ONE("a namespace of doubled lists",
	    "{% set ns = namespace(a=numbers) %}{% for i in range(1000000) %}"
	    "{% set ns.a = ns.a + numbers %}{% endfor %}"),
	ONE("attributes by a long name", "{{ numbers|map(attribute='a' * 1000000)|list }}{{ 1 // 0 }}"),
	/* What failed inside is an operand of all that is around it. */
	{"comparisons around a failure",
	 "{% set a = [0] * 400000 %}{% set b = [0] * 400000 %}{{ ",
	 "([b, b, b, b, b, b, b, b, 1] == [a, a, a, a, a, a, a, a, ", "fail_me.x", 40, "])"},
	ONE("dictsort", "{% set d = dict(a=1) %}{% for i in range(1000000) %}"
	                "{% set a = d|dictsort %}{% endfor %}"),
};
const size_t n_bombs = sizeof bombs / sizeof *bombs;
