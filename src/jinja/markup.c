/* Safe texts, as with Markup: those that `+` joins to others, which are escaped. */
#include <string.h>

#include "jinja/builtins.h"

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

enum status string_escape(struct render *render, const struct jinja_string *string,
                          const struct jinja_string **out)
{
	struct text text;
	enum status status = render_bytes(render, string->len);

	*out = string;
	if (status || string->safe)
		return status;
	text_begin(render, &text);
	append_escaped(&text, string);
	*out = text_finish(&text);
	return *out ? STATUS_OK : render_text(render, &text);
}

enum status string_make_safe(struct render *render, const struct jinja_string *string,
                             struct jinja_value *out)
{
	struct jinja_string *safe = arena_alloc(render->arena, sizeof *safe);

	if (!safe)
		return render_no_memory(render);
	*safe = *string;
	safe->safe = true;
	*out = value_from_string(safe);
	return STATUS_OK;
}
