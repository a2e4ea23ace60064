#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

/* "12" is an index. */
static enum status part_value(struct render *render, const struct jinja_string *name, size_t from,
                              size_t to, struct jinja_value *out)
{
	const struct jinja_string *part = string_part(render->arena, name, from, to);
	int64_t index = 0;

	if (!part)
		return render_no_memory(render);
	*out = value_from_string(part);
	for (size_t i = 0; i < part->len; i++) {
		if (part->data[i] < '0' || part->data[i] > '9')
			return STATUS_OK;
		if (__builtin_mul_overflow(index, 10, &index) ||
		    __builtin_add_overflow(index, part->data[i] - '0', &index))
			index = INT64_MAX; /* no list is so long */
	}
	if (part->len)
		*out = value_int(index);
	return STATUS_OK;
}

/* Bytes [from, to) of a name with dots. */
static enum status parse_part(struct render *render, const struct jinja_string *name, size_t from,
                              size_t to, struct attribute *out)
{
	struct jinja_value parts, part;
	enum status status = give_list(render, LIST_LIST, &parts);

	for (size_t i = from; !status && i <= to; i++) {
		if (i < to && name->data[i] != '.')
			continue;
		status = part_value(render, name, from, i, &part);
		if (!status)
			status = push(render, parts.u.list, part);
		from = i + 1;
	}
	if (!status)
		*out = (struct attribute){parts.u.list->items, parts.u.list->n};
	return status;
}

enum status attribute_parse(struct render *render, struct jinja_value name, struct attribute *out)
{
	struct jinja_value *part;

	*out = (struct attribute){0};
	if (name.kind == VALUE_NONE)
		return STATUS_OK;
	if (name.kind == VALUE_STRING)
		return parse_part(render, name.u.string, 0, name.u.string->len, out);
	part = arena_alloc(render->arena, sizeof *part);
	if (!part)
		return render_no_memory(render);
	*part = name;
	*out = (struct attribute){part, 1};
	return STATUS_OK;
}

enum status attribute_get(struct render *render, const struct attribute *attribute,
                          struct jinja_value item, struct jinja_value fallback,
                          struct jinja_value *out)
{
	enum status status = render_step(render, attribute->n);

	for (size_t i = 0; !status && i < attribute->n; i++) {
		status = value_getitem(render, item, attribute->parts[i], &item);
		if (!status && value_is_undefined(item) && fallback.kind != VALUE_NONE)
			item = fallback;
	}
	*out = item;
	return status;
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
