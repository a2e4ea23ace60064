/* Writing JSON: values, and the commas between them by itself. The bytes go to a buffer, which may be
 * written out and emptied between any two calls; a failed append is the buffer's to tell.
 *
 *     struct json_writer json = {.out = &out};
 *     json_put_begin(&json, NULL, '{');
 *     json_put_string(&json, "model", name);
 *     json_put_begin(&json, "samples", '[');
 *     json_put_number(&json, NULL, "%.6g", x);
 *     json_put_end(&json, ']');
 *     json_put_end(&json, '}');
 *
 * `key` is the name in an object, NULL in an array and at the top. A document takes a new writer. */
#ifndef SOTTO_BASE_JSON_H
#define SOTTO_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct json_writer {
	struct buf *out;
	bool wants_comma;  /* the open object or array has a value already */
	const char *blank; /* a line break and blanks, before what comes next; NULL: what is usual */
};

void json_put_begin(struct json_writer *json, const char *key, char bracket); /* '{' or '[' */
void json_put_end(struct json_writer *json, char bracket);
/* Valid UTF-8 whatever the bytes are, control characters escaped. */
void json_put_text(struct json_writer *json, const char *key, const char *text, size_t len);
void json_put_string(struct json_writer *json, const char *key, const char *text); /* NULL: null */
void json_put_bool(struct json_writer *json, const char *key, bool value);
void json_put_null(struct json_writer *json, const char *key);
/* The format gives a number as JSON has them. */
void json_put_number(struct json_writer *json, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* In nine digits; null where JSON has no such number. */
void json_put_real(struct json_writer *json, const char *key, double value);
/* JSON that is there already: a value, or, without a key, members of the open object. */
void json_put_raw(struct json_writer *json, const char *key, const char *text, size_t len);
/* What comes next, the end too, begins on a line of its own: `blank` is "\n" and blanks, a literal. */
void json_put_line(struct json_writer *json, const char *blank);

#endif
