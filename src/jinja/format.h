/* Formatting values: "%s" % x, "{}".format(x), and what they share. */
#ifndef SOTTO_JINJA_FORMAT_H
#define SOTTO_JINJA_FORMAT_H

#include "jinja/methods.h"

/* "%s %d" % args (str.__mod__); "{}".format(). */
enum status format_percent(struct render *render, const struct string *format, struct value args,
                           struct value *out) MUST_CHECK;
/* `by_name`: format_map(), where fields without names fail. */
enum status format_braces(struct render *render, const struct string *format,
                          const struct args *args, bool by_name, struct value *out) MUST_CHECK;

/* ---- what the two share ---- */

/* Padding: a character and where it comes from. */
struct fill {
	const char *bytes;
	size_t len;
	uint32_t source;
};

enum { FLOAT_ALT = 1 /* # */, FLOAT_DOT_0 = 2 /* at least one digit after the point */ };

/* A float as type e, E, f, F, g or G shows it, and r as repr() does, in the
 * arena. What is no number: inf, nan, in capitals for E, F, G. */
enum status float_format(struct render *render, double f, char type, size_t precision,
                         unsigned flags, const char **out) MUST_CHECK;

/* Digits of n in a base of 2 to 16, NUL-terminated; returns where they begin. */
enum { DIGITS_MAX = 66 };
char *uint_digits(uint64_t n, unsigned base, bool upper, char out[DIGITS_MAX]);
static inline uint64_t int_magnitude(int64_t i)
{
	return i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
}

/* The UTF-8 of chr(i): "%c arg not in range(0x110000)". */
enum status int_char(struct render *render, int64_t i, char out[4], size_t *len) MUST_CHECK;

/* format(value, spec) */
enum status format_value(struct render *render, struct value value, const struct string *spec,
                         struct text *out) MUST_CHECK;

/* !s !r !a, %s %r %a: str(), repr(), ascii(). */
enum status format_converted(struct render *render, struct value value, char how,
                             const struct string **out) MUST_CHECK;

#endif
