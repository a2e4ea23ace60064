#include "jinja/symbols.h"

/* ---- scopes ---- */

struct symbols *symbols_begin(struct symbol_table *table, struct symbols *parent,
                              struct function *function)
{
	struct symbols *symbols = arena_alloc(&table->arena, sizeof *symbols);

	if (!symbols)
		return NULL;
	*symbols = (struct symbols){
		.table = table,
		.parent = parent,
		.function = function,
		.first_slot = function->top,
	};
	symbols->end = &symbols->first;
	if (parent && parent->function != function)
		parent->function->captured = true;
	return symbols;
}

void symbols_end(struct symbols *symbols)
{
	for (struct symbol *symbol = symbols->first; symbol; symbol = symbol->next)
		symbol->name->symbol = symbol->shadowed;
	symbols->function->top = symbols->first_slot;
}

static uint32_t new_slot(struct function *function)
{
	uint32_t slot = function->top++;

	if (function->n_slots < function->top)
		function->n_slots = function->top;
	return slot;
}

/* ---- names ---- */

/* How a scope reaches a symbol that it sees. */
static struct variable variable_of(const struct symbols *symbols, const struct symbol *symbol)
{
	struct variable variable = {.up = 0, .slot = symbol->slot};

	for (; symbols != symbol->scope; symbols = symbols->parent)
		variable.up += symbols->parent->function != symbols->function;
	return variable;
}

struct variable symbols_find(const struct symbols *symbols, const struct jinja_string *name)
{
	struct symbol *symbol = name_of(name)->symbol;

	if (!symbol)
		return (struct variable){0};
	symbol->read = true;
	return variable_of(symbols, symbol);
}

/* A new symbol of this scope, which begins as the variable around it or is
 * looked up. */
static struct symbol *add(struct symbols *symbols, struct name *name)
{
	struct symbol *symbol = arena_alloc(&symbols->table->arena, sizeof *symbol);

	if (!symbol)
		return &symbols->table->spare;
	*symbol = (struct symbol){
		.name = name,
		.scope = symbols,
		.shadowed = name->symbol,
		.load = name->symbol ? LOAD_OUTER : LOAD_LOOKUP,
		.slot = new_slot(symbols->function),
	};
	if (name->symbol)
		symbol->outer = variable_of(symbols, name->symbol);
	*symbols->end = symbol;
	symbols->end = &symbol->next;
	name->symbol = symbol;
	return symbol;
}

static void symbols_load(struct symbols *symbols, const struct jinja_string *string)
{
	struct name *name = name_of(string);

	if (name->symbol)
		return;
	add(symbols, name);
	name->is_free = true;
}

static struct symbol *own(struct symbols *symbols, const struct jinja_string *string)
{
	struct name *name = name_of(string);
	bool is_own = name->symbol && name->symbol->scope == symbols;

	return is_own ? name->symbol : add(symbols, name);
}

struct symbol *symbols_declare(struct symbols *symbols, const struct jinja_string *name)
{
	struct symbol *symbol = own(symbols, name);

	symbol->load = LOAD_PARAM;
	return symbol;
}

/* ---- the first pass over a scope ---- */

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

static void collect_target(struct symbols *symbols, const struct expr *target)
{
	if (target->kind == EXPR_GETATTR) {
		collect_expr(symbols, target);
		return;
	}
	if (target->kind == EXPR_NAME)
		own(symbols, target->name)->stored = true;
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
	case STMT_ARM:
		collect_expr(symbols, stmt->expr);
		collect_body(symbols, &stmt->body);
		break;
	case STMT_SET:
		collect_expr(symbols, stmt->expr);
		collect_target(symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
	case STMT_MACRO:
		collect_target(symbols, stmt->target);
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

void collect_params(struct symbols *symbols, const struct expr *target)
{
	if (target->kind == EXPR_NAME)
		symbols_declare(symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		collect_params(symbols, target->items[i]);
}
