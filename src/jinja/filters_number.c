/* Filters that make numbers. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "jinja/filters.h"

/* ---- numbers in text ---- */

/* The text without the blanks at its ends, NUL-terminated. */
static const char *stripped(struct render *render, struct jinja_value value)
{
	const struct bound none = {.args = {value_none()}};
	const struct jinja_string *string = str_strip(render, value, &none).u.string;
	char *text = arena_alloc(render->arena, string->len + 1);

	if (!text)
		render_no_memory(render);
	/* No number has a NUL. */
	if (!text || memchr(string->data, 0, string->len))
		return "";
	return memcpy(text, string->data, string->len);
}

/* float("1e3"), and inf and nan in any case; false: the text is no number. */
static bool parse_float(const char *text, double *out)
{
	const char *word = text + (*text == '-' || *text == '+');

	if (number_parse_double(text, out))
		return true;
	if (!strcasecmp(word, "inf") || !strcasecmp(word, "infinity"))
		*out = *text == '-' ? -INFINITY : INFINITY;
	else if (!strcasecmp(word, "nan"))
		*out = NAN;
	else
		return false;
	return true;
}

/* Skips 0x, 0o and 0b, if they match the base. */
static const char *skip_prefix(const char *p, int64_t base)
{
	static const struct {
		char letter;
		int64_t base;
	} prefixes[] = {{'x', 16}, {'o', 8}, {'b', 2}};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		if (p[0] == '0' && (p[1] | 0x20) == prefixes[i].letter && base == prefixes[i].base)
			return p + 2;
	}
	return p;
}

enum parsed { PARSED, NO_NUMBER, TOO_LARGE };

/* int(text, base) for bases from 2 to 36. */
static enum parsed parse_int(const char *text, int64_t base, int64_t *out)
{
	bool negative = *text == '-', large = false;
	const char *p = text + (*text == '-' || *text == '+');

	*out = 0;
	if (base < 2 || base > 36)
		return NO_NUMBER;
	p = skip_prefix(p, base);
	if (!*p)
		return NO_NUMBER;
	for (; *p; p++) {
		int digit = (int)number_digit(*p);

		if (digit >= base)
			return NO_NUMBER;
		large = large || __builtin_mul_overflow(*out, base, out) ||
		        __builtin_add_overflow(*out, negative ? -digit : digit, out);
	}
	return large ? TOO_LARGE : PARSED;
}

/* ---- int, float ---- */

/* Towards 0. */
static struct jinja_value give_whole(struct render *render, double f)
{
	return f > -0x1p63 - 1 && f < 0x1p63 ? value_int((int64_t)f) : render_overflow(render);
}

static BUILTIN(int_of_text)
{
	const char *text = stripped(render, self);
	int64_t i;
	double f;

	switch (parse_int(text, arg_int(render, bound->args[1]), &i)) {
	case PARSED:
		return value_int(i);
	case TOO_LARGE:
		return render_overflow(render);
	case NO_NUMBER:
		break;
	}
	if (parse_float(text, &f) && !isnan(f))
		return give_whole(render, f);
	return bound->args[0];
}

BUILTIN(filter_int)
{
	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind == VALUE_STRING)
		return int_of_text(render, self, bound);
	if (self.kind == VALUE_FLOAT && !isnan(self.u.number))
		return give_whole(render, self.u.number);
	if (self.kind == VALUE_LONG)
		return self;
	return value_is_int(self) ? value_int(value_as_int(self)) : bound->args[0];
}

BUILTIN(filter_float)
{
	double f;

	if (self.kind == VALUE_UNDEFINED)
		return undefined_fail(render, self);
	if (self.kind == VALUE_FLOAT)
		return self;
	if (value_is_int(self))
		return value_float((double)value_as_int(self));
	if (self.kind != VALUE_STRING || !parse_float(stripped(render, self), &f))
		return value_float(0);
	return value_float(f);
}

BUILTIN(filter_abs)
{
	if (self.kind == VALUE_FLOAT)
		return value_float(fabs(self.u.number));
	if (!value_is_int(self))
		return render_fail(render, "bad operand type for abs(): '%s'", value_type_name(self));
	return value_as_int(self) < 0 ? value_negate(render, self) : value_int(value_as_int(self));
}
