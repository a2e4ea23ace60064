/* Finding rows of the tables, calling them, and rows as values. */
#include <string.h>

#include "jinja/builtins.h"

/* As strcmp; the name may hold anything. */
static int name_order(const char *row, const struct jinja_string *name)
{
	size_t len = strlen(row), least = len < name->len ? len : name->len;
	int order = memcmp(row, name->data, least);

	return order ? order : (len > name->len) - (len < name->len);
}

const struct builtin *builtin_find(const struct builtin_table *table,
                                   const struct jinja_string *name)
{
	size_t low = 0, high = table->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = name_order(table->rows[middle].name, name);

		if (order == 0)
			return &table->rows[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

enum status builtin_call(struct render *render, const struct builtin *row, struct jinja_value self,
                         const struct args *args, struct jinja_value *out)
{
	struct bound bound;
	enum status status = render_step(render, 1);

	if (!status)
		status = builtin_bind(render, row, args, &bound);
	if (!status)
		status = row->fn(render, self, &bound, out);
	return status;
}

/* As filters and tests by name may call one another through their arguments,
 * they count as calls. */
static enum status call_by_name(struct render *render, const struct builtin *row,
                                struct jinja_value self, const struct args *args,
                                struct jinja_value *out)
{
	enum status status;

	if (render->depth >= render->limits->call_depth)
		return render_limit(render, "calls inside calls");
	render->depth++;
	status = builtin_call(render, row, self, args, out);
	render->depth--;
	return status;
}

enum status filter_apply(struct render *render, const struct jinja_string *name,
                         struct jinja_value self, const struct args *args, struct jinja_value *out)
{
	const struct builtin *row = builtin_find(render->filters, name);

	if (!row)
		return render_fail(render, "filter '%.*s' is not supported", (int)name->len,
		                   name->data);
	return call_by_name(render, row, self, args, out);
}

enum status test_apply(struct render *render, const struct jinja_string *name,
                       struct jinja_value self, const struct args *args, bool *out)
{
	const struct builtin *row = builtin_find(render->tests, name);
	struct jinja_value result;
	enum status status;

	if (!row)
		return render_fail(render, "test '%.*s' is not supported", (int)name->len,
		                   name->data);
	status = call_by_name(render, row, self, args, &result);
	if (!status)
		*out = value_truth(result);
	return status;
}

/* ---- rows as values ---- */

struct builtin_object {
	struct jinja_object object;
	const struct builtin *row;
	struct jinja_value self;
};

static enum status object_call(struct render *render, struct jinja_object *object,
                               const struct args *args, struct jinja_value *out)
{
	const struct builtin_object *self = (const struct builtin_object *)object;

	return builtin_call(render, self->row, self->self, args, out);
}

static const struct object_ops method_ops = {
	.type_name = "builtin_function_or_method",
	.call = object_call,
};
static const struct object_ops function_ops = {
	.type_name = "function",
	.call = object_call,
};

struct jinja_value builtin_value(struct arena *arena, const struct builtin *row,
                                 struct jinja_value self)
{
	struct builtin_object *object;

	if (!row)
		return (struct jinja_value){0};
	object = arena_alloc(arena, sizeof *object);
	if (!object)
		return (struct jinja_value){0};
	object->object.ops = value_is_undefined(self) ? &function_ops : &method_ops;
	object->row = row;
	object->self = self;
	return value_object(&object->object);
}
