/* The word TYPE of `sotto quantize` and `sotto convert`. */
#ifndef SOTTO_CLI_TYPE_WORD_H
#define SOTTO_CLI_TYPE_WORD_H

#include "base/buf.h"
#include "base/error.h"
#include "quantize/recipe.h"

/* STATUS_USAGE: there is no such type; the text names the nearest. */
enum status type_word_read(const char *word, const struct recipe **recipe, struct error *err) MUST_CHECK;
/* Appends a line for each type there is. */
void type_word_put_all(struct buf *out);

#endif
