/* Filters of text. What Jinja2 leaves to a method of str is left to that here. */
#include <string.h>

#include "jinja/casing.h"
#include "jinja/filters.h"

/* ---- letters ---- */

BUILTIN(filter_capitalize)
{
	return string_to_case(render, value_to_string(render, self), CASE_CAPITALIZE);
}

BUILTIN(filter_lower)
{
	return string_to_case(render, value_to_string(render, self), CASE_LOWER);
}

BUILTIN(filter_upper)
{
	return string_to_case(render, value_to_string(render, self), CASE_UPPER);
}

/* Between the words of the title filter. */
static bool is_between(uint32_t c)
{
	return char_is_space(c) || (c < 0x80 && c && strchr("-({[<", (int)c));
}

/* Unlike str.title(): words end at blanks, hyphens and opening brackets only. */
BUILTIN(filter_title)
{
	const struct jinja_string *string = value_to_string(render, self);
	struct text text;

	render_bytes(render, string->len);
	text_begin(render, &text);
	for (size_t i = 0, end, len; i < string->len && !render->failed; i = end) {
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
	return give_text(render, &text);
}

/* ---- methods of str ---- */

BUILTIN(filter_string)
{
	return value_from_string(value_to_string(render, self));
}

BUILTIN(filter_safe)
{
	return string_make_safe(render, value_to_string(render, self));
}

BUILTIN(filter_trim)
{
	return str_strip(render, filter_string(render, self, bound), bound);
}

BUILTIN(filter_replace)
{
	struct bound texts = {.args = {
		value_from_string(value_to_string(render, bound->args[0])),
		value_from_string(value_to_string(render, bound->args[1])),
		value_int(-1),
	}};

	return str_replace(render, filter_string(render, self, bound), &texts);
}

/* ---- shapes ---- */

BUILTIN(filter_wordcount)
{
	const struct jinja_string *string = value_to_string(render, self);
	bool in_word = false;
	int64_t n = 0;

	render_bytes(render, string->len);
	for (size_t i = 0, len; i < string->len; i += len) {
		bool word = char_is_word(string_char(string, i, &len));

		n += word && !in_word;
		in_word = word;
	}
	return value_int(n);
}

const struct jinja_string *arg_indent(struct render *render, struct jinja_value width)
{
	struct jinja_value space = value_text(render->arena, " ", 1, SOURCE_TEMPLATE);

	if (width.kind != VALUE_STRING)
		width = value_binary(render, OP_MUL, space, width);
	return width.kind == VALUE_STRING ? width.u.string : &string_empty;
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
	const struct jinja_string *indent = arg_indent(render, bound->args[0]), *newline, *string;
	struct text text;
	size_t at = 0, from, to;

	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind != VALUE_STRING)
		return render_fail(render, "indent needs a str, not %s", value_type_name(self));
	newline = string_new(render->arena, "\n", 1, SOURCE_TEMPLATE);
	string = newline ? string_concat(render->arena, self.u.string, newline) : NULL;
	if (!string)
		return render_no_memory(render);
	render_bytes(render, string->len);
	text_begin(render, &text);
	if (first)
		text_append_string(&text, indent);
	for (bool later = false; !render->failed && next_line(string, &at, &from, &to);
	     later = true) {
		if (later)
			text_append_string(&text, newline);
		if (later && (blank || to > from)) {
			text_append_string(&text, indent);
			render_bytes(render, indent->len);
		}
		text_append_part(&text, string, from, to);
	}
	return give_text(render, &text);
}

/* Whole words, and "..."; five characters more are let through. */
BUILTIN(filter_truncate)
{
	enum { ELLIPSIS = 3, LEEWAY = 5 };
	int64_t length = arg_int(render, bound->args[0]);
	const struct jinja_string *string = value_to_string(render, self);
	struct text text;
	size_t to, space;

	render_bytes(render, string->len);
	if (length < ELLIPSIS)
		return render_fail(render, "truncate needs a length of at least %d", ELLIPSIS);
	if ((uint64_t)length + LEEWAY >= string->n_chars)
		return value_from_string(string);
	to = space = string_offset(string, (size_t)length - ELLIPSIS);
	while (space > 0 && string->data[space - 1] != ' ')
		space--;
	text_begin(render, &text);
	text_append_part(&text, string, 0, space > 0 ? space - 1 : to);
	text_puts(&text, "...");
	return give_text(render, &text);
}
