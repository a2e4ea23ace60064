/* Thoughts between markers in the text of a reply, where it is not known which markers a model writes: those that the
 * reply begins with. */
#ifndef SOTTO_REMOTE_THOUGHTS_H
#define SOTTO_REMOTE_THOUGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "encode/reasoning.h"

/* Whether the beginning of a reply says which ones; otherwise more of it has to come. If it begins with none, *out is
 * <think>: a reply may begin inside thoughts, so that only the closing one comes. */
bool thoughts_find(const char *text, size_t len, const struct reasoning_markers **out);

#endif
