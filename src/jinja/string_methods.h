/* The methods of str, by the file that has them; string_methods.c has the table. */
#ifndef SOTTO_JINJA_STRING_METHODS_H
#define SOTTO_JINJA_STRING_METHODS_H

#include "jinja/methods.h"

/* string_search.c */
builtin_function str_count, str_endswith, str_find, str_removeprefix,
	str_removesuffix, str_replace, str_rfind, str_startswith;
/* string_split.c */
builtin_function str_lstrip, str_rsplit, str_rstrip, str_split, str_splitlines, str_strip;

/* The line that begins at *at, as splitlines() sees it: [from, to) without its
 * end; *at then is where the next one begins. False at the end of the text. */
bool next_line(const struct jinja_string *string, size_t *at, size_t *from, size_t *to);
/* The last occurrence in bytes [from, to); SIZE_MAX: none. Slow cases cost fuel. */
enum status find_last(struct render *render, const struct jinja_string *string,
                      const struct jinja_string *what, size_t from, size_t to,
                      size_t *at) MUST_CHECK;

#endif
