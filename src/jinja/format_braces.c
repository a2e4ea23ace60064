/* "{} {name.attribute[0]!r:>8}".format(...) */
#include "jinja/format.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "jinja/casing.h"

/* Fields in the specifications of fields, not deeper. */
enum { DEPTH_MAX = 2 };

/* Fields without a number are counted; both kinds do not mix. */
enum numbering { NUMBERING_NONE, NUMBERING_AUTO, NUMBERING_MANUAL };

struct braces {
	struct render *render;
	const struct args *args;
	bool by_name;
	enum numbering numbering;
	size_t next;
};

/* A part of the format: bytes [at, end). */
struct piece {
	const struct string *text;
	size_t at, end;
};

static bool next_char(struct piece *piece, char *c)
{
	if (piece->at == piece->end)
		return false;
	*c = piece->text->data[piece->at++];
	return true;
}

/* ---- what a field names ---- */

/* *out = -1: it is no number. */
static enum status index_of(struct render *render, const struct piece *name, int64_t *out)
{
	int64_t n = 0;
	size_t len;

	*out = -1;
	for (size_t at = name->at; at < name->end; at += len) {
		int digit = char_decimal_value(string_char(name->text, at, &len));

		if (digit < 0)
			return STATUS_OK;
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, digit, &n))
			return render_fail(render, "Too many decimal digits in format string");
	}
	if (name->at < name->end)
		*out = n;
	return STATUS_OK;
}

static enum status piece_string(struct render *render, const struct piece *piece,
                                const struct string **out)
{
	*out = string_part(render->arena, piece->text, piece->at, piece->end);
	return *out ? STATUS_OK : render_no_memory(render);
}

static enum status count_field(struct braces *braces, bool unnumbered)
{
	enum numbering wanted = unnumbered ? NUMBERING_AUTO : NUMBERING_MANUAL;

	if (!braces->numbering)
		braces->numbering = wanted;
	if (braces->numbering == wanted)
		return STATUS_OK;
	return render_fail(braces->render, "cannot switch from %s to %s",
	                   unnumbered ? "manual field specification"
	                              : "automatic field numbering",
	                   unnumbered ? "automatic field numbering"
	                              : "manual field specification");
}

static enum status argument(struct braces *braces, const struct piece *name, struct value *out)
{
	struct render *render = braces->render;
	const struct args *args = braces->args;
	size_t len = name->end - name->at;
	int64_t i;
	enum status status = index_of(render, name, &i);
	const struct string *key, *shown;

	if (status)
		return status;
	if (!len || i >= 0) {
		if ((status = count_field(braces, !len)))
			return status;
		if (braces->by_name)
			return render_fail(render, "Format string contains positional fields");
		if (!len)
			i = (int64_t)braces->next++;
		if ((uint64_t)i >= args->n)
			return render_fail(render,
			                   "Replacement index %lld out of range for positional "
			                   "args tuple",
			                   (long long)i);
		*out = args->items[i];
		return STATUS_OK;
	}
	for (size_t k = 0; k < args->n_keywords; k++) {
		key = args->keywords[k].name;
		if (key->len == len && !memcmp(key->data, name->text->data + name->at, len)) {
			*out = args->keywords[k].value;
			return render_step(render, 1 + k);
		}
	}
	if ((status = piece_string(render, name, &key)) ||
	    (status = format_converted(render, value_from_string(key), 'r', &shown)))
		return status;
	return render_fail(render, "%s", shown->data);
}

static size_t until(const struct piece *piece, size_t at, const char *stops)
{
	while (at < piece->end && !(piece->text->data[at] && strchr(stops, piece->text->data[at])))
		at++;
	return at;
}

/* One .attribute or [item] of what a field names. */
static enum status step_into(struct braces *braces, struct piece *rest, struct value *value)
{
	struct render *render = braces->render;
	bool attribute = rest->text->data[rest->at] == '.';
	struct piece name = {rest->text, rest->at + 1, rest->end};
	const struct string *key;
	int64_t i = -1;
	enum status status;

	if (!attribute && rest->text->data[rest->at] != '[')
		return render_fail(render,
		                   "Only '.' or '[' may follow ']' in format field specifier");
	name.end = until(rest, name.at, attribute ? ".[" : "]");
	rest->at = name.end;
	if (!attribute && rest->at++ == rest->end)
		return render_fail(render, "Missing ']' in format string");
	if (!attribute && (status = index_of(render, &name, &i)))
		return status;
	if (name.at == name.end)
		return render_fail(render, "Empty attribute in format string");
	if ((status = piece_string(render, &name, &key)))
		return status;
	if (attribute)
		return value_getattr(render, *value, key, value);
	return value_getitem(render, *value, i >= 0 ? value_int(i) : value_from_string(key), value);
}

static enum status field_value(struct braces *braces, const struct piece *name, struct value *out)
{
	struct piece first = *name, rest = *name;
	enum status status;

	first.end = rest.at = until(name, name->at, ".[");
	status = argument(braces, &first, out);
	while (!status && rest.at < rest.end)
		status = step_into(braces, &rest, out);
	return status;
}

/* ---- fields ---- */

struct field {
	struct piece name, spec;
	uint32_t conversion; /* 0: none */
	bool nested;         /* fields in the specification */
};

static enum status fail_single(struct render *render, char brace)
{
	return render_fail(render, "Single '%c' encountered in format string", brace);
}

static enum status read_conversion(struct render *render, struct piece *piece, struct field *field,
                                   bool *ends)
{
	size_t len;
	char c;

	*ends = false;
	if (piece->at == piece->end)
		return render_fail(render, "end of string while looking for conversion specifier");
	field->conversion = string_char(piece->text, piece->at, &len);
	piece->at += len;
	if (!next_char(piece, &c))
		return STATUS_OK;
	*ends = c == '}';
	if (!*ends && c != ':')
		return render_fail(render, "expected ':' after conversion specifier");
	return STATUS_OK;
}

static enum status read_spec_part(struct render *render, struct piece *piece, struct field *field)
{
	unsigned open = 1;
	char c;

	field->spec = *piece;
	while (next_char(piece, &c)) {
		if (c == '{') {
			field->nested = true;
			open++;
		} else if (c == '}' && !--open) {
			field->spec.end = piece->at - 1;
			return STATUS_OK;
		}
	}
	return render_fail(render, "unmatched '{' in format spec");
}

/* A field after its '{', up to and with its '}'. */
static enum status read_field(struct render *render, struct piece *piece, struct field *field)
{
	char c = '\0';
	bool ends;
	enum status status;

	*field = (struct field){.name = *piece, .spec = {.text = &string_empty}};
	while (next_char(piece, &c) && c != '}' && c != ':' && c != '!') {
		if (c == '{')
			return render_fail(render, "unexpected '{' in field name");
		if (c == '[')
			piece->at = until(piece, piece->at, "]");
	}
	field->name.end = piece->at - 1;
	if (c == '!') {
		if ((status = read_conversion(render, piece, field, &ends)) || ends)
			return status;
		return read_spec_part(render, piece, field);
	}
	if (c == ':')
		return read_spec_part(render, piece, field);
	return c == '}' ? STATUS_OK : render_fail(render, "expected '}' before end of string");
}

static enum status build(struct braces *braces, struct piece piece, unsigned depth,
                         struct text *out);

static enum status convert(struct render *render, uint32_t how, struct value *value)
{
	const struct string *string;
	enum status status;

	if (!how)
		return STATUS_OK;
	if (how != 's' && how != 'r' && how != 'a')
		return how > 32 && how < 127
		               ? render_fail(render, "Unknown conversion specifier %c", (int)how)
		               : render_fail(render, "Unknown conversion specifier \\x%x", how);
	status = format_converted(render, *value, (char)how, &string);
	*value = value_from_string(string);
	return status;
}

static enum status put_field(struct braces *braces, const struct field *field, unsigned depth,
                             struct text *out)
{
	struct render *render = braces->render;
	const struct string *spec;
	struct value value;
	struct text text;
	enum status status = field_value(braces, &field->name, &value);

	if (!status)
		status = convert(render, field->conversion, &value);
	if (status)
		return status;
	if (field->nested) {
		text_begin(render, &text);
		status = build(braces, field->spec, depth + 1, &text);
		spec = text_finish(&text);
		if (!status && !spec)
			status = render_no_memory(render);
	} else {
		status = piece_string(render, &field->spec, &spec);
	}
	return status ? status : format_value(render, value, spec, out);
}

/* Up to the next field: text, {{ and }}. *more: there is one. */
static enum status put_literal(struct render *render, struct piece *piece, struct text *out,
                               bool *more)
{
	const char *data = piece->text->data;
	size_t from = piece->at, at = until(piece, from, "{}");

	*more = false;
	piece->at = at;
	text_append_part(out, piece->text, from, at);
	if (at == piece->end)
		return STATUS_OK;
	piece->at++;
	if (piece->at < piece->end && data[piece->at] == data[at]) {
		text_append_part(out, piece->text, at, at + 1);
		piece->at++;
		return STATUS_OK;
	}
	if (data[at] == '}' || piece->at == piece->end)
		return fail_single(render, data[at]);
	*more = true;
	return STATUS_OK;
}

static enum status build(struct braces *braces, struct piece piece, unsigned depth,
                         struct text *out)
{
	struct render *render = braces->render;
	struct field field;
	enum status status = render_bytes(render, piece.end - piece.at);
	bool more;

	if (depth >= DEPTH_MAX)
		return render_fail(render, "Max string recursion exceeded");
	while (!status && piece.at < piece.end && !out->status) {
		if ((status = render_step(render, 1)) ||
		    (status = put_literal(render, &piece, out, &more)))
			return status;
		if (!more)
			continue;
		status = read_field(render, &piece, &field);
		if (!status)
			status = put_field(braces, &field, depth, out);
	}
	return status;
}

enum status format_braces(struct render *render, const struct string *format,
                          const struct args *args, bool by_name, struct value *out)
{
	struct braces braces = {.render = render, .args = args, .by_name = by_name};
	struct text text;
	enum status status;

	text_begin(render, &text);
	status = build(&braces, (struct piece){format, 0, format->len}, 0, &text);
	return status ? status : give_text(render, &text, out);
}

/* ---- !s, !r, !a ---- */

/* Escapes come from where the character does that they stand for. */
static void append_ascii(struct text *out, const struct string *string)
{
	size_t from = 0, at, len;
	char escape[16];
	uint32_t c;

	for (at = 0; at < string->len; at += len) {
		c = string_char(string, at, &len);
		if (c < 0x80)
			continue;
		text_append_part(out, string, from, at);
		snprintf(escape, sizeof escape,
		         c < 0x100     ? "\\x%02x"
		         : c < 0x10000 ? "\\u%04x"
		                       : "\\U%08x",
		         c);
		text_append(out, escape, strlen(escape), string_source_at(string, at));
		from = at + len;
	}
	text_append_part(out, string, from, string->len);
}

enum status format_converted(struct render *render, struct value value, char how,
                             const struct string **out)
{
	struct value made;
	struct text text;
	enum status status;

	if (how == 's')
		return value_to_string(render, value, out);
	text_begin(render, &text);
	status = value_repr(render, &text, value);
	if (!status)
		status = give_text(render, &text, &made);
	if (!status && how == 'a' && made.u.string->n_chars != made.u.string->len) {
		text_begin(render, &text);
		append_ascii(&text, made.u.string);
		status = give_text(render, &text, &made);
	}
	*out = status ? &string_empty : made.u.string;
	return status;
}
