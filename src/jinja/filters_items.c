/* Filters of sequences: one item of them, or all of them as one. */
#include "jinja/casing.h"
#include "jinja/filters.h"

enum status give_nothing(struct render *render, const char *hint, struct jinja_value *out)
{
	*out = undefined_hint(render->arena, "%s", hint);
	return out->u.undefined ? STATUS_OK : render_no_memory(render);
}

/* ---- one item ---- */

BUILTIN(filter_default)
{
	bool missing = value_is_undefined(self) ||
	               (value_truth(bound->args[1]) && !value_truth(self));

	*out = missing ? bound->args[0] : self;
	return STATUS_OK;
}

BUILTIN(filter_first)
{
	struct iteration it;
	enum status status = value_iterate(render, self, &it);

	if (status || iteration_next(render, &it, out))
		return status;
	return render->failed ? render->err->status
	                      : give_nothing(render, "No first item, sequence was empty.", out);
}

/* Without the last of an iterator, and of what has no items. */
static bool is_reversible(struct jinja_value value)
{
	return value.kind == VALUE_STRING || value.kind == VALUE_DICT || value.kind == VALUE_RANGE ||
	       value.kind == VALUE_UNDEFINED ||
	       (value.kind == VALUE_LIST && value.u.list->kind != LIST_ITERATOR);
}

BUILTIN(filter_last)
{
	struct jinja_value items;
	enum status status;

	if (!is_reversible(self))
		return render_fail(render, "'%s' object is not reversible", value_type_name(self));
	if (self.kind == VALUE_STRING && self.u.string->len > 0) {
		const struct jinja_string *string = self.u.string;

		return give_string(render,
		                   string_part(render->arena, string,
		                               string_before(string, string->len), string->len),
		                   out);
	}
	status = STATUS_OK;
	items = self;
	if (self.kind != VALUE_LIST)
		status = value_to_list(render, self, LIST_LIST, &items);
	if (status)
		return status;
	if (items.u.list->n == 0)
		return give_nothing(render, "No last item, sequence was empty.", out);
	*out = items.u.list->items[items.u.list->n - 1];
	return STATUS_OK;
}

/* ---- all of them ---- */

BUILTIN(filter_length)
{
	size_t n;
	enum status status = value_length(render, self, &n);

	if (!status)
		*out = value_int((int64_t)n);
	return status;
}

BUILTIN(filter_list)
{
	return value_to_list(render, self, LIST_LIST, out);
}

BUILTIN(filter_items)
{
	if (self.kind == VALUE_UNDEFINED)
		return give_list(render, LIST_ITERATOR, out);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "Can only get item pairs from a mapping.");
	return give_entries(render, self.u.dict, LIST_ITERATOR, out);
}

BUILTIN(filter_join)
{
	const struct jinja_string *separator;
	struct iteration it;
	struct jinja_value item;
	struct text text;
	enum status status = attribute_check(render, bound->args[1]);

	if (!status)
		status = value_to_string(render, bound->args[0], &separator);
	if (!status)
		status = value_iterate(render, self, &it);
	text_begin(render, &text);
	for (bool first = true; !status && iteration_next(render, &it, &item); first = false) {
		status = attribute_get(render, bound->args[1], item, &item);
		if (!status && !first) {
			status = render_bytes(render, separator->len);
			text_append_string(&text, separator);
		}
		if (!status)
			status = value_print(render, &text, item);
	}
	return status ? status : give_text(render, &text, out);
}

BUILTIN(filter_sum)
{
	struct iteration it;
	struct jinja_value item;
	enum status status = value_iterate(render, self, &it);

	*out = value_int(0);
	while (!status && iteration_next(render, &it, &item))
		status = value_binary(render, OP_ADD, *out, item, out);
	return render->failed ? render->err->status : status;
}

/* ---- backwards ---- */

static enum status reverse_string(struct render *render, const struct jinja_string *string,
                                  struct jinja_value *out)
{
	struct text text;
	enum status status = render_bytes(render, string->len);

	if (status)
		return status;
	text_begin(render, &text);
	for (size_t to = string->len, from; to > 0 && !text.status; to = from) {
		from = string_before(string, to);
		text_append_part(&text, string, from, to);
	}
	return give_text(render, &text, out);
}

/* A string gives a string, a sequence an iterator, an iterator a list. */
BUILTIN(filter_reverse)
{
	enum status status;

	if (self.kind == VALUE_STRING)
		return reverse_string(render, self.u.string, out);
	if (!is_reversible(self) && self.kind != VALUE_LIST)
		return render_fail(render, "argument must be iterable");
	status = value_to_list(render, self, LIST_LIST, out);
	if (status)
		return status;
	list_reverse(out->u.list);
	if (is_reversible(self))
		out->u.list->kind = LIST_ITERATOR;
	return STATUS_OK;
}

/* ---- attributes ---- */

/* Jinja2 takes names apart at their dots, and digits for numbers. */
enum status attribute_check(struct render *render, struct jinja_value name)
{
	const struct jinja_string *text = name.kind == VALUE_STRING ? name.u.string : &string_empty;

	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == '.' || (text->data[0] >= '0' && text->data[0] <= '9'))
			return render_fail(render, "the attribute '%s' is not supported",
			                   text->data);
	}
	return STATUS_OK;
}

enum status attribute_get(struct render *render, struct jinja_value name, struct jinja_value item,
                          struct jinja_value *out)
{
	*out = item;
	return name.kind == VALUE_NONE ? STATUS_OK : value_getitem(render, item, name, out);
}

enum status ignore_case(struct render *render, struct jinja_value *value)
{
	const struct jinja_string *lower;
	enum status status;

	if (value->kind != VALUE_STRING)
		return STATUS_OK;
	status = string_to_case(render, value->u.string, CASE_LOWER, &lower);
	if (!status)
		*value = value_from_string(lower);
	return status;
}
