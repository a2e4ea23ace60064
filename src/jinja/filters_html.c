/* Filters that write text for HTML, and `safe`. */
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
static void append_escaped(struct text *text, const struct jinja_string *string)
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

static enum status print_escaped(struct render *render, struct text *text, struct jinja_value value)
{
	const struct jinja_string *string;
	enum status status = value_to_string(render, value, &string);

	if (!status)
		status = render_bytes(render, string->len);
	if (!status)
		append_escaped(text, string);
	return status;
}

/* Safe text stays as it is. */
enum status filter_escape(struct render *render, struct jinja_value self, const struct bound *bound,
                          struct jinja_value *out)
{
	struct text text;
	enum status status;

	*out = self;
	if (self.kind == VALUE_STRING && self.u.string->safe)
		return STATUS_OK;
	text_begin(render, &text);
	status = print_escaped(render, &text, self);
	if (!status)
		status = give_text(render, &text, out);
	return status ? status : filter_safe(render, *out, bound, out);
}

enum status string_escape(struct render *render, const struct jinja_string *string,
                          const struct jinja_string **out)
{
	struct jinja_value escaped;
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

enum status filter_safe(struct render *render, struct jinja_value self, const struct bound *bound,
                        struct jinja_value *out)
{
	const struct jinja_string *string;
	struct jinja_string *safe = arena_alloc(render->arena, sizeof *safe);
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
