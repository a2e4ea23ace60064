/* The methods of list; tuples and ranges have count and index of them. */
#include "jinja/methods.h"

#include <string.h>

#include "jinja/sort.h"

static enum status nothing(struct render *render, size_t steps, struct value *out)
{
	*out = value_none();
	return render_step(render, 1 + steps);
}

static void take_out(struct list *list, size_t at)
{
	list->n--;
	memmove(&list->items[at], &list->items[at + 1], (list->n - at) * sizeof *list->items);
}

/* The items of a list or tuple, or of a range as a list. */
static enum status items_of(struct render *render, struct value self, struct list **list)
{
	enum status status = STATUS_OK;

	if (self.kind == VALUE_RANGE)
		status = value_to_list(render, self, LIST_LIST, &self);
	*list = status ? NULL : self.u.list;
	return status;
}

static METHOD(list_append)
{
	enum status status = push(render, self.u.list, bound->args[0]);

	return status ? status : nothing(render, 0, out);
}

/* As Python compares items: identical or equal. */
static enum status is_same(struct render *render, struct value item, struct value what, bool *out)
{
	uint64_t left = render->fuel;

	*out = value_same_within(item, what, &left);
	return render_step(render, left ? render->fuel - left : render->fuel + 1);
}

static METHOD(list_count)
{
	struct list *list;
	int64_t n = 0;
	bool same;
	enum status status = items_of(render, self, &list);

	for (size_t i = 0; !status && i < list->n; i++) {
		status = is_same(render, list->items[i], bound->args[0], &same);
		n += !status && same;
	}
	*out = value_int(n);
	return status;
}

static METHOD(list_extend)
{
	struct value items;
	enum status status = value_to_list(render, bound->args[0], LIST_LIST, &items);

	for (size_t i = 0; !status && i < items.u.list->n; i++)
		status = push(render, self.u.list, items.u.list->items[i]);
	return status ? status : nothing(render, 0, out);
}

/* The first item in [from, to) that is equal; list->n: none. */
static enum status find(struct render *render, const struct list *list, struct value what,
                        size_t from, size_t to, size_t *at)
{
	enum status status = STATUS_OK;
	bool same = false;

	*at = list->n;
	for (size_t i = from; !status && !same && i < to && i < list->n; i++) {
		status = is_same(render, list->items[i], what, &same);
		if (!status && same)
			*at = i;
	}
	return status;
}

static enum status fail_not_in(struct render *render, struct value self, struct value what)
{
	const struct string *shown;
	struct text text;
	enum status status;

	if (self.kind == VALUE_LIST && self.u.list->kind != LIST_LIST)
		return render_fail(render, "tuple.index(x): x not in tuple");
	text_begin(render, &text);
	if ((status = value_repr(render, &text, what)))
		return status;
	shown = text_finish(&text);
	if (!shown)
		return render_no_memory(render);
	return render_fail(render, "%s is not in %s", shown->data,
	                   self.kind == VALUE_RANGE ? "range" : "list");
}

/* value, start=None, stop=None */
static METHOD(list_index)
{
	struct list *list;
	size_t from, to, at;
	enum status status = items_of(render, self, &list);

	if (!status)
		status = arg_bounds(render, bound->args[1], bound->args[2], list->n, &from, &to);
	if (!status)
		status = find(render, list, bound->args[0], from, to, &at);
	if (status)
		return status;
	if (at == list->n)
		return fail_not_in(render, self, bound->args[0]);
	*out = value_int((int64_t)at);
	return STATUS_OK;
}

/* index, object */
static METHOD(list_insert)
{
	struct list *list = self.u.list;
	size_t at, to, n = list->n;
	int64_t index;
	enum status status = arg_int(render, bound->args[0], &index);

	if (!status)
		status = arg_bounds(render, value_int(index), value_none(), n, &at, &to);
	if (!status)
		status = push(render, list, bound->args[1]);
	if (status)
		return status;
	if (at > n)
		at = n;
	memmove(&list->items[at + 1], &list->items[at], (n - at) * sizeof *list->items);
	list->items[at] = bound->args[1];
	return nothing(render, n - at, out);
}

/* index=-1 */
static METHOD(list_pop)
{
	struct list *list = self.u.list;
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

static METHOD(list_remove)
{
	struct list *list = self.u.list;
	size_t at;
	enum status status = find(render, list, bound->args[0], 0, list->n, &at);

	if (status)
		return status;
	if (at == list->n)
		return render_fail(render, "list.remove(x): x not in list");
	take_out(list, at);
	return nothing(render, list->n - at, out);
}

void list_reverse_items(struct list *list)
{
	for (size_t i = 0; i < list->n / 2; i++) {
		struct value item = list->items[i];

		list->items[i] = list->items[list->n - 1 - i];
		list->items[list->n - 1 - i] = item;
	}
}

static METHOD(list_reverse)
{
	(void)bound;
	list_reverse_items(self.u.list);
	return nothing(render, self.u.list->n, out);
}

const struct builtin jinja_list_methods[] = {
	{"append", list_append, "object"},
	{"count", list_count, "value"},
	{"extend", list_extend, "iterable"},
	{"index", list_index, "value, start=None, stop=None"},
	{"insert", list_insert, "index, object"},
	{"pop", list_pop, "index=-1"},
	{"remove", list_remove, "value"},
	{"reverse", list_reverse, ""},
};
const size_t jinja_n_list_methods = sizeof jinja_list_methods / sizeof *jinja_list_methods;
