/* The filters of filters.c's table, by the files they are in, and what they share. */
#ifndef SOTTO_JINJA_FILTERS_H
#define SOTTO_JINJA_FILTERS_H

#include "jinja/builtins.h"

/* filters_text.c */
builtin_function filter_capitalize, filter_indent, filter_lower, filter_replace,
	filter_safe, filter_string, filter_title, filter_trim, filter_truncate, filter_upper,
	filter_wordcount;
/* filters_number.c */
builtin_function filter_abs, filter_float, filter_int;
/* filters_items.c */
builtin_function filter_default, filter_first, filter_items, filter_join,
	filter_last, filter_length, filter_list, filter_reverse, filter_sum;
/* filters_map.c */
builtin_function filter_map, filter_reject, filter_rejectattr, filter_select, filter_selectattr;
/* filters_sort.c */
builtin_function filter_dictsort, filter_max, filter_min, filter_sort, filter_unique;
/* json.c */
builtin_function filter_tojson;

/* ---- attributes ---- filters_items.c */

/* What stands behind attribute= is a key that can be looked up in an item. */
void attribute_check(struct render *render, struct jinja_value name);
/* The item's; None gives the item itself. */
struct jinja_value attribute_get(struct render *render, struct jinja_value name,
                                 struct jinja_value item);
/* A string in lower case, for comparisons that ignore it; else the value. */
struct jinja_value ignore_case(struct render *render, struct jinja_value value);

/* What to indent with: a text, or so many spaces. filters_text.c */
const struct jinja_string *arg_indent(struct render *render, struct jinja_value width);

/* An undefined value with the words for whoever uses it. filters_items.c */
struct jinja_value give_nothing(struct render *render, const char *hint);

#endif
