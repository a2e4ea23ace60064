#include "jinja/value.h"

#include <string.h>

#include "base/utf8.h"
#include "jinja/object.h"
#include "jinja/text.h"

struct jinja_value value_none(void)
{
	return (struct jinja_value){.kind = VALUE_NONE};
}

struct jinja_value value_bool(bool b)
{
	return (struct jinja_value){.kind = VALUE_BOOL, .u.boolean = b};
}

struct jinja_value value_int(int64_t i)
{
	return (struct jinja_value){.kind = VALUE_INT, .u.integer = i};
}

struct jinja_value value_float(double f)
{
	return (struct jinja_value){.kind = VALUE_FLOAT, .u.number = f};
}

struct jinja_value value_long(struct arena *arena, const char *digits, size_t len)
{
	struct jinja_value value = value_text(arena, digits, len, SOURCE_TEMPLATE);

	if (value.kind == VALUE_STRING)
		value.kind = VALUE_LONG;
	return value;
}

struct jinja_value value_from_string(const struct jinja_string *string)
{
	if (!string)
		return (struct jinja_value){0};
	return (struct jinja_value){.kind = VALUE_STRING, .u.string = string};
}

/* Each maximal ill-formed part becomes one U+FFFD. */
static const struct jinja_string *repaired(struct arena *arena, const char *text, size_t len,
                                           uint32_t source)
{
	char replacement[UTF8_MAX];
	size_t at = 0, good = 0, n;
	struct text out;
	int32_t cp;

	text_init(&out, arena, SIZE_MAX);
	while (at < len) {
		n = utf8_decode(text + at, len - at, &cp);
		if (cp < 0) {
			text_append(&out, text + good, at - good, source);
			text_append(&out, replacement, utf8_encode(UTF8_REPLACEMENT, replacement),
			            source);
			good = at + n;
		}
		at += n;
	}
	text_append(&out, text + good, len - good, source);
	return text_finish(&out);
}

struct jinja_value value_text(struct arena *arena, const char *text, size_t len, uint32_t source)
{
	return value_from_string(utf8_valid(text, len) ? string_new(arena, text, len, source)
	                                               : repaired(arena, text, len, source));
}

struct jinja_value value_list(struct arena *arena, enum list_kind kind)
{
	struct jinja_list *list = arena_alloc(arena, sizeof *list);

	if (!list)
		return (struct jinja_value){0};
	list->kind = kind;
	return (struct jinja_value){.kind = VALUE_LIST, .u.list = list};
}

bool list_push(struct arena *arena, struct jinja_list *list, struct jinja_value item)
{
	if (!arena_extend(arena, &list->items, list->n, &list->cap, sizeof *list->items))
		return false;
	list->items[list->n++] = item;
	return true;
}

void list_reverse(struct jinja_list *list)
{
	for (size_t i = 0; i < list->n / 2; i++) {
		struct jinja_value item = list->items[i];

		list->items[i] = list->items[list->n - 1 - i];
		list->items[list->n - 1 - i] = item;
	}
}

size_t range_length(int64_t start, int64_t stop, int64_t step)
{
	uint64_t way, stride;

	if (step > 0 ? start >= stop : start <= stop)
		return 0;
	way = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
	stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
	return (way - 1) / stride + 1;
}

/* Unsigned, because the way from start may be longer than INT64_MAX. */
int64_t range_at(const struct jinja_range *range, size_t index)
{
	return (int64_t)((uint64_t)range->start + index * (uint64_t)range->step);
}

struct jinja_value value_range(struct arena *arena, int64_t start, int64_t stop, int64_t step)
{
	struct jinja_range *range = arena_alloc(arena, sizeof *range);

	if (!range)
		return (struct jinja_value){0};
	*range = (struct jinja_range){.start = start,
	                        .stop = stop,
	                        .step = step,
	                        .n = range_length(start, stop, step)};
	return (struct jinja_value){.kind = VALUE_RANGE, .u.range = range};
}

bool value_truth(struct jinja_value value)
{
	switch (value.kind) {
	case VALUE_UNDEFINED:
	case VALUE_NONE:
		return false;
	case VALUE_BOOL:
		return value.u.boolean;
	case VALUE_INT:
		return value.u.integer != 0;
	case VALUE_FLOAT:
		return value.u.number != 0;
	case VALUE_LONG:
		return true;
	case VALUE_STRING:
		return value.u.string->len > 0;
	case VALUE_LIST:
		return value.u.list->kind == LIST_ITERATOR || value.u.list->n > 0;
	case VALUE_DICT:
		return value.u.dict->n > 0;
	case VALUE_RANGE:
		return value.u.range->n > 0;
	case VALUE_OBJECT:
		return true;
	}
	return false;
}

static const char *list_type_name(const struct jinja_list *list)
{
	switch (list->kind) {
	case LIST_LIST:
		return "list";
	case LIST_TUPLE:
		return "tuple";
	case LIST_KEYS:
		return "dict_keys";
	case LIST_VALUES:
		return "dict_values";
	case LIST_ITEMS:
		return "dict_items";
	case LIST_ITERATOR:
		return "generator";
	}
	return "list";
}

const char *value_type_name(struct jinja_value value)
{
	static const char *const names[] = {
		[VALUE_UNDEFINED] = "Undefined", [VALUE_NONE] = "NoneType", [VALUE_BOOL] = "bool",
		[VALUE_INT] = "int",             [VALUE_FLOAT] = "float",   [VALUE_STRING] = "str",
		[VALUE_LONG] = "int",
		[VALUE_DICT] = "dict",           [VALUE_RANGE] = "range",
	};
	const char *dot;

	if (value.kind == VALUE_LIST)
		return list_type_name(value.u.list);
	if (value.kind != VALUE_OBJECT)
		return names[value.kind];
	dot = strrchr(value.u.object->ops->type_name, '.');
	return dot ? dot + 1 : value.u.object->ops->type_name;
}
