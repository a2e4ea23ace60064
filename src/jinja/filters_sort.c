/* Filters that put items in order, or need one. */
#include "jinja/filters.h"

/* What items are compared by: they themselves or an attribute, and lower case
 * unless letters matter. */
static struct jinja_value key_of(struct render *render, struct jinja_value attribute,
                                 bool case_sensitive, struct jinja_value item)
{
	struct jinja_value key = attribute_get(render, attribute, item);

	return case_sensitive ? key : ignore_case(render, key);
}

/* ---- sort ---- */

static struct jinja_value give_sorted(struct render *render, const struct jinja_list *items,
                                      struct jinja_value attribute, bool case_sensitive,
                                      struct jinja_value reverse)
{
	struct keyed *keyed = arena_array(render->arena, items->n, sizeof *keyed);
	bool backwards = arg_int(render, reverse) != 0;
	struct jinja_value sorted;

	if (!keyed)
		return render_no_memory(render);
	for (size_t i = 0; i < items->n && !render->failed; i++)
		keyed[i] = (struct keyed){
			key_of(render, attribute, case_sensitive, items->items[i]),
			items->items[i],
		};
	keyed_sort(render, keyed, items->n, backwards);
	sorted = give_list(render, LIST_LIST);
	for (size_t i = 0; i < items->n && !render->failed; i++)
		add_item(render, sorted.u.list, keyed[i].item);
	return sorted;
}

BUILTIN(filter_sort)
{
	attribute_check(render, bound->args[1]);
	return give_sorted(render, value_to_list(render, self, LIST_LIST).u.list, bound->args[1],
	                   false, bound->args[0]);
}

BUILTIN(filter_dictsort)
{
	const struct jinja_value by = bound->args[1];
	bool is_value = by.kind == VALUE_STRING && string_equals(by.u.string, "value");

	if (!is_value && (by.kind != VALUE_STRING || !string_equals(by.u.string, "key")))
		return render_fail(render, "You can only sort by either \"key\" or \"value\"");
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "'%s' object has no attribute 'items'",
		                   value_type_name(self));
	return give_sorted(render, give_entries(render, self.u.dict, LIST_LIST).u.list,
	                   value_int(is_value), value_truth(bound->args[0]), bound->args[2]);
}

/* ---- min, max ---- */

static struct jinja_value extreme(struct render *render, struct jinja_value self,
                                  struct jinja_value attribute, enum compare_op op)
{
	struct jinja_value item, key, best = {0}, best_key = {0};
	struct iteration it;
	bool first = true;

	attribute_check(render, attribute);
	it = value_iterate(render, self);
	for (; iteration_next(render, &it, &item); first = false) {
		key = key_of(render, attribute, false, item);
		if (first || value_compare_op(render, op, key, best_key))
			best_key = key, best = item;
	}
	return first ? give_nothing(render, "No aggregated item, sequence was empty.") : best;
}

BUILTIN(filter_min)
{
	return extreme(render, self, bound->args[0], CMP_LT);
}

BUILTIN(filter_max)
{
	return extreme(render, self, bound->args[0], CMP_GT);
}

/* ---- unique ---- */

BUILTIN(filter_unique)
{
	struct iteration it = value_iterate(render, self);
	struct jinja_value seen = give_dict(render), list = give_list(render, LIST_ITERATOR), item;
	size_t before;

	while (iteration_next(render, &it, &item)) {
		before = seen.u.dict->n;
		dict_put_key(render, seen.u.dict, ignore_case(render, item), value_none());
		if (seen.u.dict->n > before)
			add_item(render, list.u.list, item);
	}
	return list;
}
