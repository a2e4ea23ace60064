/* What resolve.c (statements) and resolve_expr.c share. The tree is theirs until
 * parsing is over: what it holds may be changed here. */
#ifndef SOTTO_JINJA_RESOLVER_H
#define SOTTO_JINJA_RESOLVER_H

#include "jinja/render.h"
#include "jinja/symbols.h"

struct resolver {
	struct jinja_template *tmpl;
	struct symbol_table table;
	struct symbols *top; /* the template's own scope */
	unsigned n_ifs;      /* {% if %}s around */
	const struct jinja_string **lookups;
	size_t n_lookups, cap_lookups;
	struct error *err;
	enum status status; /* of a filter or test that does not exist */
};

/* Zeroed memory of the template; NULL: there is none, and the table says it. */
void *resolver_keep(struct resolver *r, size_t n, size_t size);
/* The variables of a scope, once the first pass is over. */
struct scope resolver_scope(struct resolver *r, const struct symbols *symbols);

void bind_variable(struct resolver *r, struct symbols *symbols, const struct jinja_string *name,
                   struct variable *out);
void bind_expr(struct resolver *r, struct symbols *symbols, const struct expr *expr);
void bind_target(struct resolver *r, struct symbols *symbols, const struct target *target);
/* 1 + the number in lookups for what the template sets at its top level. */
uint32_t export_of(struct resolver *r, const struct symbols *symbols,
                   const struct jinja_string *name);

#endif
