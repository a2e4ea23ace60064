/* Ordering items, for list.sort(), the filters and sort_keys of JSON. */
#ifndef SOTTO_JINJA_SORT_H
#define SOTTO_JINJA_SORT_H

#include "jinja/render.h"

/* An item and what it is sorted by. */
struct keyed {
	struct jinja_value key, item;
};

/* Stable, as Python's sort: `reverse` keeps equal ones in their order too. The
 * error of "<" for keys that have no order. */
enum status keyed_sort(struct render *render, struct keyed *items, size_t n,
                       bool reverse) MUST_CHECK;

#endif
