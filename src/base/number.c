#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C locale for this thread alone while a conversion runs. A curses
 * program has set the user's locale, whose decimal point may be a comma. */
struct c_locale {
	locale_t c, old;
};

static void c_locale_begin(struct c_locale *locale)
{
	locale->c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale->old = locale->c ? uselocale(locale->c) : (locale_t)0;
}

static void c_locale_end(struct c_locale *locale)
{
	if (!locale->c)
		return;
	uselocale(locale->old);
	freelocale(locale->c);
}

bool number_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

unsigned number_digit(char c)
{
	if (number_is_digit(c))
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 10 : 99;
}

bool number_parse_int(const char *text, int64_t *value)
{
	long long parsed;
	char *end;

	if (!*text || strspn(text, "+-0123456789") != strlen(text))
		return false;
	errno = 0;
	parsed = strtoll(text, &end, 10);
	if (end == text || *end || errno)
		return false;
	*value = parsed;
	return true;
}

bool number_parse_double(const char *text, double *value)
{
	struct c_locale locale;
	double parsed;
	char *end;

	if (!*text || strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	c_locale_begin(&locale);
	parsed = strtod(text, &end);
	c_locale_end(&locale);
	if (end == text || *end || !isfinite(parsed))
		return false;
	*value = parsed;
	return true;
}

/* The fewest digits from which `is_same` reads the value again; whole numbers of at most 9 digits
 * without an exponent. */
static char *format(double value, int most, bool (*is_same)(const char *text, double value),
                    char out[NUMBER_TEXT_MAX])
{
	bool is_whole = fabs(value) < 1e9 && value == trunc(value);
	struct c_locale locale;

	c_locale_begin(&locale);
	for (int digits = is_whole ? 9 : 1; digits <= most; digits++) {
		snprintf(out, NUMBER_TEXT_MAX, "%.*g", digits, value);
		if (is_same(out, value))
			break;
	}
	c_locale_end(&locale);
	return out;
}

static bool is_same_float(const char *text, double value)
{
	return (double)strtof(text, NULL) == value;
}

static bool is_same_double(const char *text, double value)
{
	return strtod(text, NULL) == value;
}

char *number_format_float(float value, char out[NUMBER_TEXT_MAX])
{
	return format((double)value, 9, is_same_float, out);
}

char *number_format_double(double value, char out[NUMBER_TEXT_MAX])
{
	return format(value, 17, is_same_double, out);
}
