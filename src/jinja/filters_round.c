/* round(precision=0, method='common'): a float stays a float. */
#include <math.h>

#include "base/number.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

enum { DIGITS_MAX = 18, TEXT_MAX = 400 };

/* Halves to the even digit: those of the exact value, as printing rounds it. */
static double round_half_even(double f, int64_t precision)
{
	char text[TEXT_MAX];
	double rounded, unit;

	if (!isfinite(f) || precision > DIGITS_MAX)
		return f;
	if (precision < 0) {
		unit = pow(10, (double)-precision);
		return isinf(unit) ? 0 : nearbyint(f / unit) * unit;
	}
	number_print(text, sizeof text, 'f', false, (int)precision, f);
	return number_parse_double(text, &rounded) ? rounded : f;
}

static enum status round_int(struct render *render, int64_t i, int64_t precision,
                             struct jinja_value *out)
{
	int64_t unit = 1, rest;
	bool up;

	*out = value_int(i);
	if (precision >= 0)
		return STATUS_OK;
	if (precision < -DIGITS_MAX) {
		*out = value_int(0);
		return STATUS_OK;
	}
	for (; precision < 0; precision++)
		unit *= 10;
	rest = i % unit < 0 ? i % unit + unit : i % unit;
	if (__builtin_sub_overflow(i, rest, &i))
		return render_overflow(render);
	up = rest > unit / 2 || (rest == unit / 2 && (i / unit) % 2 != 0);
	if (up && rest && __builtin_add_overflow(i, unit, &i))
		return render_overflow(render);
	*out = value_int(i);
	return STATUS_OK;
}

/* ceil(value * 10^n) / 10^n, or floor. */
static enum status round_towards(struct render *render, double f, int64_t precision, bool up,
                                 struct jinja_value *out)
{
	double scale = pow(10, (double)precision);
	double scaled = up ? ceil(f * scale) : floor(f * scale);

	if (scale == 0 || !isfinite(scaled))
		return render_fail(render, "the number is too large to round");
	*out = value_float((scaled + 0.0) / scale); /* never -0 */
	return STATUS_OK;
}

enum status filter_round(struct render *render, struct jinja_value self, const struct bound *bound,
                         struct jinja_value *out)
{
	const struct jinja_value method = bound->args[1];
	const struct jinja_string *name =
	    method.kind == VALUE_STRING ? method.u.string : &string_empty;
	bool up = string_equals(name, "ceil"), down = string_equals(name, "floor");
	int64_t precision;
	double f;
	enum status status = arg_int(render, bound->args[0], &precision);

	if (status)
		return status;
	if (!value_is_number(self))
		return render_fail(render, "type %s doesn't define __round__ method",
		                   value_type_name(self));
	if (!up && !down && !string_equals(name, "common"))
		return render_fail(render, "method must be common, ceil or floor");
	f = self.kind == VALUE_FLOAT ? self.u.number : (double)value_as_int(self);
	if (up || down)
		return round_towards(render, f, precision, up, out);
	if (value_is_int(self))
		return round_int(render, value_as_int(self), precision, out);
	*out = value_float(round_half_even(f, precision));
	return STATUS_OK;
}
