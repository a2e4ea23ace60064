/* The methods of dict. Views are copies of that moment. */
#include "jinja/format.h"

enum status dict_put_key(struct render *render, struct jinja_dict *dict, struct jinja_value key,
                         struct jinja_value item)
{
	enum status status = value_hash_step(render, key);

	if (status)
		return status;
	return dict_put(render->arena, dict, key, item) ? STATUS_OK : render_no_memory(render);
}

static enum status copy_into(struct render *render, struct jinja_dict *dict,
                             const struct jinja_dict *from)
{
	enum status status = render_step(render, from->n_entries);

	for (size_t i = 0; !status && i < from->n_entries; i++) {
		const struct dict_entry *entry = &from->entries[i];

		if (!entry->gone)
			status = dict_put_key(render, dict, entry->key, entry->value);
	}
	return status;
}

static enum status new_dict(struct render *render, struct jinja_value *out)
{
	*out = value_dict(render->arena);
	return out->kind == VALUE_DICT ? STATUS_OK : render_no_memory(render);
}

static METHOD(dict_copy)
{
	enum status status = new_dict(render, out);

	(void)bound;
	return status ? status : copy_into(render, out->u.dict, self.u.dict);
}

/* key, default=None */
static METHOD(dict_get)
{
	enum status status = value_hash_step(render, bound->args[0]);
	const struct jinja_value *found;

	if (status)
		return status;
	found = dict_find(self.u.dict, bound->args[0]);
	*out = found ? *found : bound->args[1];
	return STATUS_OK;
}

static enum status pair(struct render *render, const struct dict_entry *entry,
                        struct jinja_value *out)
{
	return give_items(render, LIST_TUPLE, (struct jinja_value[]){entry->key, entry->value}, 2,
	                  out);
}

static enum status view(struct render *render, const struct jinja_dict *dict, enum list_kind kind,
                        struct jinja_value *out)
{
	enum status status = give_list(render, kind, out);

	for (size_t i = 0; !status && i < dict->n_entries; i++) {
		const struct dict_entry *entry = &dict->entries[i];
		struct jinja_value item = kind == LIST_KEYS ? entry->key : entry->value;

		if (entry->gone)
			continue;
		if (kind == LIST_ITEMS)
			status = pair(render, entry, &item);
		if (!status)
			status = push(render, out->u.list, item);
	}
	return status;
}

static METHOD(dict_items)
{
	(void)bound;
	return view(render, self.u.dict, LIST_ITEMS, out);
}

static METHOD(dict_keys)
{
	(void)bound;
	return view(render, self.u.dict, LIST_KEYS, out);
}

static METHOD(dict_values)
{
	(void)bound;
	return view(render, self.u.dict, LIST_VALUES, out);
}

/* A KeyError shows its key as repr() does. */
static enum status fail_key(struct render *render, struct jinja_value key)
{
	const struct jinja_string *shown;
	enum status status = value_to_repr(render, key, &shown);

	return status ? status : render_fail(render, "%s", shown->data);
}

/* key[, default] */
static METHOD(dict_pop)
{
	enum status status = value_hash_step(render, bound->args[0]);
	const struct jinja_value *found;

	if (status)
		return status;
	found = dict_find(self.u.dict, bound->args[0]);
	if (!found && !bound->given[1])
		return fail_key(render, bound->args[0]);
	*out = found ? *found : bound->args[1];
	if (found)
		dict_remove(self.u.dict, bound->args[0]);
	return STATUS_OK;
}

/* key, default=None */
static METHOD(dict_setdefault)
{
	enum status status = value_hash_step(render, bound->args[0]);
	const struct jinja_value *found;

	if (status)
		return status;
	found = dict_find(self.u.dict, bound->args[0]);
	*out = found ? *found : bound->args[1];
	return found ? STATUS_OK
	             : dict_put_key(render, self.u.dict, bound->args[0], bound->args[1]);
}

static enum status put_all(struct render *render, struct jinja_dict *dict, struct jinja_value from)
{
	if (from.kind == VALUE_UNDEFINED)
		return undefined_fail(render, from);
	if (from.kind != VALUE_DICT)
		return render_fail(render, "the argument must be a dict, not %s",
		                   value_type_name(from));
	return from.u.dict == dict ? STATUS_OK : copy_into(render, dict, from.u.dict);
}

enum status dict_put_args(struct render *render, struct jinja_dict *dict, const struct args *args)
{
	enum status status = args->n ? put_all(render, dict, args->items[0]) : STATUS_OK;

	for (size_t i = 0; !status && i < args->n_keywords; i++)
		status = dict_put_key(render, dict, value_from_string(args->keywords[i].name),
		                      args->keywords[i].value);
	return status;
}

/* [dict], **kwargs */
static METHOD(dict_update)
{
	const struct args *args = &bound->rest;

	if (args->n > 1)
		return render_fail(render, "update expected at most 1 argument, got %zu", args->n);
	*out = value_none();
	return dict_put_args(render, self.u.dict, args);
}

const struct builtin jinja_dict_methods[] = {
	{"copy", dict_copy, ""},
	{"get", dict_get, "key, default=None"},
	{"items", dict_items, ""},
	{"keys", dict_keys, ""},
	{"pop", dict_pop, "key, default=None"},
	{"setdefault", dict_setdefault, "key, default=None"},
	{"update", dict_update, "*args, **kwargs"},
	{"values", dict_values, ""},
};
const size_t jinja_n_dict_methods = sizeof jinja_dict_methods / sizeof *jinja_dict_methods;
