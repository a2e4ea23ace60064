/* Templates that are deep or long: they end soon, in a stack of 256 KiB. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "jinja/jinja.h"
#include "support/cpu_time.h"

/* A sanitizer without the optimizer takes several times as much of both. */
#if defined SOTTO_SANITIZER && !defined __OPTIMIZE__
enum { STACK = 1024 << 10, LIMIT_MS = 10000 };
#elif defined SOTTO_SANITIZER
enum { STACK = 256 << 10, LIMIT_MS = 5000 };
#else
enum { STACK = 256 << 10, LIMIT_MS = 1000 };
#endif

/* before, n times open, middle, n times close, after */
struct construct {
	const char *before, *open, *middle, *close, *after;
	unsigned fits; /* so many are fine, where that is known: one more is not */
};

static const struct construct constructs[] = {
	{"{{ ", "(", "1", ")", " }}", 127},
	{"{{ ", "[", "", "]", " }}", 128},
	{"{{ ", "{1:", "1", "}", " }}", 127},
	{"{{ ", "a[", "1", "]", " }}", 127},
	{"{{ ", "a[1:", "1", "]", " }}", 127},
	{"{{ ", "f(", "1", ")", " }}", 127},
	{"{{ ", "f(a=", "1", ")", " }}", 127},
	{"{{ ", "a|default(", "1", ")", " }}", 127},
	{"{{ ", "a is sameas(", "1", ")", " }}", 127},
	{"{{ ", "-", "1", "", " }}", 127},
	{"{{ ", "not ", "1", "", " }}", 127},
	{"{{ ", "a if b else ", "1", "", " }}", 127},
	{"{{ 1", " if b", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{{ ", "a + (", "1", ")", " }}", 0},
	{"{{ ", "a or (b and c < d + e ~ f * g(", "1", "))", " }}", 0},
	{"{{ ", "a.b.c[1](2)|upper is odd and (", "1", ")", " }}", 0},
	{"{{ a", ".b", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{{ a", "[1]", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{{ a", "()", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{{ a", "|upper", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{{ 1", " + 1", "", "", " }}", LIMIT_JINJA_EXPR_HEIGHT - 1},
	{"{% set ", "(", "a", ")", " = 1 %}", 0},
	{"{% for ", "(", "a", ",)", " in b %}{% endfor %}", 0},
	{"", "{% if a %}", "", "{% endif %}", "", 128},
	{"", "{% if a %}{% elif b %}", "", "{% endif %}", "", 128},
	{"", "{% if a %}{% else %}", "", "{% endif %}", "", 128},
	{"", "{% for a in b %}", "", "{% endfor %}", "", 128},
	{"", "{% macro m(a=1) %}", "", "{% endmacro %}", "", 128},
	{"", "{% call(a) f() %}", "", "{% endcall %}", "", 128},
	{"", "{% set a %}", "", "{% endset %}", "", 128},
	{"", "{% filter upper %}", "", "{% endfilter %}", "", 128},
	{"", "{% generation %}", "", "{% endgeneration %}", "", 128},
	{"", "{% if (((((((((a))))))))) %}", "", "{% endif %}", "", 0},
};

static struct jinja_limits limits;

static void build(struct buf *text, const struct construct *c, size_t n)
{
	buf_clear(text);
	buf_puts(text, c->before);
	for (size_t i = 0; i < n; i++)
		buf_puts(text, c->open);
	buf_puts(text, c->middle);
	for (size_t i = 0; i < n; i++)
		buf_puts(text, c->close);
	buf_puts(text, c->after);
	cr_assert_eq(buf_status(text), STATUS_OK);
}

static enum status parse(const struct buf *text, struct error *err)
{
	struct jinja_template *tmpl;
	enum status status = jinja_parse(&tmpl, "t", buf_text(text), text->len, &limits, err);

	jinja_free(tmpl);
	return status;
}

static void check(struct buf *text, const struct construct *c)
{
	struct error err = {0};
	uint64_t start;

	if (c->fits) {
		build(text, c, c->fits);
		cr_expect_eq(parse(text, &err), STATUS_OK, "%u %s: %s", c->fits, c->open, err.text);
		build(text, c, c->fits + 1);
		cr_expect_eq(parse(text, &err), STATUS_LIMIT, "%u %s", c->fits + 1, c->open);
	}
	build(text, c, 1000);
	cr_expect_eq(parse(text, &err), STATUS_LIMIT, "%s: %s", c->open, err.text);
	for (size_t n = 1000; n <= 1000000; n *= 10) { /* without an end */
		build(text, &(struct construct){c->before, c->open, "", "", ""}, n);
		start = test_cpu_ms();
		cr_expect_eq(parse(text, &err), STATUS_LIMIT, "%zu %s: %s", n, c->open, err.text);
		cr_expect(strstr(err.text, "nested too deeply"), "%s: %s", c->open, err.text);
		cr_expect_lt(test_cpu_ms() - start, LIMIT_MS, "%zu %s", n, c->open);
	}
}

static void *check_all(void *arg)
{
	struct buf text = {.max = MIB(64)};

	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
		check(&text, &constructs[i]);
	buf_free(&text);
	return arg;
}

static void in_small_stack(void *(*run)(void *arg))
{
	pthread_attr_t attr;
	pthread_t thread;

	limits = jinja_limits_default;
	limits.template_bytes = MIB(64);
	cr_assert_eq(pthread_attr_init(&attr), 0);
	cr_assert_eq(pthread_attr_setstacksize(&attr, STACK), 0);
	cr_assert_eq(pthread_create(&thread, &attr, run, NULL), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

Test(jinja_parse_depth, nesting_ends_in_a_small_stack)
{
	in_small_stack(check_all);
}

/* What is long without being deep. */
static const struct construct flat[] = {
	{"{{ a", " ~ b", "", "", " }}", 0},
	{"{{ a", " and b", "", "", " }}", 0},
	{"{{ a", " or b", "", "", " }}", 0},
	{"{{ [", "1,", "", "", "] }}", 0},
	{"{{ {", "1:2,", "", "", "} }}", 0},
	{"{{ ", "1,", "", "", " }}", 0},
	{"{{ ", "'a' ", "", "", " }}", 0},
	{"{{ f(", "1,", "", "", ") }}", 0},
	{"", "{{ a }}", "", "", "", 0},
	{"", "a\n{# b #}\n", "", "", "", 0},
	{"{% if a %}", "{% elif b %}", "", "", "{% endif %}", 0},
	{"", "{% if a %}{% set b = 1 %}{% else %}{% set c = 1 %}{% endif %}", "", "", "", 0},
	{"", "{% for a in b %}{% endfor %}", "", "", "", 0},
	{"{{ ' ", "\\n", "", "", "' }}", 0},
	{"{{ a", "a", "", "", " }}", 0},
	{"", " ", "{{- a -}}", " ", "", 0},
	{"{#", "-", "", "", "#}", 0},
	{"{% raw %}", "{% ", "", "", "{% endraw %}", 0},
	{"", "{ ", "", "", "", 0},
};

static void *check_flat(void *arg)
{
	struct error err = {0};
	struct buf text = {.max = MIB(64)};
	uint64_t start;

	for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
		build(&text, &flat[i], 20000);
		start = test_cpu_ms();
		cr_expect_eq(parse(&text, &err), STATUS_OK, "%s: %s", flat[i].open, err.text);
		cr_expect(test_cpu_ms() - start < LIMIT_MS, "%s", flat[i].open);
	}
	buf_free(&text);
	return arg;
}

Test(jinja_parse_depth, long_is_not_deep)
{
	in_small_stack(check_flat);
}

/* Many names, of arguments, parameters, variables: none is looked for
 * among all others. */
Test(jinja_parse_depth, many_names_take_no_longer)
{
	static const char *const forms[][3] = {
		{"{{ f(", "n%d=1,", ") }}"},
		{"{% macro m(", "n%d=1,", "z=1) %}{% endmacro %}"},
		{"", "{%% set n%d = 1 %%}", ""},
		{"", "{{ n%d }}", ""},
		{"{% if a %}", "{%% set n%d = 1 %%}", "{% else %}{% endif %}"},
	};
	struct error err = {0};
	struct buf text = {.max = MIB(1)};
	uint64_t start;

	limits = jinja_limits_default;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		buf_clear(&text);
		buf_puts(&text, forms[i][0]);
		for (int n = 0; n < 20000; n++)
			buf_printf(&text, forms[i][1], n);
		buf_puts(&text, forms[i][2]);
		start = test_cpu_ms();
		cr_expect_eq(parse(&text, &err), STATUS_OK, "%s", err.text);
		cr_expect(test_cpu_ms() - start < LIMIT_MS, "%s", forms[i][1]);
	}
	buf_free(&text);
}

Test(jinja_parse_depth, size_and_memory_are_bounded)
{
	struct error err = {0};
	struct buf text = {.max = MIB(2)};

	limits = jinja_limits_default;
	for (size_t i = 0; i < limits.template_bytes; i++)
		buf_putc(&text, 'a');
	cr_expect_eq(parse(&text, &err), STATUS_OK);
	buf_putc(&text, 'a');
	cr_expect_eq(parse(&text, &err), STATUS_LIMIT);
	cr_expect_str_eq(err.text, "t: the template is longer than 1048576 bytes");
	build(&text, &(struct construct){"{{ [", "1,", "", "", "] }}", 0}, 500000);
	cr_expect_eq(parse(&text, &err), STATUS_LIMIT);
	cr_expect_str_eq(err.text, "t:1: the template takes too much memory");
	limits.parse_depth = 3;
	cr_expect_eq(jinja_parse(&(struct jinja_template *){0}, "t", "{{ ((((1)))) }}", 15, &limits,
	                         NULL),
	             STATUS_LIMIT);
	buf_free(&text);
}
