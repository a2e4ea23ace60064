/* Undefined values, and what is said when one is used. */
#include <stdarg.h>
#include <string.h>

#include "jinja/builtins.h"

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

static void describe_undefined(struct render *render, struct text *out,
                               const struct jinja_undefined *why)
{
	struct jinja_value name = why && why->name ? value_from_string(why->name) : value_none();

	if (!why || value_is_undefined(why->owner)) {
		value_repr(render, out, name);
		text_puts(out, " is undefined");
	} else if (why->is_item) {
		describe(out, why->owner);
		text_puts(out, " has no element ");
		value_repr(render, out, why->item);
	} else {
		text_puts(out, "'");
		describe(out, why->owner);
		text_puts(out, "' has no attribute ");
		value_repr(render, out, name);
	}
}

struct jinja_value undefined_fail(struct render *render, struct jinja_value value)
{
	const struct jinja_undefined *why = value.u.undefined;
	struct text text;

	if (why && why->hint)
		return render_fail(render, "%s", why->hint);
	text_init(&text, render->arena, SIZE_MAX - 1);
	describe_undefined(render, &text, why);
	return render_fail(render, "%s", give_text(render, &text).u.string->data);
}
