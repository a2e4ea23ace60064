/* Values with behaviour: macros, methods, functions, namespaces, loops. A
 * closed list of kinds, each in the file of its subject; nothing of the host
 * program is among them. */
#ifndef SOTTO_JINJA_OBJECT_H
#define SOTTO_JINJA_OBJECT_H

#include "jinja/render.h"

struct object_ops {
	/* With its module where that is not "builtins": "jinja2.runtime.Macro",
	 * "jinja2.utils.Namespace", "builtin_function_or_method" ... */
	const char *type_name;
	/* NULL or *found = false: no such attribute. */
	enum status (*get)(struct render *render, struct object *self, const struct string *name,
	                   bool *found, struct value *out);
	/* len(); NULL: it has none. */
	enum status (*length)(struct render *render, struct object *self, size_t *out);
	/* {% set x.name = value %}; NULL: not possible. */
	enum status (*set)(struct render *render, struct object *self, const struct string *name,
	                   struct value value);
	/* NULL: not callable. */
	enum status (*call)(struct render *render, struct object *self, const struct args *args,
	                    struct value *out);
};

struct object {
	const struct object_ops *ops;
};

static inline struct value value_object(struct object *object)
{
	return object ? (struct value){.kind = VALUE_OBJECT, .u.object = object} : (struct value){0};
}

static inline bool value_is_callable(struct value value)
{
	return value.kind == VALUE_OBJECT && value.u.object->ops->call;
}

#endif
