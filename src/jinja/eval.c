#include "jinja/eval.h"

#include "jinja/builtins.h"

/* Each kind of expression has a function of its own, called through a table, so that stack
 * frames stay small: expressions nest deep. */
typedef enum status (*eval_fn)(struct render *render, const struct expr *expr,
                               struct jinja_value *out);

/* Arguments, and operands of ~, that need no memory. */
enum { FEW_ARGUMENTS = 4, FEW_OPERANDS = 6 };

static enum status eval_items(struct render *render, const struct expr *expr,
                              struct jinja_value *out)
{
	for (size_t i = 0; i < expr->n; i++) {
		enum status status = eval_expr(render, expr->items[i], &out[i]);

		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status eval_list(struct render *render, const struct expr *expr,
                             struct jinja_value *out)
{
	struct jinja_value list =
	    value_list(render->arena, expr->kind == EXPR_LIST ? LIST_LIST : LIST_TUPLE);
	struct jinja_value *items = arena_array(render->arena, expr->n, sizeof *items);
	enum status status;

	if (!items || render->arena->status)
		return render_no_memory(render);
	status = eval_items(render, expr, items);
	if (status)
		return status;
	list.u.list->items = items;
	list.u.list->n = list.u.list->cap = expr->n;
	*out = list;
	return STATUS_OK;
}

static enum status eval_dict(struct render *render, const struct expr *expr,
                             struct jinja_value *out)
{
	struct jinja_value dict = value_dict(render->arena), key, item;
	enum status status;

	if (render->arena->status)
		return render_no_memory(render);
	for (size_t i = 0; i + 1 < expr->n; i += 2) {
		status = eval_expr(render, expr->items[i], &key);
		if (!status)
			status = eval_expr(render, expr->items[i + 1], &item);
		if (!status)
			status = value_hash_step(render, key);
		if (status)
			return status;
		if (!dict_put(render->arena, dict.u.dict, key, item))
			return render_no_memory(render);
	}
	*out = dict;
	return STATUS_OK;
}

static enum status eval_negate(struct render *render, const struct expr *expr,
                               struct jinja_value *out)
{
	struct jinja_value a;
	enum status status = eval_expr(render, expr->items[0], &a);

	return status ? status : value_negate(render, a, out);
}

static enum status eval_binary(struct render *render, const struct expr *expr,
                               struct jinja_value *out)
{
	struct jinja_value a, b;
	enum status status = eval_expr(render, expr->items[0], &a);

	if (!status)
		status = eval_expr(render, expr->items[1], &b);
	return status ? status : value_binary(render, expr->op.binary, a, b, out);
}

static enum status eval_not(struct render *render, const struct expr *expr, struct jinja_value *out)
{
	struct jinja_value a = {0};
	enum status status = eval_expr(render, expr->items[0], &a);

	*out = value_bool(!value_truth(a));
	return status;
}

/* `and` and `or` give the operand that decides. */
static enum status eval_and_or(struct render *render, const struct expr *expr,
                               struct jinja_value *out)
{
	bool decides = expr->kind == EXPR_OR, truth = !decides;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < expr->n && truth != decides && !status; i++) {
		status = eval_expr(render, expr->items[i], out);
		truth = !status && value_truth(*out);
	}
	return status;
}

static enum status eval_compare(struct render *render, const struct expr *expr,
                                struct jinja_value *out)
{
	struct jinja_value a, b;
	bool holds = false;
	enum status status = eval_expr(render, expr->items[0], &a);

	if (!status)
		status = eval_expr(render, expr->items[1], &b);
	if (!status)
		status = value_compare_op(render, expr->op.compare, a, b, &holds);
	*out = value_bool(holds);
	return status;
}

static enum status eval_concat(struct render *render, const struct expr *expr,
                               struct jinja_value *out)
{
	struct jinja_value few[FEW_OPERANDS], *items = few;
	enum status status;

	if (expr->n > FEW_OPERANDS)
		items = arena_array(render->arena, expr->n, sizeof *items);
	if (!items)
		return render_no_memory(render);
	status = eval_items(render, expr, items);
	return status ? status : value_concat(render, items, expr->n, out);
}

static enum status eval_cond(struct render *render, const struct expr *expr,
                             struct jinja_value *out)
{
	struct jinja_value condition;
	enum status status = eval_expr(render, expr->items[1], &condition);

	if (status)
		return status;
	if (value_truth(condition))
		return eval_expr(render, expr->items[0], out);
	if (expr->n == 3 && expr->items[2])
		return eval_expr(render, expr->items[2], out);
	*out = expr->constant;
	return STATUS_OK;
}

static enum status eval_getattr(struct render *render, const struct expr *expr,
                                struct jinja_value *out)
{
	struct jinja_value of;
	enum status status = eval_expr(render, expr->items[0], &of);

	return status ? status : value_getattr(render, of, expr->name, out);
}

static enum status eval_getitem(struct render *render, const struct expr *expr,
                                struct jinja_value *out)
{
	struct jinja_value of, key;
	enum status status = eval_expr(render, expr->items[0], &of);

	if (!status)
		status = eval_expr(render, expr->items[1], &key);
	return status ? status : value_getitem(render, of, key, out);
}

static enum status eval_slice(struct render *render, const struct expr *expr,
                              struct jinja_value *out)
{
	struct jinja_value parts[4] = {{0}, value_none(), value_none(), value_none()};

	for (size_t i = 0; i < 4 && i < expr->n; i++) {
		enum status status = STATUS_OK;

		if (expr->items[i])
			status = eval_expr(render, expr->items[i], &parts[i]);
		if (status)
			return status;
	}
	return value_slice(render, parts[0], parts[1], parts[2], parts[3], out);
}

/* ---- calls ---- */

/* The arguments of a call; few of them lie here, more in the arena. */
struct arguments {
	struct args args;
	struct jinja_value few[FEW_ARGUMENTS];
	struct keyword few_keywords[FEW_ARGUMENTS];
};

static enum status value_call(struct render *render, struct jinja_value callee,
                              const struct args *args, struct jinja_value *out)
{
	if (value_is_undefined(callee))
		return undefined_fail(render, callee);
	if (!value_is_callable(callee))
		return render_fail(render, "'%s' object is not callable", value_type_name(callee));
	return callee.u.object->ops->call(render, callee.u.object, args, out);
}

static enum status eval_keywords(struct render *render, const struct call *call,
                                 const struct jinja_value *caller, struct arguments *out)
{
	static const struct jinja_string caller_name = {.data = "caller", .len = 6, .n_chars = 6};
	size_t n = call->n_keywords + (caller ? 1 : 0);
	struct keyword *keywords = out->few_keywords;

	if (n > FEW_ARGUMENTS)
		keywords = arena_array(render->arena, n, sizeof *keywords);
	if (!keywords)
		return render_no_memory(render);
	for (size_t i = 0; i < call->n_keywords; i++) {
		enum status status =
			eval_expr(render, call->keywords[i].value, &keywords[i].value);

		if (status)
			return status;
		keywords[i].name = call->keywords[i].name;
	}
	if (caller)
		keywords[n - 1] = (struct keyword){&caller_name, *caller};
	out->args.keywords = keywords;
	out->args.n_keywords = n;
	return STATUS_OK;
}

/* In the order in which Python evaluates them. */
static enum status eval_arguments(struct render *render, const struct call *call,
                                  const struct jinja_value *caller, struct arguments *out)
{
	static const struct call none;
	struct jinja_value *items = out->few;
	enum status status = STATUS_OK;

	out->args = (struct args){0};
	if (!call)
		call = &none;
	if (call->n > FEW_ARGUMENTS)
		items = arena_array(render->arena, call->n, sizeof *items);
	if (!items)
		return render_no_memory(render);
	for (size_t i = 0; i < call->n && !status; i++)
		status = eval_expr(render, call->items[i], &items[i]);
	out->args.items = items;
	out->args.n = call->n;
	if (!status && (call->n_keywords || caller))
		status = eval_keywords(render, call, caller, out);
	return status;
}

enum status eval_call(struct render *render, const struct expr *expr,
                      const struct jinja_value *caller, struct jinja_value *out)
{
	struct arguments arguments;
	struct jinja_value callee;
	enum status status = eval_expr(render, expr->items[0], &callee);

	if (!status)
		status = eval_arguments(render, expr->call, caller, &arguments);
	return status ? status : value_call(render, callee, &arguments.args, out);
}

/* A filter that does not exist is only an error where it is reached. */
static enum status call_row(struct render *render, const struct expr *expr, struct jinja_value self,
                            struct jinja_value *out)
{
	struct arguments arguments;
	enum status status = eval_arguments(render, expr->call, NULL, &arguments);

	if (status)
		return status;
	if (!expr->builtin)
		return render_fail(render, "%s '%s' is not supported",
		                   expr->kind == EXPR_FILTER ? "filter" : "test",
		                   expr->name->data);
	return builtin_call(render, expr->builtin, self, &arguments.args, out);
}

static enum status eval_filter(struct render *render, const struct expr *expr,
                               struct jinja_value *out)
{
	struct jinja_value self = render->filtered;
	enum status status = STATUS_OK;

	if (expr->items[0])
		status = eval_expr(render, expr->items[0], &self);
	return status ? status : call_row(render, expr, self, out);
}

static enum status eval_test(struct render *render, const struct expr *expr,
                             struct jinja_value *out)
{
	struct jinja_value self;
	enum status status = eval_expr(render, expr->items[0], &self);

	return status ? status : call_row(render, expr, self, out);
}

static enum status eval_plain_call(struct render *render, const struct expr *expr,
                                   struct jinja_value *out)
{
	return eval_call(render, expr, NULL, out);
}

static const eval_fn eval_fns[] = {
	[EXPR_LIST] = eval_list,
	[EXPR_TUPLE] = eval_list,
	[EXPR_DICT] = eval_dict,
	[EXPR_NEGATE] = eval_negate,
	[EXPR_BINARY] = eval_binary,
	[EXPR_NOT] = eval_not,
	[EXPR_AND] = eval_and_or,
	[EXPR_OR] = eval_and_or,
	[EXPR_COMPARE] = eval_compare,
	[EXPR_CONCAT] = eval_concat,
	[EXPR_COND] = eval_cond,
	[EXPR_GETATTR] = eval_getattr,
	[EXPR_GETITEM] = eval_getitem,
	[EXPR_SLICE] = eval_slice,
	[EXPR_CALL] = eval_plain_call,
	[EXPR_FILTER] = eval_filter,
	[EXPR_TEST] = eval_test,
};

enum status eval_expr(struct render *render, const struct expr *expr, struct jinja_value *out)
{
	enum status status;

	if (expr->kind == EXPR_CONST) {
		*out = expr->constant;
		return eval_step(render);
	}
	if (expr->kind == EXPR_NAME) {
		*out = *frame_variable(render->frame, expr->op.variable);
		if (value_is_missing(*out))
			*out = expr->constant;
		return eval_step(render);
	}
	status = eval_descend(render);
	if (status)
		return status;
	status = eval_fns[expr->kind](render, expr, out);
	render->nested--;
	return status;
}
