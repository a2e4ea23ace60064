/* Filters of sequences: one item of them, or all of them as one. */
#include "jinja/casing.h"
#include "jinja/filters.h"

struct jinja_value give_nothing(struct render *render, const char *hint)
{
	struct jinja_value nothing = undefined_hint(render->arena, "%s", hint);

	return nothing.u.undefined ? nothing : render_no_memory(render);
}

/* ---- one item ---- */

BUILTIN(filter_default)
{
	bool missing = value_is_undefined(self) ||
	               (value_truth(bound->args[1]) && !value_truth(self));

	return missing ? bound->args[0] : self;
}

BUILTIN(filter_first)
{
	struct iteration it = value_iterate(render, self);
	struct jinja_value item;

	return iteration_next(render, &it, &item)
	               ? item
	               : give_nothing(render, "No first item, sequence was empty.");
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
	const struct jinja_string *string;
	const struct jinja_list *items;

	if (!is_reversible(self))
		return render_fail(render, "'%s' object is not reversible", value_type_name(self));
	if (self.kind == VALUE_STRING && self.u.string->len > 0) {
		string = self.u.string;
		return give_string(render,
		                   string_part(render->arena, string,
		                               string_before(string, string->len), string->len));
	}
	if (self.kind != VALUE_LIST)
		self = value_to_list(render, self, LIST_LIST);
	items = self.u.list;
	return items->n ? items->items[items->n - 1]
	                : give_nothing(render, "No last item, sequence was empty.");
}

/* ---- all of them ---- */

BUILTIN(filter_length)
{
	return value_int((int64_t)value_length(render, self));
}

BUILTIN(filter_list)
{
	return value_to_list(render, self, LIST_LIST);
}

BUILTIN(filter_items)
{
	if (self.kind == VALUE_UNDEFINED)
		return give_list(render, LIST_ITERATOR);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "Can only get item pairs from a mapping.");
	return give_entries(render, self.u.dict, LIST_ITERATOR);
}

BUILTIN(filter_join)
{
	const struct jinja_string *separator;
	struct iteration it;
	struct jinja_value item;
	struct text text;

	attribute_check(render, bound->args[1]);
	separator = value_to_string(render, bound->args[0]);
	it = value_iterate(render, self);
	text_begin(render, &text);
	for (bool first = true; iteration_next(render, &it, &item); first = false) {
		item = attribute_get(render, bound->args[1], item);
		if (!first && render_bytes(render, separator->len))
			text_append_string(&text, separator);
		value_print(render, &text, item);
	}
	return give_text(render, &text);
}

BUILTIN(filter_sum)
{
	struct iteration it = value_iterate(render, self);
	struct jinja_value sum = value_int(0), item;

	while (iteration_next(render, &it, &item))
		sum = value_binary(render, OP_ADD, sum, item);
	return sum;
}

/* ---- backwards ---- */

static struct jinja_value reverse_string(struct render *render, const struct jinja_string *string)
{
	struct text text;

	render_bytes(render, string->len);
	text_begin(render, &text);
	for (size_t to = string->len, from; to > 0 && !text.status; to = from) {
		from = string_before(string, to);
		text_append_part(&text, string, from, to);
	}
	return give_text(render, &text);
}

/* A string gives a string, a sequence an iterator, an iterator a list. */
BUILTIN(filter_reverse)
{
	struct jinja_value list;

	if (self.kind == VALUE_STRING)
		return reverse_string(render, self.u.string);
	if (!is_reversible(self) && self.kind != VALUE_LIST)
		return render_fail(render, "argument must be iterable");
	list = value_to_list(render, self, is_reversible(self) ? LIST_ITERATOR : LIST_LIST);
	list_reverse(list.u.list);
	return list;
}

/* ---- attributes ---- */

/* Jinja2 takes names apart at their dots, and digits for numbers. */
void attribute_check(struct render *render, struct jinja_value name)
{
	const struct jinja_string *text = name.kind == VALUE_STRING ? name.u.string : &string_empty;

	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == '.' || (text->data[0] >= '0' && text->data[0] <= '9'))
			render_fail(render, "the attribute '%s' is not supported", text->data);
	}
}

struct jinja_value attribute_get(struct render *render, struct jinja_value name,
                                 struct jinja_value item)
{
	return name.kind == VALUE_NONE ? item : value_getitem(render, item, name);
}

struct jinja_value ignore_case(struct render *render, struct jinja_value value)
{
	return value.kind == VALUE_STRING ? string_to_case(render, value.u.string, CASE_LOWER)
	                                  : value;
}
