/* Filters of text. What Jinja2 leaves to a method of str is left to that here. */
#include <string.h>

#include "jinja/casing.h"
#include "jinja/filters.h"

/* A method of str, of the value's text. */
static enum status text_method(struct render *render, struct jinja_value self,
                               builtin_function *method, const struct jinja_value *items, size_t n,
                               struct jinja_value *out)
{
	const struct jinja_string *string;
	struct bound bound = {.rest = {0}};
	enum status status = value_to_string(render, self, &string);

	for (size_t i = 0; i < n; i++)
		bound.args[i] = items[i];
	return status ? status : method(render, value_from_string(string), &bound, out);
}

/* ---- letters ---- */

static enum status to_case(struct render *render, struct jinja_value self, enum letter_case want,
                           struct jinja_value *out)
{
	const struct jinja_string *string;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		status = string_to_case(render, string, want, &string);
	if (!status)
		*out = value_from_string(string);
	return status;
}

BUILTIN(filter_capitalize)
{
	return to_case(render, self, CASE_CAPITALIZE, out);
}

BUILTIN(filter_lower)
{
	return to_case(render, self, CASE_LOWER, out);
}

BUILTIN(filter_upper)
{
	return to_case(render, self, CASE_UPPER, out);
}

/* Between the words of the title filter. */
static bool is_between(uint32_t c)
{
	return char_is_space(c) || (c < 0x80 && c && strchr("-({[<", (int)c));
}

/* Unlike str.title(): words end at blanks, hyphens and opening brackets only. */
BUILTIN(filter_title)
{
	const struct jinja_string *string;
	struct text text;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		status = render_bytes(render, string->len);
	if (status)
		return status;
	text_begin(render, &text);
	for (size_t i = 0, end, len; i < string->len; i = end) {
		bool between = is_between(string_char(string, i, &len));

		for (end = i + len; end < string->len; end += len) {
			if (is_between(string_char(string, end, &len)) != between)
				break;
		}
		if (between) {
			text_append_part(&text, string, i, end);
			continue;
		}
		string_char(string, i, &len);
		text_append_case(&text, string, i, i + len, CASE_UPPER);
		text_append_case(&text, string, i + len, end, CASE_LOWER);
	}
	return give_text(render, &text, out);
}

/* ---- methods of str ---- */

BUILTIN(filter_string)
{
	const struct jinja_string *string;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		*out = value_from_string(string);
	return status;
}

BUILTIN(filter_safe)
{
	const struct jinja_string *string;
	enum status status = value_to_string(render, self, &string);

	return status ? status : string_make_safe(render, string, out);
}

BUILTIN(filter_trim)
{
	return text_method(render, self, str_strip, bound->args, 1, out);
}

BUILTIN(filter_replace)
{
	const struct jinja_string *old, *new;
	struct jinja_value items[3] = {[2] = value_int(-1)};
	enum status status = value_to_string(render, bound->args[0], &old);

	if (!status)
		status = value_to_string(render, bound->args[1], &new);
	if (status)
		return status;
	items[0] = value_from_string(old);
	items[1] = value_from_string(new);
	return text_method(render, self, str_replace, items, 3, out);
}

/* ---- shapes ---- */

BUILTIN(filter_wordcount)
{
	const struct jinja_string *string;
	bool in_word = false;
	int64_t n = 0;
	enum status status = value_to_string(render, self, &string);

	if (!status)
		status = render_bytes(render, string->len);
	if (status)
		return status;
	for (size_t i = 0, len; i < string->len; i += len) {
		bool word = char_is_word(string_char(string, i, &len));

		n += word && !in_word;
		in_word = word;
	}
	*out = value_int(n);
	return STATUS_OK;
}

enum status arg_indent(struct render *render, struct jinja_value width,
                       const struct jinja_string **out)
{
	struct jinja_value space, spaces = width;
	enum status status = STATUS_OK;

	if (width.kind != VALUE_STRING) {
		space = value_text(render->arena, " ", 1, SOURCE_TEMPLATE);
		status = value_binary(render, OP_MUL, space, width, &spaces);
	}
	*out = status ? &string_empty : spaces.u.string;
	return status;
}

/* The line that begins at *at, as splitlines() sees it: [from, to) without its
 * end; *at then is where the next one begins. False at the end of the text. */
static bool next_line(const struct jinja_string *string, size_t *at, size_t *from, size_t *to)
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

/* A line end at the end of the text is kept, as "\n". */
BUILTIN(filter_indent)
{
	bool first = value_truth(bound->args[1]), blank = value_truth(bound->args[2]);
	const struct jinja_string *indent, *newline, *string;
	struct text text;
	size_t at = 0, from, to;
	enum status status = arg_indent(render, bound->args[0], &indent);

	if (status)
		return status;
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_STRING)
		return render_fail(render, "indent needs a str, not %s", value_type_name(self));
	newline = string_new(render->arena, "\n", 1, SOURCE_TEMPLATE);
	string = newline ? string_concat(render->arena, self.u.string, newline) : NULL;
	if (!string)
		return render_no_memory(render);
	status = render_bytes(render, string->len);
	text_begin(render, &text);
	if (first)
		text_append_string(&text, indent);
	for (bool later = false; !status && next_line(string, &at, &from, &to); later = true) {
		if (later)
			text_append_string(&text, newline);
		if (later && (blank || to > from)) {
			text_append_string(&text, indent);
			status = render_bytes(render, indent->len);
		}
		text_append_part(&text, string, from, to);
	}
	return status ? status : give_text(render, &text, out);
}

/* Whole words, and "..."; five characters more are let through. */
BUILTIN(filter_truncate)
{
	enum { ELLIPSIS = 3, LEEWAY = 5 };
	const struct jinja_string *string;
	struct text text;
	int64_t length;
	size_t to, space;
	enum status status = arg_int(render, bound->args[0], &length);

	if (!status)
		status = value_to_string(render, self, &string);
	if (!status)
		status = render_bytes(render, string->len);
	if (status)
		return status;
	if (length < ELLIPSIS)
		return render_fail(render, "truncate needs a length of at least %d", ELLIPSIS);
	*out = value_from_string(string);
	if ((uint64_t)length + LEEWAY >= string->n_chars)
		return STATUS_OK;
	to = space = string_offset(string, (size_t)length - ELLIPSIS);
	while (space > 0 && string->data[space - 1] != ' ')
		space--;
	text_begin(render, &text);
	text_append_part(&text, string, 0, space > 0 ? space - 1 : to);
	text_puts(&text, "...");
	return give_text(render, &text, out);
}
