/* What can be said of a template only when all of it is there: which filters and
 * tests it wants that do not exist, and which names it wants from outside.
 *
 * A name is free where it is read and not surely set before, by Jinja2's scopes:
 * a scope sees what the scopes around it set, wherever in them; what is set in
 * some arms of an {% if %} only is not surely set. Every scope is gone through
 * twice: first its own statements, then the scopes inside it. */
#include "jinja/parser_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "jinja/builtins.h"
#include "jinja/walk.h"

struct reader {
	struct jinja_template *tmpl;
	struct error *err;
	enum status status;
	struct name **bound; /* names set in the scopes that are open, in order */
	size_t n_bound, cap_bound;
};

/* ---- names ---- */

static struct name *find(struct reader *r, const struct string *name)
{
	return names_find(r->tmpl->names, name->data, name->len);
}

static void bind(struct reader *r, const struct string *string)
{
	struct name *name = find(r, string);

	if (r->status || name->bound)
		return;
	if (r->n_bound == r->cap_bound &&
	    !alloc_grow(&r->bound, &r->cap_bound, r->n_bound + 1, sizeof *r->bound,
	                LIMIT_JINJA_TREE / sizeof *r->bound)) {
		r->status = error_set(r->err, STATUS_NOMEM, "%s: not enough memory for the template",
		                      r->tmpl->name);
		return;
	}
	name->bound = true;
	r->bound[r->n_bound++] = name;
}

static void bind_text(struct reader *r, const char *text)
{
	const struct string *name = template_intern(r->tmpl, text, strlen(text));

	if (name)
		bind(r, name);
}

static void unbind(struct reader *r, size_t mark)
{
	while (r->n_bound > mark)
		r->bound[--r->n_bound]->bound = false;
}

static void bind_target(struct reader *r, const struct target *target)
{
	if (target->kind == TARGET_NAME)
		bind(r, target->name);
	for (size_t i = 0; target->kind == TARGET_TUPLE && i < target->n; i++)
		bind_target(r, target->items[i]);
	if (target->kind == TARGET_ATTRIBUTE && !find(r, target->name)->bound)
		find(r, target->name)->read = true;
}

/* ---- expressions ---- `soft`: in an {% if %} or a conditional expression, where
 * what is missing may be missing as long as it is not reached */

struct pass {
	struct reader *r;
	bool soft;
};

static void read_builtin(struct reader *r, const struct expr *expr, bool soft)
{
	if (!expr->builtin && !soft && !r->status)
		r->status = error_set(r->err, STATUS_FORMAT, "%s:%u: No %s named '%s'.",
		                      r->tmpl->name, expr->line,
		                      expr->kind == EXPR_FILTER ? "filter" : "test",
		                      expr->name->data);
}

static void read_child(void *ctx, const struct expr *expr)
{
	const struct pass *pass = ctx;
	struct pass inner = {pass->r, pass->soft || expr->kind == EXPR_COND};

	if (expr->kind == EXPR_NAME) {
		struct name *name = find(pass->r, expr->name);

		name->read = name->read || !name->bound;
	}
	if (expr->kind == EXPR_FILTER || expr->kind == EXPR_TEST)
		read_builtin(pass->r, expr, pass->soft);
	walk_expr(expr, read_child, &inner);
}

static void read_expr(struct reader *r, const struct expr *expr, bool soft)
{
	struct pass pass = {r, soft};

	if (expr)
		read_child(&pass, expr);
}

/* ---- the statements of a scope ---- */

static void read_body(struct reader *r, const struct body *body, bool soft);

/* Each arm's names follow one another in `bound`, taken back; those that are in
 * all of them are put there again. */
static void bind_common(struct reader *r, size_t mark, size_t n_arms)
{
	size_t end = r->n_bound;

	for (size_t i = mark; i < end; i++)
		r->bound[i]->count++;
	r->n_bound = mark;
	for (size_t i = mark; i < end; i++) {
		struct name *name = r->bound[i];

		if (name->count == n_arms) {
			name->bound = true;
			r->bound[r->n_bound++] = name;
		}
		name->count = 0;
	}
}

static void read_if(struct reader *r, const struct stmt *stmt)
{
	size_t mark = r->n_bound, from;
	bool has_else = false;

	for (size_t i = 0; i < stmt->n_arms; i++) {
		from = r->n_bound;
		read_expr(r, stmt->arms[i].condition, true);
		read_body(r, &stmt->arms[i].body, true);
		for (size_t n = from; n < r->n_bound; n++)
			r->bound[n]->bound = false;
		has_else = has_else || !stmt->arms[i].condition;
	}
	bind_common(r, mark, has_else ? stmt->n_arms : SIZE_MAX);
}

static void read_stmt(struct reader *r, const struct stmt *stmt, bool soft)
{
	switch (stmt->kind) {
	case STMT_IF:
		read_if(r, stmt);
		break;
	case STMT_PRINT:
	case STMT_FOR:
	case STMT_CALL:
		read_expr(r, stmt->expr, soft);
		break;
	case STMT_SET:
		read_expr(r, stmt->expr, soft);
		bind_target(r, stmt->target);
		break;
	case STMT_SET_BLOCK:
		bind_target(r, stmt->target);
		break;
	case STMT_MACRO:
		bind(r, stmt->macro->name);
		break;
	case STMT_WITH:
		for (size_t i = 0; i < stmt->n_targets; i++)
			read_expr(r, stmt->values[i], soft);
		break;
	default:
		break;
	}
}

static void read_body(struct reader *r, const struct body *body, bool soft)
{
	for (size_t i = 0; i < body->n; i++)
		read_stmt(r, body->items[i], soft);
}

/* ---- the scopes inside ---- */

static void read_scopes(struct reader *r, const struct body *body);

static void read_scope(struct reader *r, const struct body *body)
{
	read_body(r, body, false);
	read_scopes(r, body);
}

static void read_for(struct reader *r, const struct stmt *stmt)
{
	size_t mark = r->n_bound;

	bind_target(r, stmt->target);
	read_expr(r, stmt->filter, false);
	bind_text(r, "loop");
	read_scope(r, &stmt->body);
	unbind(r, mark);
	read_scope(r, &stmt->else_body);
}

static void read_macro(struct reader *r, const struct macro *macro)
{
	for (size_t i = 0; i < macro->n_params; i++)
		bind(r, macro->params[i].name);
	if (macro->uses_caller)
		bind_text(r, "caller");
	if (macro->uses_varargs)
		bind_text(r, "varargs");
	if (macro->uses_kwargs)
		bind_text(r, "kwargs");
	for (size_t i = 0; i < macro->n_params; i++)
		read_expr(r, macro->params[i].value, false);
	read_scope(r, &macro->body);
}

/* All others, with or without a body: what they bind, their filters. */
static void read_inner(struct reader *r, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->n_targets; i++)
		bind_target(r, stmt->targets[i]);
	if (stmt->kind == STMT_BLOCK)
		bind_text(r, "super");
	if (stmt->kind == STMT_SET_BLOCK || stmt->kind == STMT_FILTER || stmt->kind == STMT_SCOPE)
		read_expr(r, stmt->expr, false);
	read_scope(r, &stmt->body);
}

static void read_scopes(struct reader *r, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++) {
		const struct stmt *stmt = body->items[i];
		size_t mark = r->n_bound;

		for (size_t arm = 0; arm < stmt->n_arms; arm++)
			read_scopes(r, &stmt->arms[arm].body);
		if (stmt->kind == STMT_FOR)
			read_for(r, stmt);
		else if (stmt->macro)
			read_macro(r, stmt->macro);
		else
			read_inner(r, stmt);
		unbind(r, mark);
	}
}

/* ---- the result ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool take_free_names(struct reader *r)
{
	struct jinja_template *tmpl = r->tmpl;
	const char **free_names = arena_array(&tmpl->arena, tmpl->names->n + 1, sizeof *free_names);

	if (!free_names)
		return false;
	for (const struct name *name = tmpl->names->all; name; name = name->next)
		if (name->read &&
		    !builtin_find(jinja_globals, jinja_n_globals, &name->string))
			free_names[tmpl->n_free_names++] = name->string.data;
	qsort(free_names, tmpl->n_free_names, sizeof *free_names, by_text);
	tmpl->free_names = free_names;
	return true;
}

enum status free_names_find(struct jinja_template *tmpl, struct error *err)
{
	struct reader r = {.tmpl = tmpl, .err = err};

	bind_text(&r, "self");
	read_scope(&r, &tmpl->body);
	free(r.bound);
	if (!r.status && !take_free_names(&r))
		r.status = error_set(err, tmpl->arena.status,
		                     "%s: the template takes too much memory", tmpl->name);
	return r.status;
}

const char *const *jinja_free_names(const struct jinja_template *tmpl, size_t *n)
{
	*n = tmpl->n_free_names;
	return tmpl->free_names;
}
