/* The names that a kind of file goes by, themes or presets: those built in and those of folders
 * of NAME.yaml. */
#ifndef SOTTO_CONFIG_NAMES_H
#define SOTTO_CONFIG_NAMES_H

#include <stddef.h>

#include "base/error.h"

struct name_list {
	char **items; /* owned, as the array is: names_free */
	size_t n, cap;
};

/* A list cut short for want of memory, or after 1,000 names, is better than none. */
void names_add(struct name_list *names, const char *name, size_t len);
void names_add_folder(struct name_list *names, const char *path); /* nothing if it is not there */
/* Sorts them, each once. STATUS_NOMEM for none at all, since one is built in. */
enum status names_finish(struct name_list *names, struct error *err) MUST_CHECK;
void names_free(char **names, size_t n);

/* Lists all of a kind, as names_finish leaves them. */
typedef enum status names_lister(char ***names, size_t *n, struct error *err);

/* "there is no KIND 'NAME'", with the one of the list that is nearest, or all; returns `status`. */
enum status names_unknown(const char *kind, const char *name, names_lister *list, enum status status,
                          struct error *err);

#endif
