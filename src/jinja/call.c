#include "jinja/builtins.h"
#include "jinja/eval.h"

enum { FEW = 4 };

/* The arguments of a call; few of them lie here, more in the arena. */
struct arguments {
	struct args args;
	struct value few[FEW];
	struct keyword few_keywords[FEW];
};

enum status value_call(struct render *render, struct value callee, const struct args *args,
                       struct value *out)
{
	if (value_is_undefined(callee))
		return undefined_fail(render, callee);
	if (!value_is_callable(callee))
		return render_fail(render, "'%s' object is not callable", value_type_name(callee));
	return callee.u.object->ops->call(render, callee.u.object, args, out);
}

/* ---- *args and **kwargs ---- */

bool value_is_iterable(struct value value)
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

static enum status add_star(struct render *render, const struct expr *star, struct args *args)
{
	struct value value, list, *items;
	enum status status = eval_expr(render, star, &value);

	if (status)
		return status;
	if (!value_is_iterable(value))
		return render_fail(render, "Value after * must be an iterable, not %s",
		                   value_type_name(value));
	status = value_to_list(render, value, LIST_TUPLE, &list);
	if (status)
		return status;
	items = arena_array(render->arena, args->n + list.u.list->n, sizeof *items);
	if (!items)
		return render_no_memory(render);
	for (size_t i = 0; i < args->n; i++)
		items[i] = args->items[i];
	for (size_t i = 0; i < list.u.list->n; i++)
		items[args->n + i] = list.u.list->items[i];
	args->items = items;
	args->n += list.u.list->n;
	return STATUS_OK;
}

static bool has_keyword(const struct args *args, const struct string *name)
{
	for (size_t i = 0; i < args->n_keywords; i++) {
		if (args->keywords[i].name == name || !string_compare(args->keywords[i].name, name))
			return true;
	}
	return false;
}

static enum status add_pairs(struct render *render, const struct dict *dict, struct args *args)
{
	struct keyword *keywords =
		arena_array(render->arena, args->n_keywords + dict->n, sizeof *keywords);
	struct args written = *args;

	if (!keywords)
		return render_no_memory(render);
	for (size_t i = 0; i < args->n_keywords; i++)
		keywords[i] = args->keywords[i];
	for (size_t i = 0; i < dict->n_entries; i++) {
		const struct dict_entry *entry = &dict->entries[i];

		if (entry->gone)
			continue;
		if (entry->key.kind != VALUE_STRING)
			return render_fail(render, "keywords must be strings");
		if (has_keyword(&written, entry->key.u.string))
			return render_fail(render,
			                   "jinja2.runtime.Context.call() got multiple values for "
			                   "keyword argument '%s'",
			                   entry->key.u.string->data);
		keywords[args->n_keywords++] =
			(struct keyword){entry->key.u.string, entry->value};
	}
	args->keywords = keywords;
	return render_step(render, dict->n * (1 + written.n_keywords));
}

static enum status add_star_star(struct render *render, const struct expr *star_star,
                                 struct args *args)
{
	struct value value;
	enum status status = eval_expr(render, star_star, &value);

	if (status)
		return status;
	if (value_is_undefined(value))
		return undefined_fail(render, value);
	if (value.kind != VALUE_DICT)
		return render_fail(render,
		                   "jinja2.runtime.Context.call() argument after ** must be a "
		                   "mapping, not %s",
		                   value_type_name(value));
	return add_pairs(render, value.u.dict, args);
}

/* ---- all arguments ---- */

static enum status eval_keywords(struct render *render, const struct call *call,
                                 const struct value *caller, struct arguments *out)
{
	static const struct string caller_name = {.data = "caller", .len = 6, .n_chars = 6};
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
                                  const struct value *caller, struct arguments *out)
{
	static const struct call none;
	struct value *items = out->few;
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
	if (!status && call->star)
		status = add_star(render, call->star, &out->args);
	if (!status && (call->n_keywords || caller))
		status = eval_keywords(render, call, caller, out);
	if (!status && call->star_star)
		status = add_star_star(render, call->star_star, &out->args);
	return status;
}

/* ---- expressions that call ---- */

enum status eval_call(struct render *render, const struct expr *expr, const struct value *caller,
                      struct value *out)
{
	struct arguments arguments;
	struct value callee;
	enum status status = eval_expr(render, expr->items[0], &callee);

	if (!status)
		status = eval_arguments(render, expr->call, caller, &arguments);
	return status ? status : value_call(render, callee, &arguments.args, out);
}

/* A filter that does not exist is only an error where it is reached. */
static enum status call_row(struct render *render, const struct expr *expr, struct value self,
                            struct value *out)
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

enum status eval_filter(struct render *render, const struct expr *expr, struct value *out)
{
	struct value self = render->filtered;
	enum status status = STATUS_OK;

	if (expr->items[0])
		status = eval_expr(render, expr->items[0], &self);
	return status ? status : call_row(render, expr, self, out);
}

enum status eval_test(struct render *render, const struct expr *expr, struct value *out)
{
	struct value self;
	enum status status = eval_expr(render, expr->items[0], &self);

	return status ? status : call_row(render, expr, self, out);
}
