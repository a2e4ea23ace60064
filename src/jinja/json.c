/* json.dumps() of Python, whose layout and escapes chat templates rely on. */
#include "jinja/filters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "jinja/builtins.h"

/* json.dumps(ensure_ascii, indent, separators, sort_keys) */
struct json_style {
	bool ensure_ascii, sort_keys;
	const struct jinja_string *indent; /* NULL: one line */
	const struct jinja_string *item_separator; /* NULL: ", ", or "," with indent */
	const struct jinja_string *key_separator;  /* NULL: ": " */
};

struct json {
	struct render *render;
	const struct json_style *style;
	struct text *out;
};

/* ---- strings ---- */

static size_t escape_of(uint32_t c, bool ascii, char out[16])
{
	static const char plain[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
	const char *found = c && c < 0x80 ? strchr(plain, (int)c) : NULL;

	if (found)
		return (size_t)snprintf(out, 16, "\\%c", letters[found - plain]);
	if (c < ' ' || (ascii && c > '~' && c < 0x10000))
		return (size_t)snprintf(out, 16, "\\u%04x", c);
	if (!ascii || c < 0x80)
		return 0;
	return (size_t)snprintf(out, 16, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
	                        0xdc00 + ((c - 0x10000) & 0x3ff));
}

/* An escape has the source of the character that it stands for. Each is a step, since a text
 * of quotation marks takes as long as many values. */
static enum status append_quoted(const struct json *json, const struct jinja_string *string)
{
	enum status status = render_bytes(json->render, string->len);
	size_t from = 0, len, n;
	char escape[16];

	text_puts(json->out, "\"");
	for (size_t at = 0; at < string->len && !status; at += len) {
		n = escape_of(string_char(string, at, &len), json->style->ensure_ascii, escape);
		if (!n)
			continue;
		status = render_step(json->render, 1);
		text_append_part(json->out, string, from, at);
		text_append(json->out, escape, n, string_source_at(string, at));
		from = at + len;
	}
	text_append_part(json->out, string, from, string->len);
	text_puts(json->out, "\"");
	return status;
}

/* ---- layout ---- */

static enum status new_line(struct json *json)
{
	const struct jinja_string *indent = json->style->indent;
	enum status status = STATUS_OK;

	if (!indent)
		return STATUS_OK;
	text_puts(json->out, "\n");
	for (unsigned i = 0; i < json->render->n_printing && !status; i++) {
		text_append_string(json->out, indent);
		status = render_bytes(json->render, indent->len);
	}
	return status;
}

/* Before an item: what separates it from the one before, and the line's start. */
static enum status begin_item(struct json *json, bool first)
{
	const struct json_style *style = json->style;

	if (!first && style->item_separator)
		text_append_string(json->out, style->item_separator);
	else if (!first)
		text_puts(json->out, style->indent ? "," : ", ");
	return new_line(json);
}

static enum status enter(struct json *json, const void *container, const char *bracket)
{
	if (is_being_printed(json->render, container))
		return render_fail(json->render, "Circular reference detected");
	text_puts(json->out, bracket);
	return printing_begin(json->render, container);
}

static enum status leave(struct json *json, const char *bracket)
{
	enum status status;

	json->render->n_printing--;
	status = new_line(json);
	text_puts(json->out, bracket);
	return status;
}

/* ---- values ---- */

static enum status dump(struct json *json, struct jinja_value value);

static enum status dump_list(struct json *json, const struct jinja_list *list)
{
	enum status status;

	if (!list->n) {
		text_puts(json->out, "[]");
		return STATUS_OK;
	}
	status = enter(json, list, "[");
	for (size_t i = 0; !status && i < list->n; i++) {
		status = begin_item(json, i == 0);
		if (!status)
			status = dump(json, list->items[i]);
	}
	return status ? status : leave(json, "]");
}

static void append_float(const struct json *json, double f)
{
	char text[FLOAT_TEXT_MAX];

	if (isfinite(f))
		text_append(json->out, text, float_text(f, text), SOURCE_TEMPLATE);
	else
		text_puts(json->out, isnan(f) ? "NaN" : f < 0 ? "-Infinity" : "Infinity");
}

/* What is neither text nor a container; false: it has no form in JSON. */
static bool append_scalar(const struct json *json, struct jinja_value value)
{
	char text[32];

	switch (value.kind) {
	case VALUE_NONE:
		text_puts(json->out, "null");
		return true;
	case VALUE_BOOL:
		text_puts(json->out, value.u.boolean ? "true" : "false");
		return true;
	case VALUE_INT:
		snprintf(text, sizeof text, "%lld", (long long)value.u.integer);
		text_puts(json->out, text);
		return true;
	case VALUE_FLOAT:
		append_float(json, value.u.number);
		return true;
	case VALUE_LONG:
		text_append_string(json->out, value.u.string);
		return true;
	default:
		return false;
	}
}

static enum status dump_key(struct json *json, struct jinja_value key)
{
	if (key.kind == VALUE_STRING)
		return append_quoted(json, key.u.string);
	text_puts(json->out, "\"");
	if (!append_scalar(json, key))
		return render_fail(json->render,
		                   "keys must be str, int, float, bool or None, not %s",
		                   value_type_name(key));
	text_puts(json->out, "\"");
	return STATUS_OK;
}

/* The entries in the order in which they are shown. */
static enum status entries_of(struct json *json, const struct jinja_dict *dict, struct keyed **out)
{
	struct render *render = json->render;
	enum status status = render_step(render, dict->n);

	*out = arena_array(render->arena, dict->n, sizeof **out);
	if (!*out)
		return render_no_memory(render);
	for (size_t i = 0; i < dict->n; i++)
		(*out)[i] = (struct keyed){dict->entries[i].key, dict->entries[i].value};
	if (!status && json->style->sort_keys)
		status = keyed_sort(render, *out, dict->n, false);
	return status;
}

static enum status dump_dict(struct json *json, const struct jinja_dict *dict)
{
	const struct jinja_string *separator = json->style->key_separator;
	struct keyed *entries;
	enum status status;

	if (!dict->n) {
		text_puts(json->out, "{}");
		return STATUS_OK;
	}
	status = entries_of(json, dict, &entries);
	if (!status)
		status = enter(json, dict, "{");
	for (size_t i = 0; !status && i < dict->n; i++) {
		if ((status = begin_item(json, i == 0)) ||
		    (status = dump_key(json, entries[i].key)))
			return status;
		if (separator)
			text_append_string(json->out, separator);
		else
			text_puts(json->out, ": ");
		status = dump(json, entries[i].item);
	}
	return status ? status : leave(json, "}");
}

static bool is_array(struct jinja_value value)
{
	return value.kind == VALUE_LIST &&
	       (value.u.list->kind == LIST_LIST || value.u.list->kind == LIST_TUPLE);
}

/* Its depth is bounded by the path's. */
static enum status dump(struct json *json, struct jinja_value value)
{
	enum status status = render_step(json->render, 1);

	if (status)
		return status;
	if (json->out->status)
		return STATUS_OK; /* its owner reports it */
	if (value.kind == VALUE_STRING)
		return append_quoted(json, value.u.string);
	if (is_array(value))
		return dump_list(json, value.u.list);
	if (value.kind == VALUE_DICT)
		return dump_dict(json, value.u.dict);
	if (append_scalar(json, value))
		return STATUS_OK;
	return render_fail(json->render, "Object of type %s is not JSON serializable",
	                   value_type_name(value));
}

/* ---- the filter ---- */

static enum status json_separators(struct render *render, struct jinja_value value,
                                   struct json_style *style)
{
	const struct jinja_value *pair;

	if (value.kind == VALUE_NONE)
		return STATUS_OK;
	pair = is_array(value) && value.u.list->n == 2 ? value.u.list->items : NULL;
	if (!pair || pair[0].kind != VALUE_STRING || pair[1].kind != VALUE_STRING)
		return render_fail(render, "separators must be two str");
	style->item_separator = pair[0].u.string;
	style->key_separator = pair[1].u.string;
	return STATUS_OK;
}

BUILTIN(filter_tojson)
{
	struct json_style style = {
		.ensure_ascii = value_truth(bound->args[0]),
		.sort_keys = value_truth(bound->args[3]),
	};
	struct text text;
	struct json json = {.render = render, .style = &style, .out = &text};
	enum status status = STATUS_OK;

	/* Has no effect on a string. */
	if (self.kind != VALUE_STRING && bound->args[1].kind != VALUE_NONE)
		status = arg_indent(render, bound->args[1], &style.indent);
	if (!status)
		status = json_separators(render, bound->args[2], &style);
	text_begin(render, &text);
	if (!status)
		status = dump(&json, self);
	return status ? status : give_text(render, &text, out);
}
