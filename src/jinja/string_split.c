/* Taking strings apart, and the blanks off their ends. */
#include "jinja/string_methods.h"

#include "jinja/casing.h"
#include "jinja/methods.h"

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
	one = string_view(string, at, at + *len);
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

METHOD(str_lstrip)
{
	return strip(render, self, bound, LEFT, out);
}

METHOD(str_rstrip)
{
	return strip(render, self, bound, RIGHT, out);
}

METHOD(str_strip)
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

	return status ? status : push(split->render, split->parts, part);
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

static enum status split_blanks_last(struct split *split)
{
	const struct jinja_string *string = split->string;
	size_t at = string->len, to, len;
	enum status status = STATUS_OK;

	while (!status) {
		while (at > 0 && blank_at(string, string_before(string, at), &len))
			at -= len;
		if (!at)
			break;
		if (!split->left--)
			return cut(split, 0, at);
		for (to = at; at > 0 && !blank_at(string, string_before(string, at), &len);)
			at -= len;
		status = cut(split, at, to);
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
		status = find_last(split->render, split->string, separator, 0, to, &at);
		if (status || at == SIZE_MAX)
			break;
		status = cut(split, at + separator->len, to);
		to = at;
	}
	return status ? status : cut(split, 0, to);
}


/* sep=None, maxsplit=-1 */
static enum status split(struct render *render, struct jinja_value self, const struct bound *bound,
                         bool last, struct jinja_value *out)
{
	struct split split = {.render = render, .string = self.u.string};
	struct jinja_value separator = bound->args[0];
	enum status status = render_bytes(render, self.u.string->len);
	int64_t max;

	if (!status)
		status = arg_int(render, bound->args[1], &max);
	if (status)
		return status;
	if (separator.kind != VALUE_NONE && separator.kind != VALUE_STRING)
		return render_fail(render, "must be str or None, not %s",
		                   value_type_name(separator));
	if (separator.kind == VALUE_STRING && !separator.u.string->len)
		return render_fail(render, "empty separator");
	if ((status = give_list(render, LIST_LIST, out)))
		return status;
	split.left = (uint64_t)max; /* negative: no bound */
	split.parts = out->u.list;
	if (separator.kind == VALUE_NONE)
		status = (last ? split_blanks_last : split_blanks)(&split);
	else
		status = (last ? split_at_last : split_at)(&split, separator.u.string);
	if (last)
		list_reverse_items(out->u.list);
	return status;
}

METHOD(str_split)
{
	return split(render, self, bound, false, out);
}

METHOD(str_rsplit)
{
	return split(render, self, bound, true, out);
}

bool next_line(const struct jinja_string *string, size_t *at, size_t *from, size_t *to)
{
	*from = *to = *at;
	for (size_t len; *at < string->len;) {
		uint32_t c = string_char(string, *at, &len);

		*at += len;
		if (char_is_line_end(c)) {
			*at += c == '\r' && *at < string->len && string->data[*at] == '\n';
			return true;
		}
		*to = *at;
	}
	return *to > *from;
}

/* keepends=False */
METHOD(str_splitlines)
{
	struct split split = {.render = render, .string = self.u.string};
	size_t at = 0, from, to;
	enum status status = render_bytes(render, self.u.string->len);
	int64_t keep;

	if (!status)
		status = arg_int(render, bound->args[0], &keep);
	if (!status)
		status = give_list(render, LIST_LIST, out);
	if (status)
		return status;
	split.parts = out->u.list;
	while (!status && next_line(self.u.string, &at, &from, &to))
		status = cut(&split, from, keep ? at : to);
	return status;
}
