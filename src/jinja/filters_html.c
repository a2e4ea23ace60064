/* Filters that write text for HTML and URLs. There is no markup type: what has
 * been escaped is text like any other, and is escaped once more if asked. */
#include <string.h>

#include "jinja/filters.h"
#include "jinja/methods.h"

/* ---- escape ---- */

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '\'':
		return "&#39;";
	case '"':
		return "&#34;";
	default:
		return NULL;
	}
}

/* An entity has the source of the character that it stands for. */
static void append_escaped(struct text *text, const struct string *string)
{
	size_t done = 0;

	for (size_t i = 0; i < string->len; i++) {
		const char *e = entity(string->data[i]);

		if (!e)
			continue;
		text_append_part(text, string, done, i);
		text_append(text, e, strlen(e), string_source_at(string, i));
		done = i + 1;
	}
	text_append_part(text, string, done, string->len);
}

static enum status print_escaped(struct render *render, struct text *text, struct value value)
{
	const struct string *string;
	enum status status = value_to_string(render, value, &string);

	if (!status)
		status = render_bytes(render, string->len);
	if (!status)
		append_escaped(text, string);
	return status;
}

enum status filter_forceescape(struct render *render, struct value self, const struct bound *bound,
                               struct value *out)
{
	struct text text;
	enum status status;

	text_begin(render, &text);
	status = print_escaped(render, &text, self);
	if (!status)
		status = give_text(render, &text, out);
	return status ? status : filter_safe(render, *out, bound, out);
}

/* What is safe stays as it is. */
enum status filter_escape(struct render *render, struct value self, const struct bound *bound,
                          struct value *out)
{
	*out = self;
	if (self.kind == VALUE_STRING && self.u.string->safe)
		return STATUS_OK;
	return filter_forceescape(render, self, bound, out);
}

enum status string_escape(struct render *render, const struct string *string,
                          const struct string **out)
{
	struct value escaped;
	enum status status;

	*out = string;
	if (string->safe)
		return STATUS_OK;
	status = filter_escape(render, value_from_string(string), NULL, &escaped);
	if (!status)
		*out = escaped.u.string;
	return status;
}

/* ---- safe ---- */

enum status filter_safe(struct render *render, struct value self, const struct bound *bound,
                        struct value *out)
{
	const struct string *string;
	struct string *safe = arena_alloc(render->arena, sizeof *safe);
	enum status status = value_to_string(render, self, &string);

	(void)bound;
	if (status)
		return status;
	if (!safe)
		return render_no_memory(render);
	*safe = *string;
	safe->safe = true;
	*out = value_from_string(safe);
	return STATUS_OK;
}

/* ---- xmlattr ---- */

static enum status check_attribute_name(struct render *render, struct value key)
{
	struct text text;
	const struct string *name;
	bool fine = true;
	enum status status;

	if (key.kind != VALUE_STRING)
		return render_fail(render, "expected string or bytes-like object, got '%s'",
		                   value_type_name(key));
	name = key.u.string;
	for (size_t i = 0; fine && i < name->len; i++)
		fine = !name->data[i] || !strchr(" \t\n\v\f\r/>=", name->data[i]);
	if (fine)
		return STATUS_OK;
	text_begin(render, &text);
	status = value_repr(render, &text, key);
	name = status ? NULL : text_finish(&text);
	return name ? render_fail(render, "Invalid character in attribute name: %s", name->data)
	            : render_no_memory(render);
}

enum status filter_xmlattr(struct render *render, struct value self, const struct bound *bound,
                           struct value *out)
{
	bool space = value_truth(bound->args[0]);
	enum status status = STATUS_OK;
	struct text text;

	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_DICT)
		return render_fail(render, "'%s' object has no attribute 'items'",
		                   value_type_name(self));
	text_begin(render, &text);
	for (size_t i = 0; !status && i < self.u.dict->n_entries; i++) {
		const struct dict_entry *entry = &self.u.dict->entries[i];

		if (entry->gone || entry->value.kind == VALUE_NONE ||
		    entry->value.kind == VALUE_UNDEFINED)
			continue;
		status = check_attribute_name(render, entry->key);
		if (space)
			text_puts(&text, " ");
		space = true;
		if (!status)
			status = print_escaped(render, &text, entry->key);
		text_puts(&text, "=\"");
		if (!status)
			status = print_escaped(render, &text, entry->value);
		text_puts(&text, "\"");
	}
	return status ? status : give_text(render, &text, out);
}

/* ---- urlencode ---- */

static bool is_plain(char c, bool in_query)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_.-~", c)) || (c == '/' && !in_query);
}

static enum status quote(struct render *render, struct text *text, struct value value,
                         bool in_query)
{
	static const char hex[] = "0123456789ABCDEF";
	const struct string *string;
	enum status status = value_to_string(render, value, &string);

	if (!status)
		status = render_bytes(render, string->len);
	for (size_t i = 0; !status && i < string->len; i++) {
		unsigned char c = (unsigned char)string->data[i];
		char quoted[] = {'%', hex[c >> 4], hex[c & 15]};
		uint32_t source = string_source_at(string, i);

		if (is_plain((char)c, in_query))
			text_append(text, &string->data[i], 1, source);
		else if (c == ' ' && in_query)
			text_append(text, "+", 1, source);
		else
			text_append(text, quoted, sizeof quoted, source);
	}
	return status;
}

static enum status quote_pair(struct render *render, struct text *text, struct value pair)
{
	struct value parts[2];
	enum status status = unpack_pair(render, pair, parts);

	if (!status)
		status = quote(render, text, parts[0], true);
	text_puts(text, "=");
	return status ? status : quote(render, text, parts[1], true);
}

enum status filter_urlencode(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	struct iteration it;
	struct value pairs = self, pair;
	struct text text;
	enum status status;

	text_begin(render, &text);
	if (self.kind == VALUE_STRING || self.kind == VALUE_NONE || value_is_number(self) ||
	    self.kind == VALUE_OBJECT) {
		status = quote(render, &text, self, false);
		return status ? status : give_text(render, &text, out);
	}
	status = self.kind == VALUE_DICT ? filter_items(render, self, bound, &pairs) : STATUS_OK;
	if (!status)
		status = value_iterate(render, pairs, &it);
	for (bool first = true; !status && iteration_next(render, &it, &pair); first = false) {
		if (!first)
			text_puts(&text, "&");
		status = quote_pair(render, &text, pair);
	}
	return status ? status : give_text(render, &text, out);
}
