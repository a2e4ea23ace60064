#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

/* "12" is an index. */
static enum status part_value(struct render *render, const struct string *name, size_t from,
                              size_t to, struct value *out)
{
	const struct string *part = string_part(render->arena, name, from, to);
	int64_t index = 0;

	if (!part)
		return render_no_memory(render);
	*out = value_from_string(part);
	if (!string_all(part, char_is_digit))
		return STATUS_OK;
	for (size_t i = 0, len; i < part->len; i += len) {
		int digit = char_decimal_value(string_char(part, i, &len));

		if (digit < 0)
			return render_fail(render, "invalid literal for int() with base 10: '%.*s'",
			                   (int)part->len, part->data);
		if (__builtin_mul_overflow(index, 10, &index) ||
		    __builtin_add_overflow(index, digit, &index))
			index = INT64_MAX; /* no list is so long */
	}
	*out = value_int(index);
	return STATUS_OK;
}

/* Bytes [from, to) of a name with dots. */
static enum status parse_part(struct render *render, const struct string *name, size_t from,
                              size_t to, struct attribute *out)
{
	struct value parts, part;
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

enum status attribute_parse(struct render *render, struct value name, struct attribute *out)
{
	struct value *part;

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

static size_t count_names(const struct string *names)
{
	size_t n = 1;

	for (size_t i = 0; i < names->len; i++)
		n += names->data[i] == ',';
	return n;
}

enum status attribute_parse_many(struct render *render, struct value names,
                                 const struct attribute **out, size_t *n)
{
	const struct string *string = names.kind == VALUE_STRING ? names.u.string : NULL;
	struct attribute *attributes;
	enum status status = STATUS_OK;

	*n = string ? count_names(string) : 1;
	attributes = arena_array(render->arena, *n, sizeof *attributes);
	if (!attributes)
		return render_no_memory(render);
	*out = attributes;
	if (!string)
		return attribute_parse(render, names, attributes);
	for (size_t i = 0, from = 0; !status && i <= string->len; i++) {
		if (i < string->len && string->data[i] != ',')
			continue;
		status = parse_part(render, string, from, i, attributes++);
		from = i + 1;
	}
	return status;
}

enum status attribute_get(struct render *render, const struct attribute *attribute,
                          struct value item, struct value fallback, struct value *out)
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

enum status ignore_case(struct render *render, struct value *value)
{
	const struct string *lower;
	enum status status;

	if (value->kind != VALUE_STRING)
		return STATUS_OK;
	status = string_to_case(render, value->u.string, CASE_LOWER, &lower);
	if (!status)
		*value = value_from_string(lower);
	return status;
}
