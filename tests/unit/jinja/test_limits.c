/* What a rendering may use up, at each limit and one past it. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "jinja/jinja.h"

#define TOO_MUCH "the template takes too much: "

/* The rendering's status, and its error in *err. */
static enum status render(const char *template, const struct jinja_limits *limits,
                          struct error *err)
{
	struct jinja_options options = {.limits = limits};
	struct jinja_template *tmpl = NULL;
	struct jinja_context *context = NULL;
	struct jinja_output output;
	enum status status;

	cr_assert_not(jinja_context_create(&context, 1 << 20, err));
	status = jinja_parse(&tmpl, "t", template, strlen(template), NULL, err);
	cr_assert_not(status, "%s", err->text);
	status = jinja_render(tmpl, context, &options, &output, err);
	cr_expect_eq(output.text == NULL, status != STATUS_OK);
	cr_expect_not(output.raised);
	jinja_output_free(&output);
	jinja_free(tmpl);
	jinja_context_free(context);
	return status;
}

static void check_fine(const char *template, const struct jinja_limits *limits)
{
	struct error err = {0};

	cr_expect_not(render(template, limits, &err), "%s: %s", template, err.text);
}

static void check_limit(const char *template, const struct jinja_limits *limits,
                        const char *wanted)
{
	struct error err = {0};

	cr_expect_eq(render(template, limits, &err), STATUS_LIMIT, "%s", template);
	cr_expect_str_eq(err.text, wanted);
}

Test(limits, output)
{
	struct jinja_limits limits = jinja_limits_default;

	limits.output = 10;
	check_fine("{{ '12345' }}67890", &limits);
	check_limit("\n{{ '12345' }}678901", &limits, "t:2: " TOO_MUCH "output");
	check_limit("1234567890{{ 1 }}", &limits, "t:1: " TOO_MUCH "output");
	check_limit("{% set x %}12345678901{% endset %}", &limits, "t:1: " TOO_MUCH "output");
}

Test(limits, calls)
{
	struct jinja_limits limits = jinja_limits_default;

	limits.call_depth = 5;
	check_fine("{% macro f(n) %}{{ f(n - 1) if n > 1 }}{% endmacro %}{{ f(5) }}", &limits);
	check_limit("{% macro f(n) %}{{ f(n - 1) if n > 1 }}{% endmacro %}{{ f(6) }}", &limits,
	            "t:1: " TOO_MUCH "calls within calls");
	check_limit("{% macro m() %}{{ caller }}{% call m() %}{% endcall %}{% endmacro %}"
	            "{{ m() }}",
	            &limits,
	            "t:1: " TOO_MUCH "calls within calls");
}

Test(limits, steps)
{
	static const char template[] = "{% for i in range(100) %}{{ i }}{% endfor %}";
	struct jinja_limits limits = jinja_limits_default;
	uint64_t enough = 1;

	/* The least that is enough. */
	for (struct error err; enough < 10000; enough++) {
		limits.fuel = enough;
		if (!render(template, &limits, &err))
			break;
		cr_assert_eq(err.status, STATUS_LIMIT);
		cr_assert_str_eq(err.text, "t:1: " TOO_MUCH "steps");
	}
	cr_expect(enough > 200 && enough < 2000, "%zu steps", (size_t)enough);
}

Test(limits, memory)
{
	struct jinja_limits limits = jinja_limits_default;

	limits.memory = 100 << 10;
	check_fine("{% set x = 'x' * 20000 %}", &limits);
	check_limit("{% for i in range(20) %}{% set x = 'x' * 20000 %}{% endfor %}", &limits,
	            "t:1: " TOO_MUCH "memory");
	check_limit("{% for i in range(20000) %}{% set x = [i] %}{% endfor %}", &limits,
	            "t:1: " TOO_MUCH "memory");
	/* Frames are used again. */
	check_fine("{% macro m(a, b, c) %}{% endmacro %}"
	           "{% for i in range(200) %}{{ m() }}{% endfor %}",
	           &limits);
}

Test(limits, time)
{
	struct jinja_limits limits = jinja_limits_default;

	limits.fuel = UINT64_MAX;
	limits.deadline_ms = 1;
	check_limit("{% for i in range(1000000) %}{% for j in range(1000000) %}{% endfor %}"
	            "{% endfor %}",
	            &limits, "t:1: " TOO_MUCH "time");
}

Test(limits, items_of_a_range)
{
	check_fine("{{ range(1000000)|length }}{{ range(0, -1000000, -1)|length }}",
	           &jinja_limits_default);
	check_limit("{{ range(1000001) }}", &jinja_limits_default,
	            "t:1: " TOO_MUCH "a range() of so many items");
}

/* Lists in lists, so many; made by a loop, what shows and compares them. */
static void nested_lists(char text[400], unsigned depth, const char *what)
{
	snprintf(text, 400,
	         "{%% set ns = namespace(a=[1], b=[1], c=[2]) %%}{%% for i in range(%u) %%}"
	         "{%% set ns.a = [ns.a] %%}{%% set ns.b = [ns.b] %%}{%% set ns.c = [ns.c] %%}"
	         "{%% endfor %%}{{ %s }}",
	         depth - 1, what);
}

Test(limits, lists_in_lists)
{
	static const char *const shown[] = {"ns.a|string", "ns.a|tojson", "ns.a < ns.c"};
	char text[400];

	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		nested_lists(text, LIMIT_JINJA_NESTING, shown[i]);
		check_fine(text, &jinja_limits_default);
		nested_lists(text, LIMIT_JINJA_NESTING + 1, shown[i]);
		check_limit(text, &jinja_limits_default, "t:1: " TOO_MUCH "lists in lists");
	}
	/* == never fails: what is deeper is not equal. */
	nested_lists(text, LIMIT_JINJA_NESTING, "1 // (ns.a == ns.b)|int");
	check_fine(text, &jinja_limits_default);
	nested_lists(text, LIMIT_JINJA_NESTING + 1, "1 // (ns.a != ns.b)|int");
	check_fine(text, &jinja_limits_default);
}

Test(limits, a_context_without_memory_is_reported)
{
	struct jinja_template *tmpl = NULL;
	struct jinja_context *context = NULL;
	struct jinja_output output;
	struct error err;

	cr_assert_not(jinja_context_create(&context, 100, &err));
	jinja_context_set(context, "x", value_text(jinja_context_arena(context), "x", 1, 0));
	cr_assert_not(jinja_parse(&tmpl, "t", "", 0, NULL, &err));
	cr_expect_eq(jinja_render(tmpl, context, NULL, &output, &err), STATUS_LIMIT);
	cr_expect_str_eq(err.text, "t:1: " TOO_MUCH "memory");
	jinja_output_free(&output);
	jinja_free(tmpl);
	jinja_context_free(context);
}

/* ---- the stack ---- */

static void put_times(struct buf *out, const char *text, int n)
{
	while (n-- > 0)
		buf_puts(out, text);
}

struct deep {
	const char *open, *close;
};

/* A macro whose call of itself lies deep in such things. */
static void *render_deep(void *arg)
{
	const struct deep *deep = arg;
	struct buf text = {.max = 1 << 20};
	struct error err;
	bool statement = strchr(deep->open, '%') != NULL;

	buf_puts(&text, "{% macro m() %}");
	buf_puts(&text, statement ? "" : "{{ ");
	put_times(&text, deep->open, 60);
	buf_puts(&text, statement ? "{{ m() }}" : "m()");
	put_times(&text, deep->close, 60);
	buf_puts(&text, statement ? "" : " }}");
	buf_puts(&text, "{% endmacro %}{{ m() }}");
	cr_expect_eq(render(buf_text(&text), &jinja_limits_default, &err), STATUS_LIMIT);
	cr_expect_str_eq(err.text, "t:1: " TOO_MUCH "constructs inside one another");
	buf_free(&text);
	return NULL;
}

/* 23 calls of 64 constructs each, in so many lists, with what the outermost print
 * and the innermost body need: all that may be under way at once, and one more. */
static void *render_deepest(void *arg)
{
	int lists = LIMIT_JINJA_EVAL_DEPTH - 23 * 64 - 4;
	struct buf text = {.max = 1 << 20};

	(void)arg;
	for (int more = 0; more < 2; more++) {
		buf_clear(&text);
		buf_puts(&text, "{% macro m(n) %}{% if n %}{{ ");
		put_times(&text, "[", 60);
		buf_puts(&text, "m(n - 1)");
		put_times(&text, "]", 60);
		buf_puts(&text, "|length }}{% endif %}{% endmacro %}{{ ");
		put_times(&text, "[", lists + more);
		buf_puts(&text, "m(23)");
		put_times(&text, "]", lists + more);
		buf_puts(&text, "|length }}");
		if (more)
			check_limit(buf_text(&text), &jinja_limits_default,
			            "t:1: " TOO_MUCH "constructs inside one another");
		else
			check_fine(buf_text(&text), &jinja_limits_default);
	}
	buf_free(&text);
	return NULL;
}

/* However deep things are in one another: a thread of 8 MiB is enough even
 * where a sanitizer makes frames many times as large. */
Test(limits, stack)
{
	static const struct deep deeps[] = {
		{"[", "]"},
		{"''|default(", ", true)"},
		{"''|default(1, ", ")"},
		{"dict(a=", ")"},
		{"'' ~ (", ")"},
		{"{% if true %}", "{% endif %}"},
		{"{% for i in [1] %}{{ loop.first }}", "{% endfor %}"},
		{"{% set x %}", "{% endset %}"},
		{"{% filter upper %}", "{% endfilter %}"},
	};
	pthread_attr_t attr;
	pthread_t deepest;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 8 << 20);
	for (size_t i = 0; i < sizeof deeps / sizeof *deeps; i++) {
		pthread_t thread;

		cr_assert_not(pthread_create(&thread, &attr, render_deep, (void *)&deeps[i]));
		pthread_join(thread, NULL);
	}
	cr_assert_not(pthread_create(&deepest, &attr, render_deepest, NULL));
	pthread_join(deepest, NULL);
	pthread_attr_destroy(&attr);
}
