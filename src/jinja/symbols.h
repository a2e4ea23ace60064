/* The symbols of each scope while a template is resolved, by the rules of scope.h.
 * Scopes open and close as they are nested in the text; an identifier (names.h)
 * points to its symbol in the innermost scope that has one. */
#ifndef SOTTO_JINJA_SYMBOLS_H
#define SOTTO_JINJA_SYMBOLS_H

#include "jinja/names.h"
#include "jinja/scope.h"

/* A name in a scope. */
struct symbol {
	struct name *name;
	const struct symbols *scope;
	struct symbol *next;   /* of its scope */
	struct symbol *shadowed; /* the symbol of this name outside of the scope */
	enum load_kind load;
	uint32_t slot;
	struct variable outer; /* LOAD_OUTER */
	bool read, stored;
};

struct symbol_table {
	struct arena arena;
	struct symbol spare; /* stands for any symbol once memory has run out */
};

struct symbols {
	struct symbol_table *table;
	struct symbols *parent; /* NULL: the template's */
	struct function *function;
	uint32_t first_slot;
	struct symbol *first, **end; /* in order of appearance */
};

/* A scope in `parent`, in the same function or as the outermost one of another.
 * After symbols_end its names are gone, and its slots free for others. NULL
 * without memory. */
struct symbols *symbols_begin(struct symbol_table *table, struct symbols *parent,
                              struct function *function);
void symbols_end(struct symbols *symbols);

/* The variable that a name means here, which is read. The first pass has seen the name; if memory
 * ran out before, it is any. */
struct variable symbols_find(const struct symbols *symbols, const struct jinja_string *name);

/* The name is a parameter here. */
struct symbol *symbols_declare(struct symbols *symbols, const struct jinja_string *name);

/* The first pass over a scope: which names it reads and sets, in their order, but
 * not what is in the scopes inside it. */
void collect_body(struct symbols *symbols, const struct body *body);
void collect_expr(struct symbols *symbols, const struct expr *expr); /* NULL is fine */
/* The names of a loop's target are set before the body. */
void collect_params(struct symbols *symbols, const struct expr *target);

/* Calls `visit` for each expression directly in this one. */
static inline void walk_expr(const struct expr *expr,
                             void (*visit)(void *ctx, const struct expr *expr), void *ctx)
{
	const struct call *call = &expr->call;

	for (size_t i = 0; i < expr->n; i++) {
		if (expr->items[i])
			visit(ctx, expr->items[i]);
	}
	for (size_t i = 0; i < call->n; i++)
		visit(ctx, call->items[i]);
	for (size_t i = 0; i < call->n_keywords; i++)
		visit(ctx, call->keywords[i]->value);
}

#endif
