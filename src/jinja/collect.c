#include "jinja/symbols.h"
#include "jinja/walk.h"

struct pass {
	struct symbol_table *table;
	struct symbols *symbols;
};

static void collect_child(void *ctx, const struct expr *expr)
{
	struct pass *pass = ctx;

	if (expr->kind == EXPR_NAME)
		symbols_load(pass->table, pass->symbols, expr->name);
	else
		walk_expr(expr, collect_child, ctx);
}

void collect_expr(struct symbol_table *table, struct symbols *symbols, const struct expr *expr)
{
	struct pass pass = {table, symbols};

	if (expr)
		collect_child(&pass, expr);
}

static void collect_target(struct symbol_table *table, struct symbols *symbols,
                        const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_store(table, symbols, target->name);
	else if (target->kind == TARGET_ATTRIBUTE)
		symbols_load(table, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		collect_target(table, symbols, target->items[i]);
}

static void collect_branch(struct symbol_table *table, struct symbols *symbols,
                        const struct body *body)
{
	size_t begin = branch_begin(table);

	collect_body(table, symbols, body);
	branch_end(table, begin);
}

static void collect_if(struct symbol_table *table, struct symbols *symbols, const struct stmt *stmt)
{
	size_t mark = branches_mark(table), begin, inner;

	collect_expr(table, symbols, stmt->arms[0].condition);
	collect_branch(table, symbols, &stmt->arms[0].body);
	/* All elifs are one branch, in which each is an `if` of its own. */
	begin = branch_begin(table);
	for (size_t i = 1; i < stmt->n_arms && stmt->arms[i].condition; i++) {
		inner = branches_mark(table);
		collect_expr(table, symbols, stmt->arms[i].condition);
		collect_branch(table, symbols, &stmt->arms[i].body);
		branches_merge(table, symbols, inner);
	}
	branch_end(table, begin);
	if (stmt->n_arms > 1 && !stmt->arms[stmt->n_arms - 1].condition)
		collect_branch(table, symbols, &stmt->arms[stmt->n_arms - 1].body);
	branches_merge(table, symbols, mark);
}

static void collect_stmt(struct symbol_table *table, struct symbols *symbols, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
	case STMT_FOR:
	case STMT_CALL:
	case STMT_FILTER:
		collect_expr(table, symbols, stmt->expr);
		break;
	case STMT_IF:
		collect_if(table, symbols, stmt);
		break;
	case STMT_SET:
		collect_expr(table, symbols, stmt->expr);
		collect_target(table, symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
		collect_target(table, symbols, stmt->target);
		break;
	case STMT_MACRO:
		symbols_store(table, symbols, stmt->macro->name);
		break;
	case STMT_WITH:
		for (size_t i = 0; i < stmt->n_targets; i++)
			collect_expr(table, symbols, stmt->values[i]);
		break;
	case STMT_TEXT:
	case STMT_BLOCK:
	case STMT_SCOPE:
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	}
}

void collect_body(struct symbol_table *table, struct symbols *symbols, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++)
		collect_stmt(table, symbols, body->items[i]);
}

void collect_params(struct symbol_table *table, struct symbols *symbols,
                    const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_declare(table, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		collect_params(table, symbols, target->items[i]);
}
