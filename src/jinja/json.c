/* json.dumps() of Python, whose layout and escapes chat templates rely on. */
#include "jinja/filters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"

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

static size_t escape_json(uint32_t c, int ascii, char out[ESCAPE_MAX])
{
	static const char plain[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
	const char *found = c && c < 0x80 ? strchr(plain, (int)c) : NULL;

	if (found)
		return (size_t)snprintf(out, ESCAPE_MAX, "\\%c", letters[found - plain]);
	if (c < ' ' || (ascii && c > '~' && c < 0x10000))
		return (size_t)snprintf(out, ESCAPE_MAX, "\\u%04x", c);
	if (!ascii || c < 0x80)
		return 0;
	return (size_t)snprintf(out, ESCAPE_MAX, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
	                        0xdc00 + ((c - 0x10000) & 0x3ff));
}

static void append_quoted(const struct json *json, const struct jinja_string *string)
{
	render_bytes(json->render, string->len);
	text_puts(json->out, "\"");
	text_append_escaped(json->render, json->out, string, escape_json,
	                    json->style->ensure_ascii);
	text_puts(json->out, "\"");
}

/* ---- layout ---- */

static void new_line(struct json *json)
{
	const struct jinja_string *indent = json->style->indent;

	if (!indent)
		return;
	text_puts(json->out, "\n");
	for (unsigned i = 0; i < json->render->n_printing && !json->render->failed; i++) {
		text_append_string(json->out, indent);
		render_bytes(json->render, indent->len);
	}
}

/* Before an item: what separates it from the one before, and the line's start. */
static void begin_item(struct json *json, bool first)
{
	const struct json_style *style = json->style;

	if (!first && style->item_separator)
		text_append_string(json->out, style->item_separator);
	else if (!first)
		text_puts(json->out, style->indent ? "," : ", ");
	new_line(json);
}

static bool enter(struct json *json, const void *container, const char *bracket)
{
	if (is_being_printed(json->render, container))
		render_fail(json->render, "Circular reference detected");
	text_puts(json->out, bracket);
	return printing_begin(json->render, container);
}

static void leave(struct json *json, const char *bracket)
{
	printing_end(json->render);
	new_line(json);
	text_puts(json->out, bracket);
}

/* ---- values ---- */

static void dump(struct json *json, struct jinja_value value);

static void dump_list(struct json *json, const struct jinja_list *list)
{
	if (!list->n) {
		text_puts(json->out, "[]");
		return;
	}
	if (!enter(json, list, "["))
		return;
	for (size_t i = 0; i < list->n && !json->render->failed; i++) {
		begin_item(json, i == 0);
		dump(json, list->items[i]);
	}
	leave(json, "]");
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

static void dump_key(struct json *json, struct jinja_value key)
{
	if (key.kind == VALUE_STRING) {
		append_quoted(json, key.u.string);
		return;
	}
	text_puts(json->out, "\"");
	if (!append_scalar(json, key))
		render_fail(json->render, "keys must be str, int, float, bool or None, not %s",
		            value_type_name(key));
	text_puts(json->out, "\"");
}

/* The entries in the order in which they are shown; NULL: there is no memory. */
static struct keyed *entries_of(struct json *json, const struct jinja_dict *dict)
{
	struct render *render = json->render;
	struct keyed *entries = arena_array(render->arena, dict->n, sizeof *entries);

	render_step(render, dict->n);
	if (!entries)
		render_no_memory(render);
	for (size_t i = 0; i < dict->n && entries; i++)
		entries[i] = (struct keyed){dict->entries[i].key, dict->entries[i].value};
	if (entries && json->style->sort_keys)
		keyed_sort(render, entries, dict->n, false);
	return entries;
}

static void dump_dict(struct json *json, const struct jinja_dict *dict)
{
	const struct jinja_string *separator = json->style->key_separator;
	const struct keyed *entries;

	if (!dict->n) {
		text_puts(json->out, "{}");
		return;
	}
	entries = entries_of(json, dict);
	if (!enter(json, dict, "{"))
		return;
	for (size_t i = 0; i < dict->n && !json->render->failed; i++) {
		begin_item(json, i == 0);
		dump_key(json, entries[i].key);
		if (separator)
			text_append_string(json->out, separator);
		else
			text_puts(json->out, ": ");
		dump(json, entries[i].item);
	}
	leave(json, "}");
}

/* Its depth is bounded by the path's. */
static void dump(struct json *json, struct jinja_value value)
{
	if (!render_step(json->render, 1) || json->out->status)
		return; /* the text's owner reports it */
	if (value.kind == VALUE_STRING)
		append_quoted(json, value.u.string);
	else if (value_is_sequence(value))
		dump_list(json, value.u.list);
	else if (value.kind == VALUE_DICT)
		dump_dict(json, value.u.dict);
	else if (!append_scalar(json, value))
		render_fail(json->render, "Object of type %s is not JSON serializable",
		            value_type_name(value));
}

/* ---- the filter ---- */

static void json_separators(struct render *render, struct jinja_value value,
                            struct json_style *style)
{
	const struct jinja_value *pair =
		value_is_sequence(value) && value.u.list->n == 2 ? value.u.list->items : NULL;

	if (value.kind == VALUE_NONE)
		return;
	if (!pair || pair[0].kind != VALUE_STRING || pair[1].kind != VALUE_STRING) {
		render_fail(render, "separators must be two str");
		return;
	}
	style->item_separator = pair[0].u.string;
	style->key_separator = pair[1].u.string;
}

BUILTIN(filter_tojson)
{
	struct json_style style = {
		.ensure_ascii = value_truth(bound->args[0]),
		.sort_keys = value_truth(bound->args[3]),
	};
	struct text text;
	struct json json = {.render = render, .style = &style, .out = &text};

	/* Has no effect on a string. */
	if (self.kind != VALUE_STRING && bound->args[1].kind != VALUE_NONE)
		style.indent = arg_indent(render, bound->args[1]);
	json_separators(render, bound->args[2], &style);
	text_begin(render, &text);
	dump(&json, self);
	return give_text(render, &text);
}
