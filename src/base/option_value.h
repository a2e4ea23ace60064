/* One option's value as text and back: what settings and transcripts share. */
#ifndef SOTTO_BASE_OPTION_VALUE_H
#define SOTTO_BASE_OPTION_VALUE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/option.h"

/* A parsed value that is not stored yet; `text` is borrowed. */
struct option_value {
	int64_t integer; /* BOOL, INT, INT64; ENUM: index */
	double number;   /* FLOAT */
	const char *text; /* STRING; NULL = unset */
};

/* STATUS_USAGE with the allowed range or names when the text is not a value of this option. NULL
 * unsets a string and is an error for the others. */
enum status option_parse(const struct option *option, const char *text,
                         struct option_value *value, struct error *err) MUST_CHECK;
/* Whether two texts, as a user would write them, are the same value. NULL, or what is no value, is not the
 * same as anything. */
bool option_same(const struct option *option, const char *a, const char *b);
/* What a text means: the second half of the row's `also` if it is the first, else itself; NULL: NULL. */
const char *option_meaning(const struct option *option, const char *text);
/* Puts it into the struct the row describes. A string is copied, a path with the home folder for its
 * ~, and the old one freed; only that can fail. */
enum status option_store(const struct option *option, void *target,
                         const struct option_value *value, struct error *err) MUST_CHECK;
/* As a user would write it; nothing for an unset string. */
enum status option_print(const struct option *option, const void *target, struct buf *out);
/* Appends words (base/words.h) NAME=VALUE: those of the options with one of `flags` that have another
 * value than in `before` (NULL: all of them). */
enum status option_put_words(const struct option *rows, size_t n, unsigned flags, const void *target,
                             const void *before, struct buf *out);
/* Stores what such words say. What is not known is passed over: another version has other options. */
enum status option_take_words(const struct option *rows, size_t n, void *target, const char *words,
                              size_t len, struct error *err) MUST_CHECK;
/* "0 to 5", "yes or no", "f16, f32": what a value may be; "" when anything. */
void option_print_domain(const struct option *option, struct buf *out);
/* Numbers, and indexes of names; 0 for strings. */
double option_number(const struct option *option, const void *target);

#endif
