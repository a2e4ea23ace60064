/* Every byte of a rendering knows where it came from, whatever way it went. x is
 * "ab" of source 1, y is two characters, the first of two bytes, of source 2. */
#include "expressions.h"

#include <criterion/criterion.h>
#include <string.h>

#include "jinja/jinja.h"

#define CHECK(cases) check_template_sources(cases, sizeof cases / sizeof *cases)

Test(sources, through_statements)
{
	static const struct expression_case cases[] = {
		{"-{{ x }}-{{ y }}-", "01102220"},
		{"{{ x }}{{ x }}{{ y }}", "1111222"},
		{"{% set a = x %}{{ a }}.", "110"},
		{"{% set a %}<{{ x }}>{% endset %}{{ a }}{{ a }}", "01100110"},
		{"{% macro m(a) %}({{ a }}{{ y }}){% endmacro %}{{ m(x) }}", "0112220"},
		{"{% macro m() %}[{{ caller(x) }}]{% endmacro %}"
		 "{% call(a) m() %}{{ a }}{{ y }}{% endcall %}",
		 "0112220"},
		{"{% filter upper %}a{{ x }}{% endfilter %}", "011"},
		{"{% for c in x %}{{ c }},{% endfor %}", "1010"},
		{"{% set ns = namespace(a='') %}{% for i in [x, y] %}"
		 "{% set ns.a = ns.a + i + '.' %}{% endfor %}{{ ns.a }}",
		 "1102220"},
		{"{% if x %}{{ x if x == 'ab' else y }}{% endif %}", "11"},
		{"{% generation %}{{ y }}.{% endgeneration %}", "2220"},
	};

	CHECK(cases);
}

Test(sources, through_expressions)
{
	static const struct expression_case cases[] = {
		{"{{ x ~ y ~ 1 ~ none }}", "1122200000"},
		{"{{ x[0] + y[:1] + 'q' }}", "1220"},
		{"{{ {'k': x}.k }}{{ [x, y][1] }}{{ (x,)[0] }}", "1122211"},
		{"{{ [x, y] | join(', ') }}", "1100222"},
		{"{{ {x: x} }}", "001100001100"},
		{"{{ dict(a=x)['a'] }}{{ x or y }}{{ x and y }}", "1111222"},
	};

	CHECK(cases);
}

/* Neighbouring stretches are of different sources, and end with the text. */
Test(sources, spans_are_as_few_as_can_be)
{
	static const char template[] = "a{{ 'b' }}{{ x }}{{ x }}{{ '' }}{{ x }}c{{ 'd' }}";
	struct jinja_template *tmpl = NULL;
	struct jinja_context *context = NULL;
	struct jinja_output output;
	struct error err;

	cr_assert_not(jinja_context_create(&context, 1 << 20, &err));
	jinja_context_set(context, "x", value_text(jinja_context_arena(context), "xy", 2, 7));
	cr_assert_not(jinja_parse(&tmpl, "t", template, strlen(template), NULL, &err));
	cr_assert_not(jinja_render(tmpl, context, NULL, &output, &err), "%s", err.text);
	cr_expect_str_eq(output.text, "abxyxyxycd");
	cr_assert_eq(output.n_spans, 3);
	cr_expect_eq(output.spans[0].end, 2);
	cr_expect_eq(output.spans[0].source, SOURCE_TEMPLATE);
	cr_expect_eq(output.spans[1].end, 8);
	cr_expect_eq(output.spans[1].source, 7);
	cr_expect_eq(output.spans[2].end, 10);
	cr_expect_eq(output.spans[2].source, SOURCE_TEMPLATE);
	jinja_output_free(&output);
	jinja_free(tmpl);
	jinja_context_free(context);
}
