/* The files that a pattern names: * ? and [...] in any part of a path, as in a shell, and ** as a
 * whole part for any number of folders, even none ("notes/" and "**": all files below notes).
 * Names that begin with a dot are only matched by a pattern that does; ** passes neither those nor
 * links. What the pattern names is sorted; folders and special files are left out. */
#ifndef SOTTO_BASE_FILE_PATTERN_H
#define SOTTO_BASE_FILE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/name_list.h"

bool file_pattern_has_wildcards(const char *path);
/* Fills an empty list. STATUS_LIMIT for more than `max` files, or a search that would take too
 * long; STATUS_OK without any file is possible. name_list_free in every case. */
enum status file_pattern_expand(struct name_list *out, const char *pattern, size_t max,
                                struct error *err) MUST_CHECK;

#endif
