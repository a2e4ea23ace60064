#include "jinja/builtins.h"
#include "jinja/eval.h"

enum { FEW = 4 };

/* The arguments of a call; few of them lie here, more in the arena. */
struct arguments {
	struct args args;
	struct jinja_value few[FEW];
	struct keyword few_keywords[FEW];
};

enum status value_call(struct render *render, struct jinja_value callee, const struct args *args,
                       struct jinja_value *out)
{
	if (value_is_undefined(callee))
		return undefined_fail(render, callee);
	if (!value_is_callable(callee))
		return render_fail(render, "'%s' object is not callable", value_type_name(callee));
	return callee.u.object->ops->call(render, callee.u.object, args, out);
}

bool value_is_iterable(struct jinja_value value)
{
	switch (value.kind) {
	case VALUE_UNDEFINED:
	case VALUE_STRING:
	case VALUE_LIST:
	case VALUE_DICT:
	case VALUE_RANGE:
		return true;
	default:
		return false;
	}
}

/* ---- all arguments ---- */

static enum status eval_keywords(struct render *render, const struct call *call,
                                 const struct jinja_value *caller, struct arguments *out)
{
	static const struct jinja_string caller_name = {.data = "caller", .len = 6, .n_chars = 6};
	size_t n = call->n_keywords + (caller ? 1 : 0);
	struct keyword *keywords = out->few_keywords;

	if (n > FEW)
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
	if (call->n > FEW)
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

/* ---- expressions that call ---- */

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

enum status eval_filter(struct render *render, const struct expr *expr, struct jinja_value *out)
{
	struct jinja_value self = render->filtered;
	enum status status = STATUS_OK;

	if (expr->items[0])
		status = eval_expr(render, expr->items[0], &self);
	return status ? status : call_row(render, expr, self, out);
}

enum status eval_test(struct render *render, const struct expr *expr, struct jinja_value *out)
{
	struct jinja_value self;
	enum status status = eval_expr(render, expr->items[0], &self);

	return status ? status : call_row(render, expr, self, out);
}
