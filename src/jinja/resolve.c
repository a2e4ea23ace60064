#include "jinja/scope.h"

#include <string.h>

#include "jinja/render.h"
#include "jinja/symbols.h"
#include "jinja/undeclared.h"
#include "jinja/walk.h"

/* Two passes over each scope, as in Jinja2: the first (collect.c) notes what all
 * of it reads and sets, the second, which knows that, gives each name its
 * variable and goes into the scopes inside. */

struct resolver {
	struct jinja_template *tmpl;
	struct symbol_table table;
	struct symbols *top; /* the template's own scope */
	const struct string *loop;
	unsigned line;        /* the last one that Jinja2 would have marked */
	bool has_scoped;      /* some block sees the variables around it */
	const struct string **world;
	size_t n_world, cap_world;
};

/* What is known of a name wherever it stands. */
struct name_facts {
	uint32_t world; /* 1 + its number; 0: none yet */
	struct value undefined;
};

static void *keep(struct resolver *r, size_t n, size_t size)
{
	void *p = arena_array(&r->tmpl->arena, n, size);

	if (!p)
		r->table.failed = true;
	return p;
}

/* The tree is ours until parsing is over. */
static struct expr *own_expr(const struct expr *expr)
{
	return (struct expr *)expr;
}

struct pass {
	struct resolver *r;
	struct symbols *symbols;
};

/* ---- what is kept of a scope ---- */

static struct name_facts *facts(struct resolver *r, const struct string *name)
{
	void **note = symbol_note(&r->table, NULL, name);
	struct name_facts *known = note ? *note : NULL;

	if (known || !note)
		return known;
	known = arena_alloc(&r->table.arena, sizeof *known);
	if (!known) {
		r->table.failed = true;
		return NULL;
	}
	known->undefined = undefined_variable(&r->tmpl->arena, name);
	*note = known;
	return known;
}

/* The number of a name in the world. */
static uint32_t world_index(struct resolver *r, const struct string *name)
{
	struct name_facts *known = facts(r, name);
	size_t old = r->cap_world * sizeof *r->world, cap;
	const struct string **grown;

	if (!known)
		return 0;
	if (known->world)
		return known->world - 1;
	if (r->n_world == r->cap_world) {
		cap = r->cap_world ? r->cap_world * 2 : 16;
		grown = arena_grow(&r->tmpl->arena, r->world, old, cap * sizeof *r->world);
		if (!grown) {
			r->table.failed = true;
			return 0;
		}
		r->world = grown;
		r->cap_world = cap;
	}
	r->world[r->n_world++] = name;
	known->world = (uint32_t)r->n_world;
	return known->world - 1;
}

static struct scope scope_of(struct resolver *r, const struct symbols *symbols)
{
	struct scope scope = {0};
	struct load *loads;
	size_t n = 0;

	for (const struct symbol *s = symbols->first; s; s = s->next)
		n += s->load != LOAD_NONE;
	if (!n)
		return scope;
	scope.loads = loads = keep(r, n, sizeof *loads);
	if (!loads)
		return scope;
	for (const struct symbol *s = symbols->first; s; s = s->next) {
		if (s->load == LOAD_NONE)
			continue;
		loads[scope.n] = (struct load){.kind = s->load, .slot = s->slot, .outer = s->outer};
		if (s->load == LOAD_WORLD)
			loads[scope.n].world = world_index(r, s->name);
		scope.n++;
	}
	return scope;
}

/* ---- second pass: which variable each name is ---- */

static void bind_body(struct resolver *r, struct symbols *symbols, const struct body *body);

static void bind_variable(struct resolver *r, struct symbols *symbols, const struct string *name,
                          struct variable *out)
{
	/* The first pass has seen all names; but for want of memory. */
	if (!symbols_find(&r->table, symbols, name, out))
		r->table.failed = true;
}

static void bind_name(struct resolver *r, struct symbols *symbols, struct expr *expr)
{
	const struct name_facts *known = facts(r, expr->name);

	if (known)
		expr->constant = known->undefined;
	bind_variable(r, symbols, expr->name, &expr->op.variable);
}

static void bind_cond(struct resolver *r, struct expr *expr)
{
	if (expr->n == 3 && expr->items[2])
		return;
	expr->constant = undefined_hint(&r->tmpl->arena,
	                                "the inline if-expression on line %u evaluated to false "
	                                "and no else section was defined.",
	                                expr->line);
}

static void bind_child(void *ctx, const struct expr *expr)
{
	struct pass *pass = ctx;

	if (expr->kind == EXPR_NAME)
		bind_name(pass->r, pass->symbols, own_expr(expr));
	else if (expr->kind == EXPR_COND)
		bind_cond(pass->r, own_expr(expr));
	walk_expr(expr, bind_child, ctx);
}

static void bind_expr(struct resolver *r, struct symbols *symbols, const struct expr *expr)
{
	struct pass pass = {r, symbols};

	if (expr)
		bind_child(&pass, expr);
}

/* 1 + the number in the world for what the template sets at its top level. */
static uint32_t export_of(struct resolver *r, const struct symbols *symbols,
                          const struct string *name)
{
	return symbols == r->top ? world_index(r, name) + 1 : 0;
}

static void bind_target(struct resolver *r, struct symbols *symbols, const struct target *target)
{
	struct target *mine = (struct target *)target;

	if (target->kind != TARGET_TUPLE)
		bind_variable(r, symbols, target->name, &mine->variable);
	if (target->kind == TARGET_NAME)
		mine->export = export_of(r, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		bind_target(r, symbols, target->items[i]);
}

static struct function *new_function(struct resolver *r, unsigned line)
{
	struct function *function = keep(r, 1, sizeof *function);

	if (function)
		*function = (struct function){.line = line, .self = NO_SLOT, .super = NO_SLOT,
		                              .caller = NO_SLOT, .kwargs = NO_SLOT,
		                              .varargs = NO_SLOT};
	return function;
}

static struct scopes *new_scopes(struct resolver *r, const struct stmt *stmt)
{
	struct scopes *scopes = keep(r, 1, sizeof *scopes);

	((struct stmt *)stmt)->scopes = scopes;
	return scopes;
}

static const struct string *intern(struct resolver *r, const char *name)
{
	return template_intern(r->tmpl, name, strlen(name));
}

/* ---- macros ---- */

static bool has_param(const struct macro *macro, const struct string *name)
{
	for (size_t i = 0; macro && i < macro->n_params; i++) {
		if (macro->params[i].name == name)
			return true;
	}
	return false;
}

static void declare_params(struct resolver *r, struct symbols *symbols, const struct macro *macro)
{
	for (size_t i = 0; i < macro->n_params; i++)
		symbols_declare(&r->table, symbols, macro->params[i].name);
}

/* The names that only have their meaning when the body uses them. */
static void declare_specials(struct resolver *r, struct symbols *symbols, const struct body *body,
                             const struct macro *macro, struct function *function)
{
	struct undeclared search = {
		.names = {intern(r, "caller"), intern(r, "kwargs"), intern(r, "varargs")}};
	uint32_t *slots[] = {&function->caller, &function->kwargs, &function->varargs};

	undeclared_find(&search, body);
	for (size_t i = 0; i < UNDECLARED_MAX; i++) {
		if (search.used[i] && !has_param(macro, search.names[i]))
			*slots[i] = symbols_declare(&r->table, symbols, search.names[i]);
	}
}

static void bind_macro(struct resolver *r, struct symbols *symbols, const struct macro *macro,
                       unsigned line)
{
	struct function *function = new_function(r, line);
	struct symbols *inner =
		function ? symbols_begin(&r->table, symbols, function) : NULL;

	if (!inner)
		return;
	((struct macro *)macro)->function = function;
	declare_params(r, inner, macro);
	declare_specials(r, inner, &macro->body, macro, function);
	for (size_t i = 0; i < macro->n_params; i++)
		collect_expr(&r->table, inner, macro->params[i].value);
	collect_body(&r->table, inner, &macro->body);
	function->scope = scope_of(r, inner);
	r->line = line;
	for (size_t i = 0; i < macro->n_params; i++) {
		struct macro_param *param = (struct macro_param *)&macro->params[i];

		bind_expr(r, inner, param->value);
		if (!param->value)
			param->missing = undefined_hint(&r->tmpl->arena,
			                                "parameter '%s' was not provided",
			                                param->name->data);
	}
	bind_body(r, inner, &macro->body);
	symbols_end(inner);
}

static void bind_macro_stmt(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	struct scopes *scopes = new_scopes(r, stmt);

	bind_macro(r, symbols, stmt->macro, stmt->line);
	if (!scopes)
		return;
	bind_variable(r, symbols, stmt->macro->name, &scopes->name);
	scopes->export = export_of(r, symbols, stmt->macro->name);
}

/* ---- loops ---- */

static const struct target *copy_target(struct resolver *r, const struct target *target)
{
	struct target *copy = keep(r, 1, sizeof *copy);
	const struct target **items = keep(r, target->n, sizeof *items);

	if (!copy || !items)
		return target;
	*copy = *target;
	copy->items = items;
	for (size_t i = 0; i < target->n; i++)
		items[i] = copy_target(r, target->items[i]);
	return copy;
}

/* The variables of the filter are its own: it may run ahead while the body is
 * under way. */
static void bind_filter(struct resolver *r, struct symbols *test, const struct stmt *stmt,
                        struct scopes *scopes)
{
	collect_params(&r->table, test, stmt->target);
	collect_expr(&r->table, test, stmt->filter);
	scopes->filter = scope_of(r, test);
	scopes->filter_target = copy_target(r, stmt->target);
	bind_target(r, test, scopes->filter_target);
	r->line = stmt->filter->line;
	bind_expr(r, test, stmt->filter);
}

static void bind_else(struct resolver *r, struct symbols *symbols, struct function *function,
                      const struct stmt *stmt, struct scopes *scopes)
{
	struct symbols *inner = symbols_begin(&r->table, symbols, function);

	if (!inner)
		return;
	collect_body(&r->table, inner, &stmt->else_body);
	scopes->else_body = scope_of(r, inner);
	bind_body(r, inner, &stmt->else_body);
	symbols_end(inner);
}

/* `loop` is there when the body names it, or can hand it on. */
static void declare_loop(struct resolver *r, struct symbols *inner, const struct stmt *stmt,
                         struct scopes *scopes)
{
	struct undeclared search = {.names = {r->loop}};

	undeclared_find(&search, &stmt->body);
	scopes->has_loop = stmt->recursive || search.used[0] || r->has_scoped;
	if (scopes->has_loop)
		scopes->loop = r->loop ? symbols_declare(&r->table, inner, r->loop)
		                       : symbols_new_slot(inner);
}

static void bind_loop_body(struct resolver *r, struct symbols *inner, const struct stmt *stmt,
                           struct scopes *scopes)
{
	declare_loop(r, inner, stmt, scopes);
	collect_params(&r->table, inner, stmt->target);
	collect_body(&r->table, inner, &stmt->body);
	scopes->body = scope_of(r, inner);
	r->line = stmt->line;
	bind_target(r, inner, stmt->target);
	bind_body(r, inner, &stmt->body);
	symbols_end(inner);
}

static void bind_for(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	struct scopes *scopes = new_scopes(r, stmt);
	struct function *function =
		stmt->recursive ? new_function(r, stmt->line) : symbols->function;
	struct symbols *test = function ? symbols_begin(&r->table, symbols, function) : NULL;
	struct symbols *inner;

	if (!scopes || !test)
		return;
	if (stmt->recursive)
		scopes->function = function;
	if (stmt->filter)
		bind_filter(r, test, stmt, scopes);
	bind_expr(r, symbols, stmt->expr);
	inner = symbols_begin(&r->table, symbols, function);
	if (inner)
		bind_loop_body(r, inner, stmt, scopes);
	if (stmt->else_body.n)
		bind_else(r, symbols, function, stmt, scopes);
	if (stmt->recursive)
		r->line = stmt->line;
	symbols_end(test);
}

/* ---- other statements ---- */

/* A {% generation %} is a {% call %} to Jinja2, and so has a `caller` and so on
 * of its own, which nobody gives it. */
static void declare_generation(struct resolver *r, struct symbols *inner, const struct stmt *stmt,
                               struct scopes *scopes)
{
	struct function *function = new_function(r, stmt->line);

	if (function)
		declare_specials(r, inner, &stmt->body, NULL, function);
	scopes->function = function;
}

/* A body in a scope of its own: {% set %}, {% filter %}, {% with %} ... whose
 * `own` expression, if any, belongs to it. */
static void bind_scope(struct resolver *r, struct symbols *symbols, const struct stmt *stmt,
                       const struct expr *own)
{
	struct scopes *scopes = new_scopes(r, stmt);
	struct symbols *inner = symbols_begin(&r->table, symbols, symbols->function);

	if (!scopes || !inner)
		return;
	for (size_t i = 0; i < stmt->n_targets; i++)
		collect_params(&r->table, inner, stmt->targets[i]);
	if (stmt->kind == STMT_SCOPE && !own)
		declare_generation(r, inner, stmt, scopes);
	collect_body(&r->table, inner, &stmt->body);
	collect_expr(&r->table, inner, own);
	scopes->body = scope_of(r, inner);
	for (size_t i = 0; i < stmt->n_targets; i++)
		bind_target(r, inner, stmt->targets[i]);
	bind_body(r, inner, &stmt->body);
	bind_expr(r, inner, own);
	symbols_end(inner);
}

static void bind_if(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->n_arms; i++) {
		const struct expr *condition = stmt->arms[i].condition;

		if (condition)
			r->line = i ? stmt->arms[i].line : stmt->line;
		bind_expr(r, symbols, condition);
		bind_body(r, symbols, &stmt->arms[i].body);
	}
}

/* A block is a function without functions around it. Where it is drawn it may
 * be shown the variables that are set there. */
static void share_names(struct resolver *r, struct symbols *symbols, struct scopes *scopes)
{
	struct shared_name *shared;
	size_t n = 0;

	for (const struct symbols *s = symbols; s; s = s->parent) {
		for (const struct symbol *symbol = s->first; symbol; symbol = symbol->next)
			n += symbol->stored;
	}
	scopes->shared = shared = keep(r, n ? n : 1, sizeof *shared);
	if (!shared)
		return;
	for (const struct symbols *s = symbols; s; s = s->parent) {
		for (const struct symbol *symbol = s->first; symbol; symbol = symbol->next) {
			struct shared_name *item = &shared[scopes->n_shared];

			if (!symbol->stored)
				continue;
			item->world = world_index(r, symbol->name);
			bind_variable(r, symbols, symbol->name, &item->variable);
			scopes->n_shared++;
		}
	}
}

static void bind_block_place(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	struct scopes *scopes = new_scopes(r, stmt);

	if (scopes && stmt->scoped)
		share_names(r, symbols, scopes);
	r->line = stmt->line;
}

static void find_variable_part(void *ctx, const struct expr *expr)
{
	bool *found = ctx;

	if (expr->kind == EXPR_NAME || expr->kind == EXPR_CALL)
		*found = true;
	else if (!*found)
		walk_expr(expr, find_variable_part, ctx);
}

/* Jinja2 marks no line for what it can print when it compiles. */
static bool is_constant(const struct expr *expr)
{
	bool found = false;

	find_variable_part(&found, expr);
	return !found;
}

static void bind_stmt(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
		if (!is_constant(stmt->expr))
			r->line = stmt->expr->line;
		bind_expr(r, symbols, stmt->expr);
		break;
	case STMT_IF:
		bind_if(r, symbols, stmt);
		break;
	case STMT_FOR:
		bind_for(r, symbols, stmt);
		break;
	case STMT_SET:
		r->line = stmt->line;
		bind_expr(r, symbols, stmt->expr);
		bind_target(r, symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
		bind_scope(r, symbols, stmt, stmt->expr);
		bind_target(r, symbols, stmt->target);
		r->line = stmt->line;
		break;
	case STMT_MACRO:
		bind_macro_stmt(r, symbols, stmt);
		break;
	case STMT_CALL:
		bind_macro(r, symbols, stmt->macro, stmt->line);
		bind_expr(r, symbols, stmt->expr);
		r->line = stmt->line;
		break;
	case STMT_FILTER:
		bind_scope(r, symbols, stmt, stmt->expr);
		r->line = stmt->line;
		break;
	case STMT_WITH:
		/* Jinja2 marks no line for its values: they have the one before. */
		((struct stmt *)stmt)->line = r->line;
		for (size_t i = 0; i < stmt->n_targets; i++)
			bind_expr(r, symbols, stmt->values[i]);
		bind_scope(r, symbols, stmt, NULL);
		break;
	case STMT_SCOPE:
		/* As of a {% call %}. */
		if (!stmt->expr)
			r->line = stmt->line;
		bind_scope(r, symbols, stmt, stmt->expr);
		if (!stmt->expr)
			r->line = stmt->line;
		break;
	case STMT_BLOCK:
		bind_block_place(r, symbols, stmt);
		break;
	case STMT_BREAK:
	case STMT_CONTINUE:
		r->line = stmt->line;
		break;
	case STMT_TEXT:
		break;
	}
}

static void bind_body(struct resolver *r, struct symbols *symbols, const struct body *body)
{
	for (size_t i = 0; i < body->n && !r->table.failed; i++)
		bind_stmt(r, symbols, body->items[i]);
}

/* ---- the template and its blocks ---- */

static void resolve_function(struct resolver *r, struct function *function,
                             const struct body *body, bool is_block)
{
	struct undeclared search = {.names = {intern(r, "self"), intern(r, "super")}};
	struct symbols *symbols = symbols_begin(&r->table, NULL, function);

	if (!symbols)
		return;
	undeclared_find(&search, body);
	if (search.used[0])
		function->self = symbols_declare(&r->table, symbols, search.names[0]);
	if (search.used[1] && is_block)
		function->super = symbols_declare(&r->table, symbols, search.names[1]);
	if (!is_block)
		r->top = symbols;
	collect_body(&r->table, symbols, body);
	function->scope = scope_of(r, symbols);
	bind_body(r, symbols, body);
	symbols_end(symbols);
}

static void resolve_block(struct resolver *r, const struct stmt *block)
{
	struct function *function = new_function(r, block->line);

	/* A block that nothing draws can still be called by self.name(). */
	if (!block->scopes)
		new_scopes(r, block);
	if (!function || !block->scopes)
		return;
	((struct scopes *)block->scopes)->function = function;
	r->line = block->line;
	resolve_function(r, function, &block->body, true);
}

enum status resolve_names(struct jinja_template *tmpl, struct error *err)
{
	struct resolver r = {.tmpl = tmpl, .line = 1};
	struct function *root;
	bool failed;

	symbol_table_init(&r.table);
	r.loop = intern(&r, "loop");
	for (size_t i = 0; i < tmpl->n_blocks; i++)
		r.has_scoped |= tmpl->blocks[i]->scoped;
	root = new_function(&r, 1);
	tmpl->root = root;
	if (root)
		resolve_function(&r, root, &tmpl->body, false);
	for (size_t i = 0; i < tmpl->n_blocks && !r.table.failed; i++)
		resolve_block(&r, tmpl->blocks[i]);
	tmpl->world = r.world;
	tmpl->n_world = r.n_world;
	failed = r.table.failed || tmpl->arena.status;
	symbol_table_deinit(&r.table);
	if (!failed)
		return STATUS_OK;
	if (tmpl->arena.status == STATUS_LIMIT)
		return error_set(err, STATUS_LIMIT, "%s: the template takes too much: memory",
		                 tmpl->name);
	return error_set(err, STATUS_NOMEM, "%s: not enough memory for the template", tmpl->name);
}
