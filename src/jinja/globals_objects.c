/* namespace(): an object whose attributes {% set %} can set. */
#include "jinja/globals.h"
#include "jinja/methods.h"

/* Its attributes are what it holds, whatever their names. */
struct namespace {
	struct object object;
	struct dict *attributes;
};

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
