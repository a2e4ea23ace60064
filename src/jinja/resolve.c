/* Two passes over each scope: the first (symbols.c) notes what all of it reads
 * and sets, the second, which knows that, gives each name its variable and goes
 * into the scopes inside. The tree is ours until parsing is over: what it holds may
 * be changed here. */
#include <stdlib.h>
#include <string.h>

#include "jinja/builtins.h"
#include "jinja/symbols.h"

struct resolver {
	struct jinja_template *tmpl;
	struct symbol_table table;
	struct symbols *top; /* the template's own scope */
	unsigned n_ifs;      /* {% if %}s around */
	const struct jinja_string **lookups;
	size_t n_lookups, cap_lookups;
	struct error *err;
	enum status status; /* of a filter or test that does not exist */
};

/* There was no memory for something, in the template or for the symbols. */
static bool has_failed(const struct resolver *r)
{
	return r->tmpl->arena.status || r->table.arena.status;
}

/* ---- what is kept of a scope ---- */

/* The number of a name in lookups. */
static uint32_t lookup_index(struct resolver *r, const struct jinja_string *string)
{
	struct name *name = name_of(string);

	if (name->lookup)
		return name->lookup - 1;
	if (!arena_extend(&r->tmpl->arena, &r->lookups, r->n_lookups, &r->cap_lookups,
	                  sizeof *r->lookups))
		return 0;
	r->lookups[r->n_lookups++] = string;
	name->lookup = (uint32_t)r->n_lookups;
	return name->lookup - 1;
}

static struct scope resolver_scope(struct resolver *r, const struct symbols *symbols)
{
	struct scope scope = {0};
	struct load *loads;
	size_t n = 0;

	for (const struct symbol *s = symbols->first; s; s = s->next)
		n++;
	if (!n)
		return scope;
	scope.loads = loads = arena_array(&r->tmpl->arena, n, sizeof *loads);
	if (!loads)
		return scope;
	for (const struct symbol *s = symbols->first; s; s = s->next) {
		loads[scope.n] = (struct load){.kind = s->load, .slot = s->slot, .outer = s->outer};
		if (s->load == LOAD_LOOKUP)
			loads[scope.n].lookup = lookup_index(r, &s->name->string);
		scope.n++;
	}
	return scope;
}

/* ---- which variable each name is ---- */

static void bind_name(struct resolver *r, struct symbols *symbols, struct expr *expr)
{
	struct name *name = name_of(expr->name);

	if (value_is_undefined(name->undefined) && !name->undefined.u.undefined)
		name->undefined = undefined_variable(&r->tmpl->arena, expr->name);
	expr->constant = name->undefined;
	expr->op.variable = symbols_find(symbols, expr->name);
}

/* Inside a condition, a missing filter or test fails only when it is reached. */
static void check_builtin(struct resolver *r, const struct expr *expr, bool maybe)
{
	if (!expr->builtin && !maybe && !r->n_ifs && !r->status)
		r->status = error_set(r->err, STATUS_FORMAT, "%s:%u: %s '%s' is not supported",
		                      r->tmpl->name, expr->line,
		                      expr->kind == EXPR_FILTER ? "filter" : "test",
		                      expr->name->data);
}

struct pass {
	struct resolver *r;
	struct symbols *symbols;
	bool maybe; /* in a conditional expression */
};

static void bind_child(void *ctx, const struct expr *expr)
{
	const struct pass *pass = ctx;
	struct pass inner = *pass;

	switch (expr->kind) {
	case EXPR_NAME:
		bind_name(pass->r, pass->symbols, (struct expr *)expr);
		break;
	case EXPR_COND:
		inner.maybe = true;
		if (!expr->items[2])
			((struct expr *)expr)->constant = undefined_hint(
			    &pass->r->tmpl->arena,
			    "the inline if-expression on line %u evaluated to false and no else "
			    "section was defined.",
			    expr->line);
		break;
	case EXPR_FILTER:
	case EXPR_TEST:
		check_builtin(pass->r, expr, pass->maybe);
		break;
	default:
		break;
	}
	walk_expr(expr, bind_child, &inner);
}

static void bind_expr(struct resolver *r, struct symbols *symbols, const struct expr *expr)
{
	struct pass pass = {r, symbols, false};

	if (expr)
		bind_child(&pass, expr);
}

static void bind_target(struct resolver *r, struct symbols *symbols, const struct expr *target)
{
	struct expr *mine = (struct expr *)target;

	if (target->kind == EXPR_GETATTR) {
		bind_expr(r, symbols, target->items[0]);
		return;
	}
	if (target->kind == EXPR_NAME) {
		mine->op.variable = symbols_find(symbols, target->name);
		mine->export = symbols == r->top ? lookup_index(r, target->name) + 1 : 0;
	}
	for (size_t i = 0; i < target->n; i++)
		bind_target(r, symbols, target->items[i]);
}

static void bind_body(struct resolver *r, struct symbols *symbols, const struct body *body);

static struct function *new_function(struct resolver *r, unsigned line)
{
	struct function *function = arena_array(&r->tmpl->arena, 1, sizeof *function);

	if (function)
		*function = (struct function){.line = line, .caller = NO_SLOT};
	return function;
}

static struct scopes *new_scopes(struct resolver *r, const struct stmt *stmt)
{
	struct scopes *scopes = arena_array(&r->tmpl->arena, 1, sizeof *scopes);

	((struct stmt *)stmt)->scopes = scopes;
	return scopes;
}

/* Declares a special name, such as `loop`, if the template uses it; NULL if it does not, or
 * if the scope has set it. */
static struct symbol *declare_special(struct resolver *r, struct symbols *symbols,
                                      const char *text)
{
	const struct jinja_string *name = template_intern(r->tmpl, text, strlen(text));
	const struct symbol *known = name ? name_of(name)->symbol : NULL;

	if (!name || (known && known->scope == symbols))
		return NULL;
	return symbols_declare(symbols, name);
}

/* ---- macros ---- */

static void bind_params(struct resolver *r, struct symbols *inner, const struct macro *macro)
{
	for (size_t i = 0; i < macro->n_params; i++) {
		struct macro_param *param = (struct macro_param *)macro->params[i];

		bind_expr(r, inner, param->value);
		if (!param->value)
			param->missing = undefined_hint(&r->tmpl->arena,
			                                "parameter '%s' was not provided",
			                                param->name->data);
	}
}

static void bind_macro(struct resolver *r, struct symbols *symbols, const struct macro *macro,
                       unsigned line)
{
	static const char *const names[] = {"caller", "kwargs", "varargs"};
	struct function *function = new_function(r, line);
	struct symbols *inner = function ? symbols_begin(&r->table, symbols, function) : NULL;
	struct symbol *specials[] = {NULL, NULL, NULL};

	if (!inner)
		return;
	((struct macro *)macro)->function = function;
	for (size_t i = 0; i < macro->n_params; i++)
		symbols_declare(inner, macro->params[i]->name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		specials[i] = declare_special(r, inner, names[i]);
	for (size_t i = 0; i < macro->n_params; i++)
		collect_expr(inner, macro->params[i]->value);
	collect_body(inner, &macro->body);
	function->scope = resolver_scope(r, inner);
	bind_params(r, inner, macro);
	bind_body(r, inner, &macro->body);
	for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
		if (specials[i] && specials[i]->read && !specials[i]->stored && !r->status)
			r->status = error_set(r->err, STATUS_FORMAT,
			                      "%s:%u: '%s' of a macro is not supported",
			                      r->tmpl->name, line, names[i]);
	}
	if (specials[0] && specials[0]->read) {
		function->caller = specials[0]->slot;
		/* As in Jinja2, a macro also accepts what a macro inside it uses. */
		if (specials[0]->shadowed)
			specials[0]->shadowed->read = true;
	}
	symbols_end(inner);
}

/* ---- loops ---- */

static const struct expr *copy_target(struct resolver *r, const struct expr *target)
{
	struct expr *copy = arena_array(&r->tmpl->arena, 1, sizeof *copy);
	const struct expr **items = arena_array(&r->tmpl->arena, target->n, sizeof *items);

	if (!copy || !items)
		return target;
	*copy = *target;
	copy->items = items;
	for (size_t i = 0; i < target->n; i++)
		items[i] = copy_target(r, target->items[i]);
	return copy;
}

/* The filter has its own variables, which stay valid during the body: it may be one item
 * ahead. */
static void bind_filter(struct resolver *r, struct symbols *symbols, const struct stmt *stmt,
                        struct scopes *scopes)
{
	struct function *function = symbols->function;
	struct symbols *test = symbols_begin(&r->table, symbols, function);
	uint32_t top;

	if (!test)
		return;
	collect_params(test, stmt->target);
	collect_expr(test, stmt->filter);
	scopes->filter = resolver_scope(r, test);
	scopes->filter_target = copy_target(r, stmt->target);
	bind_target(r, test, scopes->filter_target);
	bind_expr(r, test, stmt->filter);
	top = function->top;
	symbols_end(test);
	function->top = top;
}

static void bind_loop_body(struct resolver *r, struct symbols *symbols, const struct stmt *stmt,
                           struct scopes *scopes)
{
	struct symbols *inner = symbols_begin(&r->table, symbols, symbols->function);
	const struct symbol *loop;

	if (!inner)
		return;
	loop = declare_special(r, inner, "loop");
	collect_params(inner, stmt->target);
	collect_body(inner, &stmt->body);
	scopes->body = resolver_scope(r, inner);
	bind_target(r, inner, stmt->target);
	bind_body(r, inner, &stmt->body);
	scopes->has_loop = loop && loop->read;
	scopes->loop = loop ? loop->slot : NO_SLOT;
	symbols_end(inner);
}

static void bind_else(struct resolver *r, struct symbols *symbols, const struct stmt *stmt,
                      struct scopes *scopes)
{
	struct symbols *inner = symbols_begin(&r->table, symbols, symbols->function);

	if (!inner)
		return;
	collect_body(inner, &stmt->else_body);
	scopes->else_body = resolver_scope(r, inner);
	bind_body(r, inner, &stmt->else_body);
	symbols_end(inner);
}

static void bind_for(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	struct scopes *scopes = new_scopes(r, stmt);
	struct function *function = symbols->function;
	uint32_t top = function->top;

	if (!scopes)
		return;
	bind_expr(r, symbols, stmt->expr);
	if (stmt->filter)
		bind_filter(r, symbols, stmt, scopes);
	bind_loop_body(r, symbols, stmt, scopes);
	if (stmt->else_body.n)
		bind_else(r, symbols, stmt, scopes);
	function->top = top;
}

/* ---- other statements ---- */

/* A body in a scope of its own, and the filters of a filter block. */
static void bind_scope(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	struct scopes *scopes = new_scopes(r, stmt);
	struct symbols *inner = symbols_begin(&r->table, symbols, symbols->function);

	if (!scopes || !inner)
		return;
	collect_body(inner, &stmt->body);
	collect_expr(inner, stmt->expr);
	scopes->body = resolver_scope(r, inner);
	bind_body(r, inner, &stmt->body);
	bind_expr(r, inner, stmt->expr);
	symbols_end(inner);
}

static void bind_if(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	r->n_ifs++;
	bind_body(r, symbols, &stmt->body);
	r->n_ifs--;
}

static void bind_stmt(struct resolver *r, struct symbols *symbols, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_PRINT:
		bind_expr(r, symbols, stmt->expr);
		break;
	case STMT_IF:
		bind_if(r, symbols, stmt);
		break;
	case STMT_ARM:
		bind_expr(r, symbols, stmt->expr);
		bind_body(r, symbols, &stmt->body);
		break;
	case STMT_FOR:
		bind_for(r, symbols, stmt);
		break;
	case STMT_SET:
		bind_expr(r, symbols, stmt->expr);
		bind_target(r, symbols, stmt->target);
		break;
	case STMT_SET_BLOCK:
		bind_scope(r, symbols, stmt);
		bind_target(r, symbols, stmt->target);
		break;
	case STMT_MACRO:
		bind_macro(r, symbols, stmt->macro, stmt->line);
		bind_target(r, symbols, stmt->target);
		break;
	case STMT_CALL:
		bind_macro(r, symbols, stmt->macro, stmt->line);
		bind_expr(r, symbols, stmt->expr);
		break;
	case STMT_FILTER:
	case STMT_GENERATION:
		bind_scope(r, symbols, stmt);
		break;
	case STMT_TEXT:
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	}
}

static void bind_body(struct resolver *r, struct symbols *symbols, const struct body *body)
{
	for (size_t i = 0; i < body->n && !has_failed(r); i++)
		bind_stmt(r, symbols, body->items[i]);
}

/* ---- the names that it wants from outside ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void keep_free_names(struct resolver *r)
{
	struct jinja_template *tmpl = r->tmpl;
	const char **free_names = arena_array(&r->tmpl->arena, tmpl->names.n + 1, sizeof *free_names);

	if (!free_names)
		return;
	for (size_t i = 0; i < tmpl->names.n; i++) {
		const struct name *name = name_of(tmpl->names.entries[i].value.u.string);

		if (name->is_free && !builtin_find(&jinja_globals, &name->string))
			free_names[tmpl->n_free_names++] = name->string.data;
	}
	qsort(free_names, tmpl->n_free_names, sizeof *free_names, by_text);
	tmpl->free_names = free_names;
}

const char *const *jinja_free_names(const struct jinja_template *tmpl, size_t *n)
{
	*n = tmpl->n_free_names;
	return tmpl->free_names;
}

/* ---- the whole ---- */

static void resolve_template(struct resolver *r)
{
	struct jinja_template *tmpl = r->tmpl;
	struct function *root = new_function(r, 1);

	tmpl->root = root;
	r->top = root ? symbols_begin(&r->table, NULL, root) : NULL;
	if (!r->top)
		return;
	collect_body(r->top, &tmpl->body);
	root->scope = resolver_scope(r, r->top);
	bind_body(r, r->top, &tmpl->body);
	symbols_end(r->top);
	tmpl->lookups = r->lookups;
	tmpl->n_lookups = r->n_lookups;
	keep_free_names(r);
}

enum status resolve_names(struct jinja_template *tmpl, struct error *err)
{
	struct resolver r = {.tmpl = tmpl, .err = err};
	bool failed;

	arena_init(&r.table.arena, SIZE_MAX / 2);
	resolve_template(&r);
	failed = has_failed(&r);
	arena_free(&r.table.arena);
	if (!failed)
		return r.status;
	if (tmpl->arena.status == STATUS_LIMIT)
		return error_set(err, STATUS_LIMIT, "%s: the template takes too much: memory",
		                 tmpl->name);
	return error_set(err, STATUS_NOMEM, "%s: not enough memory for the template", tmpl->name);
}
