/* The little language behind the colon of "{:>8.2f}", as Python's format(). */
#include "jinja/format.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "jinja/casing.h"

enum { NOT_GIVEN = -1 };

struct spec {
	struct fill fill;
	bool zero; /* filled with '0' */
	char align, sign;
	bool no_minus_zero, alt;
	char thousands;         /* ',' or '_'; 0 */
	int64_t width, precision; /* NOT_GIVEN */
	uint32_t type;
	uint32_t source; /* of the type: whoever chose it made a character of a number */
};

/* ---- parsing ---- */

struct spec_reader {
	struct render *render;
	const struct string *text;
	size_t at;
};

static uint32_t peek(const struct spec_reader *reader)
{
	size_t len;

	return string_char(reader->text, reader->at, &len);
}

static bool take(struct spec_reader *reader, char c)
{
	if (reader->at == reader->text->len || reader->text->data[reader->at] != c)
		return false;
	reader->at++;
	return true;
}

static char take_any(struct spec_reader *reader, const char *of)
{
	for (; *of; of++)
		if (take(reader, *of))
			return *of;
	return '\0';
}

static bool is_align(char c)
{
	return c && strchr("<>=^", c);
}

/* A number in decimal digits, of any script. */
static enum status read_number(struct spec_reader *reader, int64_t *out)
{
	int64_t n = 0;
	size_t start = reader->at, len;
	int digit;

	while (reader->at < reader->text->len &&
	       (digit = char_decimal_value(string_char(reader->text, reader->at, &len))) >= 0) {
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, digit, &n))
			return render_fail(reader->render,
			                   "Too many decimal digits in format string");
		reader->at += len;
	}
	*out = reader->at > start ? n : NOT_GIVEN;
	return STATUS_OK;
}

static void read_fill(struct spec_reader *reader, struct spec *spec, bool *filled)
{
	const struct string *text = reader->text;
	size_t len;

	*filled = false;
	if (reader->at == text->len)
		return;
	string_char(text, 0, &len);
	if (len < text->len && is_align(text->data[len])) {
		spec->fill = (struct fill){text->data, len, string_source_at(text, 0)};
		spec->align = text->data[len];
		spec->zero = text->data[0] == '0';
		reader->at = len + 1;
		*filled = true;
	} else if (is_align(text->data[0])) {
		spec->align = text->data[0];
		reader->at = 1;
	}
}

static bool type_among(uint32_t type, const char *types)
{
	return type && type < 128 && strchr(types, (int)type);
}

/* What a message shows of a type that is none. */
static const char *type_text(uint32_t type, char out[16])
{
	if (type > 32 && type < 128) {
		out[0] = (char)type;
		out[1] = '\0';
	} else {
		char digits[DIGITS_MAX];

		snprintf(out, 16, "\\x%s", uint_digits(type, 16, false, digits));
	}
	return out;
}

static enum status check_thousands(struct render *render, const struct spec *spec)
{
	char text[16];

	if (!spec->thousands || !spec->type || type_among(spec->type, "defgEG%F") ||
	    (spec->thousands == '_' && type_among(spec->type, "boxX")))
		return STATUS_OK;
	return render_fail(render, "Cannot specify '%c' with '%s'.", spec->thousands,
	                   type_text(spec->type, text));
}

static enum status read_thousands(struct spec_reader *reader, struct spec *spec)
{
	bool comma = take(reader, ','), underscore = take(reader, '_');

	if (underscore && (comma || (reader->at < reader->text->len &&
	                             reader->text->data[reader->at] == ',')))
		return render_fail(reader->render, "Cannot specify both ',' and '_'.");
	spec->thousands = comma ? ',' : underscore ? '_' : '\0';
	return STATUS_OK;
}

/* `type` and `align` where it says none, for a value of this kind. */
static enum status read_spec(struct render *render, const struct string *text,
                             struct value value, char type, char align, struct spec *spec)
{
	struct spec_reader reader = {.render = render, .text = text};
	bool filled;
	size_t len;
	enum status status;

	*spec = (struct spec){.fill = {" ", 1, string_source_at(text, 0)}, .width = NOT_GIVEN,
	                      .precision = NOT_GIVEN, .type = (unsigned char)type,
	                      .source = string_source_at(text, text->len - 1)};
	read_fill(&reader, spec, &filled);
	spec->sign = take_any(&reader, " +-");
	spec->no_minus_zero = take(&reader, 'z');
	spec->alt = take(&reader, '#');
	if (!filled && take(&reader, '0')) {
		spec->fill.bytes = "0";
		spec->zero = true;
		if (!spec->align && align == '>')
			spec->align = '=';
	}
	if (!spec->align)
		spec->align = align;
	if ((status = read_number(&reader, &spec->width)) ||
	    (status = read_thousands(&reader, spec)))
		return status;
	if (take(&reader, '.')) {
		if ((status = read_number(&reader, &spec->precision)))
			return status;
		if (spec->precision == NOT_GIVEN)
			return render_fail(render, "Format specifier missing precision");
	}
	if (reader.at < text->len) {
		spec->type = peek(&reader);
		string_char(text, reader.at, &len);
		if (reader.at + len < text->len)
			return render_fail(
				render, "Invalid format specifier '%.*s' for object of type '%s'",
				(int)text->len, text->data, value_type_name(value));
	}
	if (spec->width != NOT_GIVEN && (status = check_width(render, (uint64_t)spec->width)))
		return status;
	return check_thousands(render, spec);
}

static enum status fail_type(struct render *render, const struct spec *spec, struct value value)
{
	char text[16];

	return render_fail(render, "Unknown format code '%s' for object of type '%s'",
	                   type_text(spec->type, text), value_type_name(value));
}

/* ---- padding ---- */

static void pad(struct text *out, const struct spec *spec, size_t n)
{
	text_fill(out, spec->fill.bytes, spec->fill.len, spec->fill.source, n);
}

/* How much of the padding stands before what is padded. */
static size_t padding_before(const struct spec *spec, size_t n)
{
	return spec->align == '>' ? n : spec->align == '^' ? n / 2 : 0;
}

/* ---- strings ---- */

static enum status format_string(struct render *render, const struct string *string,
                                 const struct string *spec_text, struct text *out)
{
	struct spec spec;
	size_t n = string->n_chars, missing, before;
	enum status status =
		read_spec(render, spec_text, value_from_string(string), 's', '<', &spec);

	if (status)
		return status;
	if (spec.type != 's')
		return fail_type(render, &spec, value_from_string(string));
	if (spec.sign)
		return render_fail(render, "%s not allowed in string format specifier",
		                   spec.sign == ' ' ? "Space" : "Sign");
	if (spec.no_minus_zero)
		return render_fail(render,
		                   "Negative zero coercion (z) not allowed in string format "
		                   "specifier");
	if (spec.alt)
		return render_fail(render,
		                   "Alternate form (#) not allowed in string format specifier");
	if (spec.align == '=')
		return render_fail(render, "'=' alignment not allowed in string format specifier");
	if (spec.precision != NOT_GIVEN && (uint64_t)spec.precision < n)
		n = (size_t)spec.precision;
	missing = spec.width > 0 && (uint64_t)spec.width > n ? (size_t)spec.width - n : 0;
	before = padding_before(&spec, missing);
	pad(out, &spec, before);
	text_append_part(out, string, 0, string_offset(string, n));
	pad(out, &spec, missing - before);
	return STATUS_OK;
}

/* ---- numbers ---- */

/* A number in its parts: -0x1f, 12 .5e+10. */
struct number {
	bool negative;
	const char *prefix;
	const char *digits; /* those that may be grouped */
	size_t n_digits;
	const char *rest;
	size_t rest_len, rest_chars;
	uint32_t rest_source;
};

/* Writes digits with separators before `end`: so many zeros first that all is
 * `min` wide, or one wider where a separator would come first. */
static size_t group(char *end, const struct number *number, size_t min, const struct spec *spec)
{
	int64_t left = (int64_t)number->n_digits, wanted = (int64_t)min;
	int64_t size = !spec->thousands                 ? INT64_MAX
	               : type_among(spec->type, "boxX") ? 4
	                                                : 3;
	char *at = end;

	for (;;) {
		int64_t now = left > wanted ? left : wanted, digits;

		now = now < 1 ? 1 : now > size ? size : now;
		digits = left < now ? left : now;
		at -= digits;
		memcpy(at, number->digits + left - digits, (size_t)digits);
		at -= now - digits;
		memset(at, '0', (size_t)(now - digits));
		left -= digits;
		wanted -= now;
		if (left <= 0 && wanted <= 0)
			return (size_t)(end - at);
		wanted--;
		*--at = spec->thousands;
	}
}

static enum status put_number(struct render *render, const struct number *number,
                              const struct spec *spec, struct text *out)
{
	char sign = number->negative     ? '-'
	            : spec->sign == '-'  ? '\0'
	                                 : spec->sign;
	size_t prefix = strlen(number->prefix), width = spec->width > 0 ? (size_t)spec->width : 0;
	size_t others = (sign != 0) + prefix + number->rest_chars, min = 0, room, n = 0, missing,
	       before;
	char *end = NULL;

	if (spec->zero && spec->align == '=' && width > others)
		min = width - others;
	if (number->n_digits) {
		room = 2 * (number->n_digits > min ? number->n_digits : min) + 4;
		end = arena_alloc(render->arena, room);
		if (!end)
			return render_no_memory(render);
		end += room;
		n = group(end, number, min, spec);
	}
	missing = width > others + n ? width - others - n : 0;
	before = padding_before(spec, missing);
	pad(out, spec, before);
	text_append(out, &sign, sign != 0, SOURCE_TEMPLATE);
	text_append(out, number->prefix, prefix, SOURCE_TEMPLATE);
	if (spec->align == '=')
		pad(out, spec, missing);
	if (n)
		text_append(out, end - n, n, SOURCE_TEMPLATE);
	text_append(out, number->rest, number->rest_len, number->rest_source);
	if (spec->align == '<' || spec->align == '^')
		pad(out, spec, missing - before);
	return render_bytes(render, n + width);
}

static bool is_float_type(uint32_t type)
{
	return type_among(type, "eEfFgG%n");
}

/* Are all digits shown zeros? strchr finds the end of the text, too. */
static bool is_zero(const char *digits)
{
	return strchr("eE", digits[strspn(digits, "0.")]);
}

/* `value`: what it is for messages; an int may be formatted as a float. */
static enum status format_float(struct render *render, struct value value, double f,
                                const struct spec *spec, struct text *out)
{
	struct number number = {.prefix = ""};
	unsigned flags = spec->alt ? FLOAT_ALT : 0;
	char type = (char)spec->type;
	size_t precision = spec->precision == NOT_GIVEN ? 6 : (size_t)spec->precision;
	const char *text;
	struct text rest;
	enum status status;

	if (spec->type && !is_float_type(spec->type))
		return fail_type(render, spec, value);
	if (type == '%')
		f *= 100;
	if (!type)
		flags |= FLOAT_DOT_0;
	status = float_format(render, f,
	                      type == '%'                                ? 'f'
	                      : type == 'n'                              ? 'g'
	                      : type                                     ? type
	                      : spec->precision == NOT_GIVEN             ? 'r'
	                                                                 : 'g',
	                      precision, flags, &text);
	if (status)
		return status;
	number.negative = *text == '-';
	text += number.negative;
	number.digits = text;
	number.n_digits = strspn(text, "0123456789");
	if (spec->no_minus_zero && is_zero(text))
		number.negative = false;
	text_begin(render, &rest);
	text_puts(&rest, text + number.n_digits);
	if (type == '%')
		text_puts(&rest, "%");
	if (rest.status)
		return render_no_memory(render);
	number.rest = rest.data;
	number.rest_len = number.rest_chars = rest.len;
	return put_number(render, &number, spec, out);
}

static enum status format_char(struct render *render, int64_t i, const struct spec *spec,
                               struct text *out)
{
	struct number number = {.prefix = "", .rest_chars = 1, .rest_source = spec->source};
	char bytes[UTF8_MAX];
	enum status status;

	if (spec->sign)
		return render_fail(render, "Sign not allowed with integer format specifier 'c'");
	if (spec->alt)
		return render_fail(
			render, "Alternate form (#) not allowed with integer format specifier 'c'");
	if ((status = int_char(render, i, bytes, &number.rest_len)))
		return status;
	number.rest = bytes;
	return put_number(render, &number, spec, out);
}

static enum status format_int(struct render *render, struct value value, int64_t i,
                              const struct spec *spec, struct text *out)
{
	static const struct {
		char type;
		unsigned base;
		const char *prefix;
	} bases[] = {{'d', 10, ""}, {'n', 10, ""}, {'b', 2, "0b"}, {'o', 8, "0o"}, {'x', 16, "0x"},
	             {'X', 16, "0X"}, {'c', 0, ""}};
	char digits[DIGITS_MAX];
	struct number number = {.negative = i < 0, .prefix = "", .rest = ""};
	size_t row = 0, n = sizeof bases / sizeof *bases;

	while (row < n && spec->type != (unsigned char)bases[row].type)
		row++;
	if (row == n)
		return is_float_type(spec->type) ? format_float(render, value, (double)i, spec, out)
		                                 : fail_type(render, spec, value);
	if (spec->precision != NOT_GIVEN)
		return render_fail(render, "Precision not allowed in integer format specifier");
	if (spec->no_minus_zero)
		return render_fail(render,
		                   "Negative zero coercion (z) not allowed in integer format "
		                   "specifier");
	if (!bases[row].base)
		return format_char(render, i, spec, out);
	if (spec->alt)
		number.prefix = bases[row].prefix;
	number.digits = uint_digits(int_magnitude(i), bases[row].base, spec->type == 'X', digits);
	number.n_digits = strlen(number.digits);
	return put_number(render, &number, spec, out);
}

enum status format_value(struct render *render, struct value value, const struct string *spec_text,
                         struct text *out)
{
	struct spec spec;
	enum status status;

	if (!spec_text->len)
		return value_print(render, out, value);
	switch (value.kind) {
	case VALUE_STRING:
		return format_string(render, value.u.string, spec_text, out);
	case VALUE_BOOL:
		value.u.integer = value.u.boolean; /* the kind stays for messages */
		/* fallthrough */
	case VALUE_INT:
		status = read_spec(render, spec_text, value, 'd', '>', &spec);
		return status ? status : format_int(render, value, value.u.integer, &spec, out);
	case VALUE_FLOAT:
		status = read_spec(render, spec_text, value, '\0', '>', &spec);
		return status ? status : format_float(render, value, value.u.number, &spec, out);
	default:
		return render_fail(render, "unsupported format string passed to %s.__format__",
		                   value_type_name(value));
	}
}
