/* Contexts of YAML as values of templates, and what in them is a source. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "cli/context.h"

/* The template rendered with the context; "[text]" are texts of sources. */
static char *render(const char *yaml, const char *text)
{
	struct context context;
	struct jinja_template *tmpl;
	struct jinja_output output;
	struct error err = {0};
	struct buf out;
	size_t at = 0;

	cr_assert_eq(context_read(&context, "c.yaml", yaml, strlen(yaml), &err), STATUS_OK, "%s",
	             err.text);
	cr_assert_eq(jinja_parse(&tmpl, "t", text, strlen(text), &context.limits, &err), STATUS_OK,
	             "%s", err.text);
	cr_assert_eq(jinja_render(tmpl, context.variables, NULL, &output, &err), STATUS_OK, "%s",
	             err.text);
	buf_init(&out, MIB(1));
	for (size_t i = 0; i < output.n_spans; i++) {
		const struct jinja_span *span = &output.spans[i];

		cr_assert_leq(span->source, context.n_sources);
		buf_printf(&out, span->source ? "[%.*s]" : "%.*s", (int)(span->end - at),
		           output.text + at);
		at = span->end;
	}
	jinja_output_free(&output);
	jinja_free(tmpl);
	context_free(&context);
	return buf_take(&out, NULL);
}

static void expect(const char *yaml, const char *text, const char *expected)
{
	char *got = render(yaml, text);

	cr_expect_str_eq(got, expected, "%s: %s, expected %s", text, got, expected);
	free(got);
}

static void expect_error(const char *yaml, enum status status, const char *message)
{
	struct context context;
	struct error err = {0};

	cr_expect_eq(context_read(&context, "c.yaml", yaml, strlen(yaml), &err), status, "%s", yaml);
	cr_expect(strstr(err.text, message), "%s, expected %s", err.text, message);
	context_free(&context);
}

Test(context, values)
{
	static const char yaml[] = "a: {b: [1, 2.5, yes, ~, 'yes', \"x\\ny\", {}, []], 3: c}\n"
	                           "text: |\n  one\n  two\n";

	expect(yaml, "{{ a }}",
	       "{'b': [1, 2.5, True, None, 'yes', 'x\\ny', {}, []], 3: 'c'}");
	expect(yaml, "{{ text }}", "one\ntwo\n");
	expect(yaml, "{{ a[3] }}{{ a.b[5] }}{{ nothing }}", "cx\ny");
}

Test(context, nothing)
{
	expect("", "{{ messages }}.", ".");
	expect("# a comment\n", "{{ messages }}.", ".");
	expect("~", "{{ messages }}.", ".");
	expect("{}", "{{ messages }}.", ".");
}

Test(context, texts_of_the_conversation_are_sources)
{
	static const char yaml[] = "bos_token: <s>\n"
	                           "messages: [{role: user, content: hi, n: 1, parts: [{text: p, role: r}]}]\n"
	                           "tools: [{name: add}]\ndocuments: [d]\nother: [o]\n";

	expect(yaml, "{{ bos_token }}{{ messages[0].role }}:{{ messages[0].content }}", "<s>user:[hi]");
	expect(yaml, "{{ messages[0].n }}{{ messages[0].parts[0].text }}", "1[p]");
	expect(yaml, "{{ messages[0].parts[0].role }}", "[r]");
	expect(yaml, "{{ tools|tojson }}", "[{\"[name]\": \"[add]\"}]");
	expect(yaml, "{{ documents[0] }}{{ other[0] }}", "[d]o");
	expect(yaml, "{{ messages[0]|list|join(',') }}", "role,[content],[n],[parts]");
}

Test(context, what_is_wrong)
{
	expect_error("- a\n", STATUS_FORMAT, "c.yaml:1: expected a mapping of variables");
	expect_error("text", STATUS_FORMAT, "c.yaml:1: expected a mapping of variables");
	expect_error("a: 1\nb: [99999999999999999999]\n", STATUS_FORMAT,
	             "c.yaml:2: the number does not fit in 64 bits");
	expect_error("a: &x 1\n", STATUS_FORMAT, "c.yaml:1: ");
	expect_error("a: 1\na: 2\n", STATUS_FORMAT, "c.yaml:2: ");
	expect_error("a: [1\n", STATUS_FORMAT, "c.yaml:");
	expect_error("a: \xff\n", STATUS_FORMAT, "c.yaml:1: ill-formed UTF-8");
}

/* `n` lists in one another. */
static enum status read_nested(size_t n, struct error *err)
{
	struct context context;
	struct buf yaml;
	enum status status;

	buf_init(&yaml, MIB(1));
	buf_puts(&yaml, "a: ");
	for (size_t i = 0; i < n; i++)
		buf_putc(&yaml, '[');
	for (size_t i = 0; i < n; i++)
		buf_putc(&yaml, ']');
	status = context_read(&context, "c.yaml", buf_text(&yaml), yaml.len, err);
	context_free(&context);
	buf_free(&yaml);
	return status;
}

Test(context, depth)
{
	struct error err = {0};

	/* The mapping of the variables counts. */
	cr_expect_eq(read_nested(LIMIT_CONTEXT_DEPTH - 1, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(read_nested(LIMIT_CONTEXT_DEPTH, &err), STATUS_LIMIT, "%s", err.text);
}
