/* The names of each scope while a template is resolved: resolve.c's tables. The
 * rules are those of Jinja2's idtracking.py. */
#ifndef SOTTO_JINJA_SYMBOLS_H
#define SOTTO_JINJA_SYMBOLS_H

#include "jinja/scope.h"

/* A name in a scope. It may be there without a meaning (LOAD_NONE): when only
 * a branch of an `if` that was left again has given it one. */
struct symbol {
	const struct string *name;
	struct symbol *next; /* of its scope */
	struct variable outer;
	enum load_kind load;
	bool stored;
	uint32_t slot;
	unsigned branches; /* of the `if` being merged: those that set it */
	unsigned seen;
};

struct symbols {
	struct symbols *parent; /* NULL: the template's, a block's */
	struct function *function;
	uint32_t first_slot;
	struct symbol *first, **end; /* in order of appearance */
};

/* A symbol as it was before, or will be after, a branch of an `if`. */
struct change {
	struct symbol *symbol;
	struct variable outer;
	enum load_kind load;
	bool stored;
};

struct changes {
	struct change *items;
	size_t n, cap;
};

struct name_entry;

/* Grows by malloc; symbols and names lie in the arena. */
struct name_map {
	struct name_entry *entries;
	size_t n, cap;
};

struct symbol_table {
	struct arena arena;
	struct name_map map;
	struct changes undo, merge; /* stacks */
	unsigned branches;          /* under way */
	unsigned last_seen;
	struct symbol spare; /* without memory: what everything goes to */
	bool failed;         /* no memory */
};

void symbol_table_init(struct symbol_table *table);
void symbol_table_deinit(struct symbol_table *table);

/* A place for something about a name in something; NULL in it at first. */
void **symbol_note(struct symbol_table *table, const void *owner, const struct string *name);

/* A scope in `parent`, in the same function or as the outermost one of another.
 * Its slots are free for others after symbols_end. NULL without memory. */
struct symbols *symbols_begin(struct symbol_table *table, struct symbols *parent,
                              struct function *function);
void symbols_end(struct symbols *symbols);
uint32_t symbols_new_slot(struct symbols *symbols);

/* The variable that a name means here; false: none in any scope around. */
bool symbols_find(struct symbol_table *table, struct symbols *symbols, const struct string *name,
                  struct variable *out);

/* The name is read, set, or a parameter here. */
void symbols_load(struct symbol_table *table, struct symbols *symbols, const struct string *name);
void symbols_store(struct symbol_table *table, struct symbols *symbols, const struct string *name);
uint32_t symbols_declare(struct symbol_table *table, struct symbols *symbols,
                         const struct string *name);

/* `if`: each branch sees what was there before the first; the merge puts their
 * outcomes together. What not all BRANCHES set has the outer value in the
 * others. */
enum { BRANCHES = 3 };
size_t branch_begin(struct symbol_table *table);
void branch_end(struct symbol_table *table, size_t begin);
size_t branches_mark(const struct symbol_table *table);
void branches_merge(struct symbol_table *table, struct symbols *symbols, size_t mark);

/* ---- collect.c ---- the first pass over a scope: which names it reads and
 * sets, in their order, but not what is in the scopes inside it */
void collect_body(struct symbol_table *table, struct symbols *symbols, const struct body *body);
/* NULL is fine. */
void collect_expr(struct symbol_table *table, struct symbols *symbols, const struct expr *expr);
/* The names of a target are set before the body: those of loops and {% with %}. */
void collect_params(struct symbol_table *table, struct symbols *symbols,
                    const struct target *target);

#endif
