/* "{} {0} {name} {:d}".format(...) */
#include "jinja/builtins.h"

#include <string.h>

#include "base/limits.h"

struct format {
	struct render *render;
	const struct jinja_string *text;
	const struct args *args;
	size_t next; /* fields without a number are counted */
};

static size_t until(const struct jinja_string *text, size_t at, size_t end, const char *stops)
{
	while (at < end && !(text->data[at] && strchr(stops, text->data[at])))
		at++;
	return at;
}

static enum status positional(struct format *format, size_t i, struct jinja_value *out)
{
	if (i >= format->args->n)
		return render_fail(format->render,
		                   "Replacement index %zu out of range for positional args tuple", i);
	*out = format->args->items[i];
	return STATUS_OK;
}

/* The argument whose name or number stands in bytes [from, to). */
static enum status argument(struct format *format, size_t from, size_t to, struct jinja_value *out)
{
	const char *name = format->text->data + from;
	const struct args *args = format->args;
	size_t len = to - from, i = 0, at = 0;

	if (!len)
		return positional(format, format->next++, out);
	for (; at < len && name[at] >= '0' && name[at] <= '9'; at++)
		i = i < LIMIT_JINJA_RANGE ? i * 10 + (size_t)(name[at] - '0') : i;
	if (at == len)
		return positional(format, i, out);
	for (i = 0; i < args->n_keywords; i++) {
		const struct jinja_string *key = args->keywords[i].name;

		if (key->len == len && !memcmp(key->data, name, len)) {
			*out = args->keywords[i].value;
			return render_step(format->render, 1 + i);
		}
	}
	return render_fail(format->render, "format() has no argument '%.*s'",
	                   len < ERROR_TEXT_MAX ? (int)len : ERROR_TEXT_MAX, name);
}

/* A field, from behind its '{' up to its '}' at `end`. */
static enum status put_field(struct format *format, size_t at, size_t end, struct text *out)
{
	struct render *render = format->render;
	const char *data = format->text->data;
	size_t name_end = until(format->text, at, end, "!:");
	bool whole = end - name_end == 2 && !memcmp(data + name_end, ":d", 2);
	struct jinja_value value;
	enum status status = argument(format, at, name_end, &value);

	if (status)
		return status;
	if (name_end < end && !whole)
		return render_fail(render, "the field '{%.*s}' of format() is not supported",
		                   end - name_end < ERROR_TEXT_MAX ? (int)(end - name_end)
		                                                   : ERROR_TEXT_MAX,
		                   data + name_end);
	if (whole && value_is_undefined(value))
		return undefined_fail(render, value);
	if (whole && !value_is_int(value) && value.kind != VALUE_LONG)
		return render_fail(render, "an int is required for the format 'd', not %s",
		                   value_type_name(value));
	if (whole && value.kind == VALUE_BOOL)
		value = value_int(value_as_int(value));
	return value_print(render, out, value);
}

static enum status put_all(struct format *format, struct text *out)
{
	struct render *render = format->render;
	const struct jinja_string *text = format->text;
	enum status status = render_bytes(render, text->len);

	for (size_t at = 0, from, end; !status && at < text->len; at = end) {
		from = at;
		at = until(text, at, text->len, "{}");
		text_append_part(out, text, from, at);
		if (at == text->len)
			break;
		end = at + 2;
		if (at + 1 < text->len && text->data[at + 1] == text->data[at]) {
			text_append_part(out, text, at, at + 1);
			continue;
		}
		end = until(text, at, text->len, "}");
		if (text->data[at] == '}' || end == text->len)
			return render_fail(render, "Single '%c' encountered in format string",
			                   text->data[at]);
		status = put_field(format, at + 1, end++, out);
		if (!status)
			status = render_step(render, 1);
	}
	return status;
}

enum status string_format(struct render *render, const struct jinja_string *text,
                          const struct args *args, struct jinja_value *out)
{
	struct format format = {.render = render, .text = text, .args = args};
	struct text made;
	enum status status;

	text_begin(render, &made);
	status = put_all(&format, &made);
	return status ? status : give_text(render, &made, out);
}
