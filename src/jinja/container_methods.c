/* The methods of list, which tuples do not have, and of dict. */
#include "jinja/builtins.h"

#include <string.h>

/* ---- lists ---- */

static BUILTIN(list_append)
{
	*out = value_none();
	return add_item(render, self.u.list, bound->args[0]);
}

/* index=-1 */
static BUILTIN(list_pop)
{
	struct jinja_list *list = self.u.list;
	int64_t index;
	size_t behind;
	enum status status = arg_int(render, bound->args[0], &index);

	if (status)
		return status;
	if (!list->n)
		return render_fail(render, "pop from empty list");
	if (index < 0)
		index += (int64_t)list->n;
	if (index < 0 || (uint64_t)index >= list->n)
		return render_fail(render, "pop index out of range");
	*out = list->items[index];
	behind = --list->n - (size_t)index;
	memmove(&list->items[index], &list->items[index + 1], behind * sizeof *list->items);
	return render_step(render, 1 + behind);
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
	enum status status = value_hash_step(render, bound->args[0]);
	const struct jinja_value *found;

	if (status)
		return status;
	found = dict_find(self.u.dict, bound->args[0]);
	*out = found ? *found : bound->args[1];
	return STATUS_OK;
}

static BUILTIN(dict_items)
{
	return give_entries(render, self.u.dict, LIST_ITEMS, out);
}

static BUILTIN(dict_keys)
{
	return give_entries(render, self.u.dict, LIST_KEYS, out);
}

static BUILTIN(dict_values)
{
	return give_entries(render, self.u.dict, LIST_VALUES, out);
}

static const struct builtin dict_rows[] = {
	{"get", dict_get, "key, default=None"},
	{"items", dict_items, ""},
	{"keys", dict_keys, ""},
	{"values", dict_values, ""},
};
const struct builtin_table jinja_dict_methods = {dict_rows, sizeof dict_rows / sizeof *dict_rows};
