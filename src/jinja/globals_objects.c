/* The functions that make objects: namespace, joiner, cycler. */
#include <string.h>

#include "jinja/globals.h"
#include "jinja/methods.h"

/* Its attributes are what it holds, whatever their names. */
struct namespace {
	struct object object;
	struct dict *attributes;
};

struct joiner {
	struct object object;
	struct value separator;
	bool used;
};

struct cycler {
	struct object object;
	const struct value *items;
	size_t n, at;
};

/* ---- namespace ---- */

static enum status namespace_print(struct render *render, const struct object *object,
                                   struct text *out)
{
	const struct namespace *self = (const struct namespace *)object;
	struct value attributes = {.kind = VALUE_DICT, .u.dict = self->attributes};
	enum status status;

	text_puts(out, "<Namespace ");
	status = value_repr(render, out, attributes);
	text_puts(out, ">");
	return status;
}

static enum status namespace_get(struct render *render, struct object *object,
                                 const struct string *name, bool *found, struct value *out)
{
	const struct namespace *self = (const struct namespace *)object;
	const struct value *value = dict_find(self->attributes, value_from_string(name));

	(void)render;
	*found = value;
	if (value)
		*out = *value;
	return STATUS_OK;
}

static enum status namespace_set(struct render *render, struct object *object,
                                 const struct string *name, struct value value)
{
	struct namespace *self = (struct namespace *)object;

	return dict_put_key(render, self->attributes, value_from_string(name), value);
}

static const struct object_ops namespace_ops = {
	.type_name = "jinja2.utils.Namespace",
	.print = namespace_print,
	.get = namespace_get,
	.set = namespace_set,
};

enum status global_namespace(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	struct namespace *namespace = arena_alloc(render->arena, sizeof *namespace);
	struct value attributes;
	enum status status;

	(void)self;
	if (!namespace)
		return render_no_memory(render);
	status = dict_from_args(render, &bound->rest, &attributes);
	if (status)
		return status;
	namespace->object.ops = &namespace_ops;
	namespace->attributes = attributes.u.dict;
	*out = value_object(&namespace->object);
	return STATUS_OK;
}

/* ---- joiner ---- nothing at first, then always the separator */

static enum status joiner_call(struct render *render, struct object *object,
                               const struct args *args, struct value *out)
{
	struct joiner *self = (struct joiner *)object;

	if (args->n > 0)
		return render_fail(render,
		                   "Joiner.__call__() takes 1 positional argument but %zu were given",
		                   args->n + 1);
	if (args->n_keywords > 0)
		return render_fail(render,
		                   "Joiner.__call__() got an unexpected keyword argument '%.*s'",
		                   (int)args->keywords[0].name->len,
		                   args->keywords[0].name->data);
	*out = self->used ? self->separator : value_from_string(&string_empty);
	self->used = true;
	return STATUS_OK;
}

static enum status joiner_get(struct render *render, struct object *object,
                              const struct string *name, bool *found, struct value *out)
{
	const struct joiner *self = (const struct joiner *)object;

	(void)render;
	*found = true;
	if (string_equals(name, "sep"))
		*out = self->separator;
	else if (string_equals(name, "used"))
		*out = value_bool(self->used);
	else
		*found = false;
	return STATUS_OK;
}

static const struct object_ops joiner_ops = {
	.type_name = "jinja2.utils.Joiner",
	.get = joiner_get,
	.call = joiner_call,
};

enum status global_joiner(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	struct joiner *joiner = arena_alloc(render->arena, sizeof *joiner);

	(void)self;
	if (!joiner)
		return render_no_memory(render);
	joiner->object.ops = &joiner_ops;
	joiner->separator = bound->args[0];
	*out = value_object(&joiner->object);
	return STATUS_OK;
}

/* ---- cycler ---- */

static enum status cycler_next(struct render *render, struct value value, const struct bound *bound,
                               struct value *out)
{
	struct cycler *self = (struct cycler *)value.u.object;

	(void)render, (void)bound;
	*out = self->items[self->at];
	self->at = (self->at + 1) % self->n;
	return STATUS_OK;
}

static enum status cycler_reset(struct render *render, struct value value,
                                const struct bound *bound, struct value *out)
{
	struct cycler *self = (struct cycler *)value.u.object;

	(void)render, (void)bound;
	self->at = 0;
	*out = value_none();
	return STATUS_OK;
}

static const struct builtin cycler_methods[] = {
	{"next", cycler_next, "", "Cycler.next", 1},
	{"reset", cycler_reset, "", "Cycler.reset", 1},
};

static enum status cycler_get(struct render *render, struct object *object,
                              const struct string *name, bool *found, struct value *out)
{
	struct cycler *self = (struct cycler *)object;
	const struct builtin *method =
		builtin_find(cycler_methods, sizeof cycler_methods / sizeof *cycler_methods, name);

	*found = true;
	if (method) {
		*out = builtin_value(render->arena, method, value_object(object));
		return out->kind == VALUE_OBJECT ? STATUS_OK : render_no_memory(render);
	}
	if (string_equals(name, "current")) {
		*out = self->items[self->at];
	} else if (string_equals(name, "pos")) {
		*out = value_int((int64_t)self->at);
	} else {
		*found = false;
	}
	return STATUS_OK;
}

static const struct object_ops cycler_ops = {
	.type_name = "jinja2.utils.Cycler",
	.get = cycler_get,
};

enum status global_cycler(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	struct cycler *cycler;
	struct value *items;

	(void)self;
	if (bound->rest.n == 0)
		return render_fail(render, "at least one item has to be provided");
	cycler = arena_alloc(render->arena, sizeof *cycler);
	items = arena_array(render->arena, bound->rest.n, sizeof *items);
	if (!cycler || !items)
		return render_no_memory(render);
	memcpy(items, bound->rest.items, bound->rest.n * sizeof *items);
	cycler->object.ops = &cycler_ops;
	cycler->items = items;
	cycler->n = bound->rest.n;
	*out = value_object(&cycler->object);
	return STATUS_OK;
}
