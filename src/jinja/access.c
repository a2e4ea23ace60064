/* a.b, a[b], a[b:c:d]. */
#include "jinja/builtins.h"
#include "jinja/render.h"

static enum status give_undefined(struct render *render, struct jinja_value undefined,
                                  struct jinja_value *out)
{
	if (!undefined.u.undefined)
		return render_no_memory(render);
	*out = undefined;
	return STATUS_OK;
}

/* ---- attributes ---- */

/* The method of that name, of a string, list or dict. */
static enum status method(struct render *render, struct jinja_value self,
                          const struct jinja_string *name, bool *found, struct jinja_value *out)
{
	const struct builtin *row = NULL;

	*found = false;
	switch (self.kind) {
	case VALUE_STRING:
		row = builtin_find(&jinja_string_methods, name);
		break;
	case VALUE_LIST:
		if (self.u.list->kind == LIST_LIST)
			row = builtin_find(&jinja_list_methods, name);
		break;
	case VALUE_DICT:
		row = builtin_find(&jinja_dict_methods, name);
		break;
	default:
		break;
	}
	if (!row)
		return STATUS_OK;
	*found = true;
	*out = builtin_value(render->arena, row, self);
	return out->kind == VALUE_OBJECT ? STATUS_OK : render_no_memory(render);
}

/* Python's getattr(); *found = false: there is none. */
static enum status attribute(struct render *render, struct jinja_value value,
                             const struct jinja_string *name, bool *found, struct jinja_value *out)
{
	*found = false;
	if (value.kind == VALUE_OBJECT) {
		if (!value.u.object->ops->get)
			return STATUS_OK;
		return value.u.object->ops->get(render, value.u.object, name, found, out);
	}
	return method(render, value, name, found, out);
}

enum status value_getattr(struct render *render, struct jinja_value value,
                          const struct jinja_string *name, struct jinja_value *out)
{
	enum status status;
	struct jinja_value *item;
	bool found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	status = attribute(render, value, name, &found, out);
	if (status || found)
		return status;
	item = value.kind == VALUE_DICT ? dict_find(value.u.dict, value_from_string(name)) : NULL;
	if (item) {
		*out = *item;
		return STATUS_OK;
	}
	return give_undefined(render, undefined_attribute(render->arena, value, name), out);
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

static int64_t range_at(const struct jinja_range *range, size_t index)
{
	return (int64_t)((uint64_t)range->start + index * (uint64_t)range->step);
}

static enum status char_at(struct render *render, const struct jinja_string *string, size_t index,
                           struct jinja_value *out)
{
	enum status status;
	size_t at, len;

	status = render_bytes(render, string->n_chars == string->len ? 0 : string->len / 2);
	if (status)
		return status;
	at = string_offset(string, index);
	(void)string_char(string, at, &len);
	*out = value_from_string(string_part(render->arena, string, at, at + len));
	return out->kind == VALUE_STRING ? STATUS_OK : render_no_memory(render);
}

/* Lists, strings and ranges with a number. */
static enum status item_at(struct render *render, struct jinja_value value, struct jinja_value key,
                           bool *found, struct jinja_value *out)
{
	size_t index;

	*found = false;
	if (value.kind == VALUE_STRING) {
		*found = index_of(key, value.u.string->n_chars, &index);
		return *found ? char_at(render, value.u.string, index, out) : STATUS_OK;
	}
	if (value.kind == VALUE_RANGE && index_of(key, value.u.range->n, &index)) {
		*found = true;
		*out = value_int(range_at(value.u.range, index));
	}
	if (value.kind == VALUE_LIST && list_is_sequence(value.u.list) &&
	    index_of(key, value.u.list->n, &index)) {
		*found = true;
		*out = value.u.list->items[index];
	}
	return STATUS_OK;
}

/* Python's value[key]; *found = false where it raises. */
static enum status subscript(struct render *render, struct jinja_value value,
                             struct jinja_value key, bool *found, struct jinja_value *out)
{
	const struct jinja_value *item;

	enum status status;

	*found = false;
	if (value.kind == VALUE_DICT) {
		status = render_bytes(render, key.kind == VALUE_STRING ? key.u.string->len : 0);
		if (status)
			return status;
		item = dict_find(value.u.dict, key);
		*found = item != NULL;
		if (item)
			*out = *item;
		return STATUS_OK;
	}
	return value_is_int(key) ? item_at(render, value, key, found, out) : STATUS_OK;
}

enum status value_getitem(struct render *render, struct jinja_value value, struct jinja_value key,
                          struct jinja_value *out)
{
	enum status status;
	bool found;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	status = subscript(render, value, key, &found, out);
	if (status || found)
		return status;
	if (key.kind == VALUE_STRING) {
		status = attribute(render, value, key.u.string, &found, out);
		if (status || found)
			return status;
	}
	return give_undefined(render, undefined_item(render->arena, value, key), out);
}

/* ---- slices ---- */

/* The items of a slice: n of them from start on, step apart. */
struct slice {
	int64_t start, stop, step;
	size_t n;
};

static enum status slice_part(struct render *render, struct jinja_value value, int64_t *out)
{
	if (value.kind == VALUE_NONE)
		return STATUS_OK;
	if (!value_is_int(value))
		return render_fail(render, "slice indices must be integers or None or have an "
		                           "__index__ method");
	*out = value_as_int(value);
	return STATUS_OK;
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

static enum status slice_of(struct render *render, size_t len, const struct jinja_value parts[3],
                            struct slice *out)
{
	int64_t n = (int64_t)len, start, stop, step = 1;
	enum status status;
	uint64_t way;
	bool down;

	status = slice_part(render, parts[2], &step);
	if (status)
		return status;
	if (!step)
		return render_fail(render, "slice step cannot be zero");
	down = step < 0;
	start = down ? INT64_MAX : 0;
	stop = down ? INT64_MIN : INT64_MAX;
	status = slice_part(render, parts[0], &start);
	if (!status)
		status = slice_part(render, parts[1], &stop);
	if (status)
		return status;
	start = clip(start, n, down);
	stop = clip(stop, n, down);
	*out = (struct slice){.start = start, .stop = stop, .step = step};
	if (down ? start > stop : start < stop) {
		way = down ? (uint64_t)(start - stop) : (uint64_t)(stop - start);
		out->n = (size_t)((way - 1) / (down ? -(uint64_t)step : (uint64_t)step) + 1);
	}
	return STATUS_OK;
}

static enum status slice_list(struct render *render, const struct jinja_list *list,
                              struct slice slice, struct jinja_value *out)
{
	enum status status = render_step(render, slice.n);
	int64_t at = slice.start;

	if (status)
		return status;
	*out = value_list(render->arena, list->kind == LIST_LIST ? LIST_LIST : LIST_TUPLE);
	if (out->kind != VALUE_LIST)
		return render_no_memory(render);
	for (size_t i = 0; i < slice.n; i++, at += i < slice.n ? slice.step : 0) {
		if (!list_push(render->arena, out->u.list, list->items[at]))
			return render_no_memory(render);
	}
	return STATUS_OK;
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

static enum status slice_string(struct render *render, const struct jinja_string *string,
                                struct slice slice, struct jinja_value *out)
{
	enum status status = render_bytes(render, string->len);
	const struct jinja_string *result;
	struct text text;
	size_t at, len;

	if (!status && slice.step != 1)
		status = render_step(render, slice.n);
	if (status)
		return status;
	at = slice.n ? string_offset(string, (size_t)slice.start) : 0;
	if (slice.step == 1) {
		len = slice.n ? string_offset(string, (size_t)slice.start + slice.n) : 0;
		result = string_part(render->arena, string, at, len);
	} else {
		text_init(&text, render->arena, SIZE_MAX - 1);
		for (size_t i = 0; i < slice.n; i++) {
			(void)string_char(string, at, &len);
			text_append_part(&text, string, at, at + len);
			if (i + 1 < slice.n)
				at = move(string, at, slice.step);
		}
		result = text_finish(&text);
	}
	*out = value_from_string(result);
	return result ? STATUS_OK : render_no_memory(render);
}

enum status value_slice(struct render *render, struct jinja_value value, struct jinja_value start,
                        struct jinja_value stop, struct jinja_value step, struct jinja_value *out)
{
	const struct jinja_value parts[3] = {start, stop, step};
	enum status status;
	struct slice slice = {.n = 0};
	size_t len;

	if (value_is_undefined(value))
		return undefined_fail(render, value);
	if (value.kind == VALUE_DICT)
		return render_fail(render, "unhashable type: 'slice'");
	if (value.kind != VALUE_STRING && value.kind != VALUE_RANGE &&
	    (value.kind != VALUE_LIST || !list_is_sequence(value.u.list)))
		return render_fail(render, "'%s' object is not subscriptable",
		                   value_type_name(value));
	status = value_length(render, value, &len);
	if (!status)
		status = slice_of(render, len, parts, &slice);
	if (status)
		return status;
	if (value.kind == VALUE_STRING)
		return slice_string(render, value.u.string, slice, out);
	if (value.kind == VALUE_RANGE)
		status = value_to_list(render, value, LIST_LIST, &value);
	return status ? status : slice_list(render, value.u.list, slice, out);
}
