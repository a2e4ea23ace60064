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

static struct jinja_value positional(struct format *format, size_t i)
{
	if (i < format->args->n)
		return format->args->items[i];
	return render_fail(format->render,
	                   "Replacement index %zu out of range for positional args tuple", i);
}

/* The argument whose name or number stands in bytes [from, to). */
static struct jinja_value argument(struct format *format, size_t from, size_t to)
{
	const char *name = format->text->data + from;
	const struct args *args = format->args;
	size_t len = to - from, i = 0, at = 0;

	if (!len)
		return positional(format, format->next++);
	for (; at < len && name[at] >= '0' && name[at] <= '9'; at++)
		i = i < LIMIT_JINJA_RANGE ? i * 10 + (size_t)(name[at] - '0') : i;
	if (at == len)
		return positional(format, i);
	for (i = 0; i < args->n_keywords; i++) {
		const struct jinja_string *key = args->keywords[i].name;

		if (key->len == len && !memcmp(key->data, name, len)) {
			render_step(format->render, 1 + i);
			return args->keywords[i].value;
		}
	}
	return render_fail(format->render, "format() has no argument '%.*s'",
	                   len < ERROR_TEXT_MAX ? (int)len : ERROR_TEXT_MAX, name);
}

/* A field, from behind its '{' up to its '}' at `end`. */
static void put_field(struct format *format, size_t at, size_t end, struct text *out)
{
	struct render *render = format->render;
	const char *data = format->text->data;
	size_t name_end = until(format->text, at, end, "!:");
	bool whole = end - name_end == 2 && !memcmp(data + name_end, ":d", 2);
	struct jinja_value value = argument(format, at, name_end);

	if (name_end < end && !whole)
		render_fail(render, "the field '{%.*s}' of format() is not supported",
		            end - name_end < ERROR_TEXT_MAX ? (int)(end - name_end)
		                                            : ERROR_TEXT_MAX,
		            data + name_end);
	if (whole && value_is_undefined(value))
		undefined_fail(render, value);
	else if (whole && !value_is_int(value) && value.kind != VALUE_LONG)
		render_fail(render, "an int is required for the format 'd', not %s",
		            value_type_name(value));
	if (whole && value.kind == VALUE_BOOL)
		value = value_int(value_as_int(value));
	value_print(render, out, value);
	render_step(render, 1);
}

static void put_all(struct format *format, struct text *out)
{
	struct render *render = format->render;
	const struct jinja_string *text = format->text;

	render_bytes(render, text->len);
	for (size_t at = 0, from, end; at < text->len && !render->failed; at = end) {
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
			render_fail(render, "Single '%c' encountered in format string",
			            text->data[at]);
		else
			put_field(format, at + 1, end++, out);
	}
}

static BUILTIN(str_format)
{
	struct format format = {.render = render, .text = self.u.string, .args = &bound->rest};
	struct text made;

	text_begin(render, &made);
	put_all(&format, &made);
	return give_text(render, &made);
}

/* ---- case ---- */

#define CASE_METHOD(name, want) \
	static BUILTIN(name) \
	{ \
		return string_to_case(render, self.u.string, want); \
	}
CASE_METHOD(str_capitalize, CASE_CAPITALIZE)
CASE_METHOD(str_lower, CASE_LOWER)
CASE_METHOD(str_title, CASE_TITLE)
CASE_METHOD(str_upper, CASE_UPPER)

/* ---- finding ---- */

static const struct jinja_string *need_string(struct render *render, struct jinja_value value)
{
	if (value.kind == VALUE_STRING)
		return value.u.string;
	if (value.kind == VALUE_UNDEFINED)
		undefined_fail(render, value);
	else
		render_fail(render, "the argument must be str, not %s", value_type_name(value));
	return &string_empty;
}

/* Before byte `to`; SIZE_MAX: none. */
static size_t find_last(struct render *render, const struct jinja_string *string,
                        const struct jinja_string *what, size_t to)
{
	size_t work = 0, at = SIZE_MAX;

	/* Bytes compared are counted: nearly equal texts would make this quadratic. */
	for (size_t i = to < what->len ? 0 : to - what->len + 1;
	     !render->failed && at == SIZE_MAX && i-- > 0;) {
		size_t same = 0;

		while (same < what->len && string->data[i + same] == what->data[same])
			same++;
		if (same == what->len)
			at = i;
		work += same + 1;
		if (work > 4096) {
			render_bytes(render, work);
			work = 0;
		}
	}
	render_bytes(render, work);
	return at;
}

/* ---- the ends ---- */

enum end { FIRST, LAST };

static bool end_is(const struct jinja_string *string, const struct jinja_string *what, enum end end)
{
	size_t at = end == FIRST ? 0 : string->len - what->len;

	return what->len <= string->len && !memcmp(string->data + at, what->data, what->len);
}

static struct jinja_value has_end(struct render *render, struct jinja_value self,
                                  const struct bound *bound, enum end end)
{
	const struct jinja_string *what = need_string(render, bound->args[0]);

	render_bytes(render, what->len);
	return value_bool(end_is(self.u.string, what, end));
}

static BUILTIN(str_startswith)
{
	return has_end(render, self, bound, FIRST);
}

static BUILTIN(str_endswith)
{
	return has_end(render, self, bound, LAST);
}

/* ---- replacing ---- */

/* "" is replaced before every character and at the end. */
static void replace_between(struct render *render, const struct jinja_string *string,
                            const struct jinja_string *with, uint64_t max, struct text *text)
{
	size_t at = 0, len;

	for (; max > 0 && !text->status && render_bytes(render, with->len); max--) {
		text_append_string(text, with);
		if (at == string->len)
			break;
		string_char(string, at, &len);
		text_append_part(text, string, at, at + len);
		at += len;
	}
	text_append_part(text, string, at, string->len);
}

static void replace_found(struct render *render, const struct jinja_string *string,
                          const struct jinja_string *what, const struct jinja_string *with,
                          uint64_t max, struct text *text)
{
	size_t at = 0, found;

	for (; max > 0 && !text->status && !render->failed; max--) {
		found = string_find(string, what, at);
		render_bytes(render, (found == SIZE_MAX ? string->len : found) - at);
		if (found == SIZE_MAX)
			break;
		text_append_part(text, string, at, found);
		text_append_string(text, with);
		render_bytes(render, with->len);
		at = found + what->len;
	}
	text_append_part(text, string, at, string->len);
}

BUILTIN(str_replace)
{
	const struct jinja_string *what = need_string(render, bound->args[0]);
	const struct jinja_string *with = need_string(render, bound->args[1]);
	uint64_t max = (uint64_t)arg_int(render, bound->args[2]); /* -1: no bound */
	struct text text;

	text_begin(render, &text);
	if (what->len)
		replace_found(render, self.u.string, what, with, max, &text);
	else
		replace_between(render, self.u.string, with, max, &text);
	return give_text(render, &text);
}

/* ---- stripping ---- */

enum { LEFT = 1, RIGHT = 2 };

/* Is the character at a byte one to be stripped? `chars` NULL: a blank. */
static bool is_stripped(struct render *render, const struct jinja_string *string, size_t at,
                        const struct jinja_string *chars, size_t *len)
{
	uint32_t c = string_char(string, at, len);
	struct jinja_string one;

	if (!chars)
		return char_is_space(c);
	one = (struct jinja_string){.data = string->data + at, .len = *len}; /* to look for */
	return render_bytes(render, chars->len) && string_find(chars, &one, 0) != SIZE_MAX;
}

static struct jinja_value strip(struct render *render, struct jinja_value self,
                                const struct bound *bound, unsigned sides)
{
	const struct jinja_string *string = self.u.string, *chars = NULL;
	size_t from = 0, to = string->len, at, len;

	render_bytes(render, string->len);
	if (bound->args[0].kind == VALUE_STRING)
		chars = bound->args[0].u.string;
	else if (bound->args[0].kind != VALUE_NONE)
		return render_fail(render, "%s arg must be None or str",
		                   sides == LEFT    ? "lstrip"
		                   : sides == RIGHT ? "rstrip"
		                                    : "strip");
	while ((sides & LEFT) && from < to && is_stripped(render, string, from, chars, &len))
		from += len;
	while ((sides & RIGHT) && to > from) {
		at = string_before(string, to);
		if (!is_stripped(render, string, at, chars, &len))
			break;
		to = at;
	}
	return give_string(render, string_part(render->arena, string, from, to));
}

static BUILTIN(str_lstrip)
{
	return strip(render, self, bound, LEFT);
}

static BUILTIN(str_rstrip)
{
	return strip(render, self, bound, RIGHT);
}

BUILTIN(str_strip)
{
	return strip(render, self, bound, LEFT | RIGHT);
}

/* ---- splitting ---- */

struct split {
	struct render *render;
	const struct jinja_string *string;
	struct jinja_list *parts;
	uint64_t left; /* parts that may still be cut off */
};

static void cut(struct split *split, size_t from, size_t to)
{
	const struct jinja_string *part =
		string_part(split->render->arena, split->string, from, to);

	add_item(split->render, split->parts, give_string(split->render, part));
}

static bool blank_at(const struct jinja_string *string, size_t at, size_t *len)
{
	return char_is_space(string_char(string, at, len));
}

static void split_blanks(struct split *split)
{
	const struct jinja_string *string = split->string;
	size_t at = 0, from, len;

	while (!split->render->failed) {
		while (at < string->len && blank_at(string, at, &len))
			at += len;
		if (at == string->len)
			break;
		from = at;
		while (at < string->len && !blank_at(string, at, &len))
			at += len;
		if (!split->left--)
			at = string->len;
		cut(split, from, at);
	}
}

static void split_at(struct split *split, const struct jinja_string *separator)
{
	size_t from = 0, at;

	for (; split->left > 0 && !split->render->failed; split->left--) {
		at = string_find(split->string, separator, from);
		if (at == SIZE_MAX)
			break;
		cut(split, from, at);
		from = at + separator->len;
	}
	cut(split, from, split->string->len);
}

static void split_at_last(struct split *split, const struct jinja_string *separator)
{
	size_t to = split->string->len, at;

	for (; split->left > 0 && !split->render->failed; split->left--) {
		at = find_last(split->render, split->string, separator, to);
		if (at == SIZE_MAX)
			break;
		cut(split, at + separator->len, to);
		to = at;
	}
	cut(split, 0, to);
	list_reverse(split->parts);
}

/* sep, maxsplit (negative: no bound), beginning at an end. */
static struct jinja_value split_from(struct render *render, struct jinja_value self,
                                     const struct bound *bound, enum end end)
{
	struct jinja_value parts = give_list(render, LIST_LIST);
	struct split split = {render, self.u.string, parts.u.list,
	                      (uint64_t)arg_int(render, bound->args[1])};
	const struct jinja_string *separator;

	render_bytes(render, self.u.string->len);
	if (bound->args[0].kind == VALUE_NONE && end == FIRST) {
		split_blanks(&split);
		return parts;
	}
	separator = need_string(render, bound->args[0]);
	if (!separator->len)
		return render_fail(render, "empty separator");
	if (end == FIRST)
		split_at(&split, separator);
	else
		split_at_last(&split, separator);
	return parts;
}

static BUILTIN(str_split)
{
	return split_from(render, self, bound, FIRST);
}

static BUILTIN(str_rsplit)
{
	return split_from(render, self, bound, LAST);
}

/* ---- the table ---- */

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
