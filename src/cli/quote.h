/* Pieces of text in quotes, in one line: characters as they are, and as escapes (\n, \x0a) what is none, or moves the
 * cursor. */
#ifndef SOTTO_CLI_QUOTE_H
#define SOTTO_CLI_QUOTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "tokenizer/tokenizer.h"

void quote_put(struct buf *out, const char *text, size_t len);
void quote_put_token(struct buf *out, const struct tokenizer *tokenizer, int32_t id);

#endif
