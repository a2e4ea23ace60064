#include "jinja/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* Room for the digits of the largest double before its point. */
enum { FLOAT_ROOM = 340, PRECISION_USUAL = 6, NUMBER_ROOM = 32 };

enum status value_to_repr(struct render *render, struct jinja_value value,
                          const struct jinja_string **out)
{
	struct text text;
	struct jinja_value made;
	enum status status;

	text_begin(render, &text);
	status = value_repr(render, &text, value);
	if (!status)
		status = give_text(render, &text, &made);
	*out = status ? &string_empty : made.u.string;
	return status;
}

/* ---- reading ---- */

static char byte_at(const struct jinja_string *text, size_t at)
{
	return at < text->len ? text->data[at] : '\0';
}

/* More than any limit allows stays so. */
static uint64_t read_number(const struct jinja_string *text, size_t *at)
{
	uint64_t n = 0;

	for (; number_is_digit(byte_at(text, *at)); ++*at) {
		if (n < INT32_MAX)
			n = n * 10 + (uint64_t)(byte_at(text, *at) - '0');
	}
	return n;
}

void format_read_spec(const struct jinja_string *text, size_t *at, struct format_spec *spec)
{
	char c;

	*spec = (struct format_spec){.precision = NO_PRECISION};
	for (; (c = byte_at(text, *at)) && strchr("-<>0", c); ++*at) {
		if (c == '0')
			spec->zero = true;
		else
			spec->align = c == '>' ? '>' : '<';
	}
	spec->width = read_number(text, at);
	if (byte_at(text, *at) == '.') {
		++*at;
		spec->precision = (int64_t)read_number(text, at);
	}
	c = byte_at(text, *at);
	if (c && c != '}') {
		spec->type = c;
		++*at;
	}
}

/* ---- writing ---- */

static enum status put_padded(struct render *render, const struct jinja_string *string, bool number,
                              const struct format_spec *spec, struct text *out)
{
	size_t padding = 0, sign = 0;
	bool left = spec->align ? spec->align == '<' : !number;
	enum status status = check_width(render, spec->width);

	if (status)
		return status;
	if (spec->width > string->n_chars)
		padding = (size_t)spec->width - string->n_chars;
	if (number && spec->zero && !left) {
		sign = string->len && string->data[0] == '-';
		text_append_part(out, string, 0, sign);
		text_fill(out, "0", 1, SOURCE_TEMPLATE, padding);
	} else if (!left) {
		text_fill(out, " ", 1, spec->source, padding);
	}
	text_append_part(out, string, sign, string->len);
	if (left)
		text_fill(out, " ", 1, spec->source, padding);
	return render_bytes(render, string->len);
}

static enum status put_string(struct render *render, const struct jinja_string *string,
                              const struct format_spec *spec, struct text *out)
{
	if (spec->precision >= 0 && (uint64_t)spec->precision < string->n_chars)
		string = string_part(render->arena, string, 0,
		                     string_offset(string, (size_t)spec->precision));
	return string ? put_padded(render, string, false, spec, out) : render_no_memory(render);
}

static enum status put_digits(struct render *render, const char *digits, size_t len,
                              const struct format_spec *spec, struct text *out)
{
	const struct jinja_string *string = string_new(render->arena, digits, len, SOURCE_TEMPLATE);

	return string ? put_padded(render, string, true, spec, out) : render_no_memory(render);
}

static enum status fail_number(struct render *render, const struct format_spec *spec,
                               struct jinja_value value)
{
	if (value.kind == VALUE_UNDEFINED)
		return undefined_fail(render, value);
	return render_fail(render, "a number is required for the format '%c', not %s", spec->type,
	                   value_type_name(value));
}

/* d and x; of floats d shows what stands before the point. */
static enum status put_int(struct render *render, struct jinja_value value,
                           const struct format_spec *spec, struct text *out)
{
	bool hex = spec->type == 'x';
	char digits[NUMBER_ROOM];
	uint64_t magnitude;
	int64_t i;
	int n;

	if (spec->precision >= 0)
		return render_fail(render, "a precision with the format '%c' is not supported",
		                   spec->type);
	if (value.kind == VALUE_FLOAT && !hex) {
		if (!(value.u.number > -0x1p63 - 1 && value.u.number < 0x1p63))
			return render_overflow(render);
		value = value_int((int64_t)value.u.number);
	}
	if (!value_is_int(value))
		return fail_number(render, spec, value);
	i = value_as_int(value);
	magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
	if (hex)
		n = snprintf(digits, sizeof digits, "%s%" PRIx64, i < 0 ? "-" : "", magnitude);
	else
		n = snprintf(digits, sizeof digits, "%s%" PRIu64, i < 0 ? "-" : "", magnitude);
	return put_digits(render, digits, (size_t)n, spec, out);
}

static enum status put_float(struct render *render, struct jinja_value value,
                             const struct format_spec *spec, struct text *out)
{
	int precision = spec->precision < 0 ? PRECISION_USUAL : (int)spec->precision;
	enum status status = check_width(render, (uint64_t)precision);
	size_t size = FLOAT_ROOM + (size_t)precision;
	char *digits;
	double f;

	if (status)
		return status;
	if (!value_is_number(value))
		return fail_number(render, spec, value);
	digits = arena_alloc(render->arena, size);
	if (!digits)
		return render_no_memory(render);
	f = value.kind == VALUE_FLOAT ? value.u.number : (double)value_as_int(value);
	if (isfinite(f))
		number_print(digits, size, 'f', false, precision, f);
	else
		snprintf(digits, size, "%s", isnan(f) ? "nan" : f < 0 ? "-inf" : "inf");
	return put_digits(render, digits, strlen(digits), spec, out);
}

enum status format_value(struct render *render, struct jinja_value value,
                         const struct format_spec *spec, struct text *out)
{
	const struct jinja_string *string;
	enum status status;
	bool number;

	switch (spec->type) {
	case '\0':
	case 's':
		number = !spec->type && value_is_number(value);
		if (number && spec->precision >= 0)
			return render_fail(render, "a precision without 'f' is not supported");
		status = value_to_string(render, value, &string);
		if (!status && number)
			return put_padded(render, string, true, spec, out);
		return status ? status : put_string(render, string, spec, out);
	case 'r':
		status = value_to_repr(render, value, &string);
		return status ? status : put_string(render, string, spec, out);
	case 'd':
	case 'x':
		return put_int(render, value, spec, out);
	case 'f':
		return put_float(render, value, spec, out);
	default:
		return render_fail(render, "the format '%c' is not supported",
		                   spec->type > ' ' && spec->type <= '~' ? spec->type : '?');
	}
}
