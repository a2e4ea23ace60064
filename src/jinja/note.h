/* The first pass over a scope: which names it reads and sets, in their order,
 * but not what is in the scopes inside it. */
#ifndef SOTTO_JINJA_NOTE_H
#define SOTTO_JINJA_NOTE_H

#include "jinja/symbols.h"

void note_body(struct symbol_table *table, struct symbols *symbols, const struct body *body);
/* NULL is fine. */
void note_expr(struct symbol_table *table, struct symbols *symbols, const struct expr *expr);
/* The names of a target are set before the body: those of loops and {% with %}. */
void note_params(struct symbol_table *table, struct symbols *symbols,
                 const struct target *target);

#endif
