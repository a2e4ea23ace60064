/* What methods, filters, formats and operators share: arguments as Python's C
 * functions take them, and results. */
#ifndef SOTTO_JINJA_METHODS_H
#define SOTTO_JINJA_METHODS_H

#include "jinja/builtins.h"

/* A row's function. */
#define METHOD(name) \
	enum status name(struct render *render, struct jinja_value self, const struct bound *bound, \
	                 struct jinja_value *out)

/* A text for a value, bounded by the rendering's memory. */
void text_begin(struct render *render, struct text *text);
enum status give_text(struct render *render, struct text *text, struct jinja_value *out) MUST_CHECK;
/* What a constructor has made; the failure of the arena if it has not. */
enum status give_string(struct render *render, const struct jinja_string *string,
                        struct jinja_value *out) MUST_CHECK;
enum status give_list(struct render *render, enum list_kind kind,
                      struct jinja_value *out) MUST_CHECK;
/* Of n items, which are copied. */
enum status give_items(struct render *render, enum list_kind kind, const struct jinja_value *items,
                       size_t n, struct jinja_value *out) MUST_CHECK;
/* What a dict holds, as it is now: keys, values, or both as tuples. */
enum status give_entries(struct render *render, const struct jinja_dict *dict, enum list_kind kind,
                         struct jinja_value *out) MUST_CHECK;
enum status push(struct render *render, struct jinja_list *list,
                 struct jinja_value item) MUST_CHECK;

/* An int, or a bool: "'str' object cannot be interpreted as an integer". */
enum status arg_int(struct render *render, struct jinja_value value, int64_t *out) MUST_CHECK;
/* What to indent with: a text, or so many spaces. */
enum status arg_indent(struct render *render, struct jinja_value width,
                       const struct jinja_string **out) MUST_CHECK;

/* [from, to) of a string's bytes as a string to search in: no sources, no
 * character count, good while `string` is. */
struct jinja_string string_view(const struct jinja_string *string, size_t from, size_t to);
/* Where the character before a byte (> 0) begins. */
size_t string_before(const struct jinja_string *string, size_t byte);

/* string_methods.c: what filters use, too. */
builtin_function str_replace, str_strip;
/* format.c: "{} {0} {name} {:d}".format() */
enum status string_format(struct render *render, const struct jinja_string *text,
                          const struct args *args, struct jinja_value *out) MUST_CHECK;

/* dict[key] = item; the error of an unhashable key. */
enum status dict_put_key(struct render *render, struct jinja_dict *dict, struct jinja_value key,
                         struct jinja_value item) MUST_CHECK;

#endif
