#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jinja/render.h"

/* DIGITS_SURE digits are never too many except for trailing zeros and subnormal numbers; no
 * double needs more than DIGITS_ENOUGH. */
enum { DIGITS_SURE = 15, DIGITS_ENOUGH = 17, SCIENTIFIC_MAX = 40 };

/* Python writes exponents from 1e16 on and below 1e-4. */
enum { POINT_MIN = -4, POINT_MAX = 16 };

/* 0.d1d2d3... times 10^point */
struct decimal {
	char digits[DIGITS_ENOUGH + 1];
	int n, point;
};

/* Below a power of two, doubles are closer together: the nearest decimal may read as the
 * double below, while the next decimal up still reads as this one. */
static void round_up(char *text)
{
	char *last = strchr(text, 'e') - 1;

	while (*last == '9' && last > text)
		*last-- = '0';
	if (isdigit((unsigned char)*last) && *last != '9')
		++*last;
}

static bool reads_back(char *text, double f)
{
	int exponent;

	if (strtod(text, NULL) == f)
		return true;
	if (!isnormal(f) || frexp(f, &exponent) != 0.5)
		return false;
	round_up(text);
	return strtod(text, NULL) == f;
}

/* The least digits that read back as f, which is positive and finite. The
 * locale may have any decimal point, so digits alone are looked at. */
static struct decimal shortest(double f)
{
	char text[SCIENTIFIC_MAX];
	struct decimal decimal = {.n = 0};
	const char *at;

	for (int n = isnormal(f) ? DIGITS_SURE : 1; n <= DIGITS_ENOUGH; n++) {
		snprintf(text, sizeof text, "%.*e", n - 1, f);
		if (reads_back(text, f))
			break;
	}
	for (at = text; *at != 'e'; at++) {
		if (isdigit((unsigned char)*at) && decimal.n < DIGITS_ENOUGH)
			decimal.digits[decimal.n++] = *at;
	}
	decimal.point = (int)strtol(at + 1, NULL, 10) + 1;
	while (decimal.n > 1 && decimal.digits[decimal.n - 1] == '0')
		decimal.n--;
	decimal.digits[decimal.n] = '\0';
	return decimal;
}

static int write_scientific(const struct decimal *decimal, char *out, size_t size)
{
	int exponent = decimal->point - 1;

	return snprintf(out, size, "%c%s%se%c%02d", decimal->digits[0], decimal->n > 1 ? "." : "",
	                decimal->digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
}

static int write_plain(const struct decimal *decimal, char *out, size_t size)
{
	static const char zeros[] = "0000000000000000";
	int missing = decimal->point - decimal->n;

	if (decimal->point <= 0)
		return snprintf(out, size, "0.%.*s%s", -decimal->point, zeros, decimal->digits);
	if (missing >= 0)
		return snprintf(out, size, "%s%.*s.0", decimal->digits, missing, zeros);
	return snprintf(out, size, "%.*s.%s", decimal->point, decimal->digits,
	                decimal->digits + decimal->point);
}

size_t float_text(double f, char out[FLOAT_TEXT_MAX])
{
	const char *sign = signbit(f) && !isnan(f) ? "-" : "";
	size_t n = strlen(sign);
	struct decimal decimal;
	int written;

	if (isnan(f) || isinf(f) || f == 0)
		return (size_t)snprintf(out, FLOAT_TEXT_MAX, "%s%s", sign,
		                        isnan(f) ? "nan" : isinf(f) ? "inf" : "0.0");
	decimal = shortest(fabs(f));
	memcpy(out, sign, n);
	if (decimal.point > POINT_MAX || decimal.point <= POINT_MIN)
		written = write_scientific(&decimal, out + n, FLOAT_TEXT_MAX - n);
	else
		written = write_plain(&decimal, out + n, FLOAT_TEXT_MAX - n);
	return n + (size_t)written;
}
