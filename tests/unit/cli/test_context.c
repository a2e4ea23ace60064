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
	struct buf out = {.max = MIB(1)};
	size_t at = 0;

	cr_assert_eq(context_read(&context, "c.yaml", yaml, strlen(yaml), &err), STATUS_OK, "%s",
	             err.text);
	cr_assert_eq(jinja_parse(&tmpl, "t", text, strlen(text), &context.limits, &err), STATUS_OK,
	             "%s", err.text);
	cr_assert_eq(jinja_render(tmpl, context.variables, NULL, &output, &err), STATUS_OK, "%s",
	             err.text);
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

Test(context, integers_beyond_64_bits_are_shown_as_they_are)
{
	static const char yaml[] = "a: 123456789012345678901234567890\nb: -9223372036854775809\n"
	                           "c: +18_446744073709551616\nd: 9223372036854775807\n";

	expect(yaml, "{{ a }} {{ b }} {{ c }} {{ d }}",
	       "123456789012345678901234567890 -9223372036854775809 18446744073709551616 9223372036854775807");
	expect(yaml, "{{ [a, b]|tojson }} {{ {a: [b]} }}",
	       "[123456789012345678901234567890, -9223372036854775809] "
	       "{123456789012345678901234567890: [-9223372036854775809]}");
	expect(yaml, "{{ a == a }}{{ a == b }}{{ a == d }}{{ a is integer }}{{ a is number }}{{ a is string }}"
	       "{{ 'x' if a }}{{ a|int == a }}{{ a ~ '!' }}", "TrueFalseFalseTrueTrueFalsexTrue123456789012345678901234567890!");
}

/* JSON is YAML, but for the halves that it spells large characters with. */
Test(context, json_spells_characters_in_halves)
{
	static const char json[] = "\xEF\xBB\xBF {\"a\": \"\\ud83d\\ude00\\u00e9\\uD834\\uDD1E\", \"b\": \"\\ud83d x\\ude00\","
	                           " \"c\": \"\\\\ud83d\\\\ude00 \\\"\", \"\\ud83d\\ude00\": 1, \"d\": \"\\ud83d\\ud83d\\ude00\"}";
	static const char yaml[] = "a: \\ud83d\\ude00\nb: |\n  \"\\ud83d\\ude00\"\n";

	expect(json, "{{ a }}", "\xF0\x9F\x98\x80\xC3\xA9\xF0\x9D\x84\x9E");
	expect(json, "{{ b }}", "\xEF\xBF\xBD x\xEF\xBF\xBD");
	expect(json, "{{ c }}", "\\ud83d\\ude00 \"");
	expect(json, "{{ d }}", "\xEF\xBF\xBD\xF0\x9F\x98\x80");
	/* What is only written so stays. */
	expect(yaml, "{{ a }} {{ b }}", "\\ud83d\\ude00 \"\\ud83d\\ude00\"\n");
}

Test(context, what_is_wrong)
{
	expect_error("- a\n", STATUS_FORMAT, "c.yaml:1: expected a mapping of variables");
	expect_error("text", STATUS_FORMAT, "c.yaml:1: expected a mapping of variables");
	expect_error("a: 1\nb: [0x99999999999999999999]\n", STATUS_FORMAT,
	             "c.yaml:2: the number does not fit in 64 bits; decimal ones may be longer");
	expect_error("a: &x 1\n", STATUS_FORMAT, "c.yaml:1: ");
	expect_error("a: 1\na: 2\n", STATUS_FORMAT, "c.yaml:2: ");
	expect_error("a: [1\n", STATUS_FORMAT, "c.yaml:");
	expect_error("a: \xff\n", STATUS_FORMAT, "c.yaml:1: not UTF-8");
}

/* `n` lists in one another. */
static enum status read_nested(size_t n, struct error *err)
{
	struct context context;
	struct buf yaml = {.max = MIB(1)};
	enum status status;

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
