#include "config/yaml_scalar.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"

enum { FLOAT_TEXT = 400 }; /* longer numbers are texts */

static bool is_one_of(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}
#define ONE_OF(text, words) is_one_of(text, words, sizeof words / sizeof words[0])

/* *total = *total * base + digit; false past 64 bits. */
static bool add_digit(uint64_t *total, unsigned base, unsigned digit)
{
	return !__builtin_mul_overflow(*total, (uint64_t)base, total) &&
	       !__builtin_add_overflow(*total, (uint64_t)digit, total);
}

/* Digits of a base, '_' among them; false when there is anything else. */
static bool read_digits(const char *text, unsigned base, uint64_t *total, bool *fits)
{
	size_t n = 0;

	for (; *text; text++) {
		unsigned digit = number_digit(*text);

		if (*text == '_')
			continue;
		if (digit >= base)
			return false;
		*fits = *fits && add_digit(total, base, digit);
		n++;
	}
	return n > 0;
}

/* "190:20:30" in base 60: after the first number groups of one or two digits. */
static bool read_base_60(const char *text, uint64_t *total, bool *fits)
{
	const char *at = text;

	for (; number_is_digit(*at) || *at == '_'; at++)
		if (*at != '_')
			*fits = *fits && add_digit(total, 10, number_digit(*at));
	if (text[0] < '1' || text[0] > '9' || *at != ':')
		return false;
	while (*at == ':' && number_is_digit(at[1])) {
		unsigned group = number_digit(*++at);

		at++;
		if (number_is_digit(*at))
			group = group * 10 + number_digit(*at++);
		if (group > 59)
			return false;
		*fits = *fits && add_digit(total, 60, group);
	}
	return *at == '\0';
}

static bool resolve_int(const char *text, struct yaml_scalar *out)
{
	bool minus = text[0] == '-', fits = true, ok;
	uint64_t total = 0;

	if (*text == '-' || *text == '+')
		text++;
	if (text[0] == '0' && text[1] == 'b')
		ok = read_digits(text + 2, 2, &total, &fits);
	else if (text[0] == '0' && text[1] == 'x')
		ok = read_digits(text + 2, 16, &total, &fits);
	else if (text[0] == '0' && text[1])
		ok = read_digits(text, 8, &total, &fits);
	else if (strchr(text, ':'))
		ok = read_base_60(text, &total, &fits);
	else
		ok = number_is_digit(text[0]) && read_digits(text, 10, &total, &fits);
	if (!ok)
		return false;
	fits = fits && total <= (uint64_t)INT64_MAX + minus;
	out->kind = fits ? SCALAR_INT : SCALAR_TOO_BIG;
	if (fits)
		out->integer = minus ? (int64_t)(0 - total) : (int64_t)total;
	return true;
}

static bool resolve_special_float(const char *text, struct yaml_scalar *out)
{
	static const char *const inf[] = {".inf", ".Inf", ".INF"}, *const nan[] = {".nan", ".NaN", ".NAN"};
	bool minus = text[0] == '-';
	const char *rest = text + (*text == '-' || *text == '+');

	if (ONE_OF(rest, inf))
		out->number = minus ? -INFINITY : INFINITY;
	else if (ONE_OF(text, nan))
		out->number = NAN;
	else
		return false;
	out->kind = SCALAR_FLOAT;
	return true;
}

static size_t count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* [-+]? digits '.' digits? ([eE] [-+] digits)?, or without a sign and with
 * digits behind the point only; '_' may stand between digits. */
static bool resolve_float(const char *text, struct yaml_scalar *out)
{
	char plain[FLOAT_TEXT];
	size_t n = 0, sign, at;

	if (strlen(text) >= sizeof plain)
		return false;
	for (const char *c = text; *c; c++)
		if (*c != '_')
			plain[n++] = *c;
	plain[n] = '\0';
	sign = plain[0] == '-' || plain[0] == '+';
	at = sign + count_digits(plain + sign);
	if (plain[at] != '.' || text[sign] == '_' || text[sign + 1] == '\0')
		return false;
	if (at == sign && (sign || !number_is_digit(text[1])))
		return false;
	at += 1 + count_digits(plain + at + 1);
	if ((plain[at] == 'e' || plain[at] == 'E') && (plain[at + 1] == '+' || plain[at + 1] == '-') &&
	    number_is_digit(plain[at + 2]))
		at += 2 + count_digits(plain + at + 2);
	if (plain[at] || !number_parse_double(plain, &out->number))
		return false;
	out->kind = SCALAR_FLOAT;
	return true;
}

struct yaml_scalar yaml_scalar_resolve(const char *text)
{
	static const char *const null[] = {"", "~", "null", "Null", "NULL"};
	static const char *const yes[] = {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
	static const char *const no[] = {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
	struct yaml_scalar scalar = {.kind = SCALAR_TEXT};

	if (ONE_OF(text, null))
		scalar.kind = SCALAR_NULL;
	else if (ONE_OF(text, yes) || ONE_OF(text, no))
		scalar = (struct yaml_scalar){.kind = SCALAR_BOOL, .boolean = ONE_OF(text, yes)};
	else if (!resolve_int(text, &scalar) && !resolve_special_float(text, &scalar))
		resolve_float(text, &scalar);
	return scalar;
}
