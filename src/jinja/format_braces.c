/* "{} {0} {name!r:>8}".format(...) */
#include <string.h>

#include "base/limits.h"
#include "jinja/format.h"

struct braces {
	struct render *render;
	const struct jinja_string *format;
	const struct args *args;
	size_t next; /* fields without a number are counted */
};

static size_t until(const struct jinja_string *text, size_t at, size_t end, const char *stops)
{
	while (at < end && !(text->data[at] && strchr(stops, text->data[at])))
		at++;
	return at;
}

static enum status positional(struct braces *braces, size_t i, struct jinja_value *out)
{
	if (i >= braces->args->n)
		return render_fail(braces->render,
		                   "Replacement index %zu out of range for positional args tuple", i);
	*out = braces->args->items[i];
	return STATUS_OK;
}

/* The argument whose name or number stands in bytes [from, to). */
static enum status argument(struct braces *braces, size_t from, size_t to, struct jinja_value *out)
{
	const char *name = braces->format->data + from;
	const struct args *args = braces->args;
	size_t len = to - from, i = 0, at = from;

	if (!len)
		return positional(braces, braces->next++, out);
	for (; at < to && braces->format->data[at] >= '0' && braces->format->data[at] <= '9'; at++)
		i = i < LIMIT_JINJA_RANGE ? i * 10 + (size_t)(braces->format->data[at] - '0') : i;
	if (at == to)
		return positional(braces, i, out);
	for (i = 0; i < args->n_keywords; i++) {
		const struct jinja_string *key = args->keywords[i].name;

		if (key->len == len && !memcmp(key->data, name, len)) {
			*out = args->keywords[i].value;
			return render_step(braces->render, 1 + i);
		}
	}
	return render_fail(braces->render, "format() has no argument '%.*s'",
	                   len < ERROR_TEXT_MAX ? (int)len : ERROR_TEXT_MAX, name);
}

/* A field, from behind its '{' up to its '}' at `end`. */
static enum status put_field(struct braces *braces, size_t at, size_t end, struct text *out)
{
	const struct jinja_string *format = braces->format;
	size_t name_end = until(format, at, end, "!:");
	struct format_spec spec = {.precision = NO_PRECISION};
	struct jinja_value value;
	const struct jinja_string *shown;
	enum status status = argument(braces, at, name_end, &value);

	if (status)
		return status;
	at = name_end;
	if (end - at >= 2 && format->data[at] == '!' && format->data[at + 1] == 'r') {
		at += 2;
		status = value_to_repr(braces->render, value, &shown);
		value = value_from_string(shown);
	} else if (end - at >= 2 && format->data[at] == '!' && format->data[at + 1] == 's') {
		at += 2;
		status = value_to_string(braces->render, value, &shown);
		value = value_from_string(shown);
	}
	if (status)
		return status;
	if (at < end && format->data[at] == ':') {
		at++;
		format_read_spec(format, &at, &spec);
		spec.source = string_source_at(format, name_end);
	}
	if (at != end)
		return render_fail(braces->render, "the field '{%.*s}' of format() is not supported",
		                   end - name_end < ERROR_TEXT_MAX ? (int)(end - name_end)
		                                                   : ERROR_TEXT_MAX,
		                   format->data + name_end);
	return format_value(braces->render, value, &spec, out);
}

static enum status put_all(struct braces *braces, struct text *out)
{
	struct render *render = braces->render;
	const struct jinja_string *format = braces->format;
	enum status status = render_bytes(render, format->len);

	for (size_t at = 0, from, end; !status && at < format->len; at = end) {
		from = at;
		at = until(format, at, format->len, "{}");
		text_append_part(out, format, from, at);
		if (at == format->len)
			break;
		end = at + 2;
		if (at + 1 < format->len && format->data[at + 1] == format->data[at]) {
			text_append_part(out, format, at, at + 1);
			continue;
		}
		end = until(format, at, format->len, "}");
		if (format->data[at] == '}' || end == format->len)
			return render_fail(render, "Single '%c' encountered in format string",
			                   format->data[at]);
		status = put_field(braces, at + 1, end++, out);
		if (!status)
			status = render_step(render, 1);
	}
	return status;
}

enum status format_braces(struct render *render, const struct jinja_string *format,
                          const struct args *args, struct jinja_value *out)
{
	struct braces braces = {.render = render, .format = format, .args = args};
	struct text text;
	enum status status;

	text_begin(render, &text);
	status = put_all(&braces, &text);
	return status ? status : give_text(render, &text, out);
}
