/* The methods of str, by the file that has them; string_methods.c has the table. */
#ifndef SOTTO_JINJA_STRING_METHODS_H
#define SOTTO_JINJA_STRING_METHODS_H

#include "jinja/methods.h"

#define STRING_METHOD(name) \
	enum status name(struct render *render, struct value self, const struct bound *bound, \
	                 struct value *out)

/* ---- string_search.c ---- */
STRING_METHOD(str_count);
STRING_METHOD(str_endswith);
STRING_METHOD(str_find);
STRING_METHOD(str_index);
STRING_METHOD(str_partition);
STRING_METHOD(str_removeprefix);
STRING_METHOD(str_removesuffix);
STRING_METHOD(str_replace);
STRING_METHOD(str_rfind);
STRING_METHOD(str_rindex);
STRING_METHOD(str_rpartition);
STRING_METHOD(str_startswith);

/* ---- string_split.c ---- */
STRING_METHOD(str_lstrip);
STRING_METHOD(str_rsplit);
STRING_METHOD(str_rstrip);
STRING_METHOD(str_split);
STRING_METHOD(str_splitlines);
STRING_METHOD(str_strip);

/* The last occurrence in bytes [from, to); SIZE_MAX: none. Slow cases cost fuel. */
enum status find_last(struct render *render, const struct string *string,
                      const struct string *what, size_t from, size_t to, size_t *at) MUST_CHECK;

#endif
