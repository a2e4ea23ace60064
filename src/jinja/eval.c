#include "jinja/eval.h"

#include "jinja/builtins.h"

/* Each kind of expression has a function of its own, called through a table, so that stack
 * frames stay small: expressions nest deep. */
typedef struct jinja_value (*eval_fn)(struct render *render, const struct expr *expr);

/* Arguments, and operands of ~, that need no memory. */
enum { FEW_ARGUMENTS = 4, FEW_OPERANDS = 6 };

static void eval_items(struct render *render, const struct expr *expr, struct jinja_value *out)
{
	for (size_t i = 0; i < expr->n; i++)
		out[i] = eval_expr(render, expr->items[i]);
}

static struct jinja_value eval_list(struct render *render, const struct expr *expr)
{
	struct jinja_value list =
		give_list(render, expr->kind == EXPR_LIST ? LIST_LIST : LIST_TUPLE);
	struct jinja_value *items = arena_array(render->arena, expr->n, sizeof *items);

	if (!items)
		return render_no_memory(render);
	eval_items(render, expr, items);
	list.u.list->items = items;
	list.u.list->n = list.u.list->cap = expr->n;
	return list;
}

static struct jinja_value eval_dict(struct render *render, const struct expr *expr)
{
	struct jinja_value dict = give_dict(render), key, item;

	for (size_t i = 0; i + 1 < expr->n; i += 2) {
		key = eval_expr(render, expr->items[i]);
		item = eval_expr(render, expr->items[i + 1]);
		dict_put_key(render, dict.u.dict, key, item);
	}
	return dict;
}

static struct jinja_value eval_negate(struct render *render, const struct expr *expr)
{
	return value_negate(render, eval_expr(render, expr->items[0]));
}

static struct jinja_value eval_binary(struct render *render, const struct expr *expr)
{
	struct jinja_value a = eval_expr(render, expr->items[0]);
	struct jinja_value b = eval_expr(render, expr->items[1]);

	return render->failed ? (struct jinja_value){0} : value_binary(render, expr->op.binary, a, b);
}

static struct jinja_value eval_not(struct render *render, const struct expr *expr)
{
	return value_bool(!value_truth(eval_expr(render, expr->items[0])));
}

/* `and` and `or` give the operand that decides. */
static struct jinja_value eval_and_or(struct render *render, const struct expr *expr)
{
	bool decides = expr->kind == EXPR_OR, truth = !decides;
	struct jinja_value value = {0};

	for (size_t i = 0; i < expr->n && truth != decides; i++) {
		value = eval_expr(render, expr->items[i]);
		truth = value_truth(value);
	}
	return value;
}

static struct jinja_value eval_compare(struct render *render, const struct expr *expr)
{
	struct jinja_value a = eval_expr(render, expr->items[0]);
	struct jinja_value b = eval_expr(render, expr->items[1]);

	return value_bool(!render->failed && value_compare_op(render, expr->op.compare, a, b));
}

static struct jinja_value eval_concat(struct render *render, const struct expr *expr)
{
	struct jinja_value few[FEW_OPERANDS], *items = few;

	if (expr->n > FEW_OPERANDS)
		items = arena_array(render->arena, expr->n, sizeof *items);
	if (!items)
		return render_no_memory(render);
	eval_items(render, expr, items);
	return render->failed ? (struct jinja_value){0} : value_concat(render, items, expr->n);
}

static struct jinja_value eval_cond(struct render *render, const struct expr *expr)
{
	if (value_truth(eval_expr(render, expr->items[1])))
		return eval_expr(render, expr->items[0]);
	return expr->items[2] ? eval_expr(render, expr->items[2]) : expr->constant;
}

static struct jinja_value eval_getattr(struct render *render, const struct expr *expr)
{
	return value_getattr(render, eval_expr(render, expr->items[0]), expr->name);
}

static struct jinja_value eval_getitem(struct render *render, const struct expr *expr)
{
	struct jinja_value of = eval_expr(render, expr->items[0]);
	struct jinja_value key = eval_expr(render, expr->items[1]);

	return render->failed ? (struct jinja_value){0} : value_getitem(render, of, key);
}

static struct jinja_value eval_slice(struct render *render, const struct expr *expr)
{
	struct jinja_value parts[4];

	for (size_t i = 0; i < 4; i++)
		parts[i] = expr->items[i] ? eval_expr(render, expr->items[i]) : value_none();
	return render->failed ? (struct jinja_value){0} : value_slice(render, parts[0], parts[1], parts[2], parts[3]);
}

/* ---- calls ---- */

/* The arguments of a call; few of them lie here, more in the arena. */
struct arguments {
	struct args args;
	struct jinja_value few[FEW_ARGUMENTS];
	struct keyword few_keywords[FEW_ARGUMENTS];
};

static struct jinja_value value_call(struct render *render, struct jinja_value callee,
                                     const struct args *args)
{
	if (render->failed)
		return (struct jinja_value){0};
	if (value_is_undefined(callee))
		return undefined_fail(render, callee);
	if (!value_is_callable(callee))
		return render_fail(render, "'%s' object is not callable", value_type_name(callee));
	return callee.u.object->ops->call(render, callee.u.object, args);
}

static void eval_keywords(struct render *render, const struct call *call,
                          const struct jinja_value *caller, struct arguments *out)
{
	static const struct jinja_string caller_name = {.data = "caller", .len = 6, .n_chars = 6};
	size_t n = call->n_keywords + (caller ? 1 : 0);
	struct keyword *keywords = out->few_keywords;

	if (n > FEW_ARGUMENTS)
		keywords = arena_array(render->arena, n, sizeof *keywords);
	if (!keywords) {
		render_no_memory(render);
		return;
	}
	for (size_t i = 0; i < call->n_keywords; i++)
		keywords[i] = (struct keyword){call->keywords[i]->name,
		                               eval_expr(render, call->keywords[i]->value)};
	if (caller)
		keywords[n - 1] = (struct keyword){&caller_name, *caller};
	out->args.keywords = keywords;
	out->args.n_keywords = n;
}

/* In the order in which Python evaluates them. */
static void eval_arguments(struct render *render, const struct call *call,
                           const struct jinja_value *caller, struct arguments *out)
{
	struct jinja_value *items = out->few;

	out->args = (struct args){0};
	if (call->n > FEW_ARGUMENTS)
		items = arena_array(render->arena, call->n, sizeof *items);
	if (!items) {
		render_no_memory(render);
		return;
	}
	for (size_t i = 0; i < call->n; i++)
		items[i] = eval_expr(render, call->items[i]);
	out->args.items = items;
	out->args.n = call->n;
	eval_keywords(render, call, caller, out);
}

struct jinja_value eval_call(struct render *render, const struct expr *expr,
                             const struct jinja_value *caller)
{
	struct jinja_value callee = eval_expr(render, expr->items[0]);
	struct arguments arguments;

	eval_arguments(render, &expr->call, caller, &arguments);
	return value_call(render, callee, &arguments.args);
}

static struct jinja_value eval_plain_call(struct render *render, const struct expr *expr)
{
	return eval_call(render, expr, NULL);
}

/* Of a filter or a test. One that does not exist is only an error where it is reached. */
static struct jinja_value eval_row(struct render *render, const struct expr *expr)
{
	struct jinja_value self =
		expr->items[0] ? eval_expr(render, expr->items[0]) : render->filtered;
	struct arguments arguments;

	eval_arguments(render, &expr->call, NULL, &arguments);
	if (!expr->builtin)
		return render_fail(render, "%s '%s' is not supported",
		                   expr->kind == EXPR_FILTER ? "filter" : "test",
		                   expr->name->data);
	return builtin_call(render, expr->builtin, self, &arguments.args);
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
	[EXPR_FILTER] = eval_row,
	[EXPR_TEST] = eval_row,
};

struct jinja_value eval_expr(struct render *render, const struct expr *expr)
{
	struct jinja_value value = {0};

	if (expr->kind == EXPR_CONST) {
		eval_step(render);
		return expr->constant;
	}
	if (expr->kind == EXPR_NAME) {
		eval_step(render);
		value = *frame_variable(render->frame, expr->op.variable);
		return value_is_missing(value) ? expr->constant : value;
	}
	if (eval_descend(render))
		value = eval_fns[expr->kind](render, expr);
	render->nested--;
	return value;
}
