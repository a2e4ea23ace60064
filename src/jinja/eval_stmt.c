#include "jinja/builtins.h"
#include "jinja/eval.h"

/* ---- output ---- */

void capture_begin(struct render *render, struct capture *capture)
{
	capture->outer = render->out;
	text_init(&capture->text, render->arena, capture->outer->max);
	render->out = &capture->text;
}

struct jinja_value capture_end(struct render *render, struct capture *capture)
{
	render->out = capture->outer;
	return give_text(render, &capture->text);
}

void eval_print(struct render *render, struct jinja_value value)
{
	if (value.kind == VALUE_STRING)
		text_append_string(render->out, value.u.string);
	else
		value_print(render, render->out, value);
	render_text(render, render->out);
}

static void eval_text(struct render *render, const struct stmt *stmt)
{
	text_append_string(render->out, stmt->text);
	render_text(render, render->out);
}

static void eval_print_stmt(struct render *render, const struct stmt *stmt)
{
	render->line = stmt->expr->line;
	eval_print(render, eval_expr(render, stmt->expr));
}

/* ---- assignments ---- */

/* Up to one more than the names are. */
static const struct jinja_value *take_items(struct render *render, struct jinja_value value,
                                            size_t n_names, size_t *n)
{
	struct jinja_value *items = arena_array(render->arena, n_names + 1, sizeof *items);
	struct iteration it = value_iterate(render, value);

	if (!items)
		render_no_memory(render);
	for (*n = 0; *n <= n_names && iteration_next(render, &it, &items[*n]);)
		++*n;
	return items;
}

/* All items are there before the first is assigned, as in Python. */
static void assign_tuple(struct render *render, const struct expr *target,
                         struct jinja_value value)
{
	const struct jinja_value *items;
	size_t n;

	if (value.kind == VALUE_LIST && value.u.list->kind != LIST_ITERATOR) {
		items = value.u.list->items;
		n = value.u.list->n;
	} else if (value_is_iterable(value)) {
		items = take_items(render, value, target->n, &n);
	} else {
		render_fail(render, "cannot unpack non-iterable %s object", value_type_name(value));
		return;
	}
	if (n > target->n)
		render_fail(render, "too many values to unpack (expected %zu)", target->n);
	else if (n < target->n)
		render_fail(render, "not enough values to unpack (expected %zu, got %zu)",
		            target->n, n);
	for (size_t i = 0; i < n && !render->failed; i++)
		target_assign(render, target->items[i], items[i]);
}

/* The namespace whose attribute is set; NULL: it is none. */
static struct jinja_object *namespace_of(struct render *render, const struct expr *target)
{
	struct jinja_value of = *frame_variable(render->frame, target->items[0]->op.variable);

	if (of.kind == VALUE_OBJECT && of.u.object->ops->set)
		return of.u.object;
	render_fail(render, "cannot assign attribute on non-namespace object");
	return NULL;
}

void target_assign(struct render *render, const struct expr *target, struct jinja_value value)
{
	struct jinja_object *of;

	if (target->kind == EXPR_TUPLE) {
		assign_tuple(render, target, value);
	} else if (target->kind == EXPR_GETATTR) {
		of = namespace_of(render, target);
		if (of)
			of->ops->set(render, of, target->name, value);
	} else {
		*frame_variable(render->frame, target->op.variable) = value;
		if (target->export)
			render->frame->lookups[target->export - 1] = value;
	}
}

static void eval_set(struct render *render, const struct stmt *stmt)
{
	render->line = stmt->line;
	if (stmt->target->kind == EXPR_GETATTR && !namespace_of(render, stmt->target))
		return;
	target_assign(render, stmt->target, eval_expr(render, stmt->expr));
}

/* ---- bodies in scopes ---- */

void eval_scope(struct render *render, const struct scope *scope, const struct body *body)
{
	scope_enter(render, scope);
	eval_body(render, body);
	scope_leave(render, scope);
}

/* {% set x %} and {% filter f %}: what the body prints is a value. */
static void eval_captured(struct render *render, const struct stmt *stmt)
{
	struct capture capture;
	struct jinja_value value;

	scope_enter(render, &stmt->scopes->body);
	capture_begin(render, &capture);
	eval_body(render, &stmt->body);
	value = capture_end(render, &capture);
	if (render->failed || render->flow != FLOW_ON) /* a {% break %} left it */
		return;
	render->line = stmt->line;
	if (stmt->kind == STMT_FILTER) {
		render->filtered = value;
		eval_print(render, eval_expr(render, stmt->expr));
	} else {
		target_assign(render, stmt->target, value);
	}
	scope_leave(render, &stmt->scopes->body);
}

static void eval_generation(struct render *render, const struct stmt *stmt)
{
	eval_scope(render, &stmt->scopes->body, &stmt->body);
}

/* ---- the rest ---- */

static void eval_if(struct render *render, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->body.n; i++) {
		const struct stmt *arm = stmt->body.items[i];

		if (arm->expr) {
			render->line = arm->line;
			if (!value_truth(eval_expr(render, arm->expr)))
				continue;
		}
		eval_body(render, &arm->body);
		break;
	}
}

static void eval_break(struct render *render, const struct stmt *stmt)
{
	render->flow = stmt->kind == STMT_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
}

typedef void (*stmt_fn)(struct render *render, const struct stmt *stmt);

static const stmt_fn stmt_fns[] = {
	[STMT_TEXT] = eval_text,
	[STMT_PRINT] = eval_print_stmt,
	[STMT_IF] = eval_if,
	[STMT_FOR] = eval_for,
	[STMT_SET] = eval_set,
	[STMT_SET_BLOCK] = eval_captured,
	[STMT_MACRO] = eval_macro,
	[STMT_CALL] = eval_call_block,
	[STMT_FILTER] = eval_captured,
	[STMT_GENERATION] = eval_generation,
	[STMT_BREAK] = eval_break,
	[STMT_CONTINUE] = eval_break,
};

void eval_body(struct render *render, const struct body *body)
{
	bool goes_on = eval_descend(render);

	for (size_t i = 0; i < body->n && goes_on; i++) {
		eval_step(render);
		if (!render->failed)
			stmt_fns[body->items[i]->kind](render, body->items[i]);
		goes_on = !render->failed && render->flow == FLOW_ON;
	}
	render->nested--;
}
