/* map, select and reject: other filters and tests by name, item by item. All
 * give iterators. */
#include "jinja/filters.h"

/* Begins a generator over a value that is true; what is not gives an empty one. */
static struct jinja_value begin(struct render *render, struct jinja_value self,
                                struct iteration *it)
{
	*it = value_iterate(render, value_truth(self) ? self : (struct jinja_value){0});
	return give_list(render, LIST_ITERATOR);
}

/* The name of a filter or test among the arguments, and what comes after it. */
static const struct jinja_string *take_name(struct render *render, const char *kind,
                                            struct args *args)
{
	struct jinja_value first = args->items[0];

	args->items++, args->n--;
	if (first.kind == VALUE_STRING)
		return first.u.string;
	if (first.kind == VALUE_UNDEFINED)
		undefined_fail(render, first);
	else
		render_fail(render, "the name of a %s must be str, not %s", kind,
		            value_type_name(first));
	return &string_empty;
}

/* ---- map ---- */

/* map(attribute=..., default=...) */
static struct jinja_value map_attribute(struct render *render, struct jinja_value self,
                                        const struct args *args)
{
	struct jinja_value name = value_none(), fallback = value_none(), list, item;
	struct iteration it;

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
	attribute_check(render, name);
	list = begin(render, self, &it);
	while (iteration_next(render, &it, &item)) {
		item = attribute_get(render, name, item);
		if (value_is_undefined(item) && fallback.kind != VALUE_NONE)
			item = fallback;
		add_item(render, list.u.list, item);
	}
	return list;
}

BUILTIN(filter_map)
{
	struct args args = bound->rest;
	const struct jinja_string *name;
	struct iteration it;
	struct jinja_value list, item;

	if (args.n == 0)
		return map_attribute(render, self, &args);
	name = take_name(render, "filter", &args);
	list = begin(render, self, &it);
	while (iteration_next(render, &it, &item)) {
		item = builtin_apply(render, BUILTIN_FILTER, name, item, &args);
		add_item(render, list.u.list, item);
	}
	return list;
}

/* ---- select, reject ---- */

/* Those for which the test, or the truth, of the item or of its attribute is `keep`. */
static struct jinja_value choose(struct render *render, struct jinja_value self,
                                 struct jinja_value attribute, struct args args, bool keep)
{
	const struct jinja_string *test = NULL;
	struct iteration it;
	struct jinja_value list, item, of;

	attribute_check(render, attribute);
	if (args.n > 0)
		test = take_name(render, "test", &args);
	list = begin(render, self, &it);
	while (iteration_next(render, &it, &item)) {
		of = attribute_get(render, attribute, item);
		if (test)
			of = builtin_apply(render, BUILTIN_TEST, test, of, &args);
		if (value_truth(of) == keep)
			add_item(render, list.u.list, item);
	}
	return list;
}

BUILTIN(filter_select)
{
	return choose(render, self, value_none(), bound->rest, true);
}

BUILTIN(filter_reject)
{
	return choose(render, self, value_none(), bound->rest, false);
}

BUILTIN(filter_selectattr)
{
	return choose(render, self, bound->args[0], bound->rest, true);
}

BUILTIN(filter_rejectattr)
{
	return choose(render, self, bound->args[0], bound->rest, false);
}
