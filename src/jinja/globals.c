/* The functions that every template has. */
#include "base/limits.h"
#include "jinja/builtins.h"

/* ---- range ---- */

static BUILTIN(global_range)
{
	int64_t start = 0, stop = 0, step = 1;
	enum status status;

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

static BUILTIN(global_dict)
{
	const struct args *args = &bound->rest;
	enum status status = STATUS_OK;

	*out = value_dict(render->arena);
	if (out->kind != VALUE_DICT)
		return render_no_memory(render);
	for (size_t i = 0; !status && i < args->n_keywords; i++)
		status = dict_put_key(render, out->u.dict,
		                      value_from_string(args->keywords[i].name),
		                      args->keywords[i].value);
	return status;
}

/* ---- namespace ---- */

/* All of its contents are attributes, whatever their names. */
struct namespace {
	struct jinja_object object;
	struct jinja_dict *attributes;
};

static enum status namespace_get(struct render *render, struct jinja_object *object,
                                 const struct jinja_string *name, bool *found,
                                 struct jinja_value *out)
{
	const struct namespace *self = (const struct namespace *)object;
	const struct jinja_value *value = dict_find(self->attributes, value_from_string(name));

	(void)render;
	*found = value;
	if (value)
		*out = *value;
	return STATUS_OK;
}

static enum status namespace_set(struct render *render, struct jinja_object *object,
                                 const struct jinja_string *name, struct jinja_value value)
{
	struct namespace *self = (struct namespace *)object;

	return dict_put_key(render, self->attributes, value_from_string(name), value);
}

static const struct object_ops namespace_ops = {
	.type_name = "jinja2.utils.Namespace",
	.get = namespace_get,
	.set = namespace_set,
};

static BUILTIN(global_namespace)
{
	struct namespace *namespace = arena_alloc(render->arena, sizeof *namespace);
	struct jinja_value attributes = {0};
	enum status status;

	if (!namespace)
		return render_no_memory(render);
	status = global_dict(render, self, bound, &attributes);
	if (status)
		return status;
	namespace->object.ops = &namespace_ops;
	namespace->attributes = attributes.u.dict;
	*out = value_object(&namespace->object);
	return STATUS_OK;
}

/* ---- the clock and errors ---- */

static BUILTIN(global_raise_exception)
{
	const struct jinja_string *message;
	enum status status = value_to_string(render, bound->args[0], &message);

	return status ? status : render_raise(render, message);
}

static BUILTIN(global_strftime_now)
{
	if (bound->args[0].kind != VALUE_STRING)
		return render_fail(render, "strftime() argument 1 must be str, not %s",
		                   bound->args[0].kind == VALUE_NONE ? "None"
		                                                     : value_type_name(bound->args[0]));
	return time_text(render, bound->args[0].u.string, out);
}

static const struct builtin rows[] = {
	{"dict", global_dict, "**kwargs"},
	{"namespace", global_namespace, "**kwargs"},
	{"raise_exception", global_raise_exception, "message"},
	{"range", global_range, "stop, b=None, c=None"},
	{"strftime_now", global_strftime_now, "format"},
};
const struct builtin_table jinja_globals = {rows, sizeof rows / sizeof *rows};
