/* The methods of list, which tuples do not have. */
#include "jinja/methods.h"

#include <string.h>

static enum status nothing(struct render *render, size_t steps, struct jinja_value *out)
{
	*out = value_none();
	return render_step(render, 1 + steps);
}

static void take_out(struct jinja_list *list, size_t at)
{
	list->n--;
	memmove(&list->items[at], &list->items[at + 1], (list->n - at) * sizeof *list->items);
}

static METHOD(list_append)
{
	enum status status = push(render, self.u.list, bound->args[0]);

	return status ? status : nothing(render, 0, out);
}

static METHOD(list_extend)
{
	struct jinja_value items;
	enum status status = value_to_list(render, bound->args[0], LIST_LIST, &items);

	for (size_t i = 0; !status && i < items.u.list->n; i++)
		status = push(render, self.u.list, items.u.list->items[i]);
	return status ? status : nothing(render, 0, out);
}

/* index, object */
static METHOD(list_insert)
{
	struct jinja_list *list = self.u.list;
	size_t at, n = list->n;
	int64_t index;
	enum status status = arg_int(render, bound->args[0], &index);

	if (!status)
		status = push(render, list, bound->args[1]);
	if (status)
		return status;
	if (index < 0)
		index = index < -(int64_t)n ? 0 : (int64_t)n + index;
	at = (uint64_t)index < n ? (size_t)index : n;
	memmove(&list->items[at + 1], &list->items[at], (n - at) * sizeof *list->items);
	list->items[at] = bound->args[1];
	return nothing(render, n - at, out);
}

/* index=-1 */
static METHOD(list_pop)
{
	struct jinja_list *list = self.u.list;
	int64_t index;
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
	take_out(list, (size_t)index);
	return render_step(render, 1 + list->n - (size_t)index);
}

void list_reverse_items(struct jinja_list *list)
{
	for (size_t i = 0; i < list->n / 2; i++) {
		struct jinja_value item = list->items[i];

		list->items[i] = list->items[list->n - 1 - i];
		list->items[list->n - 1 - i] = item;
	}
}

const struct builtin jinja_list_methods[] = {
	{"append", list_append, "object"},
	{"extend", list_extend, "iterable"},
	{"insert", list_insert, "index, object"},
	{"pop", list_pop, "index=-1"},
};
const size_t jinja_n_list_methods = sizeof jinja_list_methods / sizeof *jinja_list_methods;
