/* Filters that put items in order, or need one. */
#include "jinja/filters.h"
#include "jinja/methods.h"
#include "jinja/sort.h"

/* ---- keys ---- */

/* By what items are compared. */
struct key {
	struct attribute attribute;
	bool case_sensitive;
};

static enum status key_of(struct render *render, const struct key *key, struct jinja_value item,
                          struct jinja_value *out)
{
	enum status status = attribute_get(render, &key->attribute, item, value_none(), out);

	return status || key->case_sensitive ? status : ignore_case(render, out);
}

static enum status make_keyed(struct render *render, const struct jinja_list *items,
                              const struct key *key, struct keyed **out)
{
	struct keyed *keyed = arena_array(render->arena, items->n, sizeof *keyed);
	enum status status = keyed ? STATUS_OK : render_no_memory(render);

	for (size_t i = 0; !status && i < items->n; i++) {
		keyed[i].item = items->items[i];
		status = key_of(render, key, items->items[i], &keyed[i].key);
	}
	*out = keyed;
	return status;
}

/* ---- sort ---- */

static enum status give_sorted(struct render *render, const struct keyed *keyed, size_t n,
                               struct jinja_value *out)
{
	enum status status = give_list(render, LIST_LIST, out);

	for (size_t i = 0; !status && i < n; i++)
		status = push(render, out->u.list, keyed[i].item);
	return status;
}

enum status filter_sort(struct render *render, struct jinja_value self, const struct bound *bound,
                        struct jinja_value *out)
{
	struct key key = {.case_sensitive = value_truth(bound->args[1])};
	struct jinja_value items;
	struct keyed *keyed;
	int64_t reverse = 0;
	enum status status = attribute_parse(render, bound->args[2], &key.attribute);

	if (!status)
		status = value_to_list(render, self, LIST_LIST, &items);
	if (!status)
		status = arg_int(render, bound->args[0], &reverse);
	if (!status)
		status = make_keyed(render, items.u.list, &key, &keyed);
	if (!status)
		status = keyed_sort(render, keyed, items.u.list->n, reverse != 0);
	return status ? status : give_sorted(render, keyed, items.u.list->n, out);
}

/* The part of a pair to sort by: 0 or 1. */
static enum status sort_part(struct render *render, struct jinja_value by, struct jinja_value *out)
{
	bool is_string = by.kind == VALUE_STRING;

	if (!is_string || (!string_equals(by.u.string, "key") && !string_equals(by.u.string, "value")))
		return render_fail(render, "You can only sort by either \"key\" or \"value\"");
	*out = value_int(string_equals(by.u.string, "value"));
	return STATUS_OK;
}

enum status filter_dictsort(struct render *render, struct jinja_value self,
                            const struct bound *bound, struct jinja_value *out)
{
	struct jinja_value part, items;
	const struct key key = {.attribute = {.parts = &part, .n = 1},
	                        .case_sensitive = value_truth(bound->args[0])};
	struct keyed *keyed;
	int64_t reverse = 0;
	enum status status = sort_part(render, bound->args[1], &part);

	if (status)
		return status;
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "'%s' object has no attribute 'items'",
		                   value_type_name(self));
	status = arg_int(render, bound->args[2], &reverse);
	if (!status)
		status = filter_items(render, self, bound, &items);
	if (!status)
		status = make_keyed(render, items.u.list, &key, &keyed);
	if (!status)
		status = keyed_sort(render, keyed, items.u.list->n, reverse != 0);
	return status ? status : give_sorted(render, keyed, items.u.list->n, out);
}

/* ---- min, max ---- */

static enum status extreme(struct render *render, struct jinja_value self,
                           const struct bound *bound, enum compare_op op, struct jinja_value *out)
{
	struct key key = {.case_sensitive = value_truth(bound->args[0])};
	struct iteration it;
	struct jinja_value item, this, best = {0};
	bool better, first = true;
	enum status status = attribute_parse(render, bound->args[1], &key.attribute);

	if (!status)
		status = value_iterate(render, self, &it);
	while (!status && iteration_next(render, &it, &item)) {
		better = first;
		status = key_of(render, &key, item, &this);
		if (!status && !first)
			status = value_compare_op(render, op, this, best, &better);
		if (!status && better)
			best = this, *out = item;
		first = false;
	}
	if (status || render->failed)
		return render->err->status;
	return first ? give_nothing(render, "No aggregated item, sequence was empty.", out)
	             : STATUS_OK;
}

enum status filter_min(struct render *render, struct jinja_value self, const struct bound *bound,
                       struct jinja_value *out)
{
	return extreme(render, self, bound, CMP_LT, out);
}

enum status filter_max(struct render *render, struct jinja_value self, const struct bound *bound,
                       struct jinja_value *out)
{
	return extreme(render, self, bound, CMP_GT, out);
}

/* ---- unique ---- */

enum status filter_unique(struct render *render, struct jinja_value self, const struct bound *bound,
                          struct jinja_value *out)
{
	struct key key = {.case_sensitive = value_truth(bound->args[0])};
	struct iteration it;
	struct jinja_value item, this, seen = value_dict(render->arena);
	size_t before;
	enum status status = attribute_parse(render, bound->args[1], &key.attribute);

	if (seen.kind != VALUE_DICT)
		return render_no_memory(render);
	if (!status)
		status = value_iterate(render, self, &it);
	if (!status)
		status = give_list(render, LIST_ITERATOR, out);
	while (!status && iteration_next(render, &it, &item)) {
		before = seen.u.dict->n;
		status = key_of(render, &key, item, &this);
		if (!status)
			status = dict_put_key(render, seen.u.dict, this, value_none());
		if (!status && seen.u.dict->n > before)
			status = push(render, out->u.list, item);
	}
	return render->failed ? render->err->status : status;
}
