/* Upper and lower case, and kinds of characters, as Python's str knows them:
 * libunistring's full mappings, without a locale. Every character that comes of
 * another keeps that one's source. */
#ifndef SOTTO_JINJA_CASING_H
#define SOTTO_JINJA_CASING_H

#include "jinja/render.h"

enum letter_case {
	CASE_UPPER,
	CASE_LOWER,
	CASE_TITLE,      /* str.title(): each letter that follows no letter */
	CASE_CAPITALIZE, /* the first character, and the rest in lower case */
};

struct jinja_value string_to_case(struct render *render, const struct jinja_string *string,
                                  enum letter_case want);
/* Only bytes [from, to) of it. */
void text_append_case(struct text *text, const struct jinja_string *string, size_t from, size_t to,
                      enum letter_case want);

/* ---- characters ---- */
bool char_is_space(uint32_t c);
bool char_is_line_end(uint32_t c);   /* what splitlines() splits at; "\r\n" is one */
bool char_is_printable(uint32_t c);
bool char_is_word(uint32_t c);       /* \w: letters, digits and _ */
bool char_is_name(uint32_t c, bool first); /* in an identifier */

/* ---- strings ---- false for the empty one */
bool string_is_upper(const struct jinja_string *string);
bool string_is_lower(const struct jinja_string *string);

#endif
