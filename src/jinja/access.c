/* a.b, a[b], a[b:c:d]. */
#include "jinja/builtins.h"

static struct jinja_value give_undefined(struct render *render, struct jinja_value undefined)
{
	return undefined.u.undefined ? undefined : render_no_memory(render);
}

/* ---- attributes ---- */

/* The methods of a string, list or dict; NULL: it has none. */
static const struct builtin_table *methods_of(struct jinja_value self)
{
	switch (self.kind) {
	case VALUE_STRING:
		return &jinja_string_methods;
	case VALUE_LIST:
		return self.u.list->kind == LIST_LIST ? &jinja_list_methods : NULL;
	case VALUE_DICT:
		return &jinja_dict_methods;
	default:
		return NULL;
	}
}

/* Python's getattr(); false: there is none. */
static bool attribute(struct render *render, struct jinja_value value,
                      const struct jinja_string *name, struct jinja_value *out)
{
	const struct builtin_table *methods = methods_of(value);
	const struct builtin *row = methods ? builtin_find(methods, name) : NULL;

	if (value.kind == VALUE_OBJECT && value.u.object->ops->get)
		return value.u.object->ops->get(render, value.u.object, name, out);
	if (!row)
		return false;
	*out = builtin_value(render->arena, row, value);
	if (out->kind != VALUE_OBJECT)
		render_no_memory(render);
	return true;
}

struct jinja_value value_getattr(struct render *render, struct jinja_value value,
                                 const struct jinja_string *name)
{
	const struct jinja_value *item = NULL;
	struct jinja_value found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	if (attribute(render, value, name, &found))
		return found;
	if (value.kind == VALUE_DICT)
		item = dict_find(value.u.dict, value_from_string(name));
	return item ? *item
	            : give_undefined(render, undefined_attribute(render->arena, value, name));
}

/* ---- items ---- */

/* From 0 on; false outside of n items. */
static bool index_of(struct jinja_value key, size_t n, size_t *index)
{
	int64_t i = value_as_int(key);

	if (i < 0) {
		if (-(uint64_t)i > n)
			return false;
		*index = n - (size_t)-(uint64_t)i;
		return true;
	}
	*index = (size_t)i;
	return *index < n;
}

static struct jinja_value char_at(struct render *render, const struct jinja_string *string,
                                  size_t index)
{
	size_t at, len;

	render_bytes(render, string->n_chars == string->len ? 0 : string->len / 2);
	at = string_offset(string, index);
	(void)string_char(string, at, &len);
	return give_string(render, string_part(render->arena, string, at, at + len));
}

/* Lists, strings and ranges with a number. */
static bool item_at(struct render *render, struct jinja_value value, struct jinja_value key,
                    struct jinja_value *out)
{
	size_t index;

	if (value.kind == VALUE_STRING && index_of(key, value.u.string->n_chars, &index))
		*out = char_at(render, value.u.string, index);
	else if (value.kind == VALUE_RANGE && index_of(key, value.u.range->n, &index))
		*out = value_int(range_at(value.u.range, index));
	else if (value_is_sequence(value) && index_of(key, value.u.list->n, &index))
		*out = value.u.list->items[index];
	else
		return false;
	return true;
}

/* Python's value[key]; false where it raises. */
static bool subscript(struct render *render, struct jinja_value value, struct jinja_value key,
                      struct jinja_value *out)
{
	const struct jinja_value *item;

	if (value.kind != VALUE_DICT)
		return value_is_int(key) && item_at(render, value, key, out);
	render_bytes(render, key.kind == VALUE_STRING ? key.u.string->len : 0);
	item = dict_find(value.u.dict, key);
	if (item)
		*out = *item;
	return item != NULL;
}

struct jinja_value value_getitem(struct render *render, struct jinja_value value,
                                 struct jinja_value key)
{
	struct jinja_value found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	if (subscript(render, value, key, &found) ||
	    (key.kind == VALUE_STRING && attribute(render, value, key.u.string, &found)))
		return found;
	return give_undefined(render, undefined_item(render->arena, value, key));
}

/* ---- slices ---- */

/* The items of a slice: n of them from start on, step apart. */
struct slice {
	int64_t start, stop, step;
	size_t n;
};

static int64_t slice_part(struct render *render, struct jinja_value value, int64_t otherwise)
{
	if (value_is_int(value))
		return value_as_int(value);
	if (value.kind != VALUE_NONE)
		render_fail(render, "slice indices must be integers or None or have an __index__ "
		                    "method");
	return otherwise;
}

/* As Python clips start and stop: [0, n] going up, [-1, n - 1] going down. */
static int64_t clip(int64_t i, int64_t n, bool down)
{
	if (i < 0)
		i = i < -n ? -1 : i + n;
	else if (i > n)
		i = n;
	if (down)
		return i < n ? i : n - 1;
	return i < 0 ? 0 : i;
}

static struct slice slice_of(struct render *render, size_t len, struct jinja_value start,
                             struct jinja_value stop, struct jinja_value step)
{
	struct slice slice = {.step = slice_part(render, step, 1)};
	bool down = slice.step < 0;
	int64_t n = (int64_t)len;

	if (!slice.step)
		render_fail(render, "slice step cannot be zero");
	slice.start = clip(slice_part(render, start, down ? INT64_MAX : 0), n, down);
	slice.stop = clip(slice_part(render, stop, down ? INT64_MIN : INT64_MAX), n, down);
	if (!render->failed)
		slice.n = range_length(slice.start, slice.stop, slice.step);
	return slice;
}

static struct jinja_value slice_list(struct render *render, const struct jinja_list *list,
                                     struct slice slice)
{
	struct jinja_value out =
		give_list(render, list->kind == LIST_LIST ? LIST_LIST : LIST_TUPLE);
	int64_t at = slice.start;

	render_step(render, slice.n);
	for (size_t i = 0; i < slice.n && !render->failed; i++) {
		if (!list_push(render->arena, out.u.list, list->items[at]))
			render_no_memory(render);
		at += i + 1 < slice.n ? slice.step : 0;
	}
	return out;
}

/* The border `n` characters after this one, or before it when negative. */
static size_t move(const struct jinja_string *string, size_t at, int64_t n)
{
	size_t len;

	if (string->n_chars == string->len)
		return at + (size_t)n;
	for (; n > 0; n--) {
		(void)string_char(string, at, &len);
		at += len;
	}
	for (; n < 0; n++)
		at = string_before(string, at);
	return at;
}

static struct jinja_value slice_string(struct render *render, const struct jinja_string *string,
                                       struct slice slice)
{
	size_t at = slice.n ? string_offset(string, (size_t)slice.start) : 0, end, len;
	struct text text;

	render_bytes(render, string->len);
	if (slice.step == 1) {
		end = slice.n ? string_offset(string, (size_t)slice.start + slice.n) : 0;
		return give_string(render, string_part(render->arena, string, at, end));
	}
	render_step(render, slice.n);
	text_init(&text, render->arena, SIZE_MAX - 1);
	for (size_t i = 0; i < slice.n && !render->failed; i++) {
		(void)string_char(string, at, &len);
		text_append_part(&text, string, at, at + len);
		if (i + 1 < slice.n)
			at = move(string, at, slice.step);
	}
	return give_string(render, text_finish(&text));
}

struct jinja_value value_slice(struct render *render, struct jinja_value value,
                               struct jinja_value start, struct jinja_value stop,
                               struct jinja_value step)
{
	struct slice slice;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	if (value.kind == VALUE_DICT)
		return render_fail(render, "unhashable type: 'slice'");
	if (value.kind != VALUE_STRING && value.kind != VALUE_RANGE && !value_is_sequence(value))
		return render_fail(render, "'%s' object is not subscriptable",
		                   value_type_name(value));
	slice = slice_of(render, value_length(render, value), start, stop, step);
	if (value.kind == VALUE_STRING)
		return slice_string(render, value.u.string, slice);
	if (value.kind == VALUE_RANGE)
		value = value_to_list(render, value, LIST_LIST);
	return slice_list(render, value.u.list, slice);
}
