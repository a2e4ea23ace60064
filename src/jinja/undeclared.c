#include "jinja/undeclared.h"

#include "jinja/walk.h"

/* The order is that of the fields of Jinja2's nodes: it decides whether a name
 * counts as set before it is used. */

static void search_body(struct undeclared *search, const struct body *body);

static void meet(struct undeclared *search, const struct string *name, bool read)
{
	for (size_t i = 0; i < UNDECLARED_MAX; i++) {
		if (search->names[i] != name || search->set[i])
			continue;
		if (read)
			search->used[i] = true;
		else
			search->set[i] = true;
	}
}

static void search_expr(void *ctx, const struct expr *expr)
{
	if (expr->kind == EXPR_NAME)
		meet(ctx, expr->name, true);
	else
		walk_expr(expr, search_expr, ctx);
}

static void search_maybe(struct undeclared *search, const struct expr *expr)
{
	if (expr)
		search_expr(search, expr);
}

static void search_target(struct undeclared *search, const struct target *target)
{
	if (target->kind == TARGET_NAME)
		meet(search, target->name, false);
	for (size_t i = 0; i < target->n; i++)
		search_target(search, target->items[i]);
}

static void search_macro(struct undeclared *search, const struct macro *macro)
{
	for (size_t i = 0; i < macro->n_params; i++)
		meet(search, macro->params[i].name, false);
	for (size_t i = 0; i < macro->n_params; i++)
		search_maybe(search, macro->params[i].value);
	search_body(search, &macro->body);
}

static void search_if(struct undeclared *search, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->n_arms; i++) {
		search_maybe(search, stmt->arms[i].condition);
		search_body(search, &stmt->arms[i].body);
	}
}

static void search_with(struct undeclared *search, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->n_targets; i++)
		search_target(search, stmt->targets[i]);
	for (size_t i = 0; i < stmt->n_targets; i++)
		search_expr(search, stmt->values[i]);
	search_body(search, &stmt->body);
}

static void search_stmt(struct undeclared *search, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
		search_expr(search, stmt->expr);
		break;
	case STMT_IF:
		search_if(search, stmt);
		break;
	case STMT_FOR:
		search_target(search, stmt->target);
		search_expr(search, stmt->expr);
		search_body(search, &stmt->body);
		search_body(search, &stmt->else_body);
		search_maybe(search, stmt->filter);
		break;
	case STMT_SET:
		search_target(search, stmt->target);
		search_expr(search, stmt->expr);
		break;
	case STMT_SET_BLOCK:
		search_target(search, stmt->target);
		search_maybe(search, stmt->expr);
		search_body(search, &stmt->body);
		break;
	case STMT_MACRO:
		search_macro(search, stmt->macro);
		break;
	case STMT_CALL:
		search_expr(search, stmt->expr);
		search_macro(search, stmt->macro);
		break;
	case STMT_FILTER:
		search_body(search, &stmt->body);
		search_expr(search, stmt->expr);
		break;
	case STMT_WITH:
		search_with(search, stmt);
		break;
	case STMT_SCOPE:
		search_body(search, &stmt->body);
		break;
	case STMT_TEXT:
	case STMT_BLOCK:
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	}
}

static void search_body(struct undeclared *search, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++)
		search_stmt(search, body->items[i]);
}

void undeclared_find(struct undeclared *search, const struct body *body)
{
	search_body(search, body);
}
