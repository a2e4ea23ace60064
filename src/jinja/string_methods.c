/* The methods of str: the table, and those that give another form to a string
 * or say what it is made of. */
#include "jinja/string_methods.h"

#include <string.h>

#include "jinja/casing.h"
#include "jinja/format.h"

/* ---- case ---- */

static enum status to_case(struct render *render, struct jinja_value self, enum letter_case want,
                           struct jinja_value *out)
{
	const struct jinja_string *string;
	enum status status = string_to_case(render, self.u.string, want, &string);

	return status ? status : give_string(render, string, out);
}

#define CASE_METHOD(name, want) \
	static METHOD(name) \
	{ \
		(void)bound; \
		return to_case(render, self, want, out); \
	}
CASE_METHOD(str_capitalize, CASE_CAPITALIZE)
CASE_METHOD(str_lower, CASE_LOWER)
CASE_METHOD(str_title, CASE_TITLE)
CASE_METHOD(str_upper, CASE_UPPER)

/* ---- questions ---- */

static bool is_alpha(const struct jinja_string *string)
{
	return string_all(string, char_is_alpha);
}

static bool is_digit(const struct jinja_string *string)
{
	return string_all(string, char_is_digit);
}

static bool is_space(const struct jinja_string *string)
{
	return string_all(string, char_is_space);
}

#define QUESTION(name, is) \
	static METHOD(name) \
	{ \
		(void)bound; \
		*out = value_bool(is(self.u.string)); \
		return render_bytes(render, self.u.string->len); \
	}
QUESTION(str_isalpha, is_alpha)
QUESTION(str_isdigit, is_digit)
QUESTION(str_islower, string_is_lower)
QUESTION(str_isspace, is_space)
QUESTION(str_isupper, string_is_upper)

enum side { CENTER, LEFT, RIGHT };

/* ---- join, format ---- */

static METHOD(str_join)
{
	struct jinja_value over = bound->args[0], item;
	struct iteration it;
	struct text text;
	enum status status;

	if (over.kind == VALUE_NONE || value_is_number(over))
		return render_fail(render, "can only join an iterable");
	if ((status = value_iterate(render, over, &it)))
		return status;
	text_begin(render, &text);
	for (size_t i = 0; !text.status && iteration_next(render, &it, &item); i++) {
		if (item.kind != VALUE_STRING)
			return render_fail(render,
			                   "sequence item %zu: expected str instance, %s found", i,
			                   value_type_name(item));
		if (i)
			text_append_string(&text, self.u.string);
		text_append_string(&text, item.u.string);
		if ((status = render_bytes(render, self.u.string->len + item.u.string->len)))
			return status;
	}
	return give_text(render, &text, out);
}

static METHOD(str_format)
{
	return format_braces(render, self.u.string, &bound->rest, out);
}

const struct builtin jinja_string_methods[] = {
	{"capitalize", str_capitalize, ""},
	{"count", str_count, "sub"},
	{"endswith", str_endswith, "suffix"},
	{"find", str_find, "sub"},
	{"format", str_format, "*args, **kwargs"},
	{"isalpha", str_isalpha, ""},
	{"isdigit", str_isdigit, ""},
	{"islower", str_islower, ""},
	{"isspace", str_isspace, ""},
	{"isupper", str_isupper, ""},
	{"join", str_join, "iterable"},
	{"lower", str_lower, ""},
	{"lstrip", str_lstrip, "chars=None"},
	{"removeprefix", str_removeprefix, "prefix"},
	{"removesuffix", str_removesuffix, "suffix"},
	{"replace", str_replace, "old, new, count=-1"},
	{"rfind", str_rfind, "sub"},
	{"rsplit", str_rsplit, "sep=None, maxsplit=-1"},
	{"rstrip", str_rstrip, "chars=None"},
	{"split", str_split, "sep=None, maxsplit=-1"},
	{"splitlines", str_splitlines, "keepends=False"},
	{"startswith", str_startswith, "prefix"},
	{"strip", str_strip, "chars=None"},
	{"title", str_title, ""},
	{"upper", str_upper, ""},
};
const size_t jinja_n_string_methods = sizeof jinja_string_methods / sizeof *jinja_string_methods;
