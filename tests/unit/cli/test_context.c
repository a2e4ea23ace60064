/* Variables of a rendering from YAML: values, sources, limits. */
#include "cli/context.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"

/* Reads `text` and renders `source` with it; the error's text if that fails. */
static void check(const char *text, const char *source, const char *wanted)
{
	struct jinja_output output = {0};
	struct jinja_template *tmpl;
	struct context context;
	struct error err = {0};
	enum status status = context_read(&context, "c.yaml", text, strlen(text), &err);

	cr_assert_not(jinja_parse(&tmpl, "t", source, strlen(source), NULL, NULL));
	if (!status)
		status = jinja_render(tmpl, context.variables, NULL, &output, &err);
	cr_expect_str_eq(status ? err.text : output.text, wanted);
	jinja_output_free(&output);
	jinja_free(tmpl);
	context_free(&context);
}

Test(context, yaml_becomes_values)
{
	check("", "{{ a is defined }}", "False");
	check("a: [1, 1.5, yes, ~, 'x', {b: 2}]", "{{ a }}", "[1, 1.5, True, None, 'x', {'b': 2}]");
	check("a: 99999999999999999999", "", "c.yaml:1: the number does not fit in 64 bits");
}

Test(context, texts_of_messages_are_sources)
{
	static const char text[] = "bos_token: <s>\nmessages:\n  - role: user\n    content: hi\n";
	static const char source[] = "{{ bos_token }}{{ messages[0].role }}{{ messages[0].content }}";
	struct jinja_output output;
	struct jinja_template *tmpl;
	struct context context;

	cr_assert_not(context_read(&context, "c.yaml", text, strlen(text), NULL));
	cr_assert_not(jinja_parse(&tmpl, "t", source, strlen(source), NULL, NULL));
	cr_assert_not(jinja_render(tmpl, context.variables, NULL, &output, NULL));
	cr_assert_eq(output.n_spans, 2);
	cr_expect_eq(output.spans[0].source, SOURCE_TEMPLATE);
	cr_expect_eq(output.spans[0].end, strlen("<s>user"));
	cr_expect_eq(context.lines[output.spans[1].source - 1], 4);
	jinja_output_free(&output);
	jinja_free(tmpl);
	context_free(&context);
}

Test(context, its_depth_is_bounded)
{
	for (int more = 0; more < 2; more++) {
		struct buf text;

		buf_init(&text, 1000);
		buf_puts(&text, "a: ");
		/* The mapping of the variables is a level, too. */
		for (int i = 0; i < LIMIT_CONTEXT_DEPTH - 1 + more; i++)
			buf_putc(&text, '[');
		for (int i = 0; i < LIMIT_CONTEXT_DEPTH - 1 + more; i++)
			buf_putc(&text, ']');
		check(buf_text(&text), "{{ a|length }}",
		      more ? "c.yaml:1: nested deeper than 64 levels" : "1");
		buf_free(&text);
	}
}
