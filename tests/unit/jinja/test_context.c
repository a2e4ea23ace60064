/* Contexts and the outcome of renderings. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "jinja/jinja.h"

static struct jinja_template *parse(const char *text)
{
	struct jinja_template *tmpl = NULL;
	struct error err;

	cr_assert_not(jinja_parse(&tmpl, "name.jinja", text, strlen(text), NULL, &err), "%s",
	              err.text);
	return tmpl;
}

static struct jinja_context *context_new(void)
{
	struct jinja_context *context = NULL;
	struct error err;

	cr_assert_not(jinja_context_create(&context, 1 << 20, &err));
	return context;
}

Test(context, the_last_value_of_a_variable_counts)
{
	struct jinja_template *tmpl = parse("{{ a }}{{ b }}{{ c }}{{ range }}");
	struct jinja_context *context = context_new();
	struct jinja_output output;
	char name[] = "a";

	jinja_context_set(context, name, value_int(1));
	jinja_context_set(context, name, value_int(2));
	name[0] = 'b';
	jinja_context_set(context, name, value_none());
	/* Before the global function. */
	jinja_context_set(context, "range", value_bool(true));
	cr_assert_not(jinja_render(tmpl, context, NULL, &output, NULL));
	cr_expect_str_eq(output.text, "2NoneTrue");
	cr_expect_eq(output.len, 9);
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(tmpl);
}

Test(context, many_variables_are_all_there)
{
	struct jinja_template *tmpl = parse("{{ v0 }},{{ v50 }},{{ v99 }},{{ v100 }}");
	struct jinja_context *context = context_new();
	struct jinja_output output;

	for (int i = 0; i < 100; i++) {
		char name[8];

		snprintf(name, sizeof name, "v%d", i);
		jinja_context_set(context, name, value_int(i));
	}
	cr_assert_not(jinja_render(tmpl, context, NULL, &output, NULL));
	cr_expect_str_eq(output.text, "0,50,99,");
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(tmpl);
}

Test(context, nothing_is_an_output_too)
{
	struct jinja_template *tmpl = parse("");
	struct jinja_context *context = context_new();
	struct jinja_output output;

	cr_assert_not(jinja_render(tmpl, context, NULL, &output, NULL));
	cr_expect_str_eq(output.text, "");
	cr_expect_eq(output.n_spans, 0);
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(tmpl);
	jinja_context_free(NULL);
	jinja_free(NULL);
}

static void check_failure(const char *text, const char *wanted, bool raised)
{
	struct jinja_template *tmpl = parse(text);
	struct jinja_context *context = context_new();
	struct jinja_output output;
	struct error err;

	cr_expect_eq(jinja_render(tmpl, context, NULL, &output, &err), STATUS_FORMAT);
	cr_expect_str_eq(err.text, wanted);
	cr_expect_eq(output.raised, raised);
	cr_expect_null(output.text);
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(tmpl);
}

Test(context, failures_say_where_but_what_a_template_raises_is_its_own)
{
	check_failure("\n{{ a.b.c }}", "name.jinja:2: 'a' is undefined", false);
	check_failure("text{{ raise_exception('no: ' ~ 1) }}", "no: 1", true);
}

/* One template, many renderings. */
Test(context, a_template_keeps_nothing_of_a_rendering)
{
	struct jinja_template *tmpl =
		parse("{{ a is defined }}{% set a = 1 %}{% macro m(l=[]) %}{{ l.append(1) }}"
		      "{{ l }}{% endmacro %}{{ m() }}");

	for (int i = 0; i < 3; i++) {
		struct jinja_context *context = context_new();
		struct jinja_output output;

		cr_assert_not(jinja_render(tmpl, context, NULL, &output, NULL));
		cr_expect_str_eq(output.text, "FalseNone[1]");
		jinja_output_free(&output);
		jinja_context_free(context);
	}
	jinja_free(tmpl);
}
