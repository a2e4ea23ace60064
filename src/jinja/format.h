/* Formatting values: "%s" % x and "{}".format(x). */
#ifndef SOTTO_JINJA_FORMAT_H
#define SOTTO_JINJA_FORMAT_H

#include "jinja/methods.h"

/* "%s %d" % args (str.__mod__): s, r, d, x and f, with -, 0, width, precision. */
enum status format_percent(struct render *render, const struct jinja_string *format,
                           struct jinja_value args, struct jinja_value *out) MUST_CHECK;
/* "{} {0} {name}".format(): with the same letters behind a colon. */
enum status format_braces(struct render *render, const struct jinja_string *format,
                          const struct args *args, struct jinja_value *out) MUST_CHECK;

/* ---- what the two share (format.c) ---- */

enum { NO_PRECISION = -1 };

/* What stands between the % and its letter, or behind the colon of a field. */
struct format_spec {
	char align; /* '<', '>'; 0: numbers to the right, texts to the left */
	bool zero;
	uint64_t width;
	int64_t precision;
	char type;       /* 0: str() */
	uint32_t source; /* of the padding: whoever wrote the width */
};

/* Reads one from *at on, up to and with its letter where there is one. */
void format_read_spec(const struct jinja_string *text, size_t *at, struct format_spec *spec);
enum status format_value(struct render *render, struct jinja_value value,
                         const struct format_spec *spec, struct text *out) MUST_CHECK;
/* repr() as a string. */
enum status value_to_repr(struct render *render, struct jinja_value value,
                          const struct jinja_string **out) MUST_CHECK;

#endif
