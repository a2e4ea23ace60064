/* The names in expressions and targets. */
#include "jinja/resolver.h"
#include "jinja/walk.h"

void *resolver_keep(struct resolver *r, size_t n, size_t size)
{
	void *p = arena_array(&r->tmpl->arena, n, size);

	if (!p)
		r->table.failed = true;
	return p;
}

/* ---- what is kept of a scope ---- */

/* The number of a name in lookups. */
static uint32_t lookup_index(struct resolver *r, const struct jinja_string *string)
{
	struct name *name = name_of(string);
	size_t old = r->cap_lookups * sizeof *r->lookups, cap;
	const struct jinja_string **grown;

	if (name->lookup)
		return name->lookup - 1;
	if (r->n_lookups == r->cap_lookups) {
		cap = r->cap_lookups ? r->cap_lookups * 2 : 16;
		grown = arena_grow(&r->tmpl->arena, r->lookups, old, cap * sizeof *r->lookups);
		if (!grown) {
			r->table.failed = true;
			return 0;
		}
		r->lookups = grown;
		r->cap_lookups = cap;
	}
	r->lookups[r->n_lookups++] = string;
	name->lookup = (uint32_t)r->n_lookups;
	return name->lookup - 1;
}

struct scope resolver_scope(struct resolver *r, const struct symbols *symbols)
{
	struct scope scope = {0};
	struct load *loads;
	size_t n = 0;

	for (const struct symbol *s = symbols->first; s; s = s->next)
		n++;
	if (!n)
		return scope;
	scope.loads = loads = resolver_keep(r, n, sizeof *loads);
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

void bind_variable(struct resolver *r, struct symbols *symbols, const struct jinja_string *name,
                   struct variable *out)
{
	/* The first pass has seen all names, unless memory ran out. */
	if (!symbols_find(symbols, name, out))
		r->table.failed = true;
}

static void bind_name(struct resolver *r, struct symbols *symbols, struct expr *expr)
{
	struct name *name = name_of(expr->name);

	if (value_is_undefined(name->undefined) && !name->undefined.u.undefined)
		name->undefined = undefined_variable(&r->tmpl->arena, expr->name);
	expr->constant = name->undefined;
	bind_variable(r, symbols, expr->name, &expr->op.variable);
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

void bind_expr(struct resolver *r, struct symbols *symbols, const struct expr *expr)
{
	struct pass pass = {r, symbols, false};

	if (expr)
		bind_child(&pass, expr);
}

uint32_t export_of(struct resolver *r, const struct symbols *symbols,
                   const struct jinja_string *name)
{
	return symbols == r->top ? lookup_index(r, name) + 1 : 0;
}

void bind_target(struct resolver *r, struct symbols *symbols, const struct target *target)
{
	struct target *mine = (struct target *)target;

	if (target->kind != TARGET_TUPLE)
		bind_variable(r, symbols, target->name, &mine->variable);
	if (target->kind == TARGET_NAME)
		mine->export = export_of(r, symbols, target->name);
	for (size_t i = 0; i < target->n; i++)
		bind_target(r, symbols, target->items[i]);
}
