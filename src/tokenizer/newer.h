/* Makes PCRE2 know the characters of Unicode 15.1, as llama.cpp does, whatever
 * version of Unicode it was built with (14 in Debian 12). */
#ifndef SOTTO_TOKENIZER_NEWER_H
#define SOTTO_TOKENIZER_NEWER_H

#include <stddef.h>

#include "base/error.h"

/* Gives a copy of the valid UTF-8 `text`, of the same length, in which every
 * such character is replaced by an older one of its category; *copy is NULL
 * when there is none. The caller frees it. */
enum status newer_replace(const char *text, size_t len, char **copy, struct error *err) MUST_CHECK;

#endif
