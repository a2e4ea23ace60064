/* Undefined values, and what is said when one is used. */
#include <stdarg.h>
#include <string.h>

#include "jinja/object.h"

static struct jinja_value undefined(struct arena *arena, struct jinja_undefined why)
{
	struct jinja_undefined *undefined = arena_alloc(arena, sizeof *undefined);

	if (undefined)
		*undefined = why;
	return (struct jinja_value){.kind = VALUE_UNDEFINED, .u.undefined = undefined};
}

struct jinja_value undefined_variable(struct arena *arena, const struct jinja_string *name)
{
	return undefined(arena, (struct jinja_undefined){.name = name});
}

struct jinja_value undefined_attribute(struct arena *arena, struct jinja_value owner,
                                       const struct jinja_string *name)
{
	return undefined(arena, (struct jinja_undefined){.name = name, .owner = owner});
}

struct jinja_value undefined_item(struct arena *arena, struct jinja_value owner,
                                         struct jinja_value item)
{
	if (item.kind == VALUE_STRING)
		return undefined_attribute(arena, owner, item.u.string);
	return undefined(arena,
	                 (struct jinja_undefined){.owner = owner, .is_item = true, .item = item});
}

struct jinja_value undefined_hint(struct arena *arena, const char *fmt, ...)
{
	struct error hint;
	char *copy;
	va_list args;
	size_t size;

	va_start(args, fmt);
	error_vset(&hint, STATUS_OK, fmt, args);
	va_end(args);
	size = strlen(hint.text) + 1;
	copy = arena_alloc(arena, size);
	if (!copy)
		return (struct jinja_value){0};
	memcpy(copy, hint.text, size);
	return undefined(arena, (struct jinja_undefined){.hint = copy});
}

/* "dict object", "jinja2.utils.Namespace object": Jinja2's object_type_repr. */
static void describe(struct text *out, struct jinja_value value)
{
	if (value.kind == VALUE_NONE) {
		text_puts(out, "None");
		return;
	}
	if (value.kind == VALUE_OBJECT)
		text_puts(out, value.u.object->ops->type_name);
	else
		text_puts(out, value_type_name(value));
	text_puts(out, " object");
}

static enum status repr_name(struct render *render, struct text *out,
                             const struct jinja_string *name)
{
	return value_repr(render, out, name ? value_from_string(name) : value_none());
}

static enum status describe_undefined(struct render *render, struct text *out,
                                      const struct jinja_undefined *why)
{
	enum status status;

	if (!why || value_is_undefined(why->owner)) {
		status = repr_name(render, out, why ? why->name : NULL);
		text_puts(out, " is undefined");
		return status;
	}
	if (why->is_item) {
		describe(out, why->owner);
		text_puts(out, " has no element ");
		return value_repr(render, out, why->item);
	}
	text_puts(out, "'");
	describe(out, why->owner);
	text_puts(out, "' has no attribute ");
	return repr_name(render, out, why->name);
}

enum status undefined_fail(struct render *render, struct jinja_value value)
{
	const struct jinja_undefined *why = value.u.undefined;
	const struct jinja_string *message;
	enum status status;
	struct text text;

	if (why && why->hint)
		return render_fail(render, "%s", why->hint);
	text_init(&text, render->arena, SIZE_MAX - 1);
	status = describe_undefined(render, &text, why);
	if (status)
		return status;
	message = text_finish(&text);
	return message ? render_fail(render, "%s", message->data) : render_no_memory(render);
}
