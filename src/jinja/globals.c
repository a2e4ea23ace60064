/* The functions that every template has. */
#include "jinja/globals.h"

#include "base/limits.h"
#include "jinja/methods.h"

/* ---- range ---- */

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

enum status dict_from_args(struct render *render, const struct args *args, struct value *out)
{
	if (args->n > 1)
		return render_fail(render, "dict expected at most 1 argument, got %zu", args->n);
	*out = value_dict(render->arena);
	if (out->kind != VALUE_DICT)
		return render_no_memory(render);
	return dict_put_args(render, out->u.dict, args);
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
		                   bound->args[0].kind == VALUE_NONE ? "None"
		                                                     : value_type_name(bound->args[0]));
	return time_text(render, bound->args[0].u.string, out);
}

const struct builtin jinja_globals[] = {
	{"dict", global_dict, "*args, **kwargs"},
	{"namespace", global_namespace, "*args, **kwargs"},
	{"raise_exception", global_raise_exception, "message"},
	{"range", global_range, "stop, b=None, c=None"},
	{"strftime_now", global_strftime_now, "format"},
};
const size_t jinja_n_globals = sizeof jinja_globals / sizeof *jinja_globals;
