/* What filters copy keeps its source; what they use up is bounded. */
#include <criterion/criterion.h>
#include <string.h>

#include "jinja/jinja.h"

struct source_case {
	const char *template, *text, *sources; /* a digit for every byte */
};

static struct jinja_value var(struct jinja_context *context, const char *text, uint32_t source)
{
	return value_text(jinja_context_arena(context), text, strlen(text), source);
}

static enum status render(const char *template, struct jinja_output *out, struct error *err)
{
	struct jinja_template *tmpl = NULL;
	struct jinja_context *context = NULL;
	enum status status;

	cr_assert_not(jinja_context_create(&context, 1 << 20, err));
	jinja_context_set(context, "x", var(context, "aB <c>", 1));
	jinja_context_set(context, "y", var(context, "1\n2", 2));
	cr_assert_not(jinja_parse(&tmpl, "t", template, strlen(template), &jinja_limits_default, err),
	              "%s", err->text);
	status = jinja_render(tmpl, context, NULL, out, err);
	jinja_free(tmpl);
	jinja_context_free(context);
	return status;
}

static const char *sources_of(const struct jinja_output *out)
{
	static char digits[256];
	size_t at = 0;

	cr_assert(out->len < sizeof digits);
	for (size_t i = 0; i < out->n_spans; i++) {
		while (at < out->spans[i].end)
			digits[at++] = (char)('0' + out->spans[i].source);
	}
	digits[at] = '\0';
	return digits;
}

Test(filters_sources, every_byte_keeps_its_own)
{
	static const struct source_case rows[] = {
		{"{{ x|upper }}", "AB <C>",
		 "111111"},
		{"{{ x|title }}", "Ab <C>",
		 "111111"},
		{"{{ x|capitalize }}", "Ab <c>",
		 "111111"},
		{"{{ [x, y]|join('-') }}", "aB <c>-1\n2",
		 "1111110222"},
		{"{{ y|join(x) }}", "1aB <c>\naB <c>2",
		 "211111121111112"},
		{"{{ x|replace('B', y) }}", "a1\n2 <c>",
		 "12221111"},
		{"{{ '-a-'|replace('a', x) }}", "-aB <c>-",
		 "01111110"},
		{"{{ y|indent(1) }}", "1\n 2",
		 "2002"},
		{"{{ y|indent(x) }}", "1\naB <c>2",
		 "201111112"},
		{"{{ x|trim('a>') }}", "B <c",
		 "1111"},
		{"{{ x|reverse }}", ">c< Ba",
		 "111111"},
		{"{{ x|list }}", "['a', 'B', ' ', '<', 'c', '>']",
		 "001000010000100001000010000100"},
		{"{{ x|first }}{{ y|last }}", "a2",
		 "12"},
		{"{{ [x, y]|tojson }}", "[\"aB <c>\", \"1\\n2\"]",
		 "001111110000222200"},
		{"{{ [x, y]|sort|join }}", "1\n2aB <c>",
		 "222111111"},
		{"{{ [x, x|upper]|unique|join }}", "aB <c>",
		 "111111"},
		{"{{ [x, y]|max }}", "aB <c>",
		 "111111"},
		{"{{ {x: y}|dictsort }}", "[('aB <c>', '1\\n2')]",
		 "00011111100002222000"},
		{"{{ [x, y]|map('lower')|join }}", "ab <c>1\n2",
		 "111111222"},
		{"{{ {x: y}|items|list|string }}", "[('aB <c>', '1\\n2')]",
		 "00011111100002222000"},
		{"{{ undef|default(x) }}", "aB <c>",
		 "111111"},
		{"{{ namespace(a=x).a }}", "aB <c>",
		 "111111"},
		{"{{ dict(a=x) }}", "{'a': 'aB <c>'}",
		 "000000011111100"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct jinja_output out;
		struct error err = {0};

		cr_expect_not(render(rows[i].template, &out, &err), "%s: %s", rows[i].template,
		              err.text);
		if (out.text) {
			cr_expect_str_eq(out.text, rows[i].text, "%s: %s", rows[i].template, out.text);
			cr_expect_str_eq(sources_of(&out), rows[i].sources, "%s: %s",
			                 rows[i].template, sources_of(&out));
		}
		jinja_output_free(&out);
	}
}

Test(filters_sources, much_is_a_limit)
{
	static const char *const templates[] = {
		"{{ y|indent(1000000000) }}",
		"{{ range(1000001) }}",
		"{{ [x]|tojson(indent=1000000000) }}",
		"{{ range(1000000)|map('string')|map('length')|map('string')|list|length }}",
		"{{ (y * 100000)|replace('', x * 1000) }}",
		"{{ (y * 100000)|indent(1000, true, true) }}",
		"{{ (['a', 'b'] * 500000)|sort|length }}",
	};

	for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
		struct jinja_output out;
		struct error err = {0};

		cr_expect_eq(render(templates[i], &out, &err), STATUS_LIMIT, "%s: %s", templates[i],
		             err.text);
		jinja_output_free(&out);
	}
}

Test(filters_sources, a_raised_exception_is_its_message_alone)
{
	struct jinja_output out;
	struct error err = {0};

	cr_expect_eq(render("\n{{ raise_exception('no ' ~ x) }}", &out, &err), STATUS_FORMAT);
	cr_expect(out.raised);
	cr_expect_str_eq(err.text, "no aB <c>");
	jinja_output_free(&out);
	cr_expect_eq(render("\n{{ 1 + x }}", &out, &err), STATUS_FORMAT);
	cr_expect_not(out.raised);
	cr_expect_not(strncmp(err.text, "t:2: ", 5), "%s", err.text);
	jinja_output_free(&out);
}
