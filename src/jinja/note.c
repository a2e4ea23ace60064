#include "jinja/note.h"

#include "jinja/walk.h"

struct pass {
	struct symbol_table *table;
	struct symbols *symbols;
};

static void note_child(void *ctx, const struct expr *expr)
{
	struct pass *pass = ctx;

	if (expr->kind == EXPR_NAME)
		symbols_load(pass->table, pass->symbols, expr->name);
	else
		walk_expr(expr, note_child, ctx);
}

void note_expr(struct symbol_table *table, struct symbols *symbols, const struct expr *expr)
{
	struct pass pass = {table, symbols};

	if (expr)
		note_child(&pass, expr);
}

static void note_target(struct symbol_table *table, struct symbols *symbols,
			const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_store(table, symbols, target->name);
	else if (target->kind == TARGET_ATTRIBUTE)
		symbols_load(table, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		note_target(table, symbols, target->items[i]);
}

static void note_branch(struct symbol_table *table, struct symbols *symbols,
			const struct body *body)
{
	size_t begin = branch_begin(table);

	note_body(table, symbols, body);
	branch_end(table, begin);
}

static void note_if(struct symbol_table *table, struct symbols *symbols, const struct stmt *stmt)
{
	size_t mark = branches_mark(table), begin, inner;

	note_expr(table, symbols, stmt->arms[0].condition);
	note_branch(table, symbols, &stmt->arms[0].body);
	/* All elifs are one branch, in which each is an `if` of its own. */
	begin = branch_begin(table);
	for (size_t i = 1; i < stmt->n_arms && stmt->arms[i].condition; i++) {
		inner = branches_mark(table);
		note_expr(table, symbols, stmt->arms[i].condition);
		note_branch(table, symbols, &stmt->arms[i].body);
		branches_merge(table, symbols, inner);
	}
	branch_end(table, begin);
	if (stmt->n_arms > 1 && !stmt->arms[stmt->n_arms - 1].condition)
		note_branch(table, symbols, &stmt->arms[stmt->n_arms - 1].body);
	branches_merge(table, symbols, mark);
}

static void note_stmt(struct symbol_table *table, struct symbols *symbols, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
	case STMT_FOR:
	case STMT_CALL:
	case STMT_FILTER:
		note_expr(table, symbols, stmt->expr);
		break;
	case STMT_IF:
		note_if(table, symbols, stmt);
		break;
	case STMT_SET:
		note_expr(table, symbols, stmt->expr);
		note_target(table, symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
		note_target(table, symbols, stmt->target);
		break;
	case STMT_MACRO:
		symbols_store(table, symbols, stmt->macro->name);
		break;
	case STMT_WITH:
		for (size_t i = 0; i < stmt->n_targets; i++)
			note_expr(table, symbols, stmt->values[i]);
		break;
	case STMT_TEXT:
	case STMT_BLOCK:
	case STMT_SCOPE:
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	}
}

void note_body(struct symbol_table *table, struct symbols *symbols, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++)
		note_stmt(table, symbols, body->items[i]);
}

void note_params(struct symbol_table *table, struct symbols *symbols,
                           const struct target *target)
{
	if (target->kind == TARGET_NAME)
		symbols_declare(table, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		note_params(table, symbols, target->items[i]);
}
