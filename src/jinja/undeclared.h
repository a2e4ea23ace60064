/* Whether a body uses a name that nothing before it in the body sets: how
 * Jinja2 finds out that a loop needs its `loop`, a macro its `caller`. */
#ifndef SOTTO_JINJA_UNDECLARED_H
#define SOTTO_JINJA_UNDECLARED_H

#include "jinja/ast.h"

enum { UNDECLARED_MAX = 3 };

struct undeclared {
	const struct string *names[UNDECLARED_MAX]; /* interned; NULL: does not occur */
	bool set[UNDECLARED_MAX], used[UNDECLARED_MAX];
};

/* Fills in `used`. Goes into everything in the body but blocks. */
void undeclared_find(struct undeclared *search, const struct body *body);

#endif
