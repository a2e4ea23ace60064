/* The new characters of Unicode 15, for a PCRE2 that may not know them (Debian 12's
 * has Unicode 14): words are split as in Unicode 15.1, as in llama.cpp. */
#ifndef SOTTO_TOKENIZER_NEW_CHARACTERS_H
#define SOTTO_TOKENIZER_NEW_CHARACTERS_H

#include <stddef.h>

#include "base/error.h"

/* Copies the valid UTF-8 `text` with an older character of the same category and
 * length in place of each new one. *copy is NULL if there is none; the caller frees it. */
enum status new_characters_replace(const char *text, size_t len, char **copy,
                                   struct error *err) MUST_CHECK;

#endif
