/* Going through values, and how long they are. */
#include <string.h>

#include "jinja/object.h"

enum status value_length(struct render *render, struct jinja_value value, size_t *out)
{
	*out = 0;
	switch (value.kind) {
	case VALUE_UNDEFINED:
		return STATUS_OK;
	case VALUE_STRING:
		*out = value.u.string->n_chars;
		return STATUS_OK;
	case VALUE_DICT:
		*out = value.u.dict->n;
		return STATUS_OK;
	case VALUE_RANGE:
		*out = value.u.range->n;
		return STATUS_OK;
	case VALUE_LIST:
		*out = value.u.list->n;
		if (value.u.list->kind != LIST_ITERATOR)
			return STATUS_OK;
		break;
	default:
		break;
	}
	return render_fail(render, "object of type '%s' has no len()", value_type_name(value));
}

enum status value_hash_step(struct render *render, struct jinja_value key)
{
	enum status status =
		render_bytes(render, key.kind == VALUE_STRING ? key.u.string->len : 0);
	uint32_t hash;

	if (status || value_hash(key, &hash))
		return status;
	return render_fail(render, "unhashable type: '%s'", value_type_name(key));
}

bool value_is_iterable(struct jinja_value value)
{
	return value.kind == VALUE_UNDEFINED || value.kind == VALUE_STRING ||
	       value.kind == VALUE_LIST || value.kind == VALUE_DICT || value.kind == VALUE_RANGE;
}

enum status value_iterate(struct render *render, struct jinja_value value, struct iteration *it)
{
	*it = (struct iteration){.over = value};
	if (value_is_iterable(value))
		return STATUS_OK;
	return render_fail(render, "'%s' object is not iterable", value_type_name(value));
}

static bool next_char(struct render *render, struct iteration *it, struct jinja_value *item)
{
	const struct jinja_string *string = it->over.u.string;
	size_t len;

	if (it->at >= string->len)
		return false;
	(void)string_char(string, it->at, &len);
	*item = value_from_string(string_part(render->arena, string, it->at, it->at + len));
	it->at += len;
	if (item->kind == VALUE_STRING)
		return true;
	(void)render_no_memory(render);
	return false;
}

/* Lists may grow and shrink meanwhile, as in Python. */
static bool next_item(struct iteration *it, struct jinja_value *item)
{
	struct jinja_list *list = it->over.u.list;
	size_t *at = list->kind == LIST_ITERATOR ? &list->next : &it->at;

	if (*at >= list->n)
		return false;
	*item = list->items[(*at)++];
	return true;
}

static bool next_key(struct iteration *it, struct jinja_value *item)
{
	const struct jinja_dict *dict = it->over.u.dict;

	if (it->at >= dict->n)
		return false;
	*item = dict->entries[it->at++].key;
	return true;
}

static bool next_number(struct iteration *it, struct jinja_value *item)
{
	const struct jinja_range *range = it->over.u.range;

	if (it->at >= range->n)
		return false;
	/* Unsigned, because the way from start may be longer than INT64_MAX. */
	*item = value_int((int64_t)((uint64_t)range->start + it->at * (uint64_t)range->step));
	it->at++;
	return true;
}

bool iteration_next(struct render *render, struct iteration *it, struct jinja_value *item)
{
	if (render_step(render, 1))
		return false;
	switch (it->over.kind) {
	case VALUE_STRING:
		return next_char(render, it, item);
	case VALUE_LIST:
		return next_item(it, item);
	case VALUE_DICT:
		return next_key(it, item);
	case VALUE_RANGE:
		return next_number(it, item);
	default:
		return false;
	}
}

enum status value_to_list(struct render *render, struct jinja_value value, enum list_kind kind,
                          struct jinja_value *out)
{
	struct iteration it;
	enum status status = value_iterate(render, value, &it);
	struct jinja_value item;

	if (status)
		return status;
	*out = value_list(render->arena, kind);
	if (out->kind != VALUE_LIST)
		return render_no_memory(render);
	while (iteration_next(render, &it, &item)) {
		if (!list_push(render->arena, out->u.list, item))
			return render_no_memory(render);
	}
	return render->failed ? render->err->status : STATUS_OK;
}
