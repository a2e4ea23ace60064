/* Numbers as digits. */
#include "jinja/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

char *uint_digits(uint64_t n, unsigned base, bool upper, char out[DIGITS_MAX])
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char *at = out + DIGITS_MAX - 1;

	*at = '\0';
	do
		*--at = digits[n % base];
	while (n /= base);
	return at;
}

enum status int_char(struct render *render, int64_t i, char out[4], size_t *len)
{
	if (i < 0 || i > 0x10ffff)
		return render_fail(render, "%%c arg not in range(0x110000)");
	*len = utf8_encode((uint32_t)i, out);
	return STATUS_OK;
}

/* ---- floats ---- */

/* Type g, but with a digit after the point: Python's form of floats whose
 * precision is given and whose type is not. `text` holds d.ddde+xx, as many
 * digits as the precision says; `all` keeps the zeros at their end. */
static void keep_point(char *text, size_t size, bool all)
{
	char *exponent = strchr(text, 'e'), *digits = text + (*text == '-');
	long point = strtol(exponent + 1, NULL, 10) + 1;
	size_t n = (size_t)(exponent - digits), precision, room;

	memmove(digits + 1, digits + 2, --n); /* the point */
	precision = n;
	while (!all && n > 1 && digits[n - 1] == '0')
		n--;
	room = size - (size_t)(digits - text) - 1;
	if (point <= -4 || point >= (long)precision) {
		if (n > 1 || all) {
			memmove(digits + 2, digits + 1, n - 1);
			digits[1] = '.';
			n++;
		}
		snprintf(digits + n, room - n, "e%+03ld", point - 1);
	} else if (point <= 0) {
		memmove(digits + 2 - point, digits, n);
		memset(digits, '0', (size_t)(2 - point));
		digits[1] = '.';
		digits[(size_t)(2 - point) + n] = '\0';
	} else {
		while (n <= (size_t)point)
			digits[n++] = '0';
		memmove(digits + point + 1, digits + point, n - (size_t)point);
		digits[point] = '.';
		digits[n + 1] = '\0';
	}
}

/* Room for the digits of the largest double, or for all of its smallest's. */
enum { FLOAT_ROOM = 340 };

static enum status finite_text(struct render *render, double f, char type, size_t precision,
                          unsigned flags, const char **out)
{
	size_t size = FLOAT_ROOM + precision;
	enum status status = check_width(render, precision);
	char *text = status ? NULL : arena_alloc(render->arena, size);

	if (status)
		return status;
	if (!text)
		return render_no_memory(render);
	if (type == 'g' && (flags & FLOAT_DOT_0)) {
		number_print(text, size, 'e', true, precision ? (int)precision - 1 : 0, f);
		keep_point(text, size, flags & FLOAT_ALT);
	} else {
		number_print(text, size, type, flags & FLOAT_ALT, (int)precision, f);
	}
	*out = text;
	return STATUS_OK;
}

/* repr(); with '#' a point even before an exponent. */
static enum status shortest(struct render *render, double f, unsigned flags, const char **out)
{
	char *text = arena_alloc(render->arena, FLOAT_TEXT_MAX + 2), *exponent;
	size_t len;

	if (!text)
		return render_no_memory(render);
	len = float_text(f, text);
	text[len] = '\0';
	exponent = strchr(text, 'e');
	if ((flags & FLOAT_ALT) && exponent && !strchr(text, '.')) {
		memmove(exponent + 1, exponent, strlen(exponent) + 1);
		*exponent = '.';
	}
	*out = text;
	return STATUS_OK;
}

enum status float_format(struct render *render, double f, char type, size_t precision,
                         unsigned flags, const char **out)
{
	bool upper = type < 'a';

	if (isnan(f))
		*out = upper ? "NAN" : "nan";
	else if (isinf(f))
		*out = f < 0 ? upper ? "-INF" : "-inf" : upper ? "INF" : "inf";
	else if (type == 'r')
		return shortest(render, f, flags, out);
	else
		return finite_text(render, f, type, precision, flags, out);
	return STATUS_OK;
}
