#include "jinja/builtins.h"

/* ---- results ---- */

void text_begin(struct render *render, struct text *text)
{
	text_init(text, render->arena, render->limits->memory);
}

struct jinja_value give_text(struct render *render, struct text *text)
{
	const struct jinja_string *string = text_finish(text);

	render_text(render, text);
	return give_string(render, string);
}

struct jinja_value give_string(struct render *render, const struct jinja_string *string)
{
	if (!string)
		render_no_memory(render);
	return value_from_string(string ? string : &string_empty);
}

struct jinja_value give_list(struct render *render, enum list_kind kind)
{
	struct jinja_value list = value_list(render->arena, kind);

	if (list.kind == VALUE_LIST)
		return list;
	render_no_memory(render);
	return (struct jinja_value){.kind = VALUE_LIST, .u.list = &render->spare_list};
}

struct jinja_value give_dict(struct render *render)
{
	struct jinja_value dict = value_dict(render->arena);

	if (dict.kind == VALUE_DICT)
		return dict;
	render_no_memory(render);
	return (struct jinja_value){.kind = VALUE_DICT, .u.dict = &render->spare_dict};
}

void add_item(struct render *render, struct jinja_list *list, struct jinja_value item)
{
	if (list_push(render->arena, list, item))
		render_step(render, 1);
	else
		render_no_memory(render);
}

static struct jinja_value give_pair(struct render *render, const struct dict_entry *entry)
{
	struct jinja_value pair = give_list(render, LIST_TUPLE);

	add_item(render, pair.u.list, entry->key);
	add_item(render, pair.u.list, entry->value);
	return pair;
}

struct jinja_value give_entries(struct render *render, const struct jinja_dict *dict,
                                enum list_kind kind)
{
	struct jinja_value list = give_list(render, kind);

	for (size_t i = 0; i < dict->n && !render->failed; i++) {
		const struct dict_entry *entry = &dict->entries[i];

		add_item(render, list.u.list,
		         kind == LIST_KEYS     ? entry->key
		         : kind == LIST_VALUES ? entry->value
		                               : give_pair(render, entry));
	}
	return list;
}

void dict_put_key(struct render *render, struct jinja_dict *dict, struct jinja_value key,
                  struct jinja_value item)
{
	if (value_hash_step(render, key) && !dict_put(render->arena, dict, key, item))
		render_no_memory(render);
}

/* ---- arguments ---- */

int64_t arg_int(struct render *render, struct jinja_value value)
{
	if (value_is_int(value))
		return value_as_int(value);
	render_fail(render, "'%s' object cannot be interpreted as an integer",
	            value_type_name(value));
	return 0;
}
