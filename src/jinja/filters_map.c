/* map, select and reject: other filters and tests by name, item by item. All
 * give iterators. */
#include "jinja/filters.h"

/* Begins a generator over a value that is true; what is not gives an empty one. */
static enum status begin(struct render *render, struct jinja_value self, struct iteration *it,
                         struct jinja_value *out)
{
	enum status status = give_list(render, LIST_ITERATOR, out);

	if (!value_truth(self))
		self = (struct jinja_value){0};
	return status ? status : value_iterate(render, self, it);
}

/* The name of a filter or test among the arguments, and what comes after it. */
static enum status take_name(struct render *render, const char *kind, struct args *args,
                             const struct jinja_string **name)
{
	struct jinja_value first = args->items[0];

	if (first.kind == VALUE_UNDEFINED)
		return undefined_fail(render, first);
	if (first.kind != VALUE_STRING)
		return render_fail(render, "the name of a %s must be str, not %s", kind,
		                   value_type_name(first));
	*name = first.u.string;
	args->items++, args->n--;
	return STATUS_OK;
}

/* ---- map ---- */

/* map(attribute=..., default=...) */
static enum status map_attribute(struct render *render, struct jinja_value self,
                                 const struct args *args, struct jinja_value *out)
{
	struct jinja_value name = value_none(), fallback = value_none(), item;
	struct iteration it;
	enum status status;

	for (size_t i = 0; i < args->n_keywords; i++) {
		const struct keyword *keyword = &args->keywords[i];

		if (string_equals(keyword->name, "attribute"))
			name = keyword->value;
		else if (string_equals(keyword->name, "default"))
			fallback = keyword->value;
		else
			return render_fail(render, "Unexpected keyword argument '%.*s'",
			                   (int)keyword->name->len, keyword->name->data);
	}
	if (name.kind == VALUE_NONE)
		return render_fail(render, "map requires a filter argument");
	status = attribute_check(render, name);
	if (!status)
		status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = attribute_get(render, name, item, &item);
		if (!status && value_is_undefined(item) && fallback.kind != VALUE_NONE)
			item = fallback;
		if (!status)
			status = add_item(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

BUILTIN(filter_map)
{
	struct args args = bound->rest;
	const struct jinja_string *name;
	struct iteration it;
	struct jinja_value item;
	enum status status;

	if (args.n == 0)
		return map_attribute(render, self, &args, out);
	status = take_name(render, "filter", &args, &name);
	if (!status)
		status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = filter_apply(render, name, item, &args, &item);
		if (!status)
			status = add_item(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

/* ---- select, reject ---- */

/* Those for which the test, or the truth, of the item or of its attribute is `keep`. */
static enum status choose(struct render *render, struct jinja_value self,
                          struct jinja_value attribute, struct args args, bool keep,
                          struct jinja_value *out)
{
	const struct jinja_string *test = NULL;
	struct iteration it;
	struct jinja_value item, of;
	enum status status = attribute_check(render, attribute);
	bool is;

	if (!status && args.n > 0)
		status = take_name(render, "test", &args, &test);
	if (!status)
		status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = attribute_get(render, attribute, item, &of);
		is = !status && value_truth(of);
		if (!status && test)
			status = test_apply(render, test, of, &args, &is);
		if (!status && is == keep)
			status = add_item(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

BUILTIN(filter_select)
{
	return choose(render, self, value_none(), bound->rest, true, out);
}

BUILTIN(filter_reject)
{
	return choose(render, self, value_none(), bound->rest, false, out);
}

BUILTIN(filter_selectattr)
{
	return choose(render, self, bound->args[0], bound->rest, true, out);
}

BUILTIN(filter_rejectattr)
{
	return choose(render, self, bound->args[0], bound->rest, false, out);
}
