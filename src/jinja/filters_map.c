/* map, select and reject: other filters and tests by name, item by item. All
 * give iterators. */
#include "jinja/filters.h"
#include "jinja/methods.h"

/* Begins a generator over a value that is true; what is not gives an empty one. */
static enum status begin(struct render *render, struct jinja_value self, struct iteration *it,
                         struct jinja_value *out)
{
	enum status status = give_list(render, LIST_ITERATOR, out);

	return !status && value_truth(self) ? value_iterate(render, self, it) : status;
}

/* The name of a filter or test among the arguments. */
static enum status need_name(struct render *render, const char *kind, struct jinja_value name)
{
	if (name.kind == VALUE_STRING)
		return STATUS_OK;
	if (name.kind == VALUE_UNDEFINED)
		return undefined_fail(render, name);
	return render_fail(render, "the name of a %s must be str, not %s", kind,
	                   value_type_name(name));
}

/* ---- map ---- */

/* map(attribute=..., default=...) */
static enum status map_attribute(struct render *render, struct jinja_value self,
                                 const struct args *args, struct jinja_value *out)
{
	struct jinja_value name = value_none(), fallback = value_none(), item;
	struct attribute attribute;
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
	status = attribute_parse(render, name, &attribute);
	if (!status)
		status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = attribute_get(render, &attribute, item, fallback, &item);
		if (!status)
			status = push(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

static bool has_keyword(const struct args *args, const char *name)
{
	for (size_t i = 0; i < args->n_keywords; i++) {
		if (string_equals(args->keywords[i].name, name))
			return true;
	}
	return false;
}

enum status filter_map(struct render *render, struct jinja_value self, const struct bound *bound,
                       struct jinja_value *out)
{
	struct args rest = bound->rest;
	struct iteration it;
	struct jinja_value name, item;
	enum status status;

	if (!value_truth(self))
		return begin(render, self, &it, out);
	if (rest.n == 0 && has_keyword(&rest, "attribute"))
		return map_attribute(render, self, &rest, out);
	if (rest.n == 0)
		return render_fail(render, "map requires a filter argument");
	name = rest.items[0];
	rest.items++;
	rest.n--;
	status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = need_name(render, "filter", name);
		if (!status)
			status = filter_apply(render, name.u.string, item, &rest, &item);
		if (!status)
			status = push(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

/* ---- select, reject ---- */

struct selection {
	struct attribute attribute; /* of the items; none: the items themselves */
	bool has_test;
	struct jinja_value test;
	struct args args; /* of the test */
};

static enum status passes(struct render *render, const struct selection *selection,
                          struct jinja_value item, bool *out)
{
	enum status status =
		attribute_get(render, &selection->attribute, item, value_none(), &item);

	if (status)
		return status;
	if (!selection->has_test) {
		*out = value_truth(item);
		return STATUS_OK;
	}
	status = need_name(render, "test", selection->test);
	return status ? status
	              : test_apply(render, selection->test.u.string, item, &selection->args, out);
}

static enum status choose(struct render *render, struct jinja_value self, const struct bound *bound,
                          bool by_attribute, bool keep, struct jinja_value *out)
{
	struct selection selection = {.args = bound->rest};
	struct args *args = &selection.args;
	struct iteration it;
	struct jinja_value item;
	bool is;
	enum status status = STATUS_OK;

	if (!value_truth(self))
		return begin(render, self, &it, out);
	if (by_attribute) {
		if (args->n == 0)
			return render_fail(render, "Missing parameter for attribute name");
		status = attribute_parse(render, args->items[0], &selection.attribute);
		args->items++, args->n--;
	}
	if (args->n > 0) {
		selection.has_test = true;
		selection.test = args->items[0];
		args->items++, args->n--;
	}
	if (!status)
		status = begin(render, self, &it, out);
	while (!status && iteration_next(render, &it, &item)) {
		status = passes(render, &selection, item, &is);
		if (!status && is == keep)
			status = push(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}

enum status filter_select(struct render *render, struct jinja_value self, const struct bound *bound,
                          struct jinja_value *out)
{
	return choose(render, self, bound, false, true, out);
}

enum status filter_reject(struct render *render, struct jinja_value self, const struct bound *bound,
                          struct jinja_value *out)
{
	return choose(render, self, bound, false, false, out);
}

enum status filter_selectattr(struct render *render, struct jinja_value self,
                              const struct bound *bound, struct jinja_value *out)
{
	return choose(render, self, bound, true, true, out);
}

enum status filter_rejectattr(struct render *render, struct jinja_value self,
                              const struct bound *bound, struct jinja_value *out)
{
	return choose(render, self, bound, true, false, out);
}
