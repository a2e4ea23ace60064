/* Strings with their sources, and how they are built. */
#ifndef SOTTO_JINJA_TEXT_H
#define SOTTO_JINJA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "jinja/value.h"

/* A string under way; also the output of a rendering. After a failure (the
 * arena's status, or past `max`: STATUS_LIMIT in `status`) nothing more is
 * added. The text grows in the arena: for the output give it one of its own. */
struct text {
	struct arena *arena;
	char *data;
	size_t len, cap, max;
	size_t n_chars;
	struct source_run *runs; /* always exact: one run too many is never kept */
	size_t n_runs, cap_runs;
	enum status status;
};

void text_init(struct text *text, struct arena *arena, size_t max);
/* Room for n bytes more, at once. */
void text_reserve(struct text *text, size_t n);
/* Bytes must be whole, well-formed characters. */
void text_append(struct text *text, const char *bytes, size_t len, uint32_t source);
void text_puts(struct text *text, const char *bytes); /* template text */
void text_append_string(struct text *text, const struct jinja_string *string);
/* Bytes [from, to) of it, at borders of characters. */
void text_append_part(struct text *text, const struct jinja_string *string, size_t from, size_t to);
/* NULL after a failure. The text is spent. */
const struct jinja_string *text_finish(struct text *text);

/* NULL without memory. */
const struct jinja_string *string_new(struct arena *arena, const char *bytes, size_t len,
                                      uint32_t source);
/* Shares the bytes where it can. [from, to) in bytes, at borders of characters. */
const struct jinja_string *string_part(struct arena *arena, const struct jinja_string *string,
                                       size_t from, size_t to);
/* Long results have room to grow: to append to one costs what is appended, and
 * its data is the result's. */
const struct jinja_string *string_concat(struct arena *arena, const struct jinja_string *a,
                                         const struct jinja_string *b);
extern const struct jinja_string string_empty;

uint32_t string_source_at(const struct jinja_string *string, size_t byte);
/* Byte offset of the char-th code point (char <= n_chars). */
size_t string_offset(const struct jinja_string *string, size_t char_index);
/* Where the character before a byte (> 0) begins. */
size_t string_before(const struct jinja_string *string, size_t byte);
/* The code point that begins at a byte; *len bytes long. */
uint32_t string_char(const struct jinja_string *string, size_t byte, size_t *len);
bool string_equals(const struct jinja_string *string, const char *text);
int string_compare(const struct jinja_string *a, const struct jinja_string *b); /* by code points */
/* First occurrence at or after byte `from`; SIZE_MAX: none. Linear. */
size_t string_find(const struct jinja_string *string, const struct jinja_string *what, size_t from);

#endif
