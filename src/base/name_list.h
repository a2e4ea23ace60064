/* A list of names: files that a pattern matches, the themes and presets that there are. */
#ifndef SOTTO_BASE_NAME_LIST_H
#define SOTTO_BASE_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct name_list {
	char **items; /* owned, [n] */
	size_t n, cap;
};

bool name_list_add(struct name_list *list, const char *name, size_t len); /* false: no memory */
/* Adds what NAME.yaml in a folder is called, nothing if it is not there. A list cut short for want of
 * memory, or after 1,000 names, is better than none. */
void name_list_add_folder(struct name_list *list, const char *path);
/* Sorts them, each once. */
void name_list_sort(struct name_list *list);
void name_list_free(struct name_list *list);

/* "there is no KIND 'NAME'", with the one in the list that is nearest, or all. Frees the list; returns `status`. */
enum status name_list_unknown(struct name_list *list, const char *kind, const char *name, size_t len,
                              enum status status, struct error *err);

#endif
