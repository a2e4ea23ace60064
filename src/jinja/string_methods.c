/* The methods of str: the table, and those that give another form to a string
 * or say what it is made of. */
#include "jinja/string_methods.h"

#include <string.h>

#include "jinja/casing.h"
#include "jinja/format.h"

/* ---- case ---- */

static enum status to_case(struct render *render, struct value self, enum letter_case want,
                           struct value *out)
{
	const struct string *string;
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
CASE_METHOD(str_casefold, CASE_FOLD)
CASE_METHOD(str_lower, CASE_LOWER)
CASE_METHOD(str_swapcase, CASE_SWAP)
CASE_METHOD(str_title, CASE_TITLE)
CASE_METHOD(str_upper, CASE_UPPER)

/* ---- questions ---- */

static bool is_alnum(const struct string *string)
{
	return string_all(string, char_is_alnum);
}

static bool is_alpha(const struct string *string)
{
	return string_all(string, char_is_alpha);
}

static bool is_ascii(const struct string *string)
{
	return string->n_chars == string->len;
}

static bool is_decimal(const struct string *string)
{
	return string_all(string, char_is_decimal);
}

static bool is_digit(const struct string *string)
{
	return string_all(string, char_is_digit);
}

static bool is_identifier(const struct string *string)
{
	size_t len;
	uint32_t c;

	for (size_t at = 0; at < string->len; at += len) {
		c = string_char(string, at, &len);
		if (!char_is_name(c, at == 0))
			return false;
	}
	return string->len > 0;
}

static bool is_numeric(const struct string *string)
{
	return string_all(string, char_is_numeric);
}

static bool is_printable(const struct string *string)
{
	return !string->len || string_all(string, char_is_printable);
}

static bool is_space(const struct string *string)
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
QUESTION(str_isalnum, is_alnum)
QUESTION(str_isalpha, is_alpha)
QUESTION(str_isascii, is_ascii)
QUESTION(str_isdecimal, is_decimal)
QUESTION(str_isdigit, is_digit)
QUESTION(str_isidentifier, is_identifier)
QUESTION(str_islower, string_is_lower)
QUESTION(str_isnumeric, is_numeric)
QUESTION(str_isprintable, is_printable)
QUESTION(str_isspace, is_space)
QUESTION(str_istitle, string_is_title)
QUESTION(str_isupper, string_is_upper)

/* ---- padding ---- */

/* width, fillchar=' ': how much is missing, and what fills it. */
static enum status missing(struct render *render, const struct string *string,
                           const struct bound *bound, size_t *n, const struct string **fill)
{
	int64_t width;
	enum status status = arg_int(render, bound->args[0], &width);

	if (status)
		return status;
	if (bound->args[1].kind != VALUE_STRING)
		return render_fail(render, "The fill character must be a unicode character, not %s",
		                   value_type_name(bound->args[1]));
	*fill = bound->args[1].u.string;
	if ((*fill)->n_chars != 1)
		return render_fail(render, "The fill character must be exactly one character long");
	*n = width > 0 && (uint64_t)width > string->n_chars ? (size_t)width - string->n_chars : 0;
	return check_width(render, *n);
}

enum side { CENTER, LEFT, RIGHT };

static enum status justify(struct render *render, struct value self, const struct bound *bound,
                           enum side side, struct value *out)
{
	const struct string *fill = NULL;
	struct text text;
	size_t n = 0, before;
	enum status status = missing(render, self.u.string, bound, &n, &fill);

	if (status)
		return status;
	*out = self;
	if (!n)
		return STATUS_OK;
	/* The odd one stands before a string of odd length. */
	before = side == LEFT    ? 0
	         : side == RIGHT ? n
	                         : n / 2 + (n & (self.u.string->n_chars + n) & 1);
	text_begin(render, &text);
	text_fill(&text, fill->data, fill->len, string_source_at(fill, 0), before);
	text_append_string(&text, self.u.string);
	text_fill(&text, fill->data, fill->len, string_source_at(fill, 0), n - before);
	return give_text(render, &text, out);
}

static METHOD(str_center)
{
	return justify(render, self, bound, CENTER, out);
}

static METHOD(str_ljust)
{
	return justify(render, self, bound, LEFT, out);
}

static METHOD(str_rjust)
{
	return justify(render, self, bound, RIGHT, out);
}

/* Zeros between the sign and the rest. */
static METHOD(str_zfill)
{
	const struct string *string = self.u.string;
	size_t sign, n;
	int64_t width;
	struct text text;
	enum status status = arg_int(render, bound->args[0], &width);

	if (status)
		return status;
	n = width > 0 && (uint64_t)width > string->n_chars ? (size_t)width - string->n_chars : 0;
	if ((status = check_width(render, n)))
		return status;
	sign = string->len && (string->data[0] == '+' || string->data[0] == '-');
	text_begin(render, &text);
	text_append_part(&text, string, 0, sign);
	text_fill(&text, "0", 1, SOURCE_TEMPLATE, n);
	text_append_part(&text, string, sign, string->len);
	return give_text(render, &text, out);
}

/* Blanks in place of tabs; they come from where the tab does. */
static METHOD(str_expandtabs)
{
	const struct string *string = self.u.string;
	size_t from = 0, column = 0, len;
	int64_t size;
	struct text text;
	enum status status = arg_int(render, bound->args[0], &size);

	if (!status)
		status = render_bytes(render, string->len);
	text_begin(render, &text);
	for (size_t at = 0; !status && at < string->len && !text.status; at += len) {
		string_char(string, at, &len);
		column = string->data[at] == '\n' || string->data[at] == '\r' ? 0 : column + 1;
		if (string->data[at] == '\t') {
			size_t n = size > 0 ? (size_t)size - (column - 1) % (size_t)size : 0;

			text_append_part(&text, string, from, at);
			from = at + 1;
			column += n - 1;
			status = check_width(render, n);
			if (!status)
				text_fill(&text, " ", 1, string_source_at(string, at), n);
		}
	}
	if (status)
		return status;
	text_append_part(&text, string, from, string->len);
	return give_text(render, &text, out);
}

/* ---- join, format ---- */

static METHOD(str_join)
{
	struct value over = bound->args[0], item;
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
	return format_braces(render, self.u.string, &bound->rest, false, out);
}

/* The dict's entries by their names; others cannot be named in a format. */
static METHOD(str_format_map)
{
	struct keyword *keywords;
	struct args args = {0};
	struct dict *dict;
	enum status status;

	if (bound->args[0].kind != VALUE_DICT && !memchr(self.u.string->data, '{', self.u.string->len))
		return format_braces(render, self.u.string, &args, true, out);
	if (bound->args[0].kind != VALUE_DICT)
		return render_fail(render, "'%s' object is not a mapping",
		                   value_type_name(bound->args[0]));
	dict = bound->args[0].u.dict;
	if ((status = render_step(render, dict->n_entries)))
		return status;
	keywords = arena_array(render->arena, dict->n, sizeof *keywords);
	if (!keywords)
		return render_no_memory(render);
	for (size_t i = 0; i < dict->n_entries; i++) {
		const struct dict_entry *entry = &dict->entries[i];

		if (!entry->gone && entry->key.kind == VALUE_STRING)
			keywords[args.n_keywords++] =
				(struct keyword){entry->key.u.string, entry->value};
	}
	args.keywords = keywords;
	return format_braces(render, self.u.string, &args, true, out);
}

const struct builtin jinja_string_methods[] = {
	{"capitalize", str_capitalize, "/", "str.capitalize"},
	{"casefold", str_casefold, "/", "str.casefold"},
	{"center", str_center, "width, fillchar=' ', /", "str.center"},
	{"count", str_count, "sub, start=None, end=None, /", "str.count"},
	{"endswith", str_endswith, "suffix, start=None, end=None, /", "str.endswith"},
	{"expandtabs", str_expandtabs, "tabsize=8"},
	{"find", str_find, "sub, start=None, end=None, /", "str.find"},
	{"format", str_format, "*args, **kwargs"},
	{"format_map", str_format_map, "mapping, /", "str.format_map"},
	{"index", str_index, "sub, start=None, end=None, /", "str.index"},
	{"isalnum", str_isalnum, "/", "str.isalnum"},
	{"isalpha", str_isalpha, "/", "str.isalpha"},
	{"isascii", str_isascii, "/", "str.isascii"},
	{"isdecimal", str_isdecimal, "/", "str.isdecimal"},
	{"isdigit", str_isdigit, "/", "str.isdigit"},
	{"isidentifier", str_isidentifier, "/", "str.isidentifier"},
	{"islower", str_islower, "/", "str.islower"},
	{"isnumeric", str_isnumeric, "/", "str.isnumeric"},
	{"isprintable", str_isprintable, "/", "str.isprintable"},
	{"isspace", str_isspace, "/", "str.isspace"},
	{"istitle", str_istitle, "/", "str.istitle"},
	{"isupper", str_isupper, "/", "str.isupper"},
	{"join", str_join, "iterable, /", "str.join"},
	{"ljust", str_ljust, "width, fillchar=' ', /", "str.ljust"},
	{"lower", str_lower, "/", "str.lower"},
	{"lstrip", str_lstrip, "chars=None, /", "str.lstrip"},
	{"partition", str_partition, "sep, /", "str.partition"},
	{"removeprefix", str_removeprefix, "prefix, /", "str.removeprefix"},
	{"removesuffix", str_removesuffix, "suffix, /", "str.removesuffix"},
	{"replace", str_replace, "old, new, count=-1, /", "str.replace"},
	{"rfind", str_rfind, "sub, start=None, end=None, /", "str.rfind"},
	{"rindex", str_rindex, "sub, start=None, end=None, /", "str.rindex"},
	{"rjust", str_rjust, "width, fillchar=' ', /", "str.rjust"},
	{"rpartition", str_rpartition, "sep, /", "str.rpartition"},
	{"rsplit", str_rsplit, "sep=None, maxsplit=-1"},
	{"rstrip", str_rstrip, "chars=None, /", "str.rstrip"},
	{"split", str_split, "sep=None, maxsplit=-1"},
	{"splitlines", str_splitlines, "keepends=False"},
	{"startswith", str_startswith, "prefix, start=None, end=None, /", "str.startswith"},
	{"strip", str_strip, "chars=None, /", "str.strip"},
	{"swapcase", str_swapcase, "/", "str.swapcase"},
	{"title", str_title, "/", "str.title"},
	{"upper", str_upper, "/", "str.upper"},
	{"zfill", str_zfill, "width, /", "str.zfill"},
};
const size_t jinja_n_string_methods = sizeof jinja_string_methods / sizeof *jinja_string_methods;
