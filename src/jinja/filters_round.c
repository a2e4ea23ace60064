#include <math.h>
#include <string.h>

#include "base/number.h"
#include "jinja/filters.h"
#include "jinja/format.h"

enum {
	DIGITS_AFTER_MAX = 323, /* the point of a double */
	DIGITS_BEFORE_MAX = 308,
};

static enum status give_float(struct value *out, double f)
{
	*out = value_float(f);
	return STATUS_OK;
}

/* ---- floats ---- */

/* The exponent of ten of a number that is neither 0 nor infinite. */
static enum status exponent_of(struct render *render, double f, int64_t *out)
{
	const char *text;
	enum status status = float_format(render, f, 'e', 17, 0, &text);

	if (!status && !number_parse_int(strchr(text, 'e') + 1, out))
		*out = 0; /* there always is one */
	return status;
}

/* Of the exact value, halves to the even digit: as printing with so many digits
 * rounds. */
static enum status round_float(struct render *render, double f, int64_t precision,
                               struct value *out)
{
	const char *text;
	int64_t exponent = 0, digits;
	enum status status;
	double rounded;

	if (!isfinite(f) || f == 0 || precision > DIGITS_AFTER_MAX)
		return give_float(out, f);
	if (precision < -DIGITS_BEFORE_MAX)
		return give_float(out, copysign(0, f));
	if (precision >= 0) {
		status = float_format(render, f, 'f', (size_t)precision, 0, &text);
	} else {
		status = exponent_of(render, f, &exponent);
		if (status)
			return status;
		digits = exponent + 1 + precision;
		if (digits <= 0) {
			double tens = pow(10, (double)-precision);

			return give_float(out, copysign(digits == 0 && fabs(f) > tens / 2 ? tens : 0, f));
		}
		status = float_format(render, f, 'e', (size_t)digits - 1, 0, &text);
	}
	if (status)
		return status;
	if (!number_parse_double(text, &rounded))
		return render_fail(render, "rounded value too large to represent");
	return give_float(out, rounded);
}

/* round(f) without digits is an int. */
static enum status round_to_int(struct render *render, double f, struct value *out)
{
	double whole = nearbyint(f);

	if (isnan(f))
		return render_fail(render, "cannot convert float NaN to integer");
	if (isinf(f))
		return render_fail(render, "cannot convert float infinity to integer");
	if (!(whole >= -0x1p63 && whole < 0x1p63))
		return render_overflow(render);
	*out = value_int((int64_t)whole);
	return STATUS_OK;
}

/* ---- ints ---- */

static enum status round_int(struct render *render, int64_t i, int64_t precision,
                             struct value *out)
{
	int64_t unit = 1, rest, down;
	bool up;

	*out = value_int(i);
	if (precision >= 0)
		return STATUS_OK;
	for (int64_t n = 0; n > precision; n--) {
		if (__builtin_mul_overflow(unit, 10, &unit)) {
			/* More than half of 10^19 is the one thing left to round up. */
			if (n == -18 && precision == -19 &&
			    (i > 5000000000000000000 || i < -5000000000000000000))
				return render_overflow(render);
			*out = value_int(0);
			return STATUS_OK;
		}
	}
	rest = i % unit;
	if (rest < 0)
		rest += unit;
	if (rest == 0)
		return STATUS_OK;
	if (__builtin_sub_overflow(i, rest, &down))
		return render_overflow(render);
	up = rest > unit / 2 || (rest == unit / 2 && (down / unit) % 2 != 0);
	if (__builtin_add_overflow(down, up ? unit : 0, &down))
		return render_overflow(render);
	*out = value_int(down);
	return STATUS_OK;
}

/* ---- the filter ---- */

static enum status round_common(struct render *render, struct value self, struct value precision,
                                struct value *out)
{
	int64_t n = 0;
	enum status status;

	if (self.kind != VALUE_FLOAT && !value_is_int(self))
		return render_fail(render, "type %s doesn't define __round__ method",
		                   value_type_name(self));
	if (precision.kind == VALUE_NONE && self.kind == VALUE_FLOAT)
		return round_to_int(render, self.u.number, out);
	status = precision.kind == VALUE_NONE ? STATUS_OK : arg_int(render, precision, &n);
	if (status)
		return status;
	return value_is_int(self) ? round_int(render, value_as_int(self), n, out)
	                          : round_float(render, self.u.number, n, out);
}

/* ceil(value * 10^n) / 10^n, or floor. */
static enum status round_towards(struct render *render, struct value self, struct value precision,
                                 bool up, struct value *out)
{
	struct value power = value_float(0);
	bool whole = value_is_int(precision) && value_as_int(precision) >= 0;
	double f, scale;
	enum status status = STATUS_OK;

	if (!value_is_int(precision))
		status = value_binary(render, OP_POW, value_int(10), precision, &power);
	if (!status && self.kind != VALUE_FLOAT && !value_is_int(self)) {
		status = value_binary(render, OP_MUL, self, whole ? value_int(1) : power, out);
		return status ? status
		              : render_fail(render, "must be real number, not %s",
		                            value_type_name(self));
	}
	if (status)
		return status;
	f = self.kind == VALUE_FLOAT ? self.u.number : (double)value_as_int(self);
	if (value_is_int(self) && whole)
		return give_float(out, f);
	scale = value_is_int(precision) ? pow(10, (double)value_as_int(precision)) : power.u.number;
	if (isinf(scale))
		return render_fail(render, "int too large to convert to float");
	f = up ? ceil(f * scale) : floor(f * scale);
	if (!isfinite(f))
		return render_fail(render, "cannot convert float %s to integer",
		                   isnan(f) ? "NaN" : "infinity");
	if (scale == 0)
		return render_fail(render, "float division by zero");
	return give_float(out, (f + 0.0) / scale); /* -0 is no int */
}

enum status filter_round(struct render *render, struct value self, const struct bound *bound,
                         struct value *out)
{
	const struct value method = bound->args[1];
	const struct string *name = method.kind == VALUE_STRING ? method.u.string : &string_empty;
	enum status status = value_hash_step(render, method); /* as a member of a set */

	if (status)
		return status;
	if (string_equals(name, "common"))
		return round_common(render, self, bound->args[0], out);
	if (string_equals(name, "ceil"))
		return round_towards(render, self, bound->args[0], true, out);
	if (string_equals(name, "floor"))
		return round_towards(render, self, bound->args[0], false, out);
	return render_fail(render, "method must be common, ceil or floor");
}
