/* Going through what an expression is made of. */
#ifndef SOTTO_JINJA_WALK_H
#define SOTTO_JINJA_WALK_H

#include "jinja/ast.h"

/* Calls `visit` for each expression directly in this one. */
static inline void walk_expr(const struct expr *expr,
                             void (*visit)(void *ctx, const struct expr *expr), void *ctx)
{
	const struct call *call = expr->call;

	for (size_t i = 0; i < expr->n; i++) {
		if (expr->items[i])
			visit(ctx, expr->items[i]);
	}
	if (!call)
		return;
	for (size_t i = 0; i < call->n; i++)
		visit(ctx, call->items[i]);
	for (size_t i = 0; i < call->n_keywords; i++)
		visit(ctx, call->keywords[i].value);
}

#endif
