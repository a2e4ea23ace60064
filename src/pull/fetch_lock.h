/* One process at a time fetches a file: who has its part file locked. Private to fetch*.c. */
#ifndef SOTTO_PULL_FETCH_LOCK_H
#define SOTTO_PULL_FETCH_LOCK_H

#include <stdbool.h>

#include "pull/fetch.h"

/* Whether the whole file is there under its name: of its size, where that is known. */
bool fetch_is_there(const struct fetch *fetch);
/* Opens and locks the part file, made if need be; *fd: to be closed, -1: the whole file has come to its name meanwhile.
 * Waits for who has it, and shows how far that is. */
enum status fetch_lock(const struct fetch *fetch, const char *part, int *fd, struct error *err) MUST_CHECK;

#endif
