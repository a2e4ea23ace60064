/* The methods of list, which tuples do not have, and of dict. */
#include "jinja/builtins.h"

#include <string.h>

/* ---- lists ---- */

static BUILTIN(list_append)
{
	add_item(render, self.u.list, bound->args[0]);
	return value_none();
}

/* index=-1 */
static BUILTIN(list_pop)
{
	struct jinja_list *list = self.u.list;
	int64_t index = arg_int(render, bound->args[0]);
	struct jinja_value item;
	size_t behind;

	if (!list->n)
		return render_fail(render, "pop from empty list");
	if (index < 0)
		index += (int64_t)list->n;
	if (index < 0 || (uint64_t)index >= list->n)
		return render_fail(render, "pop index out of range");
	item = list->items[index];
	behind = --list->n - (size_t)index;
	memmove(&list->items[index], &list->items[index + 1], behind * sizeof *list->items);
	render_step(render, 1 + behind);
	return item;
}

static const struct builtin list_rows[] = {
	{"append", list_append, "object"},
	{"pop", list_pop, "index=-1"},
};
const struct builtin_table jinja_list_methods = {list_rows, sizeof list_rows / sizeof *list_rows};

/* ---- dicts ---- */

/* key, default=None */
static BUILTIN(dict_get)
{
	const struct jinja_value *found = NULL;

	if (value_hash_step(render, bound->args[0]))
		found = dict_find(self.u.dict, bound->args[0]);
	return found ? *found : bound->args[1];
}

static BUILTIN(dict_items)
{
	return give_entries(render, self.u.dict, LIST_ITEMS);
}

static BUILTIN(dict_keys)
{
	return give_entries(render, self.u.dict, LIST_KEYS);
}

static BUILTIN(dict_values)
{
	return give_entries(render, self.u.dict, LIST_VALUES);
}

static const struct builtin dict_rows[] = {
	{"get", dict_get, "key, default=None"},
	{"items", dict_items, ""},
	{"keys", dict_keys, ""},
	{"values", dict_values, ""},
};
const struct builtin_table jinja_dict_methods = {dict_rows, sizeof dict_rows / sizeof *dict_rows};
