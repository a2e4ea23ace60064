#include "jinja/casing.h"
#include "jinja/filters.h"

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
