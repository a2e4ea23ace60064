/* Tables of expressions and templates with what Jinja2 makes of them. */
#ifndef TESTS_JINJA_EXPRESSIONS_H
#define TESTS_JINJA_EXPRESSIONS_H

#include <stddef.h>
#include <stdint.h>

/* `shows` is the rendering; "! ..." the message of an error, without its place
 * (but "! t:LINE: ..." is with it).
 * The time is 2024-02-26T07:08:09Z. */
struct expression_case {
	const char *text, *shows;
};

void check_expressions(const struct expression_case *cases, size_t n); /* {{ text }} */
void check_templates(const struct expression_case *cases, size_t n);
/* `shows` are the sources of its bytes, a digit each. The variables x, "ab", and
 * y, "é\n", have 1 and 2. */
void check_sources(const struct expression_case *cases, size_t n);
void check_template_sources(const struct expression_case *cases, size_t n);
/* strftime_now(format) at a time. */
void check_time(int64_t now, const char *format, const char *shows);

#endif
