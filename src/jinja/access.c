/* a.b, a[b]. */
#include "jinja/builtins.h"

static enum status give_undefined(struct render *render, struct jinja_value undefined,
                                  struct jinja_value *out)
{
	if (!undefined.u.undefined)
		return render_no_memory(render);
	*out = undefined;
	return STATUS_OK;
}

/* ---- attributes ---- */

/* The method of that name, of a string, list or dict. */
static enum status method(struct render *render, struct jinja_value self,
                          const struct jinja_string *name, bool *found, struct jinja_value *out)
{
	const struct builtin *row = NULL;

	*found = false;
	switch (self.kind) {
	case VALUE_STRING:
		row = builtin_find(&jinja_string_methods, name);
		break;
	case VALUE_LIST:
		if (self.u.list->kind == LIST_LIST)
			row = builtin_find(&jinja_list_methods, name);
		break;
	case VALUE_DICT:
		row = builtin_find(&jinja_dict_methods, name);
		break;
	default:
		break;
	}
	if (!row)
		return STATUS_OK;
	*found = true;
	*out = builtin_value(render->arena, row, self);
	return out->kind == VALUE_OBJECT ? STATUS_OK : render_no_memory(render);
}

/* Python's getattr(); *found = false: there is none. */
static enum status attribute(struct render *render, struct jinja_value value,
                             const struct jinja_string *name, bool *found, struct jinja_value *out)
{
	*found = false;
	if (value.kind == VALUE_OBJECT) {
		if (!value.u.object->ops->get)
			return STATUS_OK;
		return value.u.object->ops->get(render, value.u.object, name, found, out);
	}
	return method(render, value, name, found, out);
}

enum status value_getattr(struct render *render, struct jinja_value value,
                          const struct jinja_string *name, struct jinja_value *out)
{
	enum status status;
	struct jinja_value *item;
	bool found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	status = attribute(render, value, name, &found, out);
	if (status || found)
		return status;
	item = value.kind == VALUE_DICT ? dict_find(value.u.dict, value_from_string(name)) : NULL;
	if (item) {
		*out = *item;
		return STATUS_OK;
	}
	return give_undefined(render, undefined_attribute(render->arena, value, name), out);
}

/* ---- items ---- */

/* From 0 on; false outside of n items. */
static bool index_of(struct jinja_value key, size_t n, size_t *index)
{
	int64_t i = value_as_int(key);

	if (i < 0) {
		if (-(uint64_t)i > n)
			return false;
		*index = n - (size_t)-(uint64_t)i;
		return true;
	}
	*index = (size_t)i;
	return *index < n;
}

static int64_t range_at(const struct jinja_range *range, size_t index)
{
	return (int64_t)((uint64_t)range->start + index * (uint64_t)range->step);
}

static enum status char_at(struct render *render, const struct jinja_string *string, size_t index,
                           struct jinja_value *out)
{
	enum status status;
	size_t at, len;

	status = render_bytes(render, string->n_chars == string->len ? 0 : string->len / 2);
	if (status)
		return status;
	at = string_offset(string, index);
	(void)string_char(string, at, &len);
	*out = value_from_string(string_part(render->arena, string, at, at + len));
	return out->kind == VALUE_STRING ? STATUS_OK : render_no_memory(render);
}

/* Lists, strings and ranges with a number. */
static enum status item_at(struct render *render, struct jinja_value value, struct jinja_value key,
                           bool *found, struct jinja_value *out)
{
	size_t index;

	*found = false;
	if (value.kind == VALUE_STRING) {
		*found = index_of(key, value.u.string->n_chars, &index);
		return *found ? char_at(render, value.u.string, index, out) : STATUS_OK;
	}
	if (value.kind == VALUE_RANGE && index_of(key, value.u.range->n, &index)) {
		*found = true;
		*out = value_int(range_at(value.u.range, index));
	}
	if (value.kind == VALUE_LIST && list_is_sequence(value.u.list) &&
	    index_of(key, value.u.list->n, &index)) {
		*found = true;
		*out = value.u.list->items[index];
	}
	return STATUS_OK;
}

/* Python's value[key]; *found = false where it raises. */
static enum status subscript(struct render *render, struct jinja_value value,
                             struct jinja_value key, bool *found, struct jinja_value *out)
{
	const struct jinja_value *item;

	enum status status;

	*found = false;
	if (value.kind == VALUE_DICT) {
		status = render_bytes(render, key.kind == VALUE_STRING ? key.u.string->len : 0);
		if (status)
			return status;
		item = dict_find(value.u.dict, key);
		*found = item != NULL;
		if (item)
			*out = *item;
		return STATUS_OK;
	}
	return value_is_int(key) ? item_at(render, value, key, found, out) : STATUS_OK;
}

enum status value_getitem(struct render *render, struct jinja_value value, struct jinja_value key,
                          struct jinja_value *out)
{
	enum status status;
	bool found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	status = subscript(render, value, key, &found, out);
	if (status || found)
		return status;
	if (key.kind == VALUE_STRING) {
		status = attribute(render, value, key.u.string, &found, out);
		if (status || found)
			return status;
	}
	return give_undefined(render, undefined_item(render->arena, value, key), out);
}
