#include "jinja/builtins.h"

/* ---- results ---- */

void text_begin(struct render *render, struct text *text)
{
	text_init(text, render->arena, render->limits->memory);
}

enum status give_text(struct render *render, struct text *text, struct jinja_value *out)
{
	const struct jinja_string *string = text_finish(text);
	enum status status = render_text(render, text);

	if (render->failed)
		return render->err->status;
	return status ? status : give_string(render, string, out);
}

enum status give_string(struct render *render, const struct jinja_string *string,
                        struct jinja_value *out)
{
	if (!string)
		return render_no_memory(render);
	*out = value_from_string(string);
	return STATUS_OK;
}

enum status give_list(struct render *render, enum list_kind kind, struct jinja_value *out)
{
	*out = value_list(render->arena, kind);
	return out->kind == VALUE_LIST ? STATUS_OK : render_no_memory(render);
}

enum status add_item(struct render *render, struct jinja_list *list, struct jinja_value item)
{
	return list_push(render->arena, list, item) ? render_step(render, 1)
	                                            : render_no_memory(render);
}

static enum status give_pair(struct render *render, const struct dict_entry *entry,
                             struct jinja_value *out)
{
	enum status status = give_list(render, LIST_TUPLE, out);

	if (!status)
		status = add_item(render, out->u.list, entry->key);
	return status ? status : add_item(render, out->u.list, entry->value);
}

enum status give_entries(struct render *render, const struct jinja_dict *dict, enum list_kind kind,
                         struct jinja_value *out)
{
	enum status status = give_list(render, kind, out);

	for (size_t i = 0; !status && i < dict->n; i++) {
		const struct dict_entry *entry = &dict->entries[i];
		struct jinja_value item = kind == LIST_KEYS ? entry->key : entry->value;

		if (kind != LIST_KEYS && kind != LIST_VALUES)
			status = give_pair(render, entry, &item);
		if (!status)
			status = add_item(render, out->u.list, item);
	}
	return status;
}

enum status dict_put_key(struct render *render, struct jinja_dict *dict, struct jinja_value key,
                         struct jinja_value item)
{
	enum status status = value_hash_step(render, key);

	if (status)
		return status;
	return dict_put(render->arena, dict, key, item) ? STATUS_OK : render_no_memory(render);
}

/* ---- arguments ---- */

enum status arg_int(struct render *render, struct jinja_value value, int64_t *out)
{
	if (!value_is_int(value))
		return render_fail(render, "'%s' object cannot be interpreted as an integer",
		                   value_type_name(value));
	*out = value_as_int(value);
	return STATUS_OK;
}
