#include "jinja/symbols.h"
#include "jinja/walk.h"

static void collect_child(void *ctx, const struct expr *expr)
{
	if (expr->kind == EXPR_NAME)
		symbols_load(ctx, expr->name);
	else
		walk_expr(expr, collect_child, ctx);
}

void collect_expr(struct symbols *symbols, const struct expr *expr)
{
	if (expr)
		collect_child(symbols, expr);
}

static void collect_target(struct symbols *symbols, const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_store(symbols, target->name);
	else if (target->kind == TARGET_ATTRIBUTE)
		symbols_load(symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		collect_target(symbols, target->items[i]);
}

static void collect_stmt(struct symbols *symbols, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
	case STMT_FOR:
	case STMT_CALL:
	case STMT_FILTER:
		collect_expr(symbols, stmt->expr);
		break;
	case STMT_IF:
		for (size_t i = 0; i < stmt->n_arms; i++) {
			collect_expr(symbols, stmt->arms[i].condition);
			collect_body(symbols, &stmt->arms[i].body);
		}
		break;
	case STMT_SET:
		collect_expr(symbols, stmt->expr);
		collect_target(symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
		collect_target(symbols, stmt->target);
		break;
	case STMT_MACRO:
		symbols_store(symbols, stmt->macro->name);
		break;
	case STMT_TEXT:
	case STMT_GENERATION:
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	}
}

void collect_body(struct symbols *symbols, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++)
		collect_stmt(symbols, body->items[i]);
}

void collect_params(struct symbols *symbols, const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_declare(symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		collect_params(symbols, target->items[i]);
}
