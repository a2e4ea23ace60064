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
	/* NULL or false: no such attribute. */
	bool (*get)(struct render *render, struct jinja_object *self,
	            const struct jinja_string *name, struct jinja_value *out);
	/* {% set x.name = value %}; NULL: not possible. */
	void (*set)(struct render *render, struct jinja_object *self,
	            const struct jinja_string *name, struct jinja_value value);
	/* NULL: not callable. */
	struct jinja_value (*call)(struct render *render, struct jinja_object *self,
	                           const struct args *args);
};

struct jinja_object {
	const struct object_ops *ops;
};

static inline struct jinja_value value_object(struct jinja_object *object)
{
	return object ? (struct jinja_value){.kind = VALUE_OBJECT, .u.object = object}
	              : (struct jinja_value){0};
}

static inline bool value_is_callable(struct jinja_value value)
{
	return value.kind == VALUE_OBJECT && value.u.object->ops->call;
}

#endif
