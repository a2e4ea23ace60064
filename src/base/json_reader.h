/* JSON (RFC 8259) step by step, so that a hostile text is stopped at the first byte that is wrong.
 * Several documents may follow each other, as in files of one a line. */
#ifndef SOTTO_BASE_JSON_READER_H
#define SOTTO_BASE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

enum json_kind {
	JSON_END, /* of the text, after whole documents */
	JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING,
	JSON_KEY, /* of the value that comes next */
	JSON_OBJECT, JSON_OBJECT_END, JSON_ARRAY, JSON_ARRAY_END
};

struct json_item {
	enum json_kind kind;
	const char *text; /* strings, keys (UTF-8, escapes undone) and numbers: NUL-terminated,
	                   * borrowed until the next json_next */
	size_t len;
};

enum { JSON_DEPTH = 1024 }; /* some programs nest each message in the one before */

struct json_reader {
	const char *name, *text; /* borrowed. Errors begin with the name and the line; if it is NULL, for a
	                          * text of one line, they say at which character */
	size_t len, at;
	char open[JSON_DEPTH];   /* '{' or '[' of each open object or array */
	size_t depth;
	bool wants_value;        /* after a key, or a comma in a list */
	bool has_values;         /* in the open one: a comma has to come before the next */
	bool keeps_bytes;        /* set by the caller: ill-formed bytes of strings stay as they are, where they may be
	                          * the half of a character that another text completes; halves of pairs, too, as
	                          * three bytes */
	struct buf string;
};

void json_begin(struct json_reader *reader, const char *name, const char *text, size_t len);
void json_end(struct json_reader *reader);
/* STATUS_FORMAT, "NAME:LINE: not JSON: ...", or "not JSON at character N: ..."; the reader is then spent. */
enum status json_next(struct json_reader *reader, struct json_item *item,
                      struct error *err) MUST_CHECK;

#endif
