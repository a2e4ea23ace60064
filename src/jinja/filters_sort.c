/* Filters that put items in order, or need one. */
#include "jinja/filters.h"

/* What items are compared by: they themselves or an attribute, and lower case
 * unless letters matter. */
static enum status key_of(struct render *render, struct jinja_value attribute, bool case_sensitive,
                          struct jinja_value item, struct jinja_value *out)
{
	enum status status = attribute_get(render, attribute, item, out);

	return status || case_sensitive ? status : ignore_case(render, out);
}

/* ---- sort ---- */

static enum status give_sorted(struct render *render, const struct jinja_list *items,
                               struct jinja_value attribute, bool case_sensitive,
                               struct jinja_value reverse, struct jinja_value *out)
{
	struct keyed *keyed = arena_array(render->arena, items->n, sizeof *keyed);
	int64_t backwards = 0;
	enum status status = keyed ? STATUS_OK : render_no_memory(render);

	if (!status)
		status = arg_int(render, reverse, &backwards);
	for (size_t i = 0; !status && i < items->n; i++) {
		keyed[i].item = items->items[i];
		status = key_of(render, attribute, case_sensitive, items->items[i], &keyed[i].key);
	}
	if (!status)
		status = keyed_sort(render, keyed, items->n, backwards != 0);
	if (!status)
		status = give_list(render, LIST_LIST, out);
	for (size_t i = 0; !status && i < items->n; i++)
		status = add_item(render, out->u.list, keyed[i].item);
	return status;
}

BUILTIN(filter_sort)
{
	struct jinja_value items;
	enum status status = attribute_check(render, bound->args[1]);

	if (!status)
		status = value_to_list(render, self, LIST_LIST, &items);
	return status ? status
	              : give_sorted(render, items.u.list, bound->args[1], false, bound->args[0],
	                            out);
}

BUILTIN(filter_dictsort)
{
	const struct jinja_value by = bound->args[1];
	bool is_value = by.kind == VALUE_STRING && string_equals(by.u.string, "value");
	struct jinja_value items;
	enum status status;

	if (!is_value && (by.kind != VALUE_STRING || !string_equals(by.u.string, "key")))
		return render_fail(render, "You can only sort by either \"key\" or \"value\"");
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "'%s' object has no attribute 'items'",
		                   value_type_name(self));
	status = give_entries(render, self.u.dict, LIST_LIST, &items);
	return status ? status
	              : give_sorted(render, items.u.list, value_int(is_value),
	                            value_truth(bound->args[0]), bound->args[2], out);
}

/* ---- min, max ---- */

static enum status extreme(struct render *render, struct jinja_value self,
                           struct jinja_value attribute, enum compare_op op,
                           struct jinja_value *out)
{
	struct iteration it;
	struct jinja_value item, key, best = {0};
	bool better, first = true;
	enum status status = attribute_check(render, attribute);

	if (!status)
		status = value_iterate(render, self, &it);
	for (; !status && iteration_next(render, &it, &item); first = false) {
		better = first;
		status = key_of(render, attribute, false, item, &key);
		if (!status && !first)
			status = value_compare_op(render, op, key, best, &better);
		if (!status && better)
			best = key, *out = item;
	}
	if (status || render->failed)
		return render->err->status;
	return first ? give_nothing(render, "No aggregated item, sequence was empty.", out)
	             : STATUS_OK;
}

BUILTIN(filter_min)
{
	return extreme(render, self, bound->args[0], CMP_LT, out);
}

BUILTIN(filter_max)
{
	return extreme(render, self, bound->args[0], CMP_GT, out);
}

/* ---- unique ---- */

BUILTIN(filter_unique)
{
	struct iteration it;
	struct jinja_value item, key, seen = value_dict(render->arena);
	size_t before;
	enum status status = value_iterate(render, self, &it);

	if (seen.kind != VALUE_DICT)
		return render_no_memory(render);
	if (!status)
		status = give_list(render, LIST_ITERATOR, out);
	while (!status && iteration_next(render, &it, &item)) {
		before = seen.u.dict->n;
		key = item;
		status = ignore_case(render, &key);
		if (!status)
			status = dict_put_key(render, seen.u.dict, key, value_none());
		if (!status && seen.u.dict->n > before)
			status = add_item(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}
