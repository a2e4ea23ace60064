/* Filters that put items in order: stable, and with the comparisons of Python's
 * sorted() for short lists, so that what cannot be compared fails in the same
 * words. */
#include <string.h>

#include "jinja/filters.h"
#include "jinja/globals.h"
#include "jinja/methods.h"

enum { INSERTION_MAX = 64 };

struct entry {
	struct value item;
	const struct value *keys;
};

struct sorter {
	struct render *render;
	size_t n_keys;
	bool as_lists; /* lists of keys are compared: item by item, == before < */
	enum status status;
};

static bool compare(struct sorter *sorter, enum compare_op op, struct value a, struct value b)
{
	bool is = false;

	if (!sorter->status)
		sorter->status = value_compare_op(sorter->render, op, a, b, &is);
	return !sorter->status && is;
}

static bool less(struct sorter *sorter, const struct entry *a, const struct entry *b)
{
	if (!sorter->as_lists)
		return compare(sorter, CMP_LT, a->keys[0], b->keys[0]);
	for (size_t i = 0; i < sorter->n_keys && !sorter->status; i++) {
		if (!compare(sorter, CMP_EQ, a->keys[i], b->keys[i]))
			return compare(sorter, CMP_LT, a->keys[i], b->keys[i]);
	}
	return false;
}

/* ---- sorting ---- */

static void reverse_entries(struct entry *entries, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct entry entry = entries[i];

		entries[i] = entries[n - 1 - i];
		entries[n - 1 - i] = entry;
	}
}

/* How many of them are in order already; what goes strictly down is turned round. */
static size_t first_run(struct sorter *sorter, struct entry *entries, size_t n)
{
	size_t run = 1;
	bool down;

	if (n < 2)
		return n;
	down = less(sorter, &entries[1], &entries[0]);
	for (run = 2; run < n; run++) {
		if (less(sorter, &entries[run], &entries[run - 1]) != down)
			break;
	}
	if (down)
		reverse_entries(entries, run);
	return run;
}

static void insertion_sort(struct sorter *sorter, struct entry *entries, size_t n)
{
	for (size_t i = first_run(sorter, entries, n); i < n && !sorter->status; i++) {
		struct entry entry = entries[i];
		size_t low = 0, high = i;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (less(sorter, &entry, &entries[middle]))
				high = middle;
			else
				low = middle + 1;
		}
		memmove(&entries[low + 1], &entries[low], (i - low) * sizeof *entries);
		entries[low] = entry;
	}
}

/* Halves until they are short; `spare` holds as many entries again. */
static void merge_sort(struct sorter *sorter, struct entry *entries, size_t n, struct entry *spare)
{
	size_t half = n / 2, left = 0, right = half, at = 0;

	if (n < INSERTION_MAX) {
		insertion_sort(sorter, entries, n);
		return;
	}
	merge_sort(sorter, entries, half, spare);
	merge_sort(sorter, entries + half, n - half, spare);
	memcpy(spare, entries, half * sizeof *entries);
	while (left < half && !sorter->status) {
		if (right < n && less(sorter, &entries[right], &spare[left]))
			entries[at++] = entries[right++];
		else
			entries[at++] = spare[left++];
	}
}

/* The reverse of a sorted list keeps equal items in their order. */
static enum status sort_entries(struct sorter *sorter, struct entry *entries, size_t n,
                                bool reverse)
{
	struct entry *spare = arena_array(sorter->render->arena, n, sizeof *spare);

	if (!spare)
		return render_no_memory(sorter->render);
	if (reverse)
		reverse_entries(entries, n);
	merge_sort(sorter, entries, n, spare);
	if (reverse)
		reverse_entries(entries, n);
	return sorter->status;
}

/* ---- keys ---- */

/* By what items are compared. */
struct key {
	const struct attribute *attributes;
	size_t n;
	struct value fallback; /* None: none */
	bool case_sensitive;
};

static enum status key_of(struct render *render, const struct key *key, struct value item,
                          struct value *out)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < key->n; i++) {
		status = attribute_get(render, &key->attributes[i], item, key->fallback, &out[i]);
		if (!status && !key->case_sensitive)
			status = ignore_case(render, &out[i]);
	}
	return status;
}

static enum status make_entries(struct render *render, const struct list *items,
                                const struct key *key, struct entry **out)
{
	struct entry *entries = arena_array(render->arena, items->n, sizeof *entries);
	struct value *keys;
	enum status status = entries ? STATUS_OK : render_no_memory(render);

	for (size_t i = 0; !status && i < items->n; i++) {
		keys = arena_array(render->arena, key->n, sizeof *keys);
		if (!keys)
			return render_no_memory(render);
		entries[i] = (struct entry){items->items[i], keys};
		status = key_of(render, key, items->items[i], keys);
	}
	*out = entries;
	return status;
}

/* ---- sort ---- */

static enum status give_sorted(struct render *render, const struct entry *entries, size_t n,
                               struct value *out)
{
	enum status status = give_list(render, LIST_LIST, out);

	for (size_t i = 0; !status && i < n; i++)
		status = push(render, out->u.list, entries[i].item);
	return status;
}

enum status filter_sort(struct render *render, struct value self, const struct bound *bound,
                        struct value *out)
{
	struct key key = {.fallback = value_none(), .case_sensitive = value_truth(bound->args[1])};
	struct sorter sorter = {.render = render, .as_lists = true};
	struct value items;
	struct entry *entries;
	int64_t reverse = 0;
	enum status status =
		attribute_parse_many(render, bound->args[2], &key.attributes, &key.n);

	if (!status)
		status = value_to_list(render, self, LIST_LIST, &items);
	if (!status)
		status = arg_int(render, bound->args[0], &reverse);
	if (!status)
		status = make_entries(render, items.u.list, &key, &entries);
	if (status)
		return status;
	sorter.n_keys = key.n;
	status = sort_entries(&sorter, entries, items.u.list->n, reverse != 0);
	return status ? status : give_sorted(render, entries, items.u.list->n, out);
}

/* The part of a pair to sort by: 0 or 1. */
static enum status sort_part(struct render *render, struct value by, struct value *out)
{
	bool is_string = by.kind == VALUE_STRING;

	if (!is_string || (!string_equals(by.u.string, "key") && !string_equals(by.u.string, "value")))
		return render_fail(render, "You can only sort by either \"key\" or \"value\"");
	*out = value_int(string_equals(by.u.string, "value"));
	return STATUS_OK;
}

enum status filter_dictsort(struct render *render, struct value self, const struct bound *bound,
                            struct value *out)
{
	struct sorter sorter = {.render = render, .n_keys = 1};
	struct value part, items;
	const struct attribute attribute = {.parts = &part, .n = 1};
	const struct key key = {.attributes = &attribute,
	                        .n = 1,
	                        .fallback = value_none(),
	                        .case_sensitive = value_truth(bound->args[0])};
	struct entry *entries;
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
		status = make_entries(render, items.u.list, &key, &entries);
	if (!status)
		status = sort_entries(&sorter, entries, items.u.list->n, reverse != 0);
	return status ? status : give_sorted(render, entries, items.u.list->n, out);
}

/* ---- groupby ---- */

static enum status add_group(struct render *render, struct value groups, struct value grouper,
                             struct list **members)
{
	struct value group, list;
	enum status status = give_list(render, LIST_GROUP, &group);

	if (!status)
		status = give_list(render, LIST_LIST, &list);
	if (!status)
		status = push(render, group.u.list, grouper);
	if (!status)
		status = push(render, group.u.list, list);
	if (!status)
		status = push(render, groups.u.list, group);
	*members = status ? NULL : list.u.list;
	return status;
}

enum status filter_groupby(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	struct sorter sorter = {.render = render, .n_keys = 1};
	struct attribute attribute;
	struct key key = {.attributes = &attribute, .n = 1, .fallback = bound->args[1],
	                  .case_sensitive = value_truth(bound->args[2])};
	struct list *members = NULL;
	struct value items;
	struct entry *entries;
	enum status status = attribute_parse(render, bound->args[0], &attribute);

	if (!status)
		status = value_to_list(render, self, LIST_LIST, &items);
	if (!status)
		status = make_entries(render, items.u.list, &key, &entries);
	if (!status)
		status = sort_entries(&sorter, entries, items.u.list->n, false);
	if (!status)
		status = give_list(render, LIST_LIST, out);
	for (size_t i = 0; !status && i < items.u.list->n; i++) {
		struct value grouper;

		if (!members || !compare(&sorter, CMP_EQ, entries[i - 1].keys[0], entries[i].keys[0])) {
			/* As the first of the group spells it. */
			status = sorter.status ? sorter.status
			                       : attribute_get(render, &attribute,
			                                       entries[i].item, key.fallback,
			                                       &grouper);
			if (!status)
				status = add_group(render, *out, grouper, &members);
		}
		if (!status)
			status = push(render, members, entries[i].item);
	}
	return status;
}

/* ---- min, max ---- */

static enum status extreme(struct render *render, struct value self, const struct bound *bound,
                           enum compare_op op, struct value *out)
{
	struct attribute attribute;
	const struct key key = {.attributes = &attribute, .n = 1, .fallback = value_none(),
	                        .case_sensitive = value_truth(bound->args[0])};
	struct iteration it;
	struct value item, this, best = {0};
	bool better, first = true;
	enum status status = attribute_parse(render, bound->args[1], &attribute);

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

enum status filter_min(struct render *render, struct value self, const struct bound *bound,
                       struct value *out)
{
	return extreme(render, self, bound, CMP_LT, out);
}

enum status filter_max(struct render *render, struct value self, const struct bound *bound,
                       struct value *out)
{
	return extreme(render, self, bound, CMP_GT, out);
}

/* ---- unique ---- */

static enum status unique_all(struct render *render, struct value self, const struct bound *bound,
                              struct value *out)
{
	struct attribute attribute;
	const struct key key = {.attributes = &attribute, .n = 1, .fallback = value_none(),
	                        .case_sensitive = value_truth(bound->args[0])};
	struct iteration it;
	struct value item, this, seen = value_dict(render->arena);
	size_t before;
	enum status status = attribute_parse(render, bound->args[1], &attribute);

	if (seen.kind != VALUE_DICT)
		return render_no_memory(render);
	if (!status)
		status = value_iterate(render, self, &it);
	if (!status)
		status = give_list(render, LIST_ITERATOR, out);
	if (!status)
		out->u.list->type_name = "generator";
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

enum status filter_unique(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	return give_generator(render, unique_all, self, bound, out);
}
