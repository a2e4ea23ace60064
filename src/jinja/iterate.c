/* Going through values, and how long they are. */
#include "jinja/builtins.h"

size_t value_length(struct render *render, struct jinja_value value)
{
	switch (value.kind) {
	case VALUE_UNDEFINED:
		return 0;
	case VALUE_STRING:
		return value.u.string->n_chars;
	case VALUE_DICT:
		return value.u.dict->n;
	case VALUE_RANGE:
		return value.u.range->n;
	case VALUE_LIST:
		if (value.u.list->kind != LIST_ITERATOR)
			return value.u.list->n;
		break;
	default:
		break;
	}
	render_fail(render, "object of type '%s' has no len()", value_type_name(value));
	return 0;
}

bool value_hash_step(struct render *render, struct jinja_value key)
{
	uint32_t hash;

	if (!render_bytes(render, key.kind == VALUE_STRING ? key.u.string->len : 0))
		return false;
	if (!value_hash(key, &hash))
		render_fail(render, "unhashable type: '%s'", value_type_name(key));
	return !render->failed;
}

bool value_is_iterable(struct jinja_value value)
{
	return value.kind == VALUE_UNDEFINED || value.kind == VALUE_STRING ||
	       value.kind == VALUE_LIST || value.kind == VALUE_DICT || value.kind == VALUE_RANGE;
}

struct iteration value_iterate(struct render *render, struct jinja_value value)
{
	if (!value_is_iterable(value))
		render_fail(render, "'%s' object is not iterable", value_type_name(value));
	return (struct iteration){.over = value};
}

static bool next_char(struct render *render, struct iteration *it, struct jinja_value *item)
{
	const struct jinja_string *string = it->over.u.string;
	size_t len;

	if (it->at >= string->len)
		return false;
	(void)string_char(string, it->at, &len);
	*item = give_string(render, string_part(render->arena, string, it->at, it->at + len));
	it->at += len;
	return !render->failed;
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
	*item = value_int(range_at(range, it->at++));
	return true;
}

bool iteration_next(struct render *render, struct iteration *it, struct jinja_value *item)
{
	if (!render_step(render, 1))
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

struct jinja_value value_to_list(struct render *render, struct jinja_value value,
                                 enum list_kind kind)
{
	struct iteration it = value_iterate(render, value);
	struct jinja_value list = give_list(render, kind), item;

	while (iteration_next(render, &it, &item)) {
		if (!list_push(render->arena, list.u.list, item))
			render_no_memory(render);
	}
	return list;
}
