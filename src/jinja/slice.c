/* a[b:c:d] */
#include "jinja/render.h"

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
