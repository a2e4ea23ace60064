/* A template's tree as one line of text, for tests:
 *   a + b|f(1)         (+ a (| b f 1))
 *   {% if a %}x{% endif %}   (if (a 'x'))
 * With lines, every expression and statement ends in "@LINE". */
#ifndef SOTTO_TESTS_JINJA_DUMP_H
#define SOTTO_TESTS_JINJA_DUMP_H

#include <stdbool.h>

#include "base/buf.h"
#include "jinja/ast.h"

void dump_template(struct buf *out, const struct jinja_template *tmpl, bool lines);
/* The tree of a source, or the error that it has as a template named "t". */
void dump_source(struct buf *out, const char *source, size_t len, bool lines);

struct dump_case {
	const char *source, *dump;
};
void dump_check(const struct dump_case *cases, size_t n, bool lines);

#endif
