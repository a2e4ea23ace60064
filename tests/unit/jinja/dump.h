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

#endif
