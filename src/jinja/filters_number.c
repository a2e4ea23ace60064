/* Filters that make numbers, or texts of them. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/format.h"

/* ---- numbers in text ---- */

/* A number as Python reads it, in ASCII: blanks at the ends taken off, digits of
 * all scripts made 0 to 9. NULL when it cannot be one. */
static const char *plain_number(struct render *render, const struct string *string, size_t *len)
{
	char *plain = arena_alloc(render->arena, string->len + 1);
	size_t n = 0, end = 0;

	if (!plain || render_bytes(render, string->len))
		return NULL;
	for (size_t i = 0, bytes; i < string->len; i += bytes) {
		uint32_t c = string_char(string, i, &bytes);
		int digit = char_decimal_value(c);

		if (char_is_space(c)) {
			if (n > 0)
				plain[n++] = ' ';
			continue;
		}
		if (digit < 0 && (c >= 0x80 || c == 0))
			return NULL;
		plain[n++] = digit < 0 ? (char)c : (char)('0' + digit);
		end = n;
	}
	plain[end] = '\0';
	*len = end;
	return plain;
}

/* Digits with single underscores between them, copied without these. */
static const char *copy_digits(const char *p, char **out)
{
	while (number_is_digit(*p) ||
	       (*p == '_' && number_is_digit(p[-1]) && number_is_digit(p[1]))) {
		if (*p != '_')
			*(*out)++ = *p;
		p++;
	}
	return p;
}

/* inf, infinity, nan in any case. */
static bool parse_word(const char *word, double *out)
{
	if (!strcasecmp(word, "inf") || !strcasecmp(word, "infinity"))
		*out = INFINITY;
	else if (!strcasecmp(word, "nan"))
		*out = NAN;
	else
		return false;
	return true;
}

/* An unsigned number in decimals as Python writes them, without its underscores. */
static bool copy_decimal(const char *p, char *to)
{
	const char *start = p;
	size_t n_digits;

	p = number_is_digit(*p) ? copy_digits(p, &to) : p;
	n_digits = (size_t)(p - start);
	if (*p == '.') {
		*to++ = *p++;
		start = p;
		p = number_is_digit(*p) ? copy_digits(p, &to) : p;
		n_digits += (size_t)(p - start);
	}
	if (n_digits == 0)
		return false;
	if (*p == 'e' || *p == 'E') {
		*to++ = *p++;
		if (*p == '-' || *p == '+')
			*to++ = *p++;
		if (!number_is_digit(*p))
			return false;
		p = copy_digits(p, &to);
	}
	*to = '\0';
	return !*p;
}

/* float("1e3"): false when the text is no number. */
static bool parse_float(struct render *render, const struct string *string, double *out)
{
	size_t len;
	const char *p = plain_number(render, string, &len);
	char *digits = p ? arena_alloc(render->arena, len + 1) : NULL;
	bool negative;

	if (!digits)
		return false;
	negative = *p == '-';
	p += *p == '-' || *p == '+';
	if (!parse_word(p, out)) {
		if (!copy_decimal(p, digits))
			return false;
		if (!number_parse_double(digits, out))
			*out = INFINITY; /* the one thing that it refuses of these */
	}
	if (negative)
		*out = -*out;
	return true;
}

/* The base that a number's beginning says, for base 0. */
static unsigned base_of(const char *p)
{
	if (p[0] != '0')
		return 10;
	switch (p[1]) {
	case 'x':
	case 'X':
		return 16;
	case 'o':
	case 'O':
		return 8;
	case 'b':
	case 'B':
		return 2;
	default:
		return 10;
	}
}

enum parsed { PARSED, NO_NUMBER, TOO_LARGE };

static enum parsed parse_digits(const char *p, unsigned base, bool negative, int64_t *out)
{
	bool large = false;

	*out = 0;
	if (number_digit(*p) >= base)
		return NO_NUMBER;
	for (; *p; p++) {
		unsigned digit;

		if (*p == '_') /* between two digits */
			p++;
		digit = number_digit(*p);
		if (digit >= base)
			return NO_NUMBER;
		large = large || __builtin_mul_overflow(*out, base, out) ||
		        __builtin_add_overflow(*out, negative ? -(int)digit : (int)digit, out);
	}
	return large ? TOO_LARGE : PARSED;
}

/* int(string, base) */
static enum parsed parse_int(struct render *render, const struct string *string, int64_t base,
                             int64_t *out)
{
	size_t len;
	const char *p = plain_number(render, string, &len);
	bool negative, any = base == 0;
	enum parsed parsed;

	if (!p || base < 0 || base == 1 || base > 36)
		return NO_NUMBER;
	negative = *p == '-';
	p += *p == '-' || *p == '+';
	if (any)
		base = base_of(p);
	if (base != 10 && base_of(p) == base) {
		p += 2;
		p += *p == '_';
	}
	parsed = parse_digits(p, (unsigned)base, negative, out);
	/* Not 010, which was octal once. */
	return parsed == PARSED && any && base == 10 && *p == '0' && *out != 0 ? NO_NUMBER : parsed;
}

/* ---- int, float ---- */

/* Towards 0. */
static enum status int_of_float(struct render *render, double f, int64_t *out)
{
	if (isinf(f))
		return render_fail(render, "cannot convert float infinity to integer");
	if (!(f > -0x1p63 - 1 && f < 0x1p63))
		return render_overflow(render);
	*out = (int64_t)f;
	return STATUS_OK;
}

enum status filter_int(struct render *render, struct value self, const struct bound *bound,
                       struct value *out)
{
	int64_t i = 0;
	double f = NAN;
	enum status status = STATUS_OK;

	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (value_is_int(self)) {
		i = value_as_int(self);
	} else if (self.kind == VALUE_STRING && value_is_int(bound->args[1])) {
		switch (parse_int(render, self.u.string, value_as_int(bound->args[1]), &i)) {
		case PARSED:
			*out = value_int(i);
			return STATUS_OK;
		case TOO_LARGE:
			return render_overflow(render);
		case NO_NUMBER:
			break;
		}
	}
	if (self.kind == VALUE_FLOAT)
		f = self.u.number;
	if (self.kind == VALUE_STRING && !parse_float(render, self.u.string, &f))
		f = NAN;
	if (render->failed || render->arena->status)
		return render_no_memory(render);
	if (!value_is_int(self) && isnan(f)) {
		*out = bound->args[0];
		return STATUS_OK;
	}
	if (!value_is_int(self))
		status = int_of_float(render, f, &i);
	if (!status)
		*out = value_int(i);
	return status;
}

static bool float_of(struct render *render, struct value value, double *out)
{
	if (value.kind == VALUE_FLOAT)
		*out = value.u.number;
	else if (value_is_int(value))
		*out = (double)value_as_int(value);
	else
		return value.kind == VALUE_STRING && parse_float(render, value.u.string, out);
	return true;
}

enum status filter_float(struct render *render, struct value self, const struct bound *bound,
                         struct value *out)
{
	double f;

	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	*out = float_of(render, self, &f) ? value_float(f) : bound->args[0];
	return render->failed || render->arena->status ? render_no_memory(render) : STATUS_OK;
}

enum status filter_abs(struct render *render, struct value self, const struct bound *bound,
                       struct value *out)
{
	(void)bound;
	if (self.kind == VALUE_FLOAT) {
		*out = value_float(fabs(self.u.number));
		return STATUS_OK;
	}
	if (!value_is_int(self))
		return render_fail(render, "bad operand type for abs(): '%s'", value_type_name(self));
	if (value_as_int(self) < 0)
		return value_unary(render, OP_NEG, self, out);
	*out = value_int(value_as_int(self));
	return STATUS_OK;
}

/* ---- sizes ---- */
