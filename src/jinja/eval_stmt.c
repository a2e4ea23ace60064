#include "jinja/eval.h"

/* ---- output ---- */

void capture_begin(struct render *render, struct capture *capture)
{
	capture->outer = render->out;
	text_init(&capture->text, render->arena, capture->outer->max);
	render->out = &capture->text;
}

enum status capture_end(struct render *render, struct capture *capture, struct jinja_value *out)
{
	const struct jinja_string *string;
	enum status status = render_text(render, &capture->text);

	render->out = capture->outer;
	if (status)
		return status;
	string = text_finish(&capture->text);
	if (!string)
		return render_no_memory(render);
	*out = value_from_string(string);
	return STATUS_OK;
}

enum status eval_print(struct render *render, struct jinja_value value)
{
	enum status status = STATUS_OK;

	if (value.kind == VALUE_STRING)
		text_append_string(render->out, value.u.string);
	else
		status = value_print(render, render->out, value);
	return status ? status : render_text(render, render->out);
}

static enum status eval_text(struct render *render, const struct stmt *stmt)
{
	text_append_string(render->out, stmt->text);
	return render_text(render, render->out);
}

static enum status eval_print_stmt(struct render *render, const struct stmt *stmt)
{
	struct jinja_value value;
	enum status status;

	render->line = stmt->expr->line;
	status = eval_expr(render, stmt->expr, &value);
	return status ? status : eval_print(render, value);
}

/* ---- assignments ---- */

/* Python's message if the numbers of items and names differ. */
static enum status fail_count(struct render *render, size_t want, size_t got, bool more)
{
	if (more)
		return render_fail(render, "too many values to unpack (expected %zu)", want);
	return render_fail(render, "not enough values to unpack (expected %zu, got %zu)", want,
	                   got);
}

static enum status assign_list(struct render *render, const struct target *target,
                               const struct jinja_list *list)
{
	enum status status = STATUS_OK;

	if (list->n != target->n)
		return fail_count(render, target->n, list->n, list->n > target->n);
	for (size_t i = 0; i < target->n && !status; i++)
		status = target_assign(render, target->items[i], list->items[i]);
	return status;
}

/* All items are there before the first is assigned, as in Python. */
static enum status assign_tuple(struct render *render, const struct target *target,
                                struct jinja_value value)
{
	struct jinja_value *items;
	struct iteration it;
	enum status status;
	size_t n = 0;

	if (value.kind == VALUE_LIST && value.u.list->kind != LIST_ITERATOR)
		return assign_list(render, target, value.u.list);
	if (!value_is_iterable(value))
		return render_fail(render, "cannot unpack non-iterable %s object",
		                   value_type_name(value));
	status = value_iterate(render, value, &it);
	items = arena_array(render->arena, target->n + 1, sizeof *items);
	if (!status && !items)
		status = render_no_memory(render);
	while (!status && n <= target->n && iteration_next(render, &it, &items[n]))
		n++;
	if (status || render->failed)
		return render->err->status;
	if (n != target->n)
		return fail_count(render, target->n, n, n > target->n);
	for (size_t i = 0; i < n && !status; i++)
		status = target_assign(render, target->items[i], items[i]);
	return status;
}

static bool is_namespace(struct jinja_value value)
{
	return value.kind == VALUE_OBJECT && value.u.object->ops->set;
}

static enum status fail_namespace(struct render *render)
{
	return render_fail(render, "cannot assign attribute on non-namespace object");
}

static enum status assign_attribute(struct render *render, const struct target *target,
                                    struct jinja_value value)
{
	struct jinja_value of = *frame_variable(render->frame, target->variable);

	if (!is_namespace(of))
		return fail_namespace(render);
	return of.u.object->ops->set(render, of.u.object, target->attribute, value);
}

enum status target_assign(struct render *render, const struct target *target,
                          struct jinja_value value)
{
	if (target->kind == TARGET_TUPLE)
		return assign_tuple(render, target, value);
	if (target->kind == TARGET_ATTRIBUTE)
		return assign_attribute(render, target, value);
	*frame_variable(render->frame, target->variable) = value;
	if (target->export)
		render->frame->lookups[target->export - 1] = value;
	return STATUS_OK;
}

static enum status eval_set(struct render *render, const struct stmt *stmt)
{
	const struct target *target = stmt->target;
	struct jinja_value value;
	enum status status;

	render->line = stmt->line;
	if (target->kind == TARGET_ATTRIBUTE &&
	    !is_namespace(*frame_variable(render->frame, target->variable)))
		return fail_namespace(render);
	status = eval_expr(render, stmt->expr, &value);
	return status ? status : target_assign(render, target, value);
}

/* ---- bodies in scopes ---- */

enum status eval_scope(struct render *render, const struct scope *scope, const struct body *body)
{
	enum status status = scope_enter(render, scope);

	if (!status)
		status = eval_body(render, body);
	if (!status)
		scope_leave(render, scope);
	return status;
}

/* {% set x %} and {% filter f %}: what the body prints is a value. */
static enum status eval_captured(struct render *render, const struct stmt *stmt)
{
	struct capture capture;
	struct jinja_value value;
	enum status status = scope_enter(render, &stmt->scopes->body);

	if (status)
		return status;
	capture_begin(render, &capture);
	status = eval_body(render, &stmt->body);
	if (status || render->flow != FLOW_ON) { /* a {% break %} left it */
		render->out = capture.outer;
		return status;
	}
	status = capture_end(render, &capture, &value);
	if (status)
		return status;
	render->line = stmt->line;
	if (stmt->kind == STMT_FILTER) {
		render->filtered = value;
		status = eval_expr(render, stmt->expr, &value);
		if (!status)
			status = eval_print(render, value);
	} else {
		status = target_assign(render, stmt->target, value);
	}
	scope_leave(render, &stmt->scopes->body);
	return status;
}

static enum status eval_generation(struct render *render, const struct stmt *stmt)
{
	return eval_scope(render, &stmt->scopes->body, &stmt->body);
}

/* ---- the rest ---- */

static enum status eval_if(struct render *render, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->n_arms; i++) {
		const struct if_arm *arm = &stmt->arms[i];
		struct jinja_value condition;
		enum status status;

		if (!arm->condition)
			return eval_body(render, &arm->body);
		render->line = i ? arm->line : stmt->line;
		status = eval_expr(render, arm->condition, &condition);
		if (status)
			return status;
		if (value_truth(condition))
			return eval_body(render, &arm->body);
	}
	return STATUS_OK;
}

static enum status eval_break(struct render *render, const struct stmt *stmt)
{
	render->flow = stmt->kind == STMT_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
	return STATUS_OK;
}

typedef enum status (*stmt_fn)(struct render *render, const struct stmt *stmt);

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

enum status eval_body(struct render *render, const struct body *body)
{
	enum status status = eval_descend(render);

	for (size_t i = 0; i < body->n && !status && render->flow == FLOW_ON; i++) {
		status = eval_step(render);
		if (!status)
			status = stmt_fns[body->items[i]->kind](render, body->items[i]);
	}
	render->nested--;
	return status;
}
