/* A rendering without a template, and values read from Python's literals. */
#ifndef SOTTO_TESTS_UNIT_JINJA_RENDERING_H
#define SOTTO_TESTS_UNIT_JINJA_RENDERING_H

#include "jinja/object.h"

struct rendering {
	struct jinja_template tmpl;
	struct arena arena;
	struct error err;
	struct render render;
};

void rendering_begin(struct rendering *r);
void rendering_end(struct rendering *r);
/* Forgets a failure. */
void rendering_reset(struct rendering *r);

/* Numbers, inf, nan, strings, lists, tuples, dicts, range(...), True, False,
 * None, Undefined, iter [...], keys [...], values [...], items [...]; stops the
 * test for anything else. */
struct jinja_value literal(struct rendering *r, const char *text);
/* repr(), or after a failure its text without its "NAME:LINE: ". Lives till
 * rendering_end. */
const char *shown(struct rendering *r, struct jinja_value value);

#endif
