/* Which variable a name means. Names are resolved once, after parsing, by the
 * rules of Jinja2's compiler, so that rendering only reads slots:
 *
 * The template itself, each macro and the body of each {% call %} is a *function*,
 * with slots for its variables. A loop, a set block or a filter block is a *scope*
 * in its function: a name that is set in a scope is another variable than the same
 * name outside. A scope that sets a name begins with a copy of the outer variable,
 * taken afresh in each iteration of a loop; a scope that only reads a name uses the
 * outer variable itself. `if` has no scope.
 *
 * A name that no scope around sets is *looked up*: among what the template has set
 * at its top level so far, then in the context, then in the globals. The value is
 * read when the scope that uses the name is entered. */
#ifndef SOTTO_JINJA_SCOPE_H
#define SOTTO_JINJA_SCOPE_H

#include "jinja/ast.h"

#define NO_SLOT UINT32_MAX

enum load_kind {
	LOAD_PARAM, /* its value is put there: loop targets, arguments */
	LOAD_LOOKUP,
	LOAD_OUTER, /* a copy of the variable around */
};

/* One variable of a scope, and what it holds when the scope is entered. */
struct load {
	enum load_kind kind;
	uint32_t slot;
	uint32_t lookup;       /* LOOKUP */
	struct variable outer; /* OUTER */
};

struct scope {
	const struct load *loads;
	size_t n;
};

struct function {
	unsigned line;
	uint32_t n_slots; /* the first are the parameters, in order */
	uint32_t top;     /* resolve.c's: slots in use at the moment */
	bool captured;  /* functions in it may use its variables after its end */
	struct scope scope;
	uint32_t caller; /* of a macro; NO_SLOT: the name does not occur */
};

struct scopes {
	struct scope body, else_body, filter; /* FOR; others only body */
	const struct expr *filter_target;     /* FOR: the target, as the filter has it */
	bool has_loop;        /* FOR: the `loop` object is wanted, */
	uint32_t loop;        /* in this slot */
};

/* Fills in what ast.h says is found here. The last step of parsing. */
enum status resolve_names(struct jinja_template *tmpl, struct error *err) MUST_CHECK;

#endif
