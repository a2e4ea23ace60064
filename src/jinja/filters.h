/* The filters of filters.c's table, by the files they are in, and what they share. */
#ifndef SOTTO_JINJA_FILTERS_H
#define SOTTO_JINJA_FILTERS_H

#include "jinja/builtins.h"

/* filters_text.c */
builtin_function filter_capitalize, filter_center, filter_format, filter_indent, filter_lower,
	filter_replace, filter_string, filter_title, filter_trim, filter_truncate, filter_upper,
	filter_wordcount;
/* filters_wrap.c */
builtin_function filter_wordwrap;
/* filters_html.c */
builtin_function filter_escape, filter_striptags, filter_urlencode, filter_xmlattr;
/* filters_number.c */
builtin_function filter_abs, filter_filesizeformat, filter_float, filter_int, filter_round;
/* filters_items.c */
builtin_function filter_attr, filter_batch, filter_default, filter_first, filter_items, filter_join,
	filter_last, filter_length, filter_list, filter_random, filter_reverse, filter_slice,
	filter_sum;
/* filters_map.c */
builtin_function filter_map, filter_reject, filter_rejectattr, filter_select, filter_selectattr;
/* filters_sort.c */
builtin_function filter_dictsort, filter_groupby, filter_max, filter_min, filter_sort,
	filter_unique;
/* filters_json.c, filters_pprint.c */
builtin_function filter_tojson, filter_pprint;

#endif
