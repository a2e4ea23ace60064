#include "expressions.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "jinja/jinja.h"

enum { NOW = 1708931289, SHOWN_MAX = 4096, TEMPLATE_MAX = 1024 };

/* The message, without the place that stands before it unless that is wanted. */
static void put_error(const struct error *err, bool place, char shown[SHOWN_MAX])
{
	const char *colon = place ? NULL : strstr(err->text, ": ");

	snprintf(shown, SHOWN_MAX, "! %s", colon ? colon + 2 : err->text);
}

static void put_sources(const struct jinja_output *output, char shown[SHOWN_MAX])
{
	size_t at = 0;

	for (size_t i = 0; i < output->n_spans; i++)
		for (; at < output->spans[i].end && at < SHOWN_MAX - 1; at++)
			shown[at] = (char)('0' + output->spans[i].source);
	shown[at] = '\0';
}

static struct jinja_context *variables(void)
{
	struct jinja_context *context = NULL;
	struct error err;

	cr_assert_not(jinja_context_create(&context, 1 << 20, &err));
	jinja_context_set(context, "x", value_text(jinja_context_arena(context), "ab", 2, 1));
	jinja_context_set(context, "y", value_text(jinja_context_arena(context), "é\n", 3, 2));
	return context;
}

/* What there is to see of a template. */
struct view {
	int64_t now;
	bool sources; /* not its text */
	bool places;  /* of errors */
};

/* The rendering, or its sources, or "! " and the error. */
static void render(const char *template, const struct view *view, char shown[SHOWN_MAX])
{
	struct jinja_options options = {.has_now = true, .now = view->now, .now_us = 4050};
	struct jinja_context *context = variables();
	struct jinja_template *tmpl = NULL;
	struct jinja_output output = {0};
	struct error err = {0};

	if (jinja_parse(&tmpl, "t", template, strlen(template), &jinja_limits_default, &err) ||
	    jinja_render(tmpl, context, &options, &output, &err))
		put_error(&err, view->places, shown);
	else if (view->sources)
		put_sources(&output, shown);
	else
		snprintf(shown, SHOWN_MAX, "%s", output.text);
	jinja_output_free(&output);
	jinja_free(tmpl);
	jinja_context_free(context);
}

static void check(const char *template, int64_t now, bool sources, const char *wanted)
{
	struct view view = {now, sources, strncmp(wanted, "! t:", 4) == 0};
	char shown[SHOWN_MAX];

	render(template, &view, shown);
	cr_expect_str_eq(shown, wanted, "%s\n  gives  %s\n  not    %s", template, shown, wanted);
}

void check_templates(const struct expression_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(cases[i].text, NOW, false, cases[i].shows);
}

static void check_expression(const char *text, int64_t now, bool sources, const char *wanted)
{
	char template[TEMPLATE_MAX];

	snprintf(template, sizeof template, "{{ %s }}", text);
	check(template, now, sources, wanted);
}

void check_expressions(const struct expression_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_expression(cases[i].text, NOW, false, cases[i].shows);
}

void check_sources(const struct expression_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_expression(cases[i].text, NOW, true, cases[i].shows);
}

void check_template_sources(const struct expression_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(cases[i].text, NOW, true, cases[i].shows);
}

void check_time(int64_t now, const char *format, const char *shows)
{
	char text[TEMPLATE_MAX / 2];

	snprintf(text, sizeof text, "strftime_now(\"%s\")", format);
	check_expression(text, now, false, shows);
}
