/* The methods of str. */
#include <string.h>

#include "base/limits.h"
#include "jinja/builtins.h"
#include "jinja/casing.h"

/* ---- "{} {0} {name} {:d}".format(...) ---- */

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
		                   "Replacement index %zu out of range for positional args tuple",
		                   i);
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

static enum status string_format(struct render *render, const struct jinja_string *text,
                                 const struct args *args, struct jinja_value *out)
{
	struct format format = {.render = render, .text = text, .args = args};
	struct text made;
	enum status status;

	text_begin(render, &made);
	status = put_all(&format, &made);
	return status ? status : give_text(render, &made, out);
}

/* ---- case ---- */

static enum status to_case(struct render *render, struct jinja_value self, enum letter_case want,
                           struct jinja_value *out)
{
	const struct jinja_string *string;
	enum status status = string_to_case(render, self.u.string, want, &string);

	return status ? status : give_string(render, string, out);
}

#define CASE_METHOD(name, want) \
	static BUILTIN(name) \
	{ \
		(void)bound; \
		return to_case(render, self, want, out); \
	}
CASE_METHOD(str_capitalize, CASE_CAPITALIZE)
CASE_METHOD(str_lower, CASE_LOWER)
CASE_METHOD(str_title, CASE_TITLE)
CASE_METHOD(str_upper, CASE_UPPER)

/* ---- finding ---- */

static enum status need_string(struct render *render, struct jinja_value value)
{
	if (value.kind == VALUE_STRING)
		return STATUS_OK;
	if (value.kind == VALUE_UNDEFINED)
		return undefined_fail(render, value);
	return render_fail(render, "the argument must be str, not %s", value_type_name(value));
}

/* Before byte `to`; SIZE_MAX: none. */
static enum status find_last(struct render *render, const struct jinja_string *string,
                             const struct jinja_string *what, size_t to, size_t *at)
{
	enum status status = STATUS_OK;
	size_t work = 0;

	*at = SIZE_MAX;
	/* Bytes compared are counted: nearly equal texts would make this quadratic. */
	for (size_t i = to < what->len ? 0 : to - what->len + 1;
	     !status && *at == SIZE_MAX && i-- > 0;) {
		size_t same = 0;

		while (same < what->len && string->data[i + same] == what->data[same])
			same++;
		if (same == what->len)
			*at = i;
		work += same + 1;
		if (work > 4096) {
			status = render_bytes(render, work);
			work = 0;
		}
	}
	return status ? status : render_bytes(render, work);
}

static enum status find_first(struct render *render, const struct jinja_string *string,
                              const struct jinja_string *what, size_t from, size_t *at)
{
	*at = string_find(string, what, from);
	return render_bytes(render, (*at == SIZE_MAX ? string->len : *at) - from);
}

/* ---- the ends ---- */

enum end { FIRST, LAST };

static bool end_is(const struct jinja_string *string, const struct jinja_string *what, enum end end)
{
	size_t at = end == FIRST ? 0 : string->len - what->len;

	return what->len <= string->len && !memcmp(string->data + at, what->data, what->len);
}

static enum status has_end(struct render *render, struct jinja_value self,
                           const struct bound *bound, enum end end, struct jinja_value *out)
{
	enum status status = need_string(render, bound->args[0]);

	if (status)
		return status;
	*out = value_bool(end_is(self.u.string, bound->args[0].u.string, end));
	return render_bytes(render, bound->args[0].u.string->len);
}

static BUILTIN(str_startswith)
{
	return has_end(render, self, bound, FIRST, out);
}

static BUILTIN(str_endswith)
{
	return has_end(render, self, bound, LAST, out);
}

/* ---- replacing ---- */

/* "" is replaced before every character and at the end. */
static enum status replace_between(struct render *render, const struct jinja_string *string,
                                   const struct jinja_string *with, uint64_t max, struct text *text)
{
	size_t at = 0, len;
	uint64_t done = 0;

	for (; done < max && !text->status; done++) {
		enum status status = render_bytes(render, with->len);

		if (status)
			return status;
		text_append_string(text, with);
		if (at == string->len)
			break;
		string_char(string, at, &len);
		text_append_part(text, string, at, at + len);
		at += len;
	}
	text_append_part(text, string, at, string->len);
	return STATUS_OK;
}

static enum status replace_found(struct render *render, const struct jinja_string *string,
                                 const struct jinja_string *what, const struct jinja_string *with,
                                 uint64_t max, struct text *text)
{
	size_t at = 0, found;
	enum status status;

	for (; max > 0 && !text->status; max--) {
		if ((status = find_first(render, string, what, at, &found)))
			return status;
		if (found == SIZE_MAX)
			break;
		text_append_part(text, string, at, found);
		text_append_string(text, with);
		if ((status = render_bytes(render, with->len)))
			return status;
		at = found + what->len;
	}
	text_append_part(text, string, at, string->len);
	return STATUS_OK;
}

BUILTIN(str_replace)
{
	const struct jinja_string *string = self.u.string, *what = bound->args[0].u.string,
	                    *with = bound->args[1].u.string;
	enum status status = need_string(render, bound->args[0]);
	struct text text;
	int64_t max;

	if (!status)
		status = need_string(render, bound->args[1]);
	if (!status)
		status = arg_int(render, bound->args[2], &max);
	if (status)
		return status;
	text_begin(render, &text);
	status = what->len ? replace_found(render, string, what, with, (uint64_t)max, &text)
	                   : replace_between(render, string, with, (uint64_t)max, &text);
	return status ? status : give_text(render, &text, out);
}

/* ---- stripping ---- */

enum { LEFT = 1, RIGHT = 2 };

/* Is the character at a byte one to be stripped? `chars` NULL: a blank. */
static enum status is_stripped(struct render *render, const struct jinja_string *string, size_t at,
                               const struct jinja_string *chars, size_t *len, bool *is)
{
	uint32_t c = string_char(string, at, len);
	struct jinja_string one;

	if (!chars) {
		*is = char_is_space(c);
		return STATUS_OK;
	}
	one = (struct jinja_string){.data = string->data + at, .len = *len}; /* to look for */
	*is = string_find(chars, &one, 0) != SIZE_MAX;
	return render_bytes(render, chars->len);
}

static enum status strip(struct render *render, struct jinja_value self, const struct bound *bound,
                         unsigned sides, struct jinja_value *out)
{
	const struct jinja_string *string = self.u.string, *chars = NULL;
	size_t from = 0, to = string->len, at, len;
	enum status status = render_bytes(render, string->len);
	bool is = true;

	if (bound->args[0].kind == VALUE_STRING)
		chars = bound->args[0].u.string;
	else if (bound->args[0].kind != VALUE_NONE)
		return render_fail(render, "%s arg must be None or str",
		                   sides == LEFT    ? "lstrip"
		                   : sides == RIGHT ? "rstrip"
		                                    : "strip");
	for (; (sides & LEFT) && !status && from < to && is; from += is ? len : 0)
		status = is_stripped(render, string, from, chars, &len, &is);
	for (is = true; (sides & RIGHT) && !status && to > from && is; to = is ? at : to) {
		at = string_before(string, to);
		status = is_stripped(render, string, at, chars, &len, &is);
	}
	if (status)
		return status;
	return give_string(render, string_part(render->arena, string, from, to), out);
}

static BUILTIN(str_lstrip)
{
	return strip(render, self, bound, LEFT, out);
}

static BUILTIN(str_rstrip)
{
	return strip(render, self, bound, RIGHT, out);
}

BUILTIN(str_strip)
{
	return strip(render, self, bound, LEFT | RIGHT, out);
}

/* ---- splitting ---- */

struct split {
	struct render *render;
	const struct jinja_string *string;
	struct jinja_list *parts;
	uint64_t left; /* parts that may still be cut off */
};

static enum status cut(struct split *split, size_t from, size_t to)
{
	struct jinja_value part;
	enum status status = give_string(
		split->render, string_part(split->render->arena, split->string, from, to), &part);

	return status ? status : add_item(split->render, split->parts, part);
}

static bool blank_at(const struct jinja_string *string, size_t at, size_t *len)
{
	return char_is_space(string_char(string, at, len));
}

static enum status split_blanks(struct split *split)
{
	const struct jinja_string *string = split->string;
	size_t at = 0, from, len;
	enum status status = STATUS_OK;

	while (!status) {
		while (at < string->len && blank_at(string, at, &len))
			at += len;
		if (at == string->len)
			break;
		if (!split->left--)
			return cut(split, at, string->len);
		for (from = at; at < string->len && !blank_at(string, at, &len);)
			at += len;
		status = cut(split, from, at);
	}
	return status;
}

static enum status split_at(struct split *split, const struct jinja_string *separator)
{
	size_t from = 0, at;
	enum status status = STATUS_OK;

	for (; !status && split->left > 0; split->left--) {
		at = string_find(split->string, separator, from);
		if (at == SIZE_MAX)
			break;
		status = cut(split, from, at);
		from = at + separator->len;
	}
	return status ? status : cut(split, from, split->string->len);
}

static enum status split_at_last(struct split *split, const struct jinja_string *separator)
{
	size_t to = split->string->len, at;
	enum status status = STATUS_OK;

	for (; !status && split->left > 0; split->left--) {
		status = find_last(split->render, split->string, separator, to, &at);
		if (status || at == SIZE_MAX)
			break;
		status = cut(split, at + separator->len, to);
		to = at;
	}
	return status ? status : cut(split, 0, to);
}

/* At most `max` cuts; negative: no bound. */
static enum status split_begin(struct render *render, struct jinja_value self,
                               struct jinja_value max, struct split *split, struct jinja_value *out)
{
	int64_t left = 0;
	enum status status = render_bytes(render, self.u.string->len);

	if (!status)
		status = arg_int(render, max, &left);
	if (!status)
		status = give_list(render, LIST_LIST, out);
	if (!status)
		*split = (struct split){render, self.u.string, out->u.list, (uint64_t)left};
	return status;
}

static enum status need_separator(struct render *render, struct jinja_value separator)
{
	enum status status = need_string(render, separator);

	if (!status && !separator.u.string->len)
		return render_fail(render, "empty separator");
	return status;
}

/* sep=None, maxsplit=-1 */
static BUILTIN(str_split)
{
	struct split split;
	struct jinja_value separator = bound->args[0];
	enum status status = split_begin(render, self, bound->args[1], &split, out);

	if (!status && separator.kind == VALUE_NONE)
		return split_blanks(&split);
	if (!status)
		status = need_separator(render, separator);
	return status ? status : split_at(&split, separator.u.string);
}

/* sep, maxsplit=-1 */
static BUILTIN(str_rsplit)
{
	struct split split;
	enum status status = split_begin(render, self, bound->args[1], &split, out);

	if (!status)
		status = need_separator(render, bound->args[0]);
	if (!status)
		status = split_at_last(&split, bound->args[0].u.string);
	if (!status)
		list_reverse(out->u.list);
	return status;
}

/* ---- the table ---- */

static BUILTIN(str_format)
{
	return string_format(render, self.u.string, &bound->rest, out);
}

static const struct builtin rows[] = {
	{"capitalize", str_capitalize, ""},
	{"endswith", str_endswith, "suffix"},
	{"format", str_format, "*args, **kwargs"},
	{"lower", str_lower, ""},
	{"lstrip", str_lstrip, "chars=None"},
	{"replace", str_replace, "old, new, count=-1"},
	{"rsplit", str_rsplit, "sep, maxsplit=-1"},
	{"rstrip", str_rstrip, "chars=None"},
	{"split", str_split, "sep=None, maxsplit=-1"},
	{"startswith", str_startswith, "prefix"},
	{"strip", str_strip, "chars=None"},
	{"title", str_title, ""},
	{"upper", str_upper, ""},
};
const struct builtin_table jinja_string_methods = {rows, sizeof rows / sizeof *rows};
