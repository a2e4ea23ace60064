/* The functions that every template has. */
#include "jinja/globals.h"

#include "base/limits.h"

/* ---- range ---- */

static enum status arg_int(struct render *render, struct value value, int64_t *out)
{
	if (value.kind != VALUE_INT && value.kind != VALUE_BOOL)
		return render_fail(render, "'%s' object cannot be interpreted as an integer",
		                   value_type_name(value));
	*out = value.kind == VALUE_INT ? value.u.integer : value.u.boolean;
	return STATUS_OK;
}

static enum status global_range(struct render *render, struct value self, const struct bound *bound,
                                struct value *out)
{
	int64_t start = 0, stop = 0, step = 1;
	enum status status;

	(void)self;
	status = arg_int(render, bound->args[0], &stop);
	if (!status && bound->given[1]) {
		start = stop;
		status = arg_int(render, bound->args[1], &stop);
	}
	if (!status && bound->given[2])
		status = arg_int(render, bound->args[2], &step);
	if (status)
		return status;
	if (step == 0)
		return render_fail(render, "range() arg 3 must not be zero");
	*out = value_range(render->arena, start, stop, step);
	if (out->kind != VALUE_RANGE)
		return render_no_memory(render);
	if (out->u.range->n > LIMIT_JINJA_RANGE)
		return render_limit(render, "a range() of so many items");
	return STATUS_OK;
}

/* ---- dict ---- */

/* One of dict()'s pairs: anything of two items. */
static enum status put_pair(struct render *render, struct dict *dict, size_t nth, struct value pair)
{
	struct value items;
	enum status status;

	if (pair.kind != VALUE_LIST && pair.kind != VALUE_STRING && pair.kind != VALUE_DICT &&
	    pair.kind != VALUE_RANGE && pair.kind != VALUE_UNDEFINED)
		return render_fail(render,
		                   "cannot convert dictionary update sequence element #%zu to a sequence",
		                   nth);
	status = value_to_list(render, pair, LIST_LIST, &items);
	if (status)
		return status;
	if (items.u.list->n != 2)
		return render_fail(render,
		                   "dictionary update sequence element #%zu has length %zu; 2 is required",
		                   nth, items.u.list->n);
	return dict_put_key(render, dict, items.u.list->items[0], items.u.list->items[1]);
}

static enum status put_pairs(struct render *render, struct dict *dict, struct value pairs)
{
	struct iteration it;
	struct value pair;
	enum status status = value_iterate(render, pairs, &it);

	for (size_t nth = 0; !status && iteration_next(render, &it, &pair); nth++)
		status = put_pair(render, dict, nth, pair);
	return render->failed ? render->err->status : status;
}

static enum status put_all(struct render *render, struct dict *dict, const struct dict *from)
{
	enum status status = render_step(render, from->n_entries);

	for (size_t i = 0; !status && i < from->n_entries; i++) {
		const struct dict_entry *entry = &from->entries[i];

		if (!entry->gone)
			status = dict_put_key(render, dict, entry->key, entry->value);
	}
	return status;
}

enum status dict_from_args(struct render *render, const struct args *args, struct value *out)
{
	enum status status = STATUS_OK;

	if (args->n > 1)
		return render_fail(render, "dict expected at most 1 argument, got %zu", args->n);
	*out = value_dict(render->arena);
	if (out->kind != VALUE_DICT)
		return render_no_memory(render);
	if (args->n == 1 && args->items[0].kind == VALUE_DICT)
		status = put_all(render, out->u.dict, args->items[0].u.dict);
	else if (args->n == 1 && value_is_undefined(args->items[0]))
		status = undefined_fail(render, args->items[0]);
	else if (args->n == 1)
		status = put_pairs(render, out->u.dict, args->items[0]);
	for (size_t i = 0; !status && i < args->n_keywords; i++)
		status = dict_put_key(render, out->u.dict,
		                      value_from_string(args->keywords[i].name),
		                      args->keywords[i].value);
	return status;
}

enum status dict_put_key(struct render *render, struct dict *dict, struct value key,
                         struct value item)
{
	enum status status = value_hash_step(render, key);

	if (status)
		return status;
	return dict_put(render->arena, dict, key, item) ? STATUS_OK : render_no_memory(render);
}

static enum status global_dict(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	(void)self;
	return dict_from_args(render, &bound->rest, out);
}

/* ---- the world outside ---- */

static enum status global_raise_exception(struct render *render, struct value self,
                                          const struct bound *bound, struct value *out)
{
	const struct string *message;
	enum status status = value_to_string(render, bound->args[0], &message);

	(void)self, (void)out;
	return status ? status : render_raise(render, message);
}

static enum status global_strftime_now(struct render *render, struct value self,
                                       const struct bound *bound, struct value *out)
{
	(void)self;
	if (bound->args[0].kind != VALUE_STRING)
		return render_fail(render, "strftime() argument 1 must be str, not %s",
		                   value_type_name(bound->args[0]));
	return time_text(render, bound->args[0].u.string, out);
}

const struct builtin jinja_globals[] = {
	{"cycler", global_cycler, "*args", "Cycler.__init__", 1,
	 "jinja2.utils.Cycler"},
	{"dict", global_dict, "*args, **kwargs", "dict", 0, "dict"},
	{"joiner", global_joiner, "sep=', '", "Joiner.__init__", 1, "jinja2.utils.Joiner"},
	{"namespace", global_namespace, "*args, **kwargs", "Namespace.__init__", 0,
	 "jinja2.utils.Namespace"},
	{"raise_exception", global_raise_exception, "message", "raise_exception", 0},
	{"range", global_range, "stop, b=None, c=None, /", "range", 0, "range"},
	{"strftime_now", global_strftime_now, "format", "strftime_now", 0},
};
const size_t jinja_n_globals = sizeof jinja_globals / sizeof *jinja_globals;
