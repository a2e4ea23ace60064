/* Writing JSON strings. */
#ifndef SOTTO_BASE_JSON_H
#define SOTTO_BASE_JSON_H

#include "base/buf.h"

/* Appends a text as a JSON string: valid UTF-8, control characters escaped. */
void json_put_text(struct buf *out, const char *text, size_t len);

#endif
